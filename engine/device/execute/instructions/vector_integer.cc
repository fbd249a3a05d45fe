// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "engine/device/execute/instructions/vector_table.h"

namespace rpl::emu {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using i16 = std::int16_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 low24(u32 a) { return a & 0xffffffU; }

constexpr u32 reversed(u32 a) {
  a = (a & 0x55555555U) << 1 | (a >> 1 & 0x55555555U);
  a = (a & 0x33333333U) << 2 | (a >> 2 & 0x33333333U);
  a = (a & 0x0f0f0f0fU) << 4 | (a >> 4 & 0x0f0f0f0fU);
  return __builtin_bswap32(a);
}

constexpr u32 mask_below(u32 width) { return width >= 32 ? ~0U : (1U << width) - 1; }

constexpr u32 extract(u32 value, u32 offset, u32 width) {
  return value >> (offset & 31) & mask_below(width & 31);
}
constexpr i32 extract_signed(i32 value, u32 offset, u32 width) {
  const u32 first = offset & 31, count = width & 31;
  if (count == 0) return 0;
  const i32 shifted = value >> first;
  const u32 unused = 32 - (first + count > 32 ? 32 - first : count);
  return static_cast<i32>(static_cast<u32>(shifted) << unused) >> unused;
}

// Byte `selector` of the eight bytes high:low; 12 is zero and 13 up are ones, 8 to 11 repeat a sign.
constexpr u32 permuted_byte(u64 data, u32 selector) {
  if (selector >= 13) return 0xff;
  if (selector == 12) return 0;
  if (selector >= 8) return (data >> ((selector - 8) * 16 + 15) & 1) != 0 ? 0xff : 0;
  return static_cast<u32>(data >> (selector * 8) & 0xff);
}
constexpr u32 permuted(u32 high, u32 low, u32 selectors) {
  const u64 data = u64{high} << 32 | low;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) result |= permuted_byte(data, selectors >> (8 * i) & 0xff) << (8 * i);
  return result;
}

constexpr DwordPair sum_of(DwordPair a, DwordPair b) {
  const u32 low = a.low + b.low;
  return {low, a.high + b.high + (low < b.low ? 1U : 0U)};
}
/// By less than 32.
constexpr DwordPair shifted_left(DwordPair a, u32 by) {
  return {a.low << by, a.high << by | a.low >> 1 >> (31 - by)};
}

constexpr u32 bits_below(u32 lane) { return lane >= 32 ? ~0U : (1U << lane) - 1; }

void add_bitwise(std::vector<VectorEntry>& out) {
  const std::vector<VectorEntry> entries = {
      vector_entry<true>([](u32 a) { return a; }, "v_mov_b32"),
      vector_entry([](u32 a) { return a; }, "v_accvgpr_read_b32"),
      // A linear feedback shift register (CDNA4 ISA document).
      vector_entry([](u32 a) { return a << 1 ^ ((a >> 31) != 0 ? 197U : 0U); }, "v_prng_b32"),
      vector_entry([](u32 a) { return a; }, "v_accvgpr_write_b32"),
      vector_entry([](u32 a) { return a; }, "v_accvgpr_mov_b32"),
      vector_entry([](u64 a) { return a; }, "v_mov_b64"),
      vector_entry([](u32 a) { return ~a; }, "v_not_b32"),
      vector_entry([](u32 a) { return reversed(a); }, "v_bfrev_b32"),
      vector_entry([](u32 a) { return a == 0 ? ~0U : static_cast<u32>(__builtin_clz(a)); },
                   "v_ffbh_u32"),
      vector_entry([](u32 a) { return a == 0 ? ~0U : static_cast<u32>(__builtin_ctz(a)); },
                   "v_ffbl_b32"),
      vector_entry(
          [](i32 a) { return a == 0 || a == -1 ? ~0U : static_cast<u32>(__builtin_clrsb(a)) + 1; },
          "v_ffbh_i32"),
      vector_entry<true>([](u32 a, u32 b) { return a & b; }, "v_and_b32"),
      vector_entry<true>([](u32 a, u32 b) { return a | b; }, "v_or_b32"),
      vector_entry([](u32 a, u32 b) { return a ^ b; }, "v_xor_b32"),
      vector_entry([](u32 a, u32 b) { return ~(a ^ b); }, "v_xnor_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return (a & b) | c; }, "v_and_or_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return a | b | c; }, "v_or3_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }, "v_bfi_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return extract(a, b, c); }, "v_bfe_u32"),
      vector_entry([](i32 a, u32 b, u32 c) { return extract_signed(a, b, c); }, "v_bfe_i32"),
      vector_entry([](u32 a, u32 b) { return mask_below(a & 31) << (b & 31); }, "v_bfm_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return permuted(a, b, c); }, "v_perm_b32"),
      vector_entry(
          [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31)); },
          "v_alignbit_b32"),
      vector_entry(
          [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (8 * (c & 3))); },
          "v_alignbyte_b32"),
      vector_entry([](u32 a, u32 b) { return static_cast<u32>(__builtin_popcount(a)) + b; },
                   "v_bcnt_u32_b32"),
      vector_entry(
          [](u32 a, u32 b, LaneNumber lane) {
            return static_cast<u32>(__builtin_popcount(a & bits_below(lane.value))) + b;
          },
          "v_mbcnt_lo_u32_b32"),
      vector_entry(
          [](u32 a, u32 b, LaneNumber lane) {
            const u32 below = lane.value < 32 ? 0 : bits_below(lane.value - 32);
            return static_cast<u32>(__builtin_popcount(a & below)) + b;
          },
          "v_mbcnt_hi_u32_b32"),
      vector_entry([](u32 a, u32 b, u32 bit) { return bit != 0 ? b : a; }, "v_cndmask_b32"),
  };
  out.insert(out.end(), entries.begin(), entries.end());
}

