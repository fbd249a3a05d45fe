// SPDX-License-Identifier: MIT
#include <bit>
#include <unordered_map>

#include "engine/emu/float_math.h"
#include "engine/emu/handlers.h"
#include "engine/emu/lanes.h"
#include "engine/emu/primitives.h"

namespace rpl::emu {
namespace {

struct alignas(64) Room {
  std::array<std::uint32_t, 2 * kLanes> lane;
};

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
                  (scale >> i & 1) != 0 ? division_scaled_back(sum, z) : sum);
  }
  return true;
}

// A packed source is two dwords; op_sel chooses which of them feeds the low result and op_sel_hi the high one.
const std::uint32_t* packed_half(const std::uint32_t* lanes, bool high, bool negate, Room& room) {
  const std::uint32_t* half = lanes + (high ? kLanes : 0);
  if (!negate) return half;
  for (unsigned i = 0; i < kLanes; ++i) room.lane[i] = half[i] ^ 0x80000000U;
  return room.lane.data();
}

template <auto kFunction>
bool run_packed_float(Machine& machine, Wave& wave, const Op& op) {
  static const LaneFunction compute = lane_function<kFunction>();
  Room rooms[3], result;
  const std::uint32_t* sources[3] = {};
  for (std::size_t i = 0; i < op.source_count; ++i) {
    sources[i] = lanes_of(machine, wave, op.sources[i], rooms[i].lane.data());
  }
  const isa::Instruction& in = *op.instruction;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned select = half == 0 ? in.op_sel : in.op_sel_hi,
                   negate = half == 0 ? in.neg_lo : in.neg_hi;
    Room negated[3];
    const std::uint32_t* operands[3] = {};
    for (unsigned i = 0; i < op.source_count; ++i)
      operands[i] =
          packed_half(sources[i], (select >> i & 1) != 0, (negate >> i & 1) != 0, negated[i]);
    compute(result.lane.data() + std::size_t{half} * kLanes, operands[0], operands[1], operands[2]);
  }
  primitives().blend(wave.vector(op.destination), result.lane.data(), wave.exec());
  primitives().blend(wave.vector(op.destination + 1U), result.lane.data() + kLanes, wave.exec());
  return true;
}

template <class F>
Handler packed_float(F) {
  return run_packed_float<F{}>;
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

using CrossLaneTable = std::unordered_map<std::string, Handler>;

CrossLaneTable make_cross_lane() {
  CrossLaneTable table;
  table["v_readfirstlane_b32"] = read_first_lane;
  table["v_readlane_b32"] = read_lane;
  table["v_writelane_b32"] = write_lane;
  table["v_swap_b32"] = swap;
  table["v_div_fmas_f32"] = division_steps<float>;
  table["v_div_fmas_f64"] = division_steps<double>;
  table["v_pk_add_f32"] = packed_float([](float a, float b) { return result_of(a + b, a, b); });
  table["v_pk_mul_f32"] = packed_float([](float a, float b) { return result_of(a * b, a, b); });
  table["v_pk_fma_f32"] = packed_float(
      [](float a, float b, float c) { return result_of(__builtin_fmaf(a, b, c), a, b, c); });
  table["v_pk_mov_b32"] = packed_move;
  return table;
}

}  // namespace

Handler find_lane_handler(const std::string& name) {
  static const CrossLaneTable table = make_cross_lane();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace rpl::emu
