// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/capture/capture.h"

namespace rpl {

/// What a dispatch can reach, found conservatively: every aligned eight bytes that could be an address lead to the memory that holds it,
/// whole. Packed or relative pointers are missed; a number that happens to look like an address is followed.
class Reach {
 public:
  /// Where the range of known memory begins that holds an address; nothing for other numbers.
  using Find = std::function<std::optional<std::uint64_t>(std::uint64_t address)>;
  explicit Reach(Find find) : find_(std::move(find)) {}

  /// Looks through bytes that lie at `address`; pieces of a range may come one after another.
  void look_at(std::uint64_t address, std::span<const std::byte> bytes);
  /// A range that was found and not handed out yet, by its base.
  std::optional<std::uint64_t> next();
  [[nodiscard]] bool has(std::uint64_t base) const { return bases_.contains(base); }

 private:
  Find find_;
  std::set<std::uint64_t> bases_;
  std::vector<std::uint64_t> pending_;
};

/// The variables of a code object: what lies in its data and is neither code nor a kernel's descriptor, ascending, without what overlaps.
std::vector<const isa::Symbol*> variables_of(const isa::CodeObject& object);
/// Whether a host or a kernel may give a variable another value: `__device__` and `__constant__` ones, and no tables that the compiler made of constants.
bool may_change(const isa::CodeObject& object, const isa::Symbol& variable);

}  // namespace rpl
