// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/byte_float.h"

#include "engine/device/execute/instructions/small_float.h"
#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/state/float_mode.h"

namespace rpl::emu {
namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

template <class F, bool kByMode>
struct PackBytes {
  u16 operator()(float a, float b) const {
    const bool saturate = kByMode && current_mode().half_overflow;
    return static_cast<u16>(to_byte_float<F>(a, nullptr, saturate) |
                            to_byte_float<F>(b, nullptr, saturate) << 8);
  }
};
template <class F, bool kByMode>
struct StochasticByte {
  u32 operator()(float a, u32 random) const {
    return to_byte_float<F>(a, &random, kByMode && current_mode().half_overflow);
  }
};

/// The bytes of the Open Compute Project as a format of the same kind.
struct OcpFp8 {
  static constexpr const SmallFormat& kFormat = kFp8;
};
struct OcpBf8 {
  static constexpr const SmallFormat& kFormat = kBf8;
};

template <class F>
float from_ocp(u32 byte) {
  return static_cast<float>(from_small(F::kFormat, byte & 0xffU));
}
// Of the random bits as many count as the conversion drops of a float's mantissa.
template <class F>
u32 to_ocp(float value, const u32* random, bool saturate) {
  constexpr int kDropped = 23 - F::kFormat.mantissa;
  const Dither dither{random != nullptr,
                      random == nullptr ? 0 : std::ldexp(*random >> (32 - kDropped), -kDropped)};
  return to_small(F::kFormat, value, dither, saturate);
}

template <class F, bool kByMode>
struct PackOcp {
  u16 operator()(float a, float b) const {
    const bool saturate = kByMode && current_mode().half_overflow;
    return static_cast<u16>(to_ocp<F>(a, nullptr, saturate) | to_ocp<F>(b, nullptr, saturate) << 8);
  }
};
template <class F, bool kByMode>
struct StochasticOcp {
  u32 operator()(float a, u32 random) const {
    return to_ocp<F>(a, &random, kByMode && current_mode().half_overflow);
  }
};
template <class F>
FloatPair pair_from_ocp(u32 a) {
  return {from_ocp<F>(a), from_ocp<F>(a >> 8)};
}

template <template <class, bool> class C, class F>
VectorEntry byte_entry(std::string name) {
  VectorEntry entry = vector_entry(C<F, false>{}, std::move(name));
  entry.by_mode = lane_function<C<F, true>{}>();
  return entry;
}

template <class F>
FloatPair pair_from_byte_float(u32 a) {
  return {from_byte_float<F>(a & 0xffU), from_byte_float<F>(a >> 8 & 0xffU)};
}

}  // namespace

std::vector<VectorEntry> byte_float_entries() {
  std::vector<VectorEntry> entries = {
      vector_entry([](u32 a) { return from_byte_float<Fp8>(a & 0xffU); }, "v_cvt_f32_fp8"),
      vector_entry([](u32 a) { return from_byte_float<Bf8>(a & 0xffU); }, "v_cvt_f32_bf8"),
      vector_entry([](u32 a) { return pair_from_byte_float<Fp8>(a); }, "v_cvt_pk_f32_fp8"),
      vector_entry([](u32 a) { return pair_from_byte_float<Bf8>(a); }, "v_cvt_pk_f32_bf8"),
      byte_entry<PackBytes, Fp8>("v_cvt_pk_fp8_f32"),
      byte_entry<PackBytes, Bf8>("v_cvt_pk_bf8_f32"),
      byte_entry<StochasticByte, Fp8>("v_cvt_sr_fp8_f32"),
      byte_entry<StochasticByte, Bf8>("v_cvt_sr_bf8_f32"),
  };
  for (auto& entry : entries) entry.sets = static_cast<std::uint8_t>(isa::kAll & ~isa::kCdna4);
  std::vector<VectorEntry> ocp = {
      vector_entry([](u32 a) { return from_ocp<OcpFp8>(a); }, "v_cvt_f32_fp8"),
      vector_entry([](u32 a) { return from_ocp<OcpBf8>(a); }, "v_cvt_f32_bf8"),
      vector_entry([](u32 a) { return pair_from_ocp<OcpFp8>(a); }, "v_cvt_pk_f32_fp8"),
      vector_entry([](u32 a) { return pair_from_ocp<OcpBf8>(a); }, "v_cvt_pk_f32_bf8"),
      byte_entry<PackOcp, OcpFp8>("v_cvt_pk_fp8_f32"),
      byte_entry<PackOcp, OcpBf8>("v_cvt_pk_bf8_f32"),
      byte_entry<StochasticOcp, OcpFp8>("v_cvt_sr_fp8_f32"),
      byte_entry<StochasticOcp, OcpBf8>("v_cvt_sr_bf8_f32"),
  };
  for (auto& entry : ocp) entry.sets = isa::kCdna4;
  entries.insert(entries.end(), ocp.begin(), ocp.end());
  for (auto& entry : entries) {
    entry.fixed_rounding = true;
    if (entry.name.find("_pk_fp8") != std::string::npos ||
        entry.name.find("_pk_bf8") != std::string::npos)
      entry.rest = VectorEntry::Rest::kept;
    // Which of the random bits are added is not documented.
    entry.approximate = entry.name.find("_sr_") != std::string::npos;
    if (entry.approximate) entry.rest = VectorEntry::Rest::kept_around_byte;
  }
  return entries;
}

}  // namespace rpl::emu
