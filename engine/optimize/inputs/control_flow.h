// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/device/execute/launch/launch.h"

namespace rpl {

/// The mnemonic; "" for padding.
std::string_view name_of(const emu::Op& op);
/// s_branch and s_cbranch_*.
bool is_branch(std::string_view mnemonic);
/// Whether nothing follows: the end of the program, or a jump to an address in a register.
bool is_end(std::string_view mnemonic);

/// Calls `go` with the operations that may run next after the one at `at`: the target of a branch first.
template <class Go>
void for_each_next(const std::vector<emu::Op>& ops, std::size_t at, const Go& go) {
  const auto name = name_of(ops[at]);
  if (is_branch(name) && ops[at].target < ops.size()) go(std::size_t{ops[at].target});
  if (name != "s_branch" && !is_end(name) && at + 1 < ops.size()) go(at + 1);
}

/// By operation: whether it can be reached from the entry. Where a kernel calls or jumps elsewhere its program holds the other kernels of its segment, too.
std::vector<bool> reached_from_entry(const emu::Program& program);

/// By operation that can be reached: the first one that every way from there comes by (its immediate postdominator); ops.size() where ways meet at no operation before the end, or never end.
/// After K. D. Cooper, T. J. Harvey and K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
std::vector<std::size_t> joins(const emu::Program& program);

}  // namespace rpl
