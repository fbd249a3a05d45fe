// SPDX-License-Identifier: MIT
#include <bit>
#include <unordered_map>

#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/state/division.h"
#include "engine/device/execute/state/float_math.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/lanes.h"
#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

// With no lane active the hardware reads lane 0.
bool read_first_lane(Machine& machine, Wave& wave, const Op& op) {
  Room room;
  const std::uint32_t* from = lanes_of(machine, wave, op.sources[0], room.lane.data());
  const std::uint64_t exec = wave.exec();
  wave.sgprs[op.scalar_destination] = from[exec == 0 ? 0 : std::countr_zero(exec)];
  return true;
}

bool read_lane(Machine& machine, Wave& wave, const Op& op) {
  Room room;
  const std::uint32_t* from = lanes_of(machine, wave, op.sources[0], room.lane.data());
  wave.sgprs[op.scalar_destination] = from[scalar32(machine, wave, op.sources[1]) % kLanes];
  return true;
}

bool write_lane(Machine& machine, Wave& wave, const Op& op) {
  const std::uint32_t lane = scalar32(machine, wave, op.sources[1]) % kLanes;
  wave.vector(op.destination)[lane] = scalar32(machine, wave, op.sources[0]);
  return true;
}

bool swap(Machine&, Wave& wave, const Op& op) {
  std::uint32_t* a = wave.vector(op.destination);
  std::uint32_t* b = wave.vector(op.sources[0].number);
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) != 0) std::swap(a[i], b[i]);
  }
  return true;
}

// V_PERMLANE16_SWAP: the upper rows of the destination change places with the lower rows of the source; V_PERMLANE32_SWAP the same with halves
// of the wave. Lanes that are not active are neither written nor, unless op_sel says so, read (LLVM, llvm.amdgcn.permlane16.swap).
template <unsigned kRow>
bool swap_rows(Machine&, Wave& wave, const Op& op) {
  std::uint32_t *to = wave.vector(op.destination), *from = wave.vector(op.sources[0].number);
  const bool fetches = (op.instruction->op_sel & 1U) != 0,
             zeroes = (op.instruction->op_sel & 2U) != 0;
  const std::uint64_t exec = wave.exec();
  const auto put = [&](std::uint32_t& at, unsigned lane, std::uint32_t value, unsigned source) {
    if ((exec >> lane & 1) == 0) return;
    const bool read = fetches || (exec >> source & 1) != 0;
    if (read || zeroes) at = read ? value : 0;
  };
  for (unsigned lower = 0; lower < kLanes; ++lower) {
    if ((lower & kRow) != 0) continue;
    const unsigned upper = lower + kRow;
    const std::uint32_t was_lower = from[lower], was_upper = to[upper];
    put(from[lower], lower, was_upper, upper);
    put(to[upper], upper, was_lower, lower);
  }
  return true;
}

// Any function of three bits, whose eight results the instruction holds: as a sum without carry of products, the same for all lanes, so that loops over them are of a few
// operations and no decisions.
bool truth_table(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[3], result;
  const std::uint32_t* sources[3];
  for (std::size_t i = 0; i < 3; ++i)
    sources[i] = lanes_of(machine, wave, op.sources[i], rooms[i].data());
  const isa::Instruction& in = *op.instruction;
  const bool is_short = in.opcode->mnemonic.ends_with("b16");
  const auto shift = [&](unsigned i) { return is_short && (in.op_sel >> i & 1U) != 0 ? 16U : 0U; };
  const unsigned of_a = shift(0), of_b = shift(1), of_c = shift(2), first = shift(3);
  const std::uint32_t ones = is_short ? 0xffffU << first : ~0U;
  // Whether each product of a, b and c takes part: bits of a number of it are its factors.
  std::uint32_t takes_part[8];
  for (unsigned k = 0; k < 8; ++k) takes_part[k] = (in.immediate >> k & 1) != 0 ? ~0U : 0;
  for (unsigned factor = 1; factor < 8; factor *= 2)
    for (unsigned k = 0; k < 8; ++k)
      if ((k & factor) != 0) takes_part[k] ^= takes_part[k ^ factor];
  const auto& p = takes_part;
  const std::uint32_t* to = wave.vector(op.destination);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t a = sources[0][lane] >> of_a, b = sources[1][lane] >> of_b,
                        c = sources[2][lane] >> of_c;
    const std::uint32_t without_a = p[0] ^ (c & p[1]) ^ (b & (p[2] ^ (c & p[3])));
    const std::uint32_t of_both = a & (p[4] ^ (c & p[5]) ^ (b & (p[6] ^ (c & p[7]))));
    result.lane[lane] = ((without_a ^ of_both) << first & ones) | (to[lane] & ~ones);
  }
  primitives().blend(wave.vector(op.destination), result.lane.data(), wave.exec());
  return true;
}

