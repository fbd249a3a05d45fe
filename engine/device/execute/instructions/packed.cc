// SPDX-License-Identifier: MIT
// Packed arithmetic (VOP3P). Lane functions see the halves that op_sel and op_sel_hi chose, at their places.
#include <algorithm>
#include <limits>

#include "engine/device/execute/instructions/half_operations.h"
#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

using i64 = std::int64_t;

template <class T>
constexpr T low_of(ShortPair a) {
  return static_cast<T>(a.bits);
}
template <class T>
constexpr T high_of(ShortPair a) {
  return static_cast<T>(a.bits >> 16);
}
constexpr ShortPair short_pair(i64 low, i64 high) {
  return {static_cast<std::uint32_t>(low & 0xffff) | static_cast<std::uint32_t>(high & 0xffff)
                                                         << 16};
}

template <class T>
constexpr i64 in_range(i64 value) {
  constexpr i64 low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return value < low ? low : value > high ? high : value;
}

/// F computes an i64 from two values or three of T; the result is its low 16 bits or, clamped, saturated.
template <class T, auto kFunction, bool kClamped>
struct Shorts2 {
  ShortPair operator()(ShortPair a, ShortPair b) const {
    const i64 low = kFunction(i64{low_of<T>(a)}, i64{low_of<T>(b)}),
              high = kFunction(i64{high_of<T>(a)}, i64{high_of<T>(b)});
    return kClamped ? short_pair(in_range<T>(low), in_range<T>(high)) : short_pair(low, high);
  }
};
template <class T, auto kFunction, bool kClamped>
struct Shorts3 {
  ShortPair operator()(ShortPair a, ShortPair b, ShortPair c) const {
    const i64 low = kFunction(i64{low_of<T>(a)}, i64{low_of<T>(b)}, i64{low_of<T>(c)}),
              high = kFunction(i64{high_of<T>(a)}, i64{high_of<T>(b)}, i64{high_of<T>(c)});
    return kClamped ? short_pair(in_range<T>(low), in_range<T>(high)) : short_pair(low, high);
  }
};

template <class T, class F>
VectorEntry shorts2(F, std::string name) {
  VectorEntry entry = vector_entry(Shorts2<T, F{}, false>{}, std::move(name));
  entry.clamped = lane_function<Shorts2<T, F{}, true>{}>();
  return entry;
}
template <class T, class F>
VectorEntry shorts3(F, std::string name) {
  VectorEntry entry = vector_entry(Shorts3<T, F{}, false>{}, std::move(name));
  entry.clamped = lane_function<Shorts3<T, F{}, true>{}>();
  return entry;
}

using u16 = std::uint16_t;
using i16 = std::int16_t;

std::vector<VectorEntry> short_pair_entries() {
  return {
      shorts3<i16>([](i64 a, i64 b, i64 c) { return a * b + c; }, "v_pk_mad_i16"),
      shorts3<u16>([](i64 a, i64 b, i64 c) { return a * b + c; }, "v_pk_mad_u16"),
      shorts2<u16>([](i64 a, i64 b) { return a * b; }, "v_pk_mul_lo_u16"),
      shorts2<i16>([](i64 a, i64 b) { return a + b; }, "v_pk_add_i16"),
      shorts2<i16>([](i64 a, i64 b) { return a - b; }, "v_pk_sub_i16"),
      shorts2<u16>([](i64 a, i64 b) { return a + b; }, "v_pk_add_u16"),
      shorts2<u16>([](i64 a, i64 b) { return a - b; }, "v_pk_sub_u16"),
      shorts2<u16>([](i64 a, i64 b) { return b << (a & 15) & 0xffff; }, "v_pk_lshlrev_b16"),
      shorts2<u16>([](i64 a, i64 b) { return b >> (a & 15); }, "v_pk_lshrrev_b16"),
      shorts2<i16>([](i64 a, i64 b) { return b >> (a & 15); }, "v_pk_ashrrev_i16"),
      shorts2<i16>([](i64 a, i64 b) { return std::max(a, b); }, "v_pk_max_i16"),
      shorts2<i16>([](i64 a, i64 b) { return std::min(a, b); }, "v_pk_min_i16"),
      shorts2<u16>([](i64 a, i64 b) { return std::max(a, b); }, "v_pk_max_u16"),
      shorts2<u16>([](i64 a, i64 b) { return std::min(a, b); }, "v_pk_min_u16"),
  };
}

