// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/atomic.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/inline_constant.h"
#include "engine/device/execute/state/lowering.h"

namespace rpl::emu {
namespace {

using isa::Instruction;
using isa::Operand;

void place_memory_data(const Program& program, const Instruction& in, Op& op) {
  if (const Operand* data = in.operand('X'); data != nullptr) {
    op.data = static_cast<std::uint16_t>(vector_number(program, *data));
    op.dwords = data->dwords;
  }
  if (const Operand* data = in.operand('Y'); data != nullptr) {
    op.data2 = static_cast<std::uint16_t>(vector_number(program, *data));
  }
  if (const Operand* result = in.operand('D'); result != nullptr) {
    op.destination = static_cast<std::uint16_t>(vector_number(program, *result));
    if (in.operand('X') == nullptr) op.dwords = result->dwords;
  }
}

// The offsets of read2 and write2 count elements, those of the st64 forms 64 elements.
void place_two_parts(const Instruction& in, Op& op) {
  if (in.operand('X') == nullptr) op.dwords = static_cast<std::uint8_t>(op.dwords / 2);
  const bool far = in.opcode->mnemonic.find("st64") != std::string_view::npos;
  op.target = op.dwords * 4U * (far ? 64U : 1U);
}

}  // namespace

unsigned vector_number(const Program& program, const Operand& operand) {
  return operand.number + (operand.kind == Operand::Kind::agpr ? program.first_agpr : 0U);
}

Source register_source(const Program& program, const Operand& operand, const Instruction& in,
                       Type type) {
  Source result;
  result.type = type;
  if (operand.is_vector()) {
    result.kind = Source::Kind::vector;
    result.number = static_cast<std::uint16_t>(vector_number(program, operand));
  } else if (is_constant(operand.number)) {
    result.kind = Source::Kind::constant;
    result.value = constant_of(operand.number, in.literal, type);
  } else {
    result.kind = operand.number < isa::kZero ? Source::Kind::scalar : Source::Kind::special;
    result.number = operand.number;
  }
  return result;
}

Handler lower_memory(const Program& program, const Instruction& in, Op& op) {
  place_memory_data(program, in, op);
  const auto name = in.opcode->mnemonic;
  const Operand *vector = in.operand('A'), *scalar = in.operand('O');
  if (vector == nullptr) return nullptr;
  op.sources[0] = register_source(program, *vector, in, Type::u64);
  if (scalar != nullptr && scalar->kind == Operand::Kind::scalar)
    op.sources[1] = register_source(program, *scalar, in, Type::u64);
  if (in.operand('X') == nullptr) op.data = op.destination;
  if (in.opcode->flags == "atomic") {
    const auto kind = find_atomic(name.substr(name.find("atomic_") + 7));
    if (!kind) return nullptr;
    op.target = static_cast<std::uint32_t>(*kind);
    if (*kind == Atomic::compare_swap) op.dwords = static_cast<std::uint8_t>(op.dwords / 2);
  }
  if (in.operand('X') == nullptr && in.operand('D') == nullptr) {
    op.dwords = name.ends_with("x4") ? 4 : name.ends_with("x3") ? 3 : 1;
    return find_load_to_lds_handler(in);
  }
  return find_memory_handler(in);
}

namespace {

void place_scratch_operands(const Program& program, const Instruction& in, Op& op) {
  place_memory_data(program, in, op);
  if (in.operand('D') != nullptr) op.data = op.destination;
  const Operand* vector = in.operand('A');
  if (vector != nullptr && vector->is_vector())
    op.sources[0] = register_source(program, *vector, in, Type::u32);
  for (const char letter : {'O', 'T'}) {
    const Operand* scalar = in.operand(letter);
    if (scalar != nullptr && scalar->kind == Operand::Kind::scalar)
      op.sources[1] = register_source(program, *scalar, in, Type::u32);
  }
}

}  // namespace

Handler lower_scratch(const Program& program, const Instruction& in, Op& op) {
  place_scratch_operands(program, in, op);
  return find_scratch_handler(in);
}

Handler lower_buffer(const Program& program, const Instruction& in, Op& op) {
  const Operand* buffer = in.operand('R');
  if (buffer == nullptr) return find_control_handler(std::string(in.opcode->name()));
  place_scratch_operands(program, in, op);
  op.target = buffer->number;
  // The pattern of operands has the registers that a load into LDS leaves out.
  if (in.lds && in.opcode->mnemonic.ends_with("dwordx3")) op.dwords = 3;
  if (in.lds && in.opcode->mnemonic.ends_with("dwordx4")) op.dwords = 4;
  if (in.lds && op.dwords > 1 && !isa::traits(program.arch).has_wide_lds_loads) return nullptr;
  if (in.opcode->flags == "atomic") {
    const auto name = in.opcode->mnemonic;
    const auto kind = find_atomic(name.substr(name.find("atomic_") + 7));
    if (!kind) return nullptr;
    op.scalar_destination = static_cast<std::uint16_t>(*kind);
    if (*kind == Atomic::compare_swap) op.dwords = static_cast<std::uint8_t>(op.dwords / 2);
  }
  return find_buffer_handler(in);
}

Handler lower_lds(const Program& program, const Instruction& in, Op& op) {
  place_memory_data(program, in, op);
  if (in.opcode->mnemonic == "ds_nop") return find_control_handler("s_nop");
  if (const Operand* address = in.operand('A'); address != nullptr)
    op.sources[0] = register_source(program, *address, in, Type::u32);
  op.target = static_cast<std::uint32_t>(in.offset);
  std::string name(in.opcode->mnemonic.substr(3));
  if (const auto rtn = name.find("_rtn"); rtn != name.npos) name.erase(rtn, 4);
  if (const auto kind = find_atomic(name)) op.target = static_cast<std::uint32_t>(*kind);
  if (in.opcode->flags == "2") place_two_parts(in, op);
  return find_lds_handler(in);
}

Handler lower_scalar_memory(const Program& program, const Instruction& in, Op& op) {
  if (const Operand* base = in.operand('A'); base != nullptr)
    op.sources[0] = register_source(program, *base, in, Type::u64);
  if (const Operand* data = in.operand('D'); data != nullptr) {
    op.destination = data->number;
    op.dwords = data->dwords;
    if (op.destination + op.dwords > isa::kZero) return nullptr;
  }
  const std::string_view name = in.opcode->mnemonic;
  if (const auto at = name.find("atomic_"); at != name.npos) {
    const auto kind = find_atomic(name.substr(at + 7));
    if (!kind) return nullptr;
    op.target = static_cast<std::uint32_t>(*kind);
    if (*kind == Atomic::compare_swap) op.dwords = static_cast<std::uint8_t>(op.dwords / 2);
  }
  const Handler handler = find_scalar_memory_handler(in);
  return handler != nullptr ? handler : find_control_handler(std::string(name));
}

}  // namespace rpl::emu
