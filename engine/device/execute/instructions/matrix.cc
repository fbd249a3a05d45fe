// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "engine/device/execute/instructions/matrix_shape.h"
#include "engine/device/execute/instructions/matrix_sums.h"
#include "engine/device/execute/instructions/small_float.h"
#include "engine/device/execute/state/float_mode.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/lanes.h"
#include "engine/device/execute/state/lowering.h"

/// Matrix instructions. Every lane takes part whatever exec is, and the rounding is to nearest even whatever the mode says (CDNA3
/// ISA document, "Dense MFMA instructions"). The sum over k inside of one instruction:
///   - i8 products are summed in 32 bits that wrap around, in which no order can be told;
///   - f64 and f32 are a chain of fused multiply-adds with k ascending, that begins with C;
///   - others are summed in pairs or in groups (matrix_sums.h). Of xf32 inputs the low 13 bits of the mantissa are dropped.
/// That is what MMA-Sim (arXiv 2511.10909) found to agree with MI250X and MI300X bit by bit; gfx950 is taken to do as MI300X. It has no sparse instructions: their
/// products are taken to form the groups of dense ones, in the order in which A's elements are stored. On f32 the denormal bits of MODE
/// count, as AMD's authors of Tensile say (Tensile, pull request 1475); of other types they are taken not to. A NaN result is
/// 0x7fc00000 or 0x7ff8000000000000, which MMA-Sim leaves open.
namespace rpl::emu {
namespace {

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

unsigned bits_of(MatrixType type) {
  constexpr unsigned kBits[] = {64, 32, 32, 16, 16, 8, 8, 8, 8};
  return kBits[static_cast<std::size_t>(type)];
}

template <class T>
T decoded(MatrixType type, std::uint64_t bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(low);
  // Wrapping products of bytes need them with their signs; other narrow elements are taken apart where they are added.
  if (type == MatrixType::i8) return static_cast<T>(std::int32_t{static_cast<std::int8_t>(low)});
  return static_cast<T>(low);
}

/// Item `index` of one lane of the registers from `from` on.
std::uint64_t item_of(const LaneRegister* from, MatrixType type, unsigned index, unsigned lane) {
  const unsigned bits = bits_of(type), first = index * bits;
  const std::uint32_t dword = from[first / 32].lane[lane];
  if (bits == 64) return dword | std::uint64_t{from[first / 32 + 1].lane[lane]} << 32;
  return dword >> first % 32;
}

// CBSZ broadcasts block ABID of each 2^CBSZ neighbouring blocks to all of them; sparse instructions and f64 have other uses
// for the fields.
unsigned a_lane(const MatrixShape& shape, const isa::Instruction& in, unsigned lane) {
  if (shape.sparse || shape.is_double() || in.cbsz == 0) return lane;
  const unsigned size = 1U << in.cbsz, block = lane / shape.m % shape.blocks;
  const unsigned source = (block / size * size + in.abid % size) % shape.blocks;
  return lane + shape.m * source - shape.m * block;
}

unsigned b_lane(const MatrixShape& shape, const isa::Instruction& in, unsigned lane) {
  if (shape.sparse || shape.is_double()) return lane;
  constexpr unsigned kHalf = 32, kRow = 16;
  switch (in.blgp) {
    case 0:
      return lane;
    case 1:
    case 2:
      return lane % kHalf + kHalf * (in.blgp - 1U);
    case 3:
      return (lane + kRow) % kLanes;
    default:
      return lane % kRow + kRow * (in.blgp - 4U);
  }
}

// Two bits for each stored element of A say which of its four neighbours it is. A register holds several sets of them.
unsigned index_set(const MatrixShape& shape, const isa::Instruction& in, std::uint32_t indices) {
  const unsigned items = shape.a_items(), sets = 16 / items;
  return in.cbsz % 4 != 0 ? indices : indices >> (2 * items * (in.abid % sets));
}

template <class T, class Sum>
void read_a(const MatrixShape& shape, Wave& wave, const Op& op, Operands<T, Sum>& to) {
  const isa::Instruction& in = *op.instruction;
  const LaneRegister* from = &wave.vgprs[op.sources[0].number];
  const unsigned items = shape.a_items(), rows = shape.m * shape.blocks;
  to.a_items = items * kLanes / rows;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned first = lane % rows * to.a_items + lane / rows * items;
    const unsigned source = a_lane(shape, in, lane);
    for (unsigned item = 0; item < items; ++item)
      to.a[first + item] = decoded<T>(shape.a, item_of(from, shape.a, item, source));
    if (!shape.sparse) continue;
    const std::uint32_t indices = index_set(shape, in, wave.vgprs[op.sources[2].number].lane[lane]);
    for (unsigned item = 0; item < items; ++item) {
      to.k[first + item] = static_cast<std::uint8_t>(lane / rows * items * 2 + item / 2 * 4 +
                                                     (indices >> (2 * item) & 3U));
    }
  }
}

template <class T, class Sum>
void read_b(const MatrixShape& shape, Wave& wave, const Op& op, Operands<T, Sum>& to) {
  const LaneRegister* from = &wave.vgprs[op.sources[1].number];
  const unsigned items = shape.b_items(), columns = shape.n * shape.blocks;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned block = lane % columns / shape.n, column = lane % shape.n;
    const unsigned source = b_lane(shape, *op.instruction, lane);
    for (unsigned item = 0; item < items; ++item) {
      const unsigned k = lane / columns * items + item;
      to.b[(block * shape.k + k) * shape.n + column] =
          decoded<T>(shape.b, item_of(from, shape.b, item, source));
    }
  }
}

