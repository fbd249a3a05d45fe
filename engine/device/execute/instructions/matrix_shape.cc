// SPDX-License-Identifier: MIT
#include "engine/device/execute/instructions/matrix_shape.h"

#include <optional>
#include <vector>

#include "engine/base/numbers.h"

namespace rpl::emu {
namespace {

unsigned take_size(std::string_view& text) { return take_number<unsigned>(text).value_or(0); }

std::optional<MatrixType> type_of(std::string_view name) {
  constexpr std::string_view kNames[] = {"f64", "f32", "xf32", "f16",   "bf16",
                                         "fp8", "bf8", "i8",   "f8f6f4"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<MatrixType>(i);
  }
  return std::nullopt;
}

// "16x16x4bf16_1k", "16x16x4_4b_bf16", "16x16x32_bf8_fp8".
bool parse(std::string_view text, MatrixShape& shape) {
  shape.m = take_size(text);
  if (!text.starts_with('x')) return false;
  text.remove_prefix(1);
  shape.n = take_size(text);
  if (!text.starts_with('x')) return false;
  text.remove_prefix(1);
  shape.k = take_size(text);
  if (text.starts_with('_')) text.remove_prefix(1);
  if (text.ends_with("_1k")) text.remove_suffix(3);
  if (const auto blocks = text.find("b_"); blocks != text.npos && text[0] <= '9')
    text.remove_prefix(blocks + 2);
  const auto between = text.find('_');
  const auto a = type_of(text.substr(0, between)),
             b = between == text.npos ? a : type_of(text.substr(between + 1));
  if (!a || !b) return false;
  shape.a = *a;
  shape.b = *b;
  return true;
}

// The older names do not say how many blocks there are, but the width of D does.
unsigned blocks_of(const isa::Opcode& opcode, const MatrixShape& shape) {
  std::string_view width = opcode.operands.substr(1);
  const unsigned items = take_size(width) / (shape.is_double() ? 2 : 1);
  return items * isa::kWaveSize / (shape.m * shape.n);
}

OutputPlace output_row(const MatrixShape& shape, unsigned block, unsigned row) {
  // Rows lie in groups of this height in consecutive results of one lane.
  const unsigned height = shape.is_double() ? 1 : 4;
  const unsigned blocks_in_item = std::max(1U, isa::kWaveSize / (shape.n * shape.m / height));
  const unsigned groups_in_item = isa::kWaveSize / blocks_in_item / shape.n;
  const unsigned groups = shape.m / (height * groups_in_item);
  // Where several blocks share an item (4x4x4 in f64 alone has several rows of them there), AMD's matrix instruction calculator
  // puts row 0 of every block first. The formula that the CDNA4 ISA document prints puts all rows of block 0 first.
  return {
      row % height + height * (row / (height * groups_in_item) + groups * (block / blocks_in_item)),
      shape.n * (block % blocks_in_item + blocks_in_item * (row / height % groups_in_item))};
}

std::optional<MatrixShape> shape_of(const isa::Opcode& opcode) {
  if (opcode.flags != "mfma") return std::nullopt;
  MatrixShape shape;
  shape.sparse = opcode.mnemonic.starts_with("v_smfmac_");
  const auto from = opcode.mnemonic.find("32_"), from_double = opcode.mnemonic.find("64_");
  const auto at = std::min(from, from_double);
  if (at == opcode.mnemonic.npos || !parse(opcode.mnemonic.substr(at + 3), shape))
    return std::nullopt;
  shape.blocks = blocks_of(opcode, shape);
  for (unsigned row = 0; row < shape.m * shape.blocks; ++row)
    shape.places.at(row) = output_row(shape, row / shape.m, row % shape.m);
  return shape;
}

}  // namespace

const MatrixShape* find_matrix_shape(const isa::Opcode& opcode) {
  static const auto table = [] {
    std::vector<std::optional<MatrixShape>> shapes;
    for (const auto& row : isa::opcodes()) shapes.push_back(shape_of(row));
    return shapes;
  }();
  const auto rows = isa::opcodes();
  if (&opcode < rows.data() || &opcode >= rows.data() + rows.size()) return nullptr;
  const auto& shape = table[static_cast<std::size_t>(&opcode - rows.data())];
  return shape ? &*shape : nullptr;
}

unsigned matrix_passes(isa::Arch arch, const MatrixShape& shape, const isa::Instruction& in) {
  if (shape.is_double())
    return shape.m == 4 ? 4 : isa::traits(arch).has_slow_double_matrix ? 16 : 8;
  if (shape.m == 4) return 2;
  const unsigned slow = shape.m == 16 ? 8 : 16;
  if (shape.a == MatrixType::chosen) return multiplies_bytes(in) ? slow : slow / 2;
  const bool fast =
      isa::traits(arch).has_fast_narrow_matrix && shape.blocks == 1 && shape.a != MatrixType::f32;
  return fast ? slow / 2 : slow;
}

}  // namespace rpl::emu
