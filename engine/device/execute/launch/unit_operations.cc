// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/hardware_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/device/execute/instructions/matrix_shape.h"

namespace rpl::emu {
namespace {

std::string_view type_name(MatrixType type) {
  switch (type) {
    case MatrixType::f64:
      return "f64";
    case MatrixType::f32:
      return "f32";
    case MatrixType::xf32:
      return "xf32";
    case MatrixType::f16:
      return "f16";
    case MatrixType::bf16:
      return "bf16";
    case MatrixType::fp8:
    case MatrixType::bf8:
      return "f8";
    case MatrixType::i8:
      return "i8";
    case MatrixType::chosen:
      break;
  }
  return "f32";
}

/// The wider one of the two formats has the rate.
std::string_view chosen_name(const isa::Instruction& in) {
  if (multiplies_bytes(in)) return "f8";
  constexpr auto kNarrow = static_cast<std::uint8_t>(SmallCode::fp4);
  return in.cbsz == kNarrow && in.blgp == kNarrow ? "f4" : "f6";
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

/// Operations of a lane by the word behind "v_" or "v_pk_": add, mul, fma, dot2 …
std::uint64_t of_lane(std::string_view word) {
  if (is_one_of(word,
                {"add", "sub", "subrev", "mul", "exp", "log", "rcp", "rsq", "sqrt", "sin", "cos"}))
    return 1;
  if (is_one_of(word, {"fma", "fmac", "fmamk", "fmaak", "mac", "mad", "madmk", "madak"})) return 2;
  if (is_one_of(word, {"dot2", "dot2c"})) return 4;
  return 0;
}

}  // namespace

std::uint64_t operations_of(const isa::Instruction& instruction, std::string& unit) {
  const isa::Opcode& opcode = *instruction.opcode;
  if (const MatrixShape* shape = find_matrix_shape(opcode)) {
    unit = fmt::format("matrix {}", shape->a == MatrixType::chosen ? chosen_name(instruction)
                                                                   : type_name(shape->a));
    return std::uint64_t{2} * shape->m * shape->n * shape->k * shape->blocks /
           (shape->sparse ? 2 : 1);
  }
  std::string_view name = opcode.name();
  if (!name.starts_with("v_")) return 0;
  name.remove_prefix(2);
  const bool packed = name.starts_with("pk_");
  if (packed) name.remove_prefix(3);
  const std::string_view word = name.substr(0, name.find('_'));
  // The sum of a dot product of halves is an f32; its work is on halves.
  const bool halves = name.ends_with("_f16"), singles = name.ends_with("_f32"),
             doubles = name.ends_with("_f64");
  if (!halves && !singles && !doubles) return 0;
  const std::uint64_t count = of_lane(word) * (packed ? 2 : 1);
  if (count > 0) unit = halves ? "vector f16" : singles ? "vector f32" : "vector f64";
  return count;
}

namespace {

/// Operations that integer division borrows from the float units: LLVM multiplies with v_rcp_iflag_f32, which nothing else uses, and what is computed from
/// its result on the way back to an integer belongs to it (AMDGPUCodeGenPrepare, expandDivRem32; AMDGPULegalizerInfo for 64 bits).
std::vector<bool> borrowed_operations(const Program& program) {
  constexpr std::size_t kNear = 64;
  std::vector<bool> out(program.ops.size());
  const auto instruction = [&](std::size_t i) { return program.ops[i].instruction; };
  const auto target = [](const isa::Instruction& one) -> int {
    const isa::Operand& first = one.operands[0];
    return one.operand_count > 0 && first.is_vector() ? first.number : -1;
  };
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    if (instruction(i) == nullptr || !instruction(i)->opcode->name().starts_with("v_rcp_iflag_f32"))
      continue;
    out[i] = true;
    std::set<int> from_it = {target(*instruction(i))};
    for (std::size_t k = i + 1; k < std::min(program.ops.size(), i + kNear) && !from_it.empty();
         ++k) {
      const isa::Instruction* one = instruction(k);
      if (one == nullptr) continue;
      const std::string_view name = one->opcode->name();
      const bool accumulates = name.starts_with("v_fmac") || name.starts_with("v_mac");
      bool reads = accumulates && from_it.contains(target(*one));
      for (std::size_t n = 1; n < one->operand_count; ++n)
        reads |= one->operands[n].is_vector() && from_it.contains(one->operands[n].number);
      std::string unit;
      const bool computes = operations_of(*one, unit) > 0 && unit == "vector f32";
      if (reads && computes) out[k] = true;
      if (reads && (computes || name.starts_with("v_trunc_f32") || name.starts_with("v_mov_b32")))
        from_it.insert(target(*one));
      else
        from_it.erase(target(*one));
    }
  }
  return out;
}

}  // namespace

std::vector<UnitOperations> unit_operations(const Executed& executed) {
  const std::vector<bool> borrowed = borrowed_operations(*executed.program);
  std::map<std::string, std::uint64_t> sums;
  const auto& rows = executed.counts.by_instruction;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const isa::Instruction* instruction = executed.program->ops[i].instruction;
    if (rows[i].executed == 0 || instruction == nullptr || borrowed[i]) continue;
    std::string unit;
    const std::uint64_t each = operations_of(*instruction, unit);
    if (each == 0) continue;
    const bool matrix = executed.program->ops[i].kind == isa::Class::matrix;
    sums[unit] += each * (matrix ? rows[i].executed : rows[i].active_lanes);
  }
  std::vector<UnitOperations> out;
  for (const auto& [unit, operations] : sums) out.push_back({unit, operations});
  return out;
}

}  // namespace rpl::emu