/// The bits of C and D: dwords, or for f64 pairs of registers.
template <class Bits>
Bits load_result(const LaneRegister* from, unsigned item, unsigned lane) {
  if constexpr (sizeof(Bits) == 4) {
    return from[item].lane[lane];
  } else {
    return from[2 * item].lane[lane] | std::uint64_t{from[2 * item + 1].lane[lane]} << 32;
  }
}
template <class Bits>
void store_result(LaneRegister* to, unsigned item, unsigned lane, Bits bits) {
  if constexpr (sizeof(Bits) == 4) {
    to[item].lane[lane] = bits;
  } else {
    to[2 * item].lane[lane] = static_cast<std::uint32_t>(bits);
    to[2 * item + 1].lane[lane] = static_cast<std::uint32_t>(bits >> 32);
  }
}

template <class Sum>
using BitsOf = std::conditional_t<sizeof(Sum) == 8, std::uint64_t, std::uint32_t>;

template <class T, class Sum>
void read_c(const MatrixShape& shape, Wave& wave, const Op& op, Operands<T, Sum>& to) {
  using Bits = BitsOf<Sum>;
  const Source& c = op.sources[2];
  const bool in_registers = shape.sparse || c.kind == Source::Kind::vector;
  const LaneRegister* from = &wave.vgprs[shape.sparse   ? op.destination
                                         : in_registers ? c.number
                                                        : 0U];
  Sum* sum = to.sum.data();
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row) {
    const OutputPlace place = shape.places[row];
    for (unsigned j = 0; j < shape.n; ++j) {
      const Bits bits = in_registers ? load_result<Bits>(from, place.item, place.lane + j)
                                     : static_cast<Bits>(c.value);
      *sum++ = std::bit_cast<Sum>(bits);
    }
  }
}

template <class Sum>
BitsOf<Sum> result_bits(Sum sum) {
  using Bits = BitsOf<Sum>;
  if constexpr (!std::is_integral_v<Sum>)
    if (sum != sum) return sizeof(Bits) == 8 ? Bits(0x7ff8ULL << 48) : Bits(0x7fc00000);
  return std::bit_cast<Bits>(sum);
}

template <class T, class Sum>
void write_d(const MatrixShape& shape, Wave& wave, const Op& op, const Operands<T, Sum>& from) {
  LaneRegister* to = &wave.vgprs[op.destination];
  const Sum* sum = from.sum.data();
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row) {
    const OutputPlace place = shape.places[row];
    for (unsigned j = 0; j < shape.n; ++j)
      store_result(to, place.item, place.lane + j, result_bits(*sum++));
  }
}

