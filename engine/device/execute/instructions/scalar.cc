// SPDX-License-Identifier: MIT
#include <bit>
#include <unordered_map>

#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/lanes.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

template <class T>
T read(const Machine& machine, const Wave& wave, const Source& source) {
  // Most are registers, which need no call.
  const bool plain = source.kind == Source::Kind::scalar;
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(plain ? wave.pair(source.number) : scalar64(machine, wave, source));
  return static_cast<T>(plain ? wave.sgprs[source.number] : scalar32(machine, wave, source));
}

template <class T>
void put(Wave& wave, unsigned number, T value) {
  if constexpr (sizeof(T) == 8) {
    wave.set_pair(number, static_cast<u64>(value));
  } else {
    wave.sgprs[number] = static_cast<u32>(value);
  }
}

/// A scalar function's last parameter is SCC, read and written.
template <auto kFunction>
bool run_binary(Machine& machine, Wave& wave, const Op& op) {
  using S = detail::SignatureOf<kFunction>;
  const auto a = read<typename S::template Argument<0>>(machine, wave, op.sources[0]);
  const auto b = read<typename S::template Argument<1>>(machine, wave, op.sources[1]);
  put(wave, op.destination, kFunction(a, b, wave.scc));
  return true;
}
template <auto kFunction>
bool run_unary(Machine& machine, Wave& wave, const Op& op) {
  using S = detail::SignatureOf<kFunction>;
  const auto a = read<typename S::template Argument<0>>(machine, wave, op.sources[0]);
  put(wave, op.destination, kFunction(a, wave.scc));
  return true;
}
template <auto kFunction>
bool run_scalar_compare(Machine& machine, Wave& wave, const Op& op) {
  using S = detail::SignatureOf<kFunction>;
  const auto a = read<typename S::template Argument<0>>(machine, wave, op.sources[0]);
  const auto b = read<typename S::template Argument<1>>(machine, wave, op.sources[1]);
  wave.scc = kFunction(a, b);
  return true;
}
/// D = exec; exec = f(source, exec); scc = exec is not zero.
template <auto kFunction>
bool run_save_exec(Machine& machine, Wave& wave, const Op& op) {
  const u64 source = read<u64>(machine, wave, op.sources[0]), exec = wave.exec();
  wave.set_pair(op.destination, exec);
  wave.set_pair(isa::kExecLo, kFunction(source, exec));
  wave.scc = wave.exec() != 0;
  return true;
}
/// D is the first source as well; the second is the 16-bit immediate.
template <auto kFunction>
bool run_immediate(Machine&, Wave& wave, const Op& op) {
  const auto value = static_cast<i32>(static_cast<std::int16_t>(op.instruction->immediate));
  kFunction(wave.sgprs[op.destination], value, wave.scc);
  return true;
}

template <class F>
Handler binary(F) {
  return run_binary<F{}>;
}
template <class F>
Handler unary(F) {
  return run_unary<F{}>;
}
template <class F>
Handler compare(F) {
  return run_scalar_compare<F{}>;
}
template <class F>
Handler save_exec(F) {
  return run_save_exec<F{}>;
}
template <class F>
Handler immediate(F) {
  return run_immediate<F{}>;
}

template <class T>
T noting(T value, bool& scc) {
  scc = value != 0;
  return value;
}

template <class T>
T extract(T value, u32 field, bool& scc) {
  constexpr u32 kBits = sizeof(T) * 8;
  const u32 offset = field & (kBits - 1), width = field >> 16 & 0x7f;
  if (width == 0) return noting(T(0), scc);
  T part = value >> offset;
  if (width + offset < kBits) {
    const u32 unused = kBits - width;
    part = static_cast<T>(static_cast<T>(static_cast<std::make_unsigned_t<T>>(part) << unused) >>
                          unused);
  }
  return noting(part, scc);
}

using ScalarTable = std::unordered_map<std::string, Handler>;