template <class T>
T with_sign(T value, const isa::Operand& operand) {
  if (operand.absolute) value = std::fabs(value);
  return operand.negate ? -value : value;
}

template <class T>
bool division_steps(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[3];
  const std::uint32_t* sources[3];
  for (std::size_t i = 0; i < 3; ++i)
    sources[i] = lanes_of(machine, wave, op.sources[i], rooms[i].lane.data());
  const isa::Operand *a = op.instruction->operand('A'), *b = op.instruction->operand('B'),
                     *c = op.instruction->operand('C');
  const std::uint64_t scale = wave.vcc();
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((wave.exec() >> i & 1) == 0) continue;
    const T x = with_sign(detail::load<T>(sources[0], i), *a),
            y = with_sign(detail::load<T>(sources[1], i), *b);
    const T z = with_sign(detail::load<T>(sources[2], i), *c);
    const T sum = result_of(std::fma(x, y, z), x, y, z);
    detail::store(wave.vector(op.destination), i,
                  (scale >> i & 1) != 0 ? scaled_quotient(x, y, z) : sum);
  }
  return true;
}

bool packed_move(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[2], result;
  const std::uint32_t* a = lanes_of(machine, wave, op.sources[0], rooms[0].lane.data());
  const std::uint32_t* b = lanes_of(machine, wave, op.sources[1], rooms[1].lane.data());
  const unsigned from_a = (op.instruction->op_sel & 1) != 0 ? kLanes : 0;
  const unsigned from_b = (op.instruction->op_sel & 2) != 0 ? kLanes : 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    result.lane[i] = a[i + from_a];
    result.lane[i + kLanes] = b[i + from_b];
  }
  primitives().blend(wave.vector(op.destination), result.lane.data(), wave.exec());
  primitives().blend(wave.vector(op.destination + 1U), result.lane.data() + kLanes, wave.exec());
  return true;
}

// V_MQSAD_U32_U8: four masked sums at byte offsets 0 to 3, each to a register of its own.
bool four_masked_sums(Machine& machine, Wave& wave, const Op& op) {
  Room rooms[2];
  const std::uint32_t* bytes = lanes_of(machine, wave, op.sources[0], rooms[0].data());
  const std::uint32_t* reference = lanes_of(machine, wave, op.sources[1], rooms[1].data());
  if (op.sources[2].kind != Source::Kind::vector) return run_unsupported(machine, wave, op);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((wave.exec() >> lane & 1) == 0) continue;
    const auto a = detail::load<std::uint64_t>(bytes, lane);
    std::array<std::uint32_t, 4> sums{};
    for (unsigned k = 0; k < sums.size(); ++k) {
      sums[k] = wave.vector(op.sources[2].number + k)[lane];
      for (unsigned i = 0; i < 4; ++i) {
        const auto x = static_cast<std::int32_t>(a >> (8 * (i + k)) & 0xff),
                   y = static_cast<std::int32_t>(reference[lane] >> (8 * i) & 0xff);
        if (y != 0) sums[k] += static_cast<std::uint32_t>(std::abs(x - y));
      }
    }
    for (unsigned k = 0; k < sums.size(); ++k) wave.vector(op.destination + k)[lane] = sums[k];
  }
  return true;
}

using CrossLaneTable = std::unordered_map<std::string, Handler>;

CrossLaneTable make_cross_lane() {
  CrossLaneTable table;
  table["v_readfirstlane_b32"] = read_first_lane;
  table["v_readlane_b32"] = read_lane;
  table["v_writelane_b32"] = write_lane;
  table["v_swap_b32"] = swap;
  table["v_div_fmas_f32"] = division_steps<float>;
  table["v_div_fmas_f64"] = division_steps<double>;
  table["v_mqsad_u32_u8"] = four_masked_sums;
  table["v_pk_mov_b32"] = packed_move;
  table["v_permlane16_swap_b32"] = swap_rows<16>;
  table["v_permlane32_swap_b32"] = swap_rows<32>;
  table["v_bitop3_b32"] = truth_table;
  table["v_bitop3_b16"] = truth_table;
  return table;
}

}  // namespace

Handler find_lane_handler(const std::string& name) {
  static const CrossLaneTable table = make_cross_lane();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
