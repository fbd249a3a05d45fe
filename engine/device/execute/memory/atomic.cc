// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/atomic.h"

#include <cstring>

#include "engine/base/half.h"
#include "engine/device/execute/state/bfloat.h"
#include "engine/device/execute/state/float_math.h"
#include "engine/device/execute/state/float_mode.h"
#include "engine/device/execute/state/host_rounding.h"

namespace rpl::emu {
namespace {

template <class T>
using SignedOf = std::make_signed_t<T>;
template <class T>
using FloatOf = std::conditional_t<sizeof(T) == 8, double, float>;

template <class T>
T float_result(Atomic kind, T before, T data) {
  const auto a = std::bit_cast<FloatOf<T>>(before), b = std::bit_cast<FloatOf<T>>(data);
  if (kind == Atomic::float_add) return std::bit_cast<T>(result_of(a + b, a, b));
  return std::bit_cast<T>(kind == Atomic::float_min ? minimum(a, b) : maximum(a, b));
}

std::uint32_t packed_sum(bool bfloat, std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16) {
    const auto x = static_cast<std::uint16_t>(a >> shift),
               y = static_cast<std::uint16_t>(b >> shift);
    const float p = bfloat ? bfloat_to_float(x) : to_float({x}),
                q = bfloat ? bfloat_to_float(y) : to_float({y});
    // A float holds enough bits that rounding twice gives what rounding once would.
    const float sum = result_of(p + q, p, q);
    result |= std::uint32_t{bfloat ? float_to_bfloat(sum) : to_half(sum).bits} << shift;
  }
  return result;
}

template <class T>
T exchanged_where_set(T before, T data) {
  constexpr T kSet = 0x80000000U;
  T result = before;
  for (unsigned shift = 0; shift < sizeof(T) * 8; shift += 32) {
    if ((data >> shift & kSet) == 0) continue;
    const T dword = static_cast<T>(0xffffffffU) << shift;
    result = (result & ~dword) | (data & dword & ~(kSet << shift));
  }
  return result;
}

template <class T>
T result_after(Atomic kind, T before, T data, T expected) {
  const auto signed_before = static_cast<SignedOf<T>>(before),
             signed_data = static_cast<SignedOf<T>>(data);
  switch (kind) {
    case Atomic::swap:
      return data;
    case Atomic::compare_swap:
      return before == expected ? data : before;
    case Atomic::add:
      return before + data;
    case Atomic::sub:
      return before - data;
    case Atomic::signed_min:
      return signed_before < signed_data ? before : data;
    case Atomic::unsigned_min:
      return before < data ? before : data;
    case Atomic::signed_max:
      return signed_before > signed_data ? before : data;
    case Atomic::unsigned_max:
      return before > data ? before : data;
    case Atomic::bit_and:
      return before & data;
    case Atomic::bit_or:
      return before | data;
    case Atomic::bit_xor:
      return before ^ data;
    case Atomic::increment:
      return before >= data ? T(0) : before + 1;
    case Atomic::decrement:
      return before == 0 || before > data ? data : before - 1;
    case Atomic::float_compare_swap:
      return std::bit_cast<FloatOf<T>>(before) == std::bit_cast<FloatOf<T>>(expected) ? data
                                                                                      : before;
    case Atomic::reverse_sub:
      return data - before;
    case Atomic::mask_or:
      return (before & ~data) | expected;
    case Atomic::wrap:
      return before >= data ? before - data : before + expected;
    case Atomic::exchange_set:
      return exchanged_where_set(before, data);
    case Atomic::packed_add_f16:
    case Atomic::packed_add_bf16:
      return packed_sum(kind == Atomic::packed_add_bf16, static_cast<std::uint32_t>(before),
                        static_cast<std::uint32_t>(data));
    default:
      return float_result(kind, before, data);
  }
}

template <class T>
std::uint64_t apply(Atomic kind, std::byte* at, std::uint64_t data, std::uint64_t expected) {
  T before;
  std::memcpy(&before, at, sizeof(T));
  const T after = result_after(kind, before, static_cast<T>(data), static_cast<T>(expected));
  std::memcpy(at, &after, sizeof(T));
  return before;
}

struct Row {
  std::string_view name;
  Atomic kind;
};
constexpr Row kRows[] = {
    {"swap", Atomic::swap},
    {"cmpswap", Atomic::compare_swap},
    {"add", Atomic::add},
    {"sub", Atomic::sub},
    {"smin", Atomic::signed_min},
    {"umin", Atomic::unsigned_min},
    {"smax", Atomic::signed_max},
    {"umax", Atomic::unsigned_max},
    {"and", Atomic::bit_and},
    {"or", Atomic::bit_or},
    {"xor", Atomic::bit_xor},
    {"inc", Atomic::increment},
    {"dec", Atomic::decrement},
    {"add_f32", Atomic::float_add},
    {"add_f64", Atomic::float_add},
    {"min_f64", Atomic::float_min},
    {"max_f64", Atomic::float_max},
    {"add_u32", Atomic::add},
    {"add_u64", Atomic::add},
    {"sub_u32", Atomic::sub},
    {"sub_u64", Atomic::sub},
    {"inc_u32", Atomic::increment},
    {"inc_u64", Atomic::increment},
    {"dec_u32", Atomic::decrement},
    {"dec_u64", Atomic::decrement},
    {"min_i32", Atomic::signed_min},
    {"min_i64", Atomic::signed_min},
    {"max_i32", Atomic::signed_max},
    {"max_i64", Atomic::signed_max},
    {"min_u32", Atomic::unsigned_min},
    {"min_u64", Atomic::unsigned_min},
    {"max_u32", Atomic::unsigned_max},
    {"max_u64", Atomic::unsigned_max},
    {"and_b32", Atomic::bit_and},
    {"and_b64", Atomic::bit_and},
    {"or_b32", Atomic::bit_or},
    {"or_b64", Atomic::bit_or},
    {"xor_b32", Atomic::bit_xor},
    {"xor_b64", Atomic::bit_xor},
    {"min_f32", Atomic::float_min},
    {"max_f32", Atomic::float_max},
    {"wrxchg_b32", Atomic::swap},
    {"wrxchg_b64", Atomic::swap},
    {"cmpst_b32", Atomic::compare_swap},
    {"cmpst_b64", Atomic::compare_swap},
    {"cmpst_f32", Atomic::float_compare_swap},
    {"cmpst_f64", Atomic::float_compare_swap},
    {"rsub_u32", Atomic::reverse_sub},
    {"rsub_u64", Atomic::reverse_sub},
    {"mskor_b32", Atomic::mask_or},
    {"mskor_b64", Atomic::mask_or},
    {"wrap_b32", Atomic::wrap},
    {"condxchg32_b64", Atomic::exchange_set},
    {"pk_add_f16", Atomic::packed_add_f16},
    {"pk_add_bf16", Atomic::packed_add_bf16},
};

}  // namespace

std::optional<Atomic> find_atomic(std::string_view name) {
  if (name.ends_with("_x2")) name.remove_suffix(3);
  for (const auto& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

AtomicRounding::AtomicRounding(Wave& wave, Atomic kind) {
  const bool sums = kind == Atomic::float_add || kind == Atomic::packed_add_f16 ||
                    kind == Atomic::packed_add_bf16;
  if (wave.rounds_by == 0 || !sums) return;
  wave_ = &wave;
  host_rounding_ = host_rounding();
}

AtomicRounding::~AtomicRounding() {
  if (wave_ != nullptr) round_host(host_rounding_);
}

void AtomicRounding::draw() {
  if (wave_ == nullptr) return;
  wave_->rounds_by = next_drawn(wave_->rounds_by);
  round_host(
      host_rounding_of((wave_->rounds_by & (1U << 20)) != 0 ? Rounding::up : Rounding::down));
}

std::uint64_t apply_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                           std::uint64_t expected) {
  return dwords == 2 ? apply<std::uint64_t>(kind, at, data, expected)
                     : apply<std::uint32_t>(kind, at, data, expected);
}

}  // namespace rpl::emu