void add_logic(ScalarTable& t) {
  t["s_and_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a & b, scc); });
  t["s_and_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(a & b, scc); });
  t["s_or_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a | b, scc); });
  t["s_or_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(a | b, scc); });
  t["s_xor_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a ^ b, scc); });
  t["s_xor_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(a ^ b, scc); });
  t["s_andn2_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a & ~b, scc); });
  t["s_andn2_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(a & ~b, scc); });
  t["s_orn2_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a | ~b, scc); });
  t["s_orn2_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(a | ~b, scc); });
  t["s_nand_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(~(a & b), scc); });
  t["s_nand_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(~(a & b), scc); });
  t["s_nor_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(~(a | b), scc); });
  t["s_nor_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(~(a | b), scc); });
  t["s_xnor_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(~(a ^ b), scc); });
  t["s_xnor_b64"] = binary([](u64 a, u64 b, bool& scc) { return noting(~(a ^ b), scc); });
  t["s_cselect_b32"] = binary([](u32 a, u32 b, bool& scc) { return scc ? a : b; });
  t["s_cselect_b64"] = binary([](u64 a, u64 b, bool& scc) { return scc ? a : b; });
  t["s_lshl_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a << (b & 31), scc); });
  t["s_lshl_b64"] = binary([](u64 a, u32 b, bool& scc) { return noting(a << (b & 63), scc); });
  t["s_lshr_b32"] = binary([](u32 a, u32 b, bool& scc) { return noting(a >> (b & 31), scc); });
  t["s_lshr_b64"] = binary([](u64 a, u32 b, bool& scc) { return noting(a >> (b & 63), scc); });
  t["s_ashr_i32"] = binary([](i32 a, u32 b, bool& scc) { return noting(a >> (b & 31), scc); });
  t["s_ashr_i64"] = binary([](i64 a, u32 b, bool& scc) { return noting(a >> (b & 63), scc); });
  t["s_bfm_b32"] = binary([](u32 a, u32 b, bool&) { return ((1U << (a & 31)) - 1) << (b & 31); });
  t["s_bfm_b64"] =
      binary([](u32 a, u32 b, bool&) { return ((u64{1} << (a & 63)) - 1) << (b & 63); });
  t["s_bfe_u32"] = binary([](u32 a, u32 b, bool& scc) { return extract(a, b, scc); });
  t["s_bfe_i32"] = binary([](i32 a, u32 b, bool& scc) { return extract(a, b, scc); });
  t["s_bfe_u64"] = binary([](u64 a, u32 b, bool& scc) { return extract(a, b, scc); });
  t["s_bfe_i64"] = binary([](i64 a, u32 b, bool& scc) { return extract(a, b, scc); });
  t["s_pack_ll_b32_b16"] = binary([](u32 a, u32 b, bool&) { return (a & 0xffff) | b << 16; });
  t["s_pack_lh_b32_b16"] =
      binary([](u32 a, u32 b, bool&) { return (a & 0xffff) | (b & 0xffff0000U); });
  t["s_pack_hh_b32_b16"] = binary([](u32 a, u32 b, bool&) { return a >> 16 | (b & 0xffff0000U); });
}

bool overflows(i64 value) { return value != static_cast<i32>(value); }

void add_arithmetic(ScalarTable& t) {
  t["s_add_u32"] = binary([](u32 a, u32 b, bool& scc) { return scc = u64{a} + b > ~0U, a + b; });
  t["s_sub_u32"] = binary([](u32 a, u32 b, bool& scc) { return scc = b > a, a - b; });
  t["s_addc_u32"] = binary([](u32 a, u32 b, bool& scc) {
    const u64 sum = u64{a} + b + (scc ? 1 : 0);
    scc = sum > ~0U;
    return static_cast<u32>(sum);
  });
  t["s_subb_u32"] = binary([](u32 a, u32 b, bool& scc) {
    const u64 taken = u64{b} + (scc ? 1 : 0);
    scc = taken > a;
    return static_cast<u32>(a - taken);
  });
  t["s_add_i32"] = binary([](i32 a, i32 b, bool& scc) {
    return scc = overflows(i64{a} + b), static_cast<u32>(i64{a} + b);
  });
  t["s_sub_i32"] = binary([](i32 a, i32 b, bool& scc) {
    return scc = overflows(i64{a} - b), static_cast<u32>(i64{a} - b);
  });
  t["s_mul_i32"] = binary([](u32 a, u32 b, bool&) { return a * b; });
  t["s_mul_hi_u32"] =
      binary([](u32 a, u32 b, bool&) { return static_cast<u32>(u64{a} * b >> 32); });
  t["s_mul_hi_i32"] =
      binary([](i32 a, i32 b, bool&) { return static_cast<i32>(i64{a} * b >> 32); });
  t["s_min_i32"] = binary([](i32 a, i32 b, bool& scc) { return scc = a < b, a < b ? a : b; });
  t["s_min_u32"] = binary([](u32 a, u32 b, bool& scc) { return scc = a < b, a < b ? a : b; });
  t["s_max_i32"] = binary([](i32 a, i32 b, bool& scc) { return scc = a > b, a > b ? a : b; });
  t["s_max_u32"] = binary([](u32 a, u32 b, bool& scc) { return scc = a > b, a > b ? a : b; });
  t["s_absdiff_i32"] = binary([](i32 a, i32 b, bool& scc) {
    const i64 distance = i64{a} - b;
    return noting(static_cast<u32>(distance < 0 ? -distance : distance), scc);
  });
  t["s_lshl1_add_u32"] =
      binary([](u32 a, u32 b, bool& scc) { return scc = (u64{a} << 1) + b > ~0U, (a << 1) + b; });
  t["s_lshl2_add_u32"] =
      binary([](u32 a, u32 b, bool& scc) { return scc = (u64{a} << 2) + b > ~0U, (a << 2) + b; });
  t["s_lshl3_add_u32"] =
      binary([](u32 a, u32 b, bool& scc) { return scc = (u64{a} << 3) + b > ~0U, (a << 3) + b; });
  t["s_lshl4_add_u32"] =
      binary([](u32 a, u32 b, bool& scc) { return scc = (u64{a} << 4) + b > ~0U, (a << 4) + b; });
}

u32 reversed(u32 a) {
  u32 result = 0;
  for (u32 i = 0; i < 32; ++i) result |= (a >> i & 1U) << (31 - i);
  return result;
}

template <class T>
i32 first_set(T a) {
  return a == 0 ? -1 : std::countr_zero(a);
}

void add_unary(ScalarTable& t) {
  t["s_mov_b32"] = unary([](u32 a, bool&) { return a; });
  t["s_mov_b64"] = unary([](u64 a, bool&) { return a; });
  t["s_not_b32"] = unary([](u32 a, bool& scc) { return noting(~a, scc); });
  t["s_not_b64"] = unary([](u64 a, bool& scc) { return noting(~a, scc); });
  t["s_brev_b32"] = unary([](u32 a, bool&) { return reversed(a); });
  t["s_brev_b64"] = unary([](u64 a, bool&) {
    return u64{reversed(static_cast<u32>(a))} << 32 | reversed(static_cast<u32>(a >> 32));
  });
  t["s_bcnt0_i32_b32"] = unary([](u32 a, bool& scc) { return noting(32 - std::popcount(a), scc); });
  t["s_bcnt0_i32_b64"] = unary([](u64 a, bool& scc) { return noting(64 - std::popcount(a), scc); });
  t["s_bcnt1_i32_b32"] = unary([](u32 a, bool& scc) { return noting(std::popcount(a), scc); });
  t["s_bcnt1_i32_b64"] = unary([](u64 a, bool& scc) { return noting(std::popcount(a), scc); });
  t["s_ff0_i32_b32"] = unary([](u32 a, bool&) { return first_set(~a); });
  t["s_ff0_i32_b64"] = unary([](u64 a, bool&) { return first_set(~a); });
  t["s_ff1_i32_b32"] = unary([](u32 a, bool&) { return first_set(a); });
  t["s_ff1_i32_b64"] = unary([](u64 a, bool&) { return first_set(a); });
  t["s_flbit_i32_b32"] = unary([](u32 a, bool&) { return a == 0 ? -1 : std::countl_zero(a); });
  t["s_flbit_i32_b64"] = unary([](u64 a, bool&) { return a == 0 ? -1 : std::countl_zero(a); });
  t["s_sext_i32_i8"] =
      unary([](u32 a, bool&) { return static_cast<i32>(static_cast<std::int8_t>(a)); });
  t["s_sext_i32_i16"] =
      unary([](u32 a, bool&) { return static_cast<i32>(static_cast<std::int16_t>(a)); });
  t["s_abs_i32"] = unary([](i32 a, bool& scc) {
    return noting(a < 0 ? 0U - static_cast<u32>(a) : static_cast<u32>(a), scc);
  });
  t["s_and_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return a & exec; });
  t["s_or_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return a | exec; });
  t["s_xor_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return a ^ exec; });
  t["s_andn2_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return a & ~exec; });
  t["s_orn2_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return a | ~exec; });
  t["s_andn1_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return ~a & exec; });
  t["s_orn1_saveexec_b64"] = save_exec([](u64 a, u64 exec) { return ~a | exec; });
  t["s_cmov_b32"] = [](Machine& machine, Wave& wave, const Op& op) {
    if (wave.scc) wave.sgprs[op.destination] = scalar32(machine, wave, op.sources[0]);
    return true;
  };
  t["s_cmov_b64"] = [](Machine& machine, Wave& wave, const Op& op) {
    if (wave.scc) wave.set_pair(op.destination, scalar64(machine, wave, op.sources[0]));
    return true;
  };
  t["s_bitset0_b32"] = [](Machine& machine, Wave& wave, const Op& op) {
    wave.sgprs[op.destination] &= ~(1U << (scalar32(machine, wave, op.sources[0]) & 31));
    return true;
  };
  t["s_bitset1_b32"] = [](Machine& machine, Wave& wave, const Op& op) {
    wave.sgprs[op.destination] |= 1U << (scalar32(machine, wave, op.sources[0]) & 31);
    return true;
  };
}

void add_compares(ScalarTable& t) {
  t["s_cmp_eq_i32"] = t["s_cmp_eq_u32"] = compare([](u32 a, u32 b) { return a == b; });
  t["s_cmp_lg_i32"] = t["s_cmp_lg_u32"] = compare([](u32 a, u32 b) { return a != b; });
  t["s_cmp_gt_i32"] = compare([](i32 a, i32 b) { return a > b; });
  t["s_cmp_ge_i32"] = compare([](i32 a, i32 b) { return a >= b; });
  t["s_cmp_lt_i32"] = compare([](i32 a, i32 b) { return a < b; });
  t["s_cmp_le_i32"] = compare([](i32 a, i32 b) { return a <= b; });
  t["s_cmp_gt_u32"] = compare([](u32 a, u32 b) { return a > b; });
  t["s_cmp_ge_u32"] = compare([](u32 a, u32 b) { return a >= b; });
  t["s_cmp_lt_u32"] = compare([](u32 a, u32 b) { return a < b; });
  t["s_cmp_le_u32"] = compare([](u32 a, u32 b) { return a <= b; });
  t["s_cmp_eq_u64"] = compare([](u64 a, u64 b) { return a == b; });
  t["s_cmp_lg_u64"] = compare([](u64 a, u64 b) { return a != b; });
  t["s_bitcmp0_b32"] = compare([](u32 a, u32 b) { return (a >> (b & 31) & 1) == 0; });
  t["s_bitcmp1_b32"] = compare([](u32 a, u32 b) { return (a >> (b & 31) & 1) == 1; });
  t["s_bitcmp0_b64"] = compare([](u64 a, u32 b) { return (a >> (b & 63) & 1) == 0; });
  t["s_bitcmp1_b64"] = compare([](u64 a, u32 b) { return (a >> (b & 63) & 1) == 1; });
}

void add_immediates(ScalarTable& t) {
  t["s_movk_i32"] = immediate([](u32& d, i32 k, bool&) { d = static_cast<u32>(k); });
  t["s_cmovk_i32"] = immediate([](u32& d, i32 k, bool& scc) { d = scc ? static_cast<u32>(k) : d; });
  t["s_mulk_i32"] = immediate([](u32& d, i32 k, bool&) { d *= static_cast<u32>(k); });
  t["s_addk_i32"] = immediate([](u32& d, i32 k, bool& scc) {
    const i64 sum = i64{static_cast<i32>(d)} + k;
    scc = overflows(sum);
    d = static_cast<u32>(sum);
  });
  t["s_cmpk_eq_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) == k; });
  t["s_cmpk_lg_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) != k; });
  t["s_cmpk_gt_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) > k; });
  t["s_cmpk_ge_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) >= k; });
  t["s_cmpk_lt_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) < k; });
  t["s_cmpk_le_i32"] = immediate([](u32& d, i32 k, bool& scc) { scc = static_cast<i32>(d) <= k; });
  t["s_cmpk_eq_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d == (static_cast<u32>(k) & 0xffff); });
  t["s_cmpk_lg_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d != (static_cast<u32>(k) & 0xffff); });
  t["s_cmpk_gt_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d > (static_cast<u32>(k) & 0xffff); });
  t["s_cmpk_ge_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d >= (static_cast<u32>(k) & 0xffff); });
  t["s_cmpk_lt_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d < (static_cast<u32>(k) & 0xffff); });
  t["s_cmpk_le_u32"] =
      immediate([](u32& d, i32 k, bool& scc) { scc = d <= (static_cast<u32>(k) & 0xffff); });
}

ScalarTable make_scalar() {
  ScalarTable table;
  add_logic(table);
  add_arithmetic(table);
  add_unary(table);
  add_compares(table);
  add_immediates(table);
  return table;
}

}  // namespace

std::uint32_t scalar32(const Machine& machine, const Wave& wave, const Source& source) {
  if (source.kind == Source::Kind::constant) return static_cast<u32>(source.value);
  if (source.kind == Source::Kind::scalar) return wave.sgprs[source.number];
  return static_cast<u32>(scalar64(machine, wave, source));
}

std::uint64_t scalar64(const Machine&, const Wave& wave, const Source& source) {
  if (source.kind == Source::Kind::constant) return source.value;
  if (source.kind == Source::Kind::scalar) return wave.pair(source.number);
  switch (source.number) {
    case isa::kVccz:
      return wave.vcc() == 0 ? 1 : 0;
    case isa::kExecz:
      return wave.exec() == 0 ? 1 : 0;
    case isa::kScc:
      return wave.scc ? 1 : 0;
    case isa::kSharedBase:
      return u64{kSharedBaseHigh} << 32;
    case isa::kPrivateBase:
      return u64{kPrivateBaseHigh} << 32;
    default:
      return 0;
  }
}

Handler find_scalar_handler(const std::string& name) {
  static const ScalarTable table = make_scalar();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
