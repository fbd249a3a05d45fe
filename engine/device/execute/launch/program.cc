// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/program.h"

#include "engine/device/execute/instructions/matrix_shape.h"
#include "engine/device/execute/instructions/modifiers.h"
#include "engine/device/execute/instructions/scaled_conversion.h"
#include "engine/device/execute/instructions/state.h"
#include "engine/device/execute/instructions/vector_table.h"
#include "engine/device/execute/launch/reachable_code.h"
#include "engine/device/execute/state/handlers.h"
#include "engine/device/execute/state/inline_constant.h"
#include "engine/device/execute/state/lowering.h"

namespace rpl::emu {
namespace {

using isa::Encoding;
using isa::Instruction;
using isa::Operand;

constexpr std::uint32_t kMaskFirst =
    1;  ///< Op::target of run_dressed: the number of the source that is a mask, plus one

class Lowering {
 public:
  Lowering(Program& program, const Instruction& instruction, std::uint64_t address)
      : program_(program), in_(instruction) {
    op_.instruction = &instruction;
    op_.address = address;
    op_.kind = isa::class_of(*instruction.opcode);
    op_.handler = run_unsupported;
  }

  Op lower() {
    const Handler handler = find();
    if (handler != nullptr && registers_exist()) op_.handler = handler;
    if (program_.stateful && op_.handler != run_unsupported && is_vector_arithmetic()) {
      op_.usual = op_.handler;
      op_.handler = run_stateful;
      op_.may_move = is_arithmetic(in_);
      op_.under_rounding = under_rounding(op_);
    } else if (program_.skips && op_.handler != run_unsupported && !is_scalar()) {
      op_.usual = op_.handler;
      op_.handler = run_unless_skipped;
    }
    return op_;
  }

 private:
  Handler find() {
    const std::string name(in_.opcode->name());
    switch (in_.opcode->encoding) {
      case Encoding::smem:
        return lower_scalar_memory(program_, in_, op_);
      case Encoding::sop1:
      case Encoding::sop2:
      case Encoding::sopc:
      case Encoding::sopk:
      case Encoding::sopp:
        return lower_scalar_any(name);
      case Encoding::ds:
        return lower_lds(program_, in_, op_);
      case Encoding::flat:
      case Encoding::global:
        return lower_memory(program_, in_, op_);
      case Encoding::scratch:
        return lower_scratch(program_, in_, op_);
      case Encoding::mubuf:
      case Encoding::mtbuf:
        return lower_buffer(program_, in_, op_);
      default:
        return in_.opcode->flags == "mfma" ? lower_matrix(program_, in_, op_) : lower_vector(name);
    }
  }

  [[nodiscard]] bool is_scalar() const {
    const Encoding encoding = in_.opcode->encoding;
    return encoding == Encoding::smem || encoding == Encoding::sop1 || encoding == Encoding::sop2 ||
           encoding == Encoding::sopc || encoding == Encoding::sopk || encoding == Encoding::sopp;
  }

  [[nodiscard]] bool is_vector_arithmetic() const {
    const Encoding encoding = in_.opcode->encoding;
    return encoding == Encoding::vop1 || encoding == Encoding::vop2 || encoding == Encoding::vopc ||
           encoding == Encoding::vop3 || encoding == Encoding::vop3p;
  }

  Handler lower_scalar_any(const std::string& name) {
    for (const auto find : {find_scalar_handler, find_mask_handler, find_control_handler,
                            find_state_handler, find_fork_handler}) {
      if (const Handler handler = find(name); handler != nullptr) return lower_scalar(handler);
    }
    return nullptr;
  }

  Handler lower_scalar(Handler handler) {
    for (std::size_t i = 0; i < in_.operand_count; ++i) {
      const Operand& operand = in_.operands[i];
      if (operand.letter == 'D') op_.destination = operand.number;
      if (operand.letter == 'A' || operand.letter == 'B') {
        op_.sources[operand.letter == 'A' ? 0 : 1] =
            source(operand, operand.dwords == 2 ? Type::u64 : Type::u32);
      }
    }
    return handler;
  }

  Source source(const Operand& operand, Type type) {
    Source result;
    result.type = type;
    if (operand.is_vector()) {
      result.kind = Source::Kind::vector;
      result.number = static_cast<std::uint16_t>(vector_number(program_, operand));
      return result;
    }
    result.number = operand.number;
    result.kind = operand.number < isa::kZero ? Source::Kind::scalar : Source::Kind::special;
    if (is_constant(operand.number) && type == Type::f32x2) return packed_constant(operand, type);
    if (is_constant(operand.number))
      return constant(constant_of(operand.number, in_.literal, type), type);
    return result;
  }

