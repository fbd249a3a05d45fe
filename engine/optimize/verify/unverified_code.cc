// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/unverified_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rpl {
namespace {

/// Instructions whose results or effects somebody could miss. Moves, comparisons, masks and jumps are left out: compilers repeat them on ways that no lane
/// takes, and what they lead to counts by itself.
bool computes(const isa::Instruction& instruction) {
  const auto name = instruction.opcode->mnemonic;
  constexpr std::string_view kControl[] = {"s_",     "v_nop",     "v_mov_",    "v_cmp",
                                           "v_read", "buffer_wb", "buffer_inv"};
  return name.starts_with("s_cselect") ||
         std::ranges::none_of(kControl,
                              [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Name without the encoding, and literal: not the registers, which differ between any two builds.
std::string signature(const isa::Instruction& in) {
  return fmt::format("{} {:x}", in.opcode->name(), in.literal);
}

constexpr unsigned kNeverRan = 3;  ///< else 1 or 2: which side of a choice alone was taken

std::string_view name_of(const emu::Op& op) {
  return op.instruction == nullptr ? std::string_view() : op.instruction->opcode->mnemonic;
}

bool covers(const isa::Operand& operand, unsigned number) {
  return operand.number <= number &&
         number < operand.number + std::max<unsigned>(operand.dwords, 1);
}

bool writes_scalar(const emu::Op& op, unsigned number) {
  if (op.instruction == nullptr) return false;
  if (name_of(op).starts_with("v_cmp"))
    return op.scalar_destination <= number && number < op.scalar_destination + 2U;
  const auto& operands = op.instruction->operands;
  return std::any_of(
      operands.begin(), operands.begin() + op.instruction->operand_count,
      [&](const isa::Operand& one) {
        const bool result = one.letter == 'D' || one.letter == 'Q' || one.letter == 'S';
        return result && one.kind == isa::Operand::Kind::scalar && covers(one, number);
      });
}

bool writes_vector(const emu::Op& op, unsigned number) {
  if (op.instruction == nullptr) return false;
  const isa::Operand* result = op.instruction->operand('D');
  return result != nullptr && result->kind == isa::Operand::Kind::vgpr && covers(*result, number);
}

/// What can follow the entry, and what ran: a program holds the other kernels of its segment, too.
std::vector<bool> reachable(const SeenProgram& seen) {
  const auto& ops = seen.program->ops;
  std::vector<bool> out(ops.size());
  std::vector<std::size_t> open = {seen.program->entry};
  for (std::size_t i = 0; i < std::min(ops.size(), seen.path->ran.size()); ++i) {
    if (seen.path->ran[i]) open.push_back(i);
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= ops.size() || out[at]) continue;
    out[at] = true;
    const auto name = name_of(ops[at]);
    if (name == "s_branch" || name.starts_with("s_cbranch")) open.push_back(ops[at].target);
    if (name != "s_branch" && !name.starts_with("s_endpgm") && name != "s_setpc_b64")
      open.push_back(at + 1);
  }
  return out;
}

using Registers = std::vector<bool>;  ///< vector registers, then scalar ones
constexpr unsigned kScalars = 512, kRegisters = kScalars + 128;

/// Looks backwards from a choice for where its condition comes from.
class Origin {
 public:
  explicit Origin(const emu::Program& program) : ops_(program.ops) {}

  /// Whether the condition follows from constants and the number of the lane alone, as the bounds of a shuffle do: no input can change it.
  [[nodiscard]] bool is_lane_alone(std::size_t choice) {
    const emu::Op& op = ops_[choice];
    wanted_.assign(kRegisters, false);
    if (op.sources[2].kind == emu::Source::Kind::scalar)
      want_scalar(op.sources[2].number);
    else
      want_scalar(isa::kVccLo);
    constexpr std::size_t kFar = 400;
    for (std::size_t at = choice; at-- > 0 && choice - at < kFar;) {
      if (std::ranges::find(wanted_, true) == wanted_.end()) return true;
      if (!explained(ops_[at])) return false;
    }
    return false;
  }

 private:
  void want_scalar(unsigned number) {
    if (number < 127) wanted_[kScalars + number] = wanted_[kScalars + number + 1] = true;
  }

  /// False when it writes what is wanted from anything but lanes and constants.
  bool explained(const emu::Op& op) {
    if (op.instruction == nullptr) return true;
    const auto name = name_of(op);
    bool writes = false;
    for (unsigned number = 0; number < kRegisters; ++number) {
      if (!wanted_[number]) continue;
      if (number >= kScalars ? !writes_scalar(op, number - kScalars) : !writes_vector(op, number))
        continue;
      wanted_[number] = false;
      writes = true;
    }
    if (writes && (name.starts_with("s_") || emu::touches_memory(op.kind))) return false;
    if (!writes) return true;
    for (unsigned i = 0; i < op.source_count; ++i) {
      const emu::Source& source = op.sources[i];
      if (source.kind == emu::Source::Kind::vector && source.number < kScalars)
        wanted_[source.number] = true;
      if (source.kind == emu::Source::Kind::scalar) want_scalar(source.number);
      if (source.kind == emu::Source::Kind::special) return false;
    }
    return true;
  }

  const std::vector<emu::Op>& ops_;
  Registers wanted_;
};

template <class Use>
void for_unseen(const SeenProgram& seen, const Use& use) {
  const auto& ops = seen.program->ops;
  const std::vector<bool> can_run = reachable(seen);
  Origin origin(*seen.program);
  for (std::size_t i = 0; i < std::min(ops.size(), seen.path->ran.size()); ++i) {
    const isa::Instruction* in = ops[i].instruction;
    if (in == nullptr || !can_run[i] || !computes(*in)) continue;
    const unsigned sides = seen.path->chosen[i];
    if ((sides == 1 || sides == 2) && in->opcode->mnemonic.starts_with("v_") &&
        origin.is_lane_alone(i))
      continue;
    if (!seen.path->ran[i]) {
      use(ops[i], *in, kNeverRan);
    } else if (const unsigned chosen = seen.path->chosen[i]; chosen == 1 || chosen == 2) {
      use(ops[i], *in, chosen);
    }
  }
}

/// What a choice is made by: its comparison, and what made the numbers that are compared, without the registers. Copies of an unrolled loop are alike.
class Contexts {
 public:
  explicit Contexts(const emu::Program& program) : ops_(program.ops), entry_(program.entry) {}

  [[nodiscard]] std::string of(std::size_t choice) const {
    const emu::Op& op = ops_[choice];
    std::string out = signature(*op.instruction);
    const std::size_t compare = comparison(choice);
    if (compare == choice) return out;
    out += described(compare);
    // A comparison with a number of 32 bits says which one it is, as the bounds in a library function do: how the other number was made differs between copies
    // that were vectorized and those that were not.
    if (has_literal(ops_[compare])) return out;
    for (unsigned i = 0; i < ops_[compare].source_count; ++i) {
      const emu::Source& source = ops_[compare].sources[i];
      if (source.kind != emu::Source::Kind::vector) continue;
      const std::size_t from =
          writer(compare, [&](const emu::Op& one) { return writes_vector(one, source.number); });
      if (from != compare) out += described(from);
    }
    return out;
  }

  /// Whether the choice is one of those with which the compiler mends the quotient or remainder that it has from a reciprocal: (t >= d ? t - d : t), or q + 1, where t is a
  /// difference with a product. Whether the second of them is ever needed depends on rounding: inputs hardly find that.
  [[nodiscard]] bool mends_division(std::size_t choice) const {
    const std::size_t compare = comparison(choice);
    if (compare == choice || name_of(ops_[compare]).find("_u32") == std::string_view::npos)
      return false;
    const bool reciprocal = writer(compare, [](const emu::Op& one) {
                              return name_of(one).starts_with("v_rcp_iflag_f32");
                            }) != compare;
    if (!reciprocal) return false;
    const auto& compared = ops_[compare].sources;
    const bool remainder =
        is_remainder(compare, compared[0], 3) || is_remainder(compare, compared[1], 3);
    const auto& values = ops_[choice].sources;
    return remainder && (mended(choice, values[0]) || mended(choice, values[1]));
  }

 private:
  /// What made the condition of a choice; the choice itself when that is not found.
  [[nodiscard]] std::size_t comparison(std::size_t choice) const {
    const emu::Op& op = ops_[choice];
    if (name_of(op).starts_with("s_cselect")) {
      return writer(choice, [](const emu::Op& one) {
        return name_of(one).starts_with("s_cmp") || name_of(one).starts_with("s_bitcmp");
      });
    }
    const bool named = op.source_count > 2 && op.sources[2].kind == emu::Source::Kind::scalar;
    const unsigned condition = named ? op.sources[2].number : unsigned{isa::kVccLo};
    return writer(choice, [&](const emu::Op& one) { return writes_scalar(one, condition); });
  }
  /// Of a source that is a register; `before` when nothing is found.
  [[nodiscard]] std::size_t writer_of(std::size_t before, const emu::Source& source) const {
    if (source.kind == emu::Source::Kind::vector)
      return writer(before, [&](const emu::Op& one) { return writes_vector(one, source.number); });
    if (source.kind == emu::Source::Kind::scalar)
      return writer(before, [&](const emu::Op& one) { return writes_scalar(one, source.number); });
    return before;
  }
  [[nodiscard]] bool is_remainder(std::size_t before, const emu::Source& source,
                                  unsigned deep) const {
    const std::size_t at = writer_of(before, source);
    if (at == before || deep == 0) return false;
    const emu::Op& op = ops_[at];
    const auto name = op.instruction->opcode->name();
    for (const emu::Source& from : op.sources) {
      const std::size_t made = writer_of(at, from);
      if (made == at) continue;
      const auto by = ops_[made].instruction->opcode->name();
      if (name.find("_sub") != std::string_view::npos &&
          (by == "v_mul_lo_u32" || by == "s_mul_i32"))
        return true;
    }
    const bool chosen = name == "v_cndmask_b32" || name == "s_cselect_b32";
    return chosen &&
           (is_remainder(at, op.sources[0], deep - 1) || is_remainder(at, op.sources[1], deep - 1));
  }
  [[nodiscard]] bool mended(std::size_t before, const emu::Source& source) const {
    const std::size_t at = writer_of(before, source);
    if (at == before) return false;
    const emu::Op& op = ops_[at];
    const auto name = op.instruction->opcode->name();
    const bool by_one = std::any_of(
        op.sources.begin(), op.sources.begin() + op.source_count, [](const emu::Source& one) {
          return one.kind == emu::Source::Kind::constant && one.value == 1;
        });
    return name.starts_with("v_sub") || name.starts_with("s_sub") ||
           (by_one && (name.starts_with("v_add") || name.starts_with("s_add")));
  }
  template <class Writes>
  std::size_t writer(std::size_t before, const Writes& writes) const {
    constexpr std::size_t kFar = 200;
    for (std::size_t at = before; at-- > 0 && before - at < kFar;) {
      if (ops_[at].instruction != nullptr && writes(ops_[at])) return at;
    }
    return before;
  }
  /// What the last s_mov_b32 before, if nothing else, put into a scalar register.
  [[nodiscard]] std::optional<std::uint32_t> constant_in(std::size_t before,
                                                         unsigned number) const {
    // What stands before the entry is another kernel's.
    for (std::size_t at = before; at-- > entry_;) {
      const emu::Op& op = ops_[at];
      if (!writes_scalar(op, number)) continue;
      if (name_of(op) == "s_mov_b32" && op.instruction->literal != 0)
        return op.instruction->literal;
      return std::nullopt;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool has_literal(const emu::Op& op) const {
    if (op.instruction->literal != 0) return true;
    const auto at = static_cast<std::size_t>(&op - ops_.data());
    return std::any_of(
        op.sources.begin(), op.sources.begin() + op.source_count, [&](const emu::Source& source) {
          return source.kind == emu::Source::Kind::scalar && constant_in(at, source.number);
        });
  }
  /// Name and constants.
  [[nodiscard]] std::string described(std::size_t at) const {
    const emu::Op& op = ops_[at];
    std::string out = " <- " + signature(*op.instruction);
    for (unsigned i = 0; i < op.source_count; ++i) {
      const emu::Source& source = op.sources[i];
      if (source.kind == emu::Source::Kind::scalar) {
        if (const auto value = constant_in(at, source.number)) {
          out += fmt::format(" ={:x}", *value);
          continue;
        }
      }
      const bool is_constant = source.kind == emu::Source::Kind::constant;
      out += is_constant ? fmt::format(" #{:x}", source.value) : std::string(" r");
    }
    if (op.source_count > 0) return out;
    // Scalar comparisons.
    for (unsigned i = 0; i < op.instruction->operand_count; ++i) {
      constexpr unsigned kFirstConstant = 128;
      const unsigned number = op.instruction->operands[i].number;
      out += number < kFirstConstant ? std::string(" r") : fmt::format(" #{:x}", number);
    }
    return out;
  }

  const std::vector<emu::Op>& ops_;
  std::size_t entry_;
};

/// Choices that were made both ways.
void add_choices(const SeenProgram& seen, std::set<std::string>& out) {
  constexpr unsigned kBoth = 3;
  const Contexts contexts(*seen.program);
  for (std::size_t i = 0; i < seen.path->chosen.size(); ++i) {
    if (seen.path->chosen[i] == kBoth && seen.program->ops[i].instruction != nullptr)
      out.insert(contexts.of(i));
  }
}

}  // namespace

std::optional<UnverifiedCode> unverified_code(const SeenProgram& baseline,
                                              const SeenProgram& candidate) {
  // What never ran in the baseline either may be there; of a choice only the one that is made by the same comparison, as every selection has the same name.
  std::set<std::string> known;
  std::set<std::pair<std::string, unsigned>> known_choices;
  const Contexts baseline_contexts(*baseline.program);
  for_unseen(baseline, [&](const emu::Op& op, const isa::Instruction& in, unsigned side) {
    const auto at = static_cast<std::size_t>(&op - baseline.program->ops.data());
    if (side == kNeverRan)
      known.insert(signature(in));
    else
      known_choices.emplace(baseline_contexts.of(at), side);
  });
  std::set<std::string> both_ways;
  add_choices(baseline, both_ways);
  add_choices(candidate, both_ways);
  const Contexts contexts(*candidate.program);
  std::optional<UnverifiedCode> out;
  for_unseen(candidate, [&](const emu::Op& op, const isa::Instruction& in, unsigned side) {
    if (side == kNeverRan && known.contains(signature(in))) return;
    const auto at = static_cast<std::size_t>(&op - candidate.program->ops.data());
    if (side != kNeverRan) {
      const std::string context = contexts.of(at);
      if (both_ways.contains(context) || known_choices.contains({context, side}) ||
          contexts.mends_division(at))
        return;
    }
    if (!out)
      out = UnverifiedCode{.address = op.address,
                           .instructions = 0,
                           .text = isa::disassemble(candidate.program->arch, in),
                           .is_choice = side != kNeverRan};
    ++out->instructions;
  });
  return out;
}

std::uint32_t unseen_instructions(const SeenProgram& seen) {
  std::uint32_t out = 0;
  for_unseen(seen, [&](const emu::Op&, const isa::Instruction&, unsigned side) {
    out += side == kNeverRan ? 1 : 0;
  });
  return out;
}

}  // namespace rpl