struct AddFloats {
  float operator()(float a, float b) const { return result_of(a + b, a, b); }
};
struct MulFloats {
  float operator()(float a, float b) const { return result_of(a * b, a, b); }
};
struct FmaFloats {
  float operator()(float a, float b, float c) const {
    return result_of(__builtin_fmaf(a, b, c), a, b, c);
  }
};
template <class F, class Quick>
VectorEntry float_pairs(Quick, std::string name) {
  VectorEntry entry = vector_entry(
      [](FloatPair a, FloatPair b) { return FloatPair{F()(a.low, b.low), F()(a.high, b.high)}; },
      std::move(name));
  entry.per_register = checked_function<Quick{}, F{}>();
  return entry;
}
template <class F, class Quick>
VectorEntry float_triples(Quick, std::string name) {
  VectorEntry entry = vector_entry(
      [](FloatPair a, FloatPair b, FloatPair c) {
        return FloatPair{F()(a.low, b.low, c.low), F()(a.high, b.high, c.high)};
      },
      std::move(name));
  entry.per_register = checked_function<Quick{}, F{}>();
  return entry;
}

// op_sel chooses which register of a pair feeds the low result and op_sel_hi the high one.
const std::uint32_t* register_of(const std::uint32_t* pair, bool high, bool negate, Room& room) {
  const std::uint32_t* lanes = pair + (high ? kLanes : 0);
  if (!negate) return lanes;
  for (unsigned i = 0; i < kLanes; ++i) room.lane[i] = lanes[i] ^ 0x80000000U;
  return room.data();
}

}  // namespace

// Kernels spend much of their time here: results go to their registers at once where no lane keeps what it had, and the low one is no source of
// the high one.
bool run_float_pair(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[3], result;
  const std::uint32_t* sources[3] = {};
  for (std::size_t i = 0; i < op.source_count; ++i)
    sources[i] = lanes_of(machine, wave, op.sources[i], rooms[i].data());
  const isa::Instruction& in = *op.instruction;
  std::uint32_t* const destination = wave.vector(op.destination);
  const std::uint64_t exec = wave.exec();
  bool direct = exec == kAllLanes;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned select = half == 0 ? in.op_sel : in.op_sel_hi,
                   negate = half == 0 ? in.neg_lo : in.neg_hi;
    Room negated[3];
    const std::uint32_t* operands[3] = {};
    for (unsigned i = 0; i < op.source_count; ++i) {
      operands[i] =
          register_of(sources[i], (select >> i & 1) != 0, (negate >> i & 1) != 0, negated[i]);
      const unsigned of_high = (in.op_sel_hi >> i & 1) != 0 ? kLanes : 0;
      direct = direct && (half != 0 || sources[i] + of_high != destination);
    }
    std::uint32_t* const to = (direct ? destination : result.data()) + std::size_t{half} * kLanes;
    op.entry->per_register(to, operands[0], operands[1], operands[2]);
  }
  if (direct) return true;
  primitives().blend(destination, result.data(), exec);
  primitives().blend(wave.vector(op.destination + 1U), result.data() + kLanes, exec);
  return true;
}

std::vector<VectorEntry> packed_entries() {
  std::vector<VectorEntry> entries = {
      halves::pair_entry<halves::Pair2, halves::Add>("v_pk_add_f16"),
      halves::pair_entry<halves::Pair2, halves::Mul>("v_pk_mul_f16"),
      halves::pair_entry<halves::Pair2, halves::Min>("v_pk_min_f16"),
      halves::pair_entry<halves::Pair2, halves::Max>("v_pk_max_f16"),
      halves::pair_entry<halves::Pair3, halves::Fma>("v_pk_fma_f16"),
      halves::pair_entry<halves::Pair3, halves::Fma>("v_pk_fmac_f16"),
      float_pairs<AddFloats>(QuickAdd{}, "v_pk_add_f32"),
      float_pairs<MulFloats>(QuickMul{}, "v_pk_mul_f32"),
      float_triples<FmaFloats>(QuickFma{}, "v_pk_fma_f32"),
  };
  for (auto& entry : entries) entry.accumulates = entry.name == "v_pk_fmac_f16";
  const auto shorts = short_pair_entries();
  entries.insert(entries.end(), shorts.begin(), shorts.end());
  return entries;
}

// Sources are halves or floats, each as op_sel_hi says; the lane functions get floats.
std::vector<VectorEntry> mixed_entries() {
  const auto fma = [](float a, float b, float c) {
    return result_of(__builtin_fmaf(a, b, c), a, b, c);
  };
  std::vector<VectorEntry> entries = {
      vector_entry(fma, "v_fma_mix_f32"),
      vector_entry([](float a, float b,
                      float c) { return to_half(result_of(__builtin_fmaf(a, b, c), a, b, c)); },
                   "v_fma_mixlo_f16"),
  };
  entries[1].by_mode = lane_function<[](float a, float b, float c) {
    return ByMode::half(result_of(__builtin_fmaf(a, b, c), a, b, c));
  }>();
  entries[1].rest = VectorEntry::Rest::kept;
  entries.push_back(entries[1]);
  entries[2].name = "v_fma_mixhi_f16";
  entries[2].rest = VectorEntry::Rest::kept_below;
  for (auto& entry : entries) entry.mixed = true;
  return entries;
}

}  // namespace rpl::emu