  Source constant(std::uint64_t value, Type type) {
    Source result;
    result.kind = Source::Kind::constant;
    result.type = type;
    result.value = value;
    std::vector<LaneRegister> lanes(2);
    lanes[0].lane.fill(static_cast<std::uint32_t>(value));
    lanes[1].lane.fill(static_cast<std::uint32_t>(value >> 32));
    program_.constants.push_back(std::move(lanes));
    result.lanes = program_.constants.back()[0].lane.data();
    return result;
  }

  Handler lower_vector(const std::string& full_name) {
    std::string name = full_name;
    op_.writes_exec = name.starts_with("v_cmpx_");
    if (op_.writes_exec) name.erase(5, 1);
    // One file of registers, so that moves between its halves are moves.
    if (name.starts_with("v_accvgpr_")) name = "v_mov_b32";
    const Handler special = find_lane_handler(name);
    if (special != nullptr && in_.form == Instruction::Form::plain)
      return lower_special(special, name);
    if (name.starts_with("v_cvt_scalef32_")) {
      const Handler conversion = lower_scaled_conversion(in_);
      return conversion == nullptr ? nullptr : lower_special(conversion, name);
    }
    const VectorEntry* entry = find_vector_entry(program_.arch, name);
    if (entry == nullptr) return find_control_handler(name);
    return lower_entry(*entry);
  }

  void place_destinations() {
    for (std::size_t i = 0; i < in_.operand_count; ++i) {
      const Operand& operand = in_.operands[i];
      const bool before_sources = i < 2;
      if (operand.letter == 'D')
        op_.destination = static_cast<std::uint16_t>(vector_number(program_, operand));
      const bool scalar = operand.letter == 'Q' || operand.letter == 'S' ||
                          (operand.letter == 'V' && before_sources);
      if (scalar) op_.scalar_destination = operand.number;
    }
  }

  Handler lower_special(Handler handler, const std::string& name) {
    place_destinations();
    const bool packed = name.starts_with("v_pk");
    if (name.starts_with("v_div_fmas")) op_.result = name.ends_with("64") ? Type::f64 : Type::f32;
    for (std::size_t i = 0; i < 3; ++i) {
      const Operand* operand = in_.operand(static_cast<char>('A' + i));
      if (operand == nullptr) continue;
      const Type wide = name.ends_with("_f64") ? Type::f64 : Type::u64;
      op_.sources[i] = source(*operand, operand->dwords == 2 ? wide : Type::u32);
      if (packed && op_.sources[i].kind == Source::Kind::constant)
        op_.sources[i] = packed_constant(*operand, Type::u64);
      op_.source_count = static_cast<std::uint8_t>(i + 1);
    }
    return in_.clamp || in_.output_modifier != 0 ? nullptr : handler;
  }

  // A 32-bit constant of a pair of dwords is its low dword; both selectors may ask for it.
  Source packed_constant(const Operand& operand, Type type) {
    const std::uint64_t low = constant_of(operand.number, in_.literal, Type::f32) & 0xffffffffU;
    return constant(low | low << 32, type);
  }

  Handler lower_entry(const VectorEntry& entry) {
    place_destinations();
    op_.entry = &entry;
    op_.lanes = entry.lanes;
    op_.mask = entry.mask;
    op_.result = entry.result;
    add_sources(entry);
    for (std::size_t i = 0; i < op_.sources.size(); ++i)
      op_.sources[i].operand = in_.operand(static_cast<char>('A' + i));
    op_.dressed = is_modified(entry);
    if (in_.op_sel != 0 && !selects_halves(entry)) return nullptr;
    if (changes_pairs(entry)) return nullptr;
    const bool clamps_float = in_.clamp && is_float(entry.result);
    if (in_.clamp && !clamps_float && op_.lanes != nullptr) {
      if (entry.clamped == nullptr) return nullptr;
      op_.lanes = entry.clamped;
    }
    if (entry.per_register != nullptr && !clamps_float) return run_float_pair;
    const bool keeps_rest = entry.rest != VectorEntry::Rest::cleared;
    op_.uniform = uniform_source();
    if (op_.dressed || in_.clamp || keeps_rest) return run_dressed;
    if (entry.whole != nullptr) return entry.whole;
    if (entry.takes_mask) return run_dressed;
    if (op_.mask == nullptr) return run_lanes;
    return op_.lanes == nullptr ? run_compare : run_dressed;
  }

