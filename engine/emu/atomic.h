// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
  float_max
};

/// By the part of a mnemonic behind "atomic_" ("add_x2", "cmpswap", "add_f32") or of ds_ ("add_rtn_u32", "max_i32").
std::optional<Atomic> find_atomic(std::string_view name);

/// Does `kind` on the 1 or 2 dwords at `at` and returns what was there before.
std::uint64_t apply_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                           std::uint64_t expected);

}  // namespace rpl::emu