/// How products are added: rounded apart, fused, or fused with subnormal sums made zero.
enum class Adding : std::uint8_t { apart, fused, fused_flushing };

template <class T, Adding kAdding>
[[gnu::always_inline]] inline T step(T a, T b, T sum) {
  if constexpr (kAdding == Adding::apart) {
    return sum + a * b;
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_fma(a, b, sum);
  } else {
    const T next = __builtin_fmaf(a, b, sum);
    constexpr T kSmallest = 0x1p-126F;
    return kAdding == Adding::fused_flushing && std::fabs(next) < kSmallest
               ? std::copysign(0.0F, next)
               : next;
  }
}

// Columns are independent of each other, so the compiler makes vectors of them.
template <class T, Adding kAdding, unsigned kColumns>
[[gnu::always_inline]] inline void multiply_rows(const MatrixShape& shape, Operands<T>& operands) {
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row) {
    T* __restrict sum = &operands.sum[row * kColumns];
    const T* b = &operands.b[row / shape.m * shape.k * kColumns];
    for (unsigned item = 0; item < operands.a_items; ++item) {
      const unsigned at = row * operands.a_items + item;
      const T a = operands.a[at];
      const T* __restrict b_row = b + (shape.sparse ? operands.k[at] : item) * kColumns;
      for (unsigned j = 0; j < kColumns; ++j) sum[j] = step<T, kAdding>(a, b_row[j], sum[j]);
    }
  }
}

template <class T, Adding kAdding>
[[gnu::always_inline]] inline void multiply_body(const MatrixShape& shape, Operands<T>& operands) {
  if (shape.n == 32) return multiply_rows<T, kAdding, 32>(shape, operands);
  if (shape.n == 16) return multiply_rows<T, kAdding, 16>(shape, operands);
  multiply_rows<T, kAdding, 4>(shape, operands);
}

#if defined(__x86_64__)
template <class T, Adding kAdding>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void multiply_v3(const MatrixShape& shape,
                                                                 Operands<T>& operands) {
  multiply_body<T, kAdding>(shape, operands);
}
#endif

template <class T, Adding kAdding>
void multiply(const MatrixShape& shape, Operands<T>& operands) {
#if defined(__x86_64__)
  if (processor_level() >= 3) return multiply_v3<T, kAdding>(shape, operands);
#endif
  multiply_body<T, kAdding>(shape, operands);
}

// f64 instructions use BLGP to change the signs of A, B and C.
template <class T>
void negate(unsigned matrices, Operands<T>& operands) {
  const auto flip = [](auto& values) {
    for (T& value : values) value = -value;
  };
  if ((matrices & 1U) != 0) flip(operands.a);
  if ((matrices & 2U) != 0) flip(operands.b);
  if ((matrices & 4U) != 0) flip(operands.sum);
}

template <class T, class Sum>
void read_operands(const MatrixShape& shape, Wave& wave, const Op& op, Operands<T, Sum>& to) {
  read_a(shape, wave, op, to);
  read_b(shape, wave, op, to);
  read_c(shape, wave, op, to);
}

template <class T, Adding kAdding>
bool run_chain(Machine&, Wave& wave, const Op& op) {
  const MatrixShape& shape = *find_matrix_shape(*op.instruction->opcode);
  Operands<T> operands;
  read_operands(shape, wave, op, operands);
  if constexpr (std::is_same_v<T, double>) negate(op.instruction->blgp, operands);
  multiply<T, kAdding>(shape, operands);
  write_d(shape, wave, op, operands);
  return true;
}

template <void (*kAdd)(const MatrixShape&, NarrowOperands&)>
bool run_narrow(Machine&, Wave& wave, const Op& op) {
  const MatrixShape& shape = *find_matrix_shape(*op.instruction->opcode);
  NarrowOperands operands;
  read_operands(shape, wave, op, operands);
  kAdd(shape, operands);
  write_d(shape, wave, op, operands);
  return true;
}