  [[nodiscard]] bool is_modified(const VectorEntry& entry) const {
    const bool has_modifier =
        std::any_of(in_.operands.begin(), in_.operands.begin() + in_.operand_count,
                    [](const Operand& o) { return o.negate || o.absolute || o.sign_extend; });
    if (has_modifier || in_.form != Instruction::Form::plain || in_.op_sel != 0 || entry.mixed)
      return true;
    if (in_.opcode->encoding != Encoding::vop3p) return false;
    for (std::size_t i = 0; i < entry.sources.size(); ++i) {
      const bool usual = (in_.op_sel_hi >> i & 1) != 0 && ((in_.neg_lo | in_.neg_hi) >> i & 1) == 0;
      if (is_packed(entry.sources[i]) && !usual) return true;
    }
    return false;
  }

  [[nodiscard]] bool selects_halves(const VectorEntry& entry) const {
    if (in_.opcode->encoding == Encoding::vop3p) return entry.mixed || is_packed(entry.sources[0]);
    // LLVM 22 lets v_alignbit_b32 have selectors too; of dwords there is nothing to select.
    const bool has_parts = std::any_of(entry.sources.begin(), entry.sources.end(), [](Type type) {
      return type == Type::u16 || type == Type::f16 || type == Type::bf16;
    });
    const bool is_part = has_parts || entry.result == Type::u16 || entry.result == Type::f16 ||
                         entry.rest != VectorEntry::Rest::cleared;
    return is_part && in_.opcode->flags.find('o') != std::string_view::npos;
  }

  // What signs of the long form mean to pairs is not documented.
  [[nodiscard]] bool changes_pairs(const VectorEntry& entry) const {
    if (in_.opcode->encoding != Encoding::vop3 || !is_packed(entry.sources[0])) return false;
    return std::any_of(in_.operands.begin(), in_.operands.begin() + in_.operand_count,
                       [](const Operand& o) { return o.negate || o.absolute; });
  }

  [[nodiscard]] std::uint8_t uniform_source() const {
    std::uint8_t found = 0;
    for (std::uint8_t i = 0; i < op_.source_count; ++i) {
      const Source::Kind kind = op_.sources[i].kind;
      const bool scalar = kind == Source::Kind::scalar || kind == Source::Kind::special;
      const bool mask = op_.target == i + kMaskFirst;
      if (!scalar || mask) continue;
      if (found != 0) return 0;
      found = static_cast<std::uint8_t>(i + 1);
    }
    return found;
  }

  void add_sources(const VectorEntry& entry) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < in_.operand_count && count < 3; ++i) {
      const char letter = in_.operands[i].letter;
      const bool mask_at_end =
          letter == 'V' && entry.takes_mask && i + 1 == in_.operand_count && i > 1;
      if (letter != 'A' && letter != 'B' && letter != 'C' && !mask_at_end) continue;
      const bool is_mask = entry.takes_mask && count == 2;
      op_.sources[count] =
          source(in_.operands[i], is_mask ? Type::u64 : operand_type(entry, count));
      if (is_mask) op_.target = static_cast<std::uint32_t>(count) + kMaskFirst;
      ++count;
    }
    if (in_.opcode->flags == "k") add_literal_source(entry.sources[1]);
    if (entry.accumulates) add_accumulator(entry, count);
    op_.source_count =
        static_cast<std::uint8_t>(in_.opcode->flags == "k" || entry.accumulates ? 3 : count);
  }

  [[nodiscard]] Type operand_type(const VectorEntry& entry, std::size_t index) const {
    const Type type = entry.sources[index];
    if (entry.mixed) return (in_.op_sel_hi >> index & 1) != 0 ? Type::f16 : Type::f32;
    return type == Type::none ? Type::u32 : type;
  }

  // v_fmamk computes a * K + b, v_fmaak a * b + K.
  void add_literal_source(Type type) {
    const Source literal = constant(in_.literal, type);
    if (in_.opcode->mnemonic.find("mk_") != std::string_view::npos) {
      op_.sources[2] = op_.sources[1];
      op_.sources[1] = literal;
    } else {
      op_.sources[2] = literal;
    }
  }

  void add_accumulator(const VectorEntry& entry, std::size_t count) {
    Source accumulator;
    accumulator.kind = Source::Kind::vector;
    accumulator.type = entry.result;
    accumulator.number = op_.destination;
    op_.sources[count] = accumulator;
  }

