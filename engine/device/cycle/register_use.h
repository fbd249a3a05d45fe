// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Which registers an instruction reads and writes, from its text.
namespace rpl::cycle {

/// One numbering for all: vector registers, accumulation registers, scalar registers, vcc.
inline constexpr std::uint16_t kVectorRegisters = 512, kScalarRegisters = 128;
inline constexpr std::uint16_t kFirstAccumulation = kVectorRegisters,
                               kFirstScalar = 2 * kVectorRegisters,
                               kVcc = kFirstScalar + kScalarRegisters, kRegisters = kVcc + 2;

/// Registers that an operand names.
struct RegisterRange {
  std::uint16_t first = 0, count = 0;

  [[nodiscard]] bool overlaps(const RegisterRange& other) const {
    return first < other.first + other.count && other.first < first + count;
  }
  bool operator==(const RegisterRange&) const = default;
};

/// "v[0:3]", "-s7", "|a12|", "vcc"; nothing for anything else.
std::optional<RegisterRange> register_range(std::string_view operand);

struct RegisterUse {
  std::vector<RegisterRange> writes, reads;  ///< in the order of the operands
};

/// Exec, scc and m0 are left out. Of an instruction of unknown form the first operand is taken to be what it writes.
RegisterUse register_use_of(std::string_view text);

}  // namespace rpl::cycle