void flush(std::span<float> values) {
  for (float& value : values) value = flushed(value);
}

// f32, where MODE asks for zeros in place of subnormal numbers that are read or written.
bool run_by_mode(Machine& machine, Wave& wave, const Op& op) {
  const SizeMode mode = float_mode(wave.mode).f32;
  if (mode.reads_denormals && mode.writes_denormals)
    return run_chain<float, Adding::fused>(machine, wave, op);
  const MatrixShape& shape = *find_matrix_shape(*op.instruction->opcode);
  Operands<float> operands;
  read_operands(shape, wave, op, operands);
  if (!mode.reads_denormals) {
    flush({operands.a.data(), std::size_t{operands.a_items} * shape.m * shape.blocks});
    flush({operands.b.data(), std::size_t{shape.k} * shape.n * shape.blocks});
    flush({operands.sum.data(), std::size_t{shape.m} * shape.n * shape.blocks});
  }
  if (mode.writes_denormals) {
    multiply<float, Adding::fused>(shape, operands);
  } else {
    multiply<float, Adding::fused_flushing>(shape, operands);
  }
  write_d(shape, wave, op, operands);
  return true;
}

/// The numbers that the codes of a format mean.
const std::array<double, 256>& numbers_of(SmallCode code) {
  static const auto tables = [] {
    constexpr SmallFormat kFormats[] = {kFp8, kBf8, kFp6, kBf6, kFp4};
    std::array<std::array<double, 256>, std::size(kFormats)> all{};
    for (std::size_t f = 0; f < all.size(); ++f)
      for (std::uint32_t i = 0; i >> kFormats[f].bits() == 0; ++i)
        all[f][i] = from_small(kFormats[f], i);
    return all;
  }();
  return tables[static_cast<std::size_t>(code)];
}

unsigned small_bits(SmallCode code) {
  return code <= SmallCode::bf8 ? 8 : code == SmallCode::fp4 ? 4 : 6;
}

constexpr unsigned kScaledBlock = 32;  ///< neighbours in k that share a scale

/// Where the scales of a matrix lie: a byte of a register, in the lane of a row and a block; null for no scales.
struct Scales {
  const std::uint32_t* lanes = nullptr;
  unsigned shift = 0;

  [[nodiscard]] double of(unsigned lane) const {
    if (lanes == nullptr) return 1;
    const auto code = static_cast<int>(lanes[lane] >> shift & 0xffU);
    return code == kScaleNan ? std::numeric_limits<double>::quiet_NaN()
                             : std::ldexp(1.0, code - kScaleBias);
  }
};

/// The rows of A, or the columns of B, with their scales. Lanes hold 32 elements each: of 6 and 4 bits they are neighbours in k; bytes lie in two
/// runs of 16, the second one half of k further on. A scale belongs to 32 neighbours in k wherever they lie, as AMD's composable_kernel found on a
/// GPU (test/mx_mfma_op, scale_mapping_32x32x64).
void read_small(const MatrixShape& shape, const LaneRegister* from, SmallCode code,
                const Scales& scales, double* to) {
  const unsigned rows = shape.m, bits = small_bits(code), mask = (1U << bits) - 1;
  constexpr unsigned kRun = 16, kItems = 32;
  const auto& numbers = numbers_of(code);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned row = lane % rows, group = lane / rows;
    for (unsigned i = 0; i < kItems; ++i) {
      const unsigned bit = i * bits, at = bit % 32;
      std::uint32_t value = from[bit / 32].lane[lane] >> at;
      if (at + bits > 32) value |= from[bit / 32 + 1].lane[lane] << (32 - at);
      const unsigned k =
          bits == 8 ? i / kRun * (shape.k / 2) + kRun * group + i % kRun : kItems * group + i;
      to[row * shape.k + k] = numbers[value & mask] * scales.of(k / kScaledBlock * rows + row);
    }
  }
}