  // A register beyond what the kernel allocated would be another wave's.
  [[nodiscard]] bool registers_exist() const {
    return std::all_of(
        in_.operands.begin(), in_.operands.begin() + in_.operand_count,
        [&](const Operand& operand) {
          if (operand.is_vector())
            return vector_number(program_, operand) + operand.dwords <= program_.vgprs;
          return operand.kind != Operand::Kind::scalar || operand.number >= isa::kZero ||
                 operand.number + operand.dwords <= isa::kZero;
        });
  }

  Program& program_;
  const Instruction& in_;
  Op op_;
};

// Waits do nothing here and are a fifth of many kernels: whoever runs the operation before them passes them over. Not behind one that may go elsewhere
// or ends its wave's turn.
void count_idle(Program& program) {
  static const Handler idle = find_control_handler("s_nop");
  std::vector<Op>& ops = program.ops;
  // A damaged object may have no code at all.
  for (std::size_t i = ops.size(); i-- > 1;) {
    Op& op = ops[i - 1];
    const Op& next = ops[i];
    const bool waits = next.handler == idle && next.instruction->opcode->encoding == Encoding::sopp;
    const isa::Class kind = op.kind;
    const bool goes_on =
        kind == isa::Class::valu || kind == isa::Class::transcendental || touches_memory(kind);
    if (waits && (goes_on || op.handler == idle))
      op.followed = static_cast<std::uint8_t>(std::min<unsigned>(kMostIdle, next.followed + 1U));
  }
}

}  // namespace

std::string_view to_string(Fidelity fidelity) {
  constexpr std::string_view kNames[] = {"exact", "approximate", "unsupported"};
  return kNames[static_cast<std::size_t>(fidelity)];
}

Op lowered(Program& program, const isa::Instruction& instruction, std::uint64_t address) {
  return Lowering(program, instruction, address).lower();
}

Fidelity fidelity_of(isa::Arch arch, const isa::Instruction& instruction) {
  constexpr std::uint32_t kEveryRegister = 512;
  Program program;
  program.arch = arch;
  program.vgprs = kEveryRegister;
  program.first_agpr = kEveryRegister / 2;
  const Op op = Lowering(program, instruction, 0).lower();
  if (op.handler == run_unsupported || op.handler == run_refused) return Fidelity::unsupported;
  if (const MatrixShape* shape = find_matrix_shape(*instruction.opcode); shape != nullptr) {
    const bool known = !shape->sparse && isa::traits(arch).has_known_matrix_sums;
    return known || shape->is_integer() ? Fidelity::exact : Fidelity::approximate;
  }
  const ScaledConversion* conversion = find_scaled_conversion(*instruction.opcode);
  if (conversion != nullptr)
    return conversion->is_approximate() ? Fidelity::approximate : Fidelity::exact;
  const VectorEntry* entry = find_vector_entry(arch, std::string(instruction.opcode->name()));
  return entry != nullptr && entry->approximate ? Fidelity::approximate : Fidelity::exact;
}

std::shared_ptr<const Program> make_program(const isa::CodeObject& object,
                                            const isa::Kernel& kernel, bool any_mode) {
  auto program = std::make_shared<Program>();
  program->arch = object.arch();
  program->kernel = kernel.name;
  program->object = &object;
  program->vgprs = kernel.descriptor.vgprs;
  program->first_agpr = kernel.descriptor.first_agpr;
  decode_reachable(object, kernel, *program);
  program->skips = may_skip(program->text);
  program->stateful = any_mode || program->skips || is_stateful(kernel.descriptor, program->text);
  program->ops.reserve(program->text.size());
  for (const auto& located : program->text) {
    program->ops.push_back(Lowering(*program, located.instruction, located.address).lower());
  }
  resolve_branches(*program);
  count_idle(*program);
  const std::uint64_t word = (kernel.entry - program->first_address) / sizeof(std::uint32_t);
  program->entry = word < program->index_of.size() ? program->index_of[word] : Program::kNoOp;
  return program;
}

void resolve_branches(Program& program) {
  for (auto& op : program.ops) {
    if (op.kind != isa::Class::branch) continue;
    const auto address = isa::branch_target(op.address, *op.instruction);
    if (!address) continue;
    // Below the first address it wraps around to far behind the last.
    const std::uint64_t word = (*address - program.first_address) / sizeof(std::uint32_t);
    const bool inside = word < program.index_of.size();
    const std::uint32_t target = inside ? program.index_of[word] : Program::kNoOp;
    if (target == Program::kNoOp) op.handler = run_unsupported;
    op.target = target;
  }
}

}  // namespace rpl::emu