void add_shifts(std::vector<VectorEntry>& out) {
  const std::vector<VectorEntry> entries = {
      vector_entry<true>([](u32 a, u32 b) { return b << (a & 31); }, "v_lshlrev_b32"),
      vector_entry([](u32 a, u32 b) { return b >> (a & 31); }, "v_lshrrev_b32"),
      vector_entry([](u32 a, i32 b) { return b >> (a & 31); }, "v_ashrrev_i32"),
      vector_entry(
          [](u32 a, DwordPair b) {
            const DwordPair few = shifted_left(b, a & 31);
            return (a & 32) != 0 ? DwordPair{0, few.low} : few;
          },
          "v_lshlrev_b64"),
      vector_entry([](u32 a, u64 b) { return b >> (a & 63); }, "v_lshrrev_b64"),
      vector_entry([](u32 a, i64 b) { return b >> (a & 63); }, "v_ashrrev_i64"),
      vector_entry<true>([](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }, "v_lshl_add_u32"),
      vector_entry<true>([](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }, "v_add_lshl_u32"),
      vector_entry([](u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; }, "v_lshl_or_b32"),
      vector_entry([](u32 a, u32 b, u32 c) { return (a ^ b) + c; }, "v_xad_u32"),
      vector_entry<true>(
          [](DwordPair a, u32 b, DwordPair c) { return sum_of(shifted_left(a, b & 7), c); },
          "v_lshl_add_u64"),
      vector_entry([](u16 a, u16 b) { return static_cast<u16>(b << (a & 15)); }, "v_lshlrev_b16"),
      vector_entry([](u16 a, u16 b) { return static_cast<u16>(b >> (a & 15)); }, "v_lshrrev_b16"),
      vector_entry([](u16 a, i16 b) { return static_cast<i16>(b >> (a & 15)); }, "v_ashrrev_i16"),
  };
  out.insert(out.end(), entries.begin(), entries.end());
}

void add_arithmetic(std::vector<VectorEntry>& out) {
  const std::vector<VectorEntry> entries = {
      vector_entry<true>([](u32 a, u32 b, u32 c) { return a + b + c; }, "v_add3_u32"),
      vector_entry<true>([](u32 a, u32 b) { return a * b; }, "v_mul_lo_u32"),
      vector_entry([](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }, "v_mul_hi_u32"),
      vector_entry([](i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }, "v_mul_hi_i32"),
      vector_entry([](u32 a, u32 b) { return static_cast<u32>(u64{low24(a)} * low24(b) >> 32); },
                   "v_mul_hi_u32_u24"),
      vector_entry([](u32 a, u32 b) { return a < b ? a : b; }, "v_min_u32"),
      vector_entry([](u32 a, u32 b) { return a > b ? a : b; }, "v_max_u32"),
      vector_entry([](i32 a, i32 b) { return a < b ? a : b; }, "v_min_i32"),
      vector_entry([](i32 a, i32 b) { return a > b ? a : b; }, "v_max_i32"),
      vector_entry([](u32 a, u32 b, u32 c) { return std::min(std::min(a, b), c); }, "v_min3_u32"),
      vector_entry([](u32 a, u32 b, u32 c) { return std::max(std::max(a, b), c); }, "v_max3_u32"),
      vector_entry([](i32 a, i32 b, i32 c) { return std::min(std::min(a, b), c); }, "v_min3_i32"),
      vector_entry([](i32 a, i32 b, i32 c) { return std::max(std::max(a, b), c); }, "v_max3_i32"),
      vector_entry(
          [](u32 a, u32 b, u32 c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); },
          "v_med3_u32"),
      vector_entry(
          [](i32 a, i32 b, i32 c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); },
          "v_med3_i32"),
      vector_entry([](u16 a, u16 b) { return static_cast<u16>(u32{a} * b); }, "v_mul_lo_u16"),
      vector_entry([](u16 a, u16 b) { return a < b ? a : b; }, "v_min_u16"),
      vector_entry([](u16 a, u16 b) { return a > b ? a : b; }, "v_max_u16"),
      vector_entry([](i16 a, i16 b) { return a < b ? a : b; }, "v_min_i16"),
      vector_entry([](i16 a, i16 b) { return a > b ? a : b; }, "v_max_i16"),
  };
  out.insert(out.end(), entries.begin(), entries.end());
}

}  // namespace