// Products are exact in double and summed there; how the hardware rounds in between is not published.
bool run_scaled(Machine&, Wave& wave, const Op& op) {
  const isa::Instruction& in = *op.instruction;
  const MatrixShape& shape = *find_matrix_shape(*in.opcode);
  std::array<double, kMaxInputs> a, b;
  Scales scales[2];
  if (in.opcode->encoding == isa::Encoding::vop3px) {
    const auto byte = [&](unsigned i) {
      return (in.op_sel >> i & 1U) + 2U * (in.op_sel_hi >> i & 1U);
    };
    scales[0] = {wave.vector(op.data), 8 * byte(0)};
    scales[1] = {wave.vector(op.data2), 8 * byte(1)};
  }
  read_small(shape, &wave.vgprs[op.sources[0].number], static_cast<SmallCode>(in.cbsz), scales[0],
             a.data());
  read_small(shape, &wave.vgprs[op.sources[1].number], static_cast<SmallCode>(in.blgp), scales[1],
             b.data());
  NarrowOperands operands;
  read_c(shape, wave, op, operands);
  for (unsigned row = 0; row < shape.m; ++row) {
    for (unsigned column = 0; column < shape.n; ++column) {
      double sum = 0;
      for (unsigned k = 0; k < shape.k; ++k) sum += a[row * shape.k + k] * b[column * shape.k + k];
      float& result = operands.sum[row * shape.n + column];
      result = static_cast<float>(result + sum);
    }
  }
  write_d(shape, wave, op, operands);
  return true;
}

Handler handler_for(const MatrixShape& shape, isa::Arch arch) {
  switch (shape.a) {
    case MatrixType::chosen:
      return run_scaled;
    case MatrixType::fp8:
    case MatrixType::bf8:
      return isa::traits(arch).has_ocp_floats ? run_narrow<add_ocp_in_groups>
                                              : run_narrow<add_in_groups>;
    case MatrixType::f64:
      return run_chain<double, Adding::fused>;
    case MatrixType::i8:
      return run_chain<std::uint32_t, Adding::apart>;
    case MatrixType::f32:
      return run_by_mode;
    case MatrixType::f16:
    case MatrixType::bf16:
      return isa::traits(arch).adds_narrow_products_in_pairs ? run_narrow<add_in_pairs>
                                                             : run_narrow<add_in_groups>;
    default:
      return run_narrow<add_in_groups>;
  }
}

// Codes without a format are none, and scales lie in vector registers.
bool lower_chosen(const Program& program, const isa::Instruction& in, Op& op) {
  constexpr auto kLast = static_cast<std::uint8_t>(SmallCode::fp4);
  if (in.cbsz > kLast || in.blgp > kLast) return false;
  if (in.opcode->encoding != isa::Encoding::vop3px) return true;
  const isa::Operand &a = *in.operand('M'), &b = *in.operand('N');
  if (!a.is_vector() || !b.is_vector()) return false;
  op.data = static_cast<std::uint16_t>(vector_number(program, a));
  op.data2 = static_cast<std::uint16_t>(vector_number(program, b));
  return true;
}

}  // namespace

Handler lower_matrix(const Program& program, const isa::Instruction& in, Op& op) {
  const MatrixShape* shape = find_matrix_shape(*in.opcode);
  if (shape == nullptr) return nullptr;
  op.destination = static_cast<std::uint16_t>(vector_number(program, *in.operand('D')));
  for (unsigned i = 0; i < 3; ++i) {
    const isa::Operand& operand = *in.operand("ABC"[i]);
    op.sources[i] =
        register_source(program, operand, in, shape->is_double() ? Type::f64 : Type::f32);
    const bool constant_c =
        i == 2 && !shape->sparse && op.sources[i].kind == Source::Kind::constant;
    if (op.sources[i].kind != Source::Kind::vector && !constant_c) return nullptr;
  }
  if (shape->a == MatrixType::chosen && !lower_chosen(program, in, op)) return nullptr;
  return handler_for(*shape, program.arch);
}

}  // namespace rpl::emu
