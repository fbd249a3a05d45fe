// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/device/execute/state/machine.h"

namespace rpl::emu {

enum class Atomic : std::uint8_t {
  swap,
  compare_swap,
  add,
  sub,
  signed_min,
  unsigned_min,
  signed_max,
  unsigned_max,
  bit_and,
  bit_or,
  bit_xor,
  increment,
  decrement,
  float_add,
  float_min,
  float_max,
  float_compare_swap,
  reverse_sub,
  mask_or,       ///< clears the bits of the first operand and sets those of the second
  wrap,          ///< minus the first operand where there is as much, else plus the second
  exchange_set,  ///< each dword whose data has bit 31 becomes the other bits
  packed_add_f16,
  packed_add_bf16
};

/// Whether a ds_ instruction brings two operands in order, rather than what to compare with and the new value.
inline bool has_second_operand(Atomic kind) {
  return kind == Atomic::mask_or || kind == Atomic::wrap;
}
inline bool compares(Atomic kind) {
  return kind == Atomic::compare_swap || kind == Atomic::float_compare_swap;
}

/// By the part of a mnemonic behind "atomic_" ("add_x2", "cmpswap", "add_f32") or of ds_ ("add_rtn_u32", "max_i32").
std::optional<Atomic> find_atomic(std::string_view name);

/// Does `kind` on the 1 or 2 dwords at `at` and returns what was there before. `expected` is also the second operand of those that
/// have one.
std::uint64_t apply_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                           std::uint64_t expected);

/// While one of these lives, sums of floats in memory round up or down at random if the wave does (Variation::random_rounding). Hardware rounds them to the nearest, whatever
/// MODE says.
class AtomicRounding {
 public:
  AtomicRounding(Wave& wave, Atomic kind);
  ~AtomicRounding();
  AtomicRounding(const AtomicRounding&) = delete;
  AtomicRounding& operator=(const AtomicRounding&) = delete;
  /// Before the sum of each lane.
  void draw();

 private:
  Wave* wave_ = nullptr;  ///< null: as usual
  int host_rounding_ = 0;
};

}  // namespace rpl::emu