std::vector<VectorEntry> integer_entries() {
  std::vector<VectorEntry> entries;
  add_bitwise(entries);
  add_shifts(entries);
  add_arithmetic(entries);
  for (auto& entry : entries) entry.takes_mask = entry.name == "v_cndmask_b32";
  return entries;
}

namespace {

/// The high dword of the product, to which a carry always fits.
constexpr u32 product_above(u32 a, u32 b, bool carry) {
  return static_cast<u32>(u64{a} * b >> 32) + (carry ? 1U : 0U);
}

constexpr u32 bounded(i64 value) {
  return static_cast<u32>(value < 0 ? 0 : value > i64{~0U} ? i64{~0U} : value);
}

/// The value of a carry instruction with the clamp bit; its carry stays as it is.
LaneFunction saturating_carry(std::string_view name) {
  if (name == "v_add_co_u32")
    return lane_function<[](u32 a, u32 b) { return bounded(i64{a} + b); }>();
  if (name == "v_sub_co_u32")
    return lane_function<[](u32 a, u32 b) { return bounded(i64{a} - b); }>();
  if (name == "v_subrev_co_u32")
    return lane_function<[](u32 a, u32 b) { return bounded(i64{b} - a); }>();
  if (name == "v_addc_co_u32")
    return lane_function<[](u32 a, u32 b, u32 c) { return bounded(i64{a} + b + c); }>();
  if (name == "v_subb_co_u32")
    return lane_function<[](u32 a, u32 b, u32 c) { return bounded(i64{a} - b - c); }>();
  if (name == "v_subbrev_co_u32")
    return lane_function<[](u32 a, u32 b, u32 c) { return bounded(i64{b} - a - c); }>();
  if (name == "v_mad_u64_u32") {
    return lane_function<[](u32 a, u32 b, u64 c) {
      const u64 sum = u64{a} * b + c;
      return sum < c ? ~u64{0} : sum;
    }>();
  }
  return lane_function<[](i32 a, i32 b, i64 c) {
    i64 sum = 0;
    const bool over = __builtin_add_overflow(i64{a} * b, c, &sum);
    return over ? (c < 0 ? std::numeric_limits<i64>::min() : std::numeric_limits<i64>::max()) : sum;
  }>();
}

}  // namespace

std::vector<VectorEntry> carry_entries() {
  std::vector<VectorEntry> entries = {
      carry_entry([](u32 a, u32 b) { return a + b; }, [](u32 a, u32 b) { return a + b < a; },
                  "v_add_co_u32"),
      carry_entry([](u32 a, u32 b) { return a - b; }, [](u32 a, u32 b) { return a < b; },
                  "v_sub_co_u32"),
      carry_entry([](u32 a, u32 b) { return b - a; }, [](u32 a, u32 b) { return b < a; },
                  "v_subrev_co_u32"),
      carry_entry([](u32 a, u32 b, u32 c) { return a + b + c; },
                  [](u32 a, u32 b, u32 c) { return u64{a} + b + c > ~0U; }, "v_addc_co_u32"),
      carry_entry([](u32 a, u32 b, u32 c) { return a - b - c; },
                  [](u32 a, u32 b, u32 c) { return u64{b} + c > a; }, "v_subb_co_u32"),
      carry_entry([](u32 a, u32 b, u32 c) { return b - a - c; },
                  [](u32 a, u32 b, u32 c) { return u64{a} + c > b; }, "v_subbrev_co_u32"),
      carry_entry(
          [](u32 a, u32 b, DwordPair c) {
            const u32 low = a * b + c.low;
            return DwordPair{low, product_above(a, b, low < c.low) + c.high};
          },
          [](u32 a, u32 b, DwordPair c) {
            const u32 above = product_above(a, b, a * b + c.low < c.low);
            return above + c.high < above;
          },
          "v_mad_u64_u32"),
      carry_entry([](i32 a, i32 b, u64 c) { return static_cast<u64>(i64{a} * b) + c; },
                  [](i32 a, i32 b, i64 c) {
                    i64 ignored = 0;
                    return __builtin_add_overflow(i64{a} * b, c, &ignored);
                  },
                  "v_mad_i64_i32"),
  };
  for (auto& entry : entries) {
    entry.takes_mask = entry.name == "v_addc_co_u32" || entry.name.starts_with("v_subb");
    entry.clamped = saturating_carry(entry.name);
  }
  return entries;
}

}  // namespace rpl::emu
