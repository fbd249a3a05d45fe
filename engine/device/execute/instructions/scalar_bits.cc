// SPDX-License-Identifier: MIT
// Scalar instructions on masks, and those that reach SGPRs through M0.
#include <bit>
#include <unordered_map>

#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/lanes.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Every group of four bits that has one: as four ones, or as one bit.
u64 whole_quads(u64 a) {
  const u64 any = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111111111111111U;
  return any * 15;
}
u64 quad_mask(u64 a) {
  u64 mask = 0;
  for (unsigned i = 0; i < 16; ++i) mask |= u64{(a >> (4 * i) & 15) != 0 ? 1U : 0U} << i;
  return mask;
}
u64 twice_each(u32 a) {
  u64 result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= u64{a >> i & 1U} * 3 << (2 * i);
  return result;
}
/// Leading bits that equal the sign; -1 when all do.
template <class T>
u32 sign_bits(T a) {
  const T folded = a < 0 ? ~a : a;
  return folded == 0
             ? ~0U
             : static_cast<u32>(std::countl_zero(static_cast<std::make_unsigned_t<T>>(folded)));
}

template <auto kFunction, bool kSetsScc>
bool run_mask32(Machine& machine, Wave& wave, const Op& op) {
  const auto result = static_cast<u32>(kFunction(scalar32(machine, wave, op.sources[0])));
  wave.sgprs[op.destination] = result;
  if (kSetsScc) wave.scc = result != 0;
  return true;
}
template <auto kFunction, bool kSetsScc>
bool run_mask64(Machine& machine, Wave& wave, const Op& op) {
  const u64 result = kFunction(scalar64(machine, wave, op.sources[0]));
  wave.set_pair(op.destination, result);
  if (kSetsScc) wave.scc = result != 0;
  return true;
}

/// exec = f(source, exec); D gets what exec was or, with kWrites, what it becomes.
template <auto kFunction, bool kWrites>
bool run_exec(Machine& machine, Wave& wave, const Op& op) {
  const u64 source = scalar64(machine, wave, op.sources[0]), exec = wave.exec();
  const u64 result = kFunction(source, exec);
  wave.set_pair(op.destination, kWrites ? result : exec);
  wave.set_pair(isa::kExecLo, result);
  wave.scc = result != 0;
  return true;
}

template <bool kSets>
bool set_bit64(Machine& machine, Wave& wave, const Op& op) {
  const u64 bit = u64{1} << (scalar32(machine, wave, op.sources[0]) & 63U);
  const u64 value = wave.pair(op.destination);
  wave.set_pair(op.destination, kSets ? value | bit : value & ~bit);
  return true;
}

// Register numbers beyond the SGPRs would be constants and special codes.
bool is_register(u32 number, u32 dwords) { return number + dwords <= isa::kVccLo; }

bool beyond(Machine& machine, Wave& wave, const Op& op) {
  return machine.stop(wave, op, Errc::verification_failed, "M0 leads beyond the SGPRs");
}

template <unsigned kDwords>
bool move_from_relative(Machine& machine, Wave& wave, const Op& op) {
  const u32 number = op.sources[0].number + wave.sgprs[isa::kM0];
  if (op.sources[0].kind != Source::Kind::scalar || !is_register(number, kDwords))
    return beyond(machine, wave, op);
  for (u32 i = 0; i < kDwords; ++i) wave.sgprs[op.destination + i] = wave.sgprs[number + i];
  return true;
}
template <unsigned kDwords>
bool move_to_relative(Machine& machine, Wave& wave, const Op& op) {
  const u32 number = op.destination + wave.sgprs[isa::kM0];
  if (!is_register(number, kDwords)) return beyond(machine, wave, op);
  const u64 value = kDwords == 2 ? scalar64(machine, wave, op.sources[0])
                                 : scalar32(machine, wave, op.sources[0]);
  for (u32 i = 0; i < kDwords; ++i) wave.sgprs[number + i] = static_cast<u32>(value >> (32 * i));
  return true;
}

bool replicate(Machine& machine, Wave& wave, const Op& op) {
  wave.set_pair(op.destination, twice_each(scalar32(machine, wave, op.sources[0])));
  return true;
}

u32 sign_bits32(u32 a) { return sign_bits(static_cast<std::int32_t>(a)); }
bool sign_bits64(Machine& machine, Wave& wave, const Op& op) {
  wave.sgprs[op.destination] =
      sign_bits(static_cast<std::int64_t>(scalar64(machine, wave, op.sources[0])));
  return true;
}

using BitsTable = std::unordered_map<std::string, Handler>;

BitsTable make_bits() {
  constexpr auto nand = [](u64 a, u64 exec) { return ~(a & exec); };
  constexpr auto nor = [](u64 a, u64 exec) { return ~(a | exec); };
  constexpr auto xnor = [](u64 a, u64 exec) { return ~(a ^ exec); };
  constexpr auto andn1 = [](u64 a, u64 exec) { return ~a & exec; };
  constexpr auto andn2 = [](u64 a, u64 exec) { return a & ~exec; };
  return {
      {"s_wqm_b32", run_mask32<whole_quads, true>},
      {"s_wqm_b64", run_mask64<whole_quads, true>},
      {"s_quadmask_b32", run_mask32<quad_mask, true>},
      {"s_quadmask_b64", run_mask64<quad_mask, true>},
      {"s_flbit_i32", run_mask32<sign_bits32, false>},
      {"s_flbit_i32_i64", sign_bits64},
      {"s_bitreplicate_b64_b32", replicate},
      {"s_bitset0_b64", set_bit64<false>},
      {"s_bitset1_b64", set_bit64<true>},
      {"s_nand_saveexec_b64", run_exec<nand, false>},
      {"s_nor_saveexec_b64", run_exec<nor, false>},
      {"s_xnor_saveexec_b64", run_exec<xnor, false>},
      {"s_andn1_wrexec_b64", run_exec<andn1, true>},
      {"s_andn2_wrexec_b64", run_exec<andn2, true>},
      {"s_movrels_b32", move_from_relative<1>},
      {"s_movrels_b64", move_from_relative<2>},
      {"s_movreld_b32", move_to_relative<1>},
      {"s_movreld_b64", move_to_relative<2>},
  };
}

}  // namespace

Handler find_mask_handler(const std::string& name) {
  static const BitsTable table = make_bits();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
