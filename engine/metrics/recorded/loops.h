// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/metrics/recorded/machine_code.h"

namespace rpl::findings {

/// The loops of a listing that is sorted by address: a branch backwards ends one. Branches are understood as AMD's scalar instructions write them, with an offset in words
/// or a target address.
class Loops {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;
  explicit Loops(std::span<const ListedInstruction> code);

  /// The branch that ends the innermost loop around an instruction; kNone outside of loops.
  [[nodiscard]] std::size_t end_around(std::size_t instruction) const { return end_[instruction]; }
  /// Where the loop that this branch ends begins.
  [[nodiscard]] std::size_t begin_of(std::size_t branch) const { return begin_[branch]; }

 private:
  std::vector<std::size_t> end_, begin_;
};

}  // namespace rpl::findings
