// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/choice_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/device/execute/launch/bounded.h"

namespace rpl {
namespace {

bool covers(const isa::Operand& operand, unsigned number) {
  return operand.number <= number &&
         number < operand.number + std::max<unsigned>(operand.dwords, 1);
}

constexpr unsigned kFirstConstant =
    128;  ///< operand numbers of scalars from here on are no registers

bool is_number(const emu::Source& source, std::uint32_t value) {
  return source.kind == emu::Source::Kind::constant &&
         static_cast<std::uint32_t>(source.value) == value;
}

/// "v_cmp_nlt_f32" is a comparison by "nlt" of "f32".
struct Relation {
  std::string_view name, type;
};
std::optional<Relation> relation_of(std::string_view mnemonic) {
  for (const std::string_view begin : {"v_cmp_", "v_cmpx_", "s_cmp_", "s_cmpk_"}) {
    if (!mnemonic.starts_with(begin)) continue;
    mnemonic.remove_prefix(begin.size());
    const std::size_t cut = mnemonic.find('_');
    if (cut == std::string_view::npos) return std::nullopt;
    std::string_view type = mnemonic.substr(cut + 1);
    return Relation{mnemonic.substr(0, cut), type.substr(0, type.find('_'))};
  }
  return std::nullopt;
}

/// Two ways to write one comparison become one: whether it is the opposite, and whether the sides change places.
struct Canonical {
  std::string_view name;
  bool inverted = false, swapped = false;
};
Canonical canonical(const Relation& relation) {
  struct Rewrite {
    std::string_view from;
    Canonical to;
  };
  // Of floats the opposite of "less" is "not less", which also holds of no numbers at all.
  static constexpr Rewrite kFloats[] = {{"gt", {"lt", false, true}},  {"ge", {"le", false, true}},
                                        {"nlt", {"lt", true, false}}, {"nle", {"le", true, false}},
                                        {"ngt", {"lt", true, true}},  {"nge", {"le", true, true}},
                                        {"neq", {"eq", true, false}}, {"nlg", {"lg", true, false}}};
  static constexpr Rewrite kIntegers[] = {{"gt", {"lt", false, true}},
                                          {"ge", {"lt", true, false}},
                                          {"le", {"lt", true, true}},
                                          {"ne", {"eq", true, false}},
                                          {"lg", {"eq", true, false}}};
  const std::span<const Rewrite> all = relation.type.starts_with("f")
                                           ? std::span<const Rewrite>(kFloats)
                                           : std::span<const Rewrite>(kIntegers);
  const auto found = std::ranges::find(all, relation.name, &Rewrite::from);
  return found == all.end() ? Canonical{relation.name} : found->to;
}

/// Of the codes for small integers (ISA documents, "Scalar ALU Operands").
std::optional<std::int64_t> small_integer(unsigned code) {
  if (code >= isa::kZero && code <= isa::kLastPositive) return std::int64_t{code} - isa::kZero;
  if (code > isa::kLastPositive && code <= isa::kLastNegative)
    return std::int64_t{isa::kLastPositive} - code;
  return std::nullopt;
}

/// c < x is not x < c + 1, of integers.
ChoiceContexts::Context with_constant_last(const Relation& relation, const Canonical& by,
                                           std::optional<std::int64_t> first,
                                           const std::string& literal,
                                           const std::string (&sides)[2]) {
  const bool integers = relation.type.starts_with("i") || relation.type.starts_with("u");
  if (by.name != "lt" || !integers || !first || *first < 0)
    return {fmt::format("{}_{} {} {} {}", by.name, relation.type, literal, sides[0], sides[1]),
            by.inverted};
  return {fmt::format("lt_{} {} {} #{:x}", relation.type, literal, sides[1], *first + 1),
          !by.inverted};
}

bool is_mask_logic(std::string_view name) {
  constexpr std::string_view kNames[] = {"s_and_b64",  "s_or_b64",  "s_xor_b64",  "s_andn2_b64",
                                         "s_orn2_b64", "s_nor_b64", "s_nand_b64", "s_xnor_b64"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool reads_vector(const emu::Op& op, unsigned number) {
  if (op.instruction == nullptr) return false;
  const auto& operands = op.instruction->operands;
  return std::any_of(operands.begin(), operands.begin() + op.instruction->operand_count,
                     [&](const isa::Operand& one) {
                       return one.letter != 'D' && one.kind == isa::Operand::Kind::vgpr &&
                              covers(one, number);
                     });
}

}  // namespace

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

std::string signature(const isa::Instruction& in) {
  return fmt::format("{} {:x}", in.opcode->name(), in.literal);
}

ChoiceContexts::ChoiceContexts(const emu::Program& program, const emu::Path& path)
    : ops_(program.ops), ran_(path.ran), entry_(program.entry), before_(program.ops.size()) {
  for (std::uint32_t i = 0; i < ops_.size(); ++i) {
    for_each_next(ops_, i, [&](std::size_t next) { before_[next].push_back(i); });
  }
}

// ---- what makes a condition

ChoiceContexts::Context ChoiceContexts::of(std::size_t choice) const {
  const emu::Op& op = ops_[choice];
  constexpr unsigned kDeep = 4;
  Context made;
  const auto name = name_of(op);
  if (emu::bound_of(op)) {
    made = {described(choice)};
  } else if (name.starts_with("s_cselect") || name.starts_with("s_cbranch_scc")) {
    made = scalar_compared(choice);
  } else if (name.starts_with("s_cbranch_vcc")) {
    made = condition(choice, isa::kVccLo, kDeep);
  } else if (name == "s_and_saveexec_b64") {
    made = condition(choice, op.instruction->operands[1].number, kDeep);
  } else {
    const bool named = op.source_count > 2 && op.sources[2].kind == emu::Source::Kind::scalar;
    made = condition(choice, named ? op.sources[2].number : unsigned{isa::kVccLo}, kDeep);
  }
  return made;
}

bool ChoiceContexts::combines(std::size_t at) const { return is_mask_logic(name_of(ops_[at])); }

std::optional<ChoiceContexts::Context> ChoiceContexts::of_mask(std::size_t at,
                                                               unsigned which) const {
  const auto& operands = ops_[at].instruction->operands;
  const unsigned scalar = operands[which + 1].number;
  // Lanes that have left a loop are gathered turn by turn: a loop of one turn is no condition that came out in one way.
  if (operands[0].number == operands[1].number || operands[0].number == operands[2].number)
    return std::nullopt;
  const std::size_t from =
      writer(at, [&](const emu::Op& one) { return writes_scalar(one, scalar); });
  if (from == at) return std::nullopt;
  const bool compares = relation_of(name_of(ops_[from])) || name_of(ops_[from]) == "s_cselect_b64";
  return compares ? std::optional(condition(at, scalar, 2)) : std::nullopt;
}

ChoiceContexts::Context ChoiceContexts::condition(std::size_t before, unsigned scalar,
                                                  unsigned deep) const {
  if (scalar == isa::kExecLo) return {"exec"};
  const std::size_t at =
      writer(before, [&](const emu::Op& one) { return writes_scalar(one, scalar); });
  if (at == before || deep == 0) return {"unknown"};
  const auto name = name_of(ops_[at]);
  const isa::Instruction& in = *ops_[at].instruction;
  if (relation_of(name)) return compared(at, deep);
  if (name == "s_cselect_b64") {
    Context out = scalar_compared(at);
    const auto* values = in.operands.data() + 1;
    if (values[0].number == isa::kMinusOne && values[1].number == isa::kZero) return out;
    if (values[0].number == isa::kZero && values[1].number == isa::kMinusOne) {
      out.inverted = !out.inverted;
      return out;
    }
    return {described(at) + out.text, out.inverted};
  }
  if (name == "s_mov_b64" && in.operands[1].number < kFirstConstant)
    return condition(at, in.operands[1].number, deep - 1);
  // A mask that begins as none or all collects the lanes that come by a block.
  if (name == "s_mov_b64" &&
      (in.operands[1].number == isa::kZero || in.operands[1].number == isa::kMinusOne))
    return {"exec"};
  if (!is_mask_logic(name)) return {described(at)};
  // Of the lanes that are on.
  for (unsigned i = 1; i < 3; ++i) {
    const unsigned other = in.operands[3 - i].number;
    if (in.operands[i].number != isa::kExecLo || other >= kFirstConstant) continue;
    if (name == "s_and_b64") return condition(at, other, deep - 1);
    if (name != "s_andn2_b64" || i != 1) continue;
    Context out = condition(at, other, deep - 1);
    out.inverted = !out.inverted;
    return out;
  }
  std::vector<std::string> parts;
  for (unsigned i = 1; i < in.operand_count; ++i) {
    const Context part = in.operands[i].number < kFirstConstant
                             ? condition(at, in.operands[i].number, deep - 1)
                             : Context{fmt::format("#{:x}", in.operands[i].number)};
    parts.push_back((part.inverted ? "!" : "") + part.text);
  }
  if (!name.starts_with("s_andn2") && !name.starts_with("s_orn2")) std::ranges::sort(parts);
  return {fmt::format("({} {})", name, fmt::join(parts, " "))};
}

/// Of v_cmp. What has been kept as a number before is looked through.
ChoiceContexts::Context ChoiceContexts::compared(std::size_t at, unsigned deep) const {
  const emu::Op& op = ops_[at];
  const Relation relation = *relation_of(name_of(op));
  for (unsigned i = 0; i < 2 && relation.name.size() == 2; ++i) {
    const emu::Source &number = op.sources[i], &kept = op.sources[1 - i];
    const bool is_zero = is_number(number, 0);
    if ((!is_zero && !is_number(number, 1)) || kept.kind != emu::Source::Kind::vector) continue;
    const std::size_t from = writer_of(at, kept);
    if (from == at || !name_of(ops_[from]).starts_with("v_cndmask") ||
        !is_number(ops_[from].sources[0], 0) || !is_number(ops_[from].sources[1], 1))
      continue;
    const emu::Op& keeps = ops_[from];
    const bool named = keeps.source_count > 2 && keeps.sources[2].kind == emu::Source::Kind::scalar;
    Context out =
        condition(from, named ? keeps.sources[2].number : unsigned{isa::kVccLo}, deep - 1);
    if (relation.name == (is_zero ? "eq" : "ne")) out.inverted = !out.inverted;
    if (relation.name == "ne" || relation.name == "eq") return out;
  }
  const Canonical by = canonical(relation);
  std::string sides[2];
  for (unsigned i = 0; i < 2; ++i) sides[by.swapped ? 1 - i : i] = origin(at, op.sources[i]);
  const emu::Source& first = op.sources[by.swapped ? 1 : 0];
  constexpr std::uint64_t kMost = 1U << 30U;
  const bool small = first.kind == emu::Source::Kind::constant && first.value < kMost;
  return with_constant_last(
      relation, by, small ? std::optional(static_cast<std::int64_t>(first.value)) : std::nullopt,
      fmt::format("{:x}", op.instruction->literal), sides);
}

// Whether the lanes of a mask are those that the last condition let go on, so that it has some.
bool ChoiceContexts::leads_here(std::size_t at, unsigned mask) const {
  constexpr unsigned kDeep = 4;
  const std::size_t gate = writer(at, [](const emu::Op& one) {
    return name_of(one).find("saveexec") != std::string_view::npos ||
           writes_scalar(one, isa::kExecLo);
  });
  if (gate == at || name_of(ops_[gate]) != "s_and_saveexec_b64") return false;
  const Context of_mask = condition(at, mask, kDeep);
  return of_mask.text != "unknown" && of_mask.text != "exec" &&
         of_mask == condition(gate, ops_[gate].instruction->operands[1].number, kDeep);
}

// Which of the lanes that came by is the first, or the last: there is one.
bool ChoiceContexts::asks_for_any_lane(std::size_t at, std::string_view relation) const {
  const auto& operands = ops_[at].instruction->operands;
  if ((relation != "eq" && relation != "lg" && relation != "ne") ||
      !name_of(ops_[at]).ends_with("_u64"))
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned mask = operands[i].number;
    if (operands[1 - i].number != isa::kZero || mask >= kFirstConstant) continue;
    if (mask == isa::kExecLo || leads_here(at, mask)) return true;
    const std::size_t from =
        writer(at, [&](const emu::Op& one) { return writes_scalar(one, mask); });
    return from != at && name_of(ops_[from]) == "s_mov_b64" &&
           ops_[from].instruction->operands[1].number == isa::kExecLo;
  }
  return false;
}

ChoiceContexts::Context ChoiceContexts::scalar_compared(std::size_t before) const {
  const std::size_t at = writer(before, [](const emu::Op& one) {
    return name_of(one).starts_with("s_cmp") || name_of(one).starts_with("s_bitcmp");
  });
  if (at == before) return {"unknown"};
  const isa::Instruction& in = *ops_[at].instruction;
  const auto relation = relation_of(name_of(ops_[at]));
  if (!relation) return {described(at)};
  const Canonical by = canonical(*relation);
  if (asks_for_any_lane(at, by.name)) return {"exec"};
  std::string sides[2];
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned number = in.operands[i].number;
    const auto value = small_integer(number);
    sides[by.swapped ? 1 - i : i] = number < kFirstConstant ? std::string("r")
                                    : value                 ? fmt::format("#{:x}", *value)
                                                            : fmt::format("code {:x}", number);
  }
  const unsigned first = in.operands[by.swapped ? 1 : 0].number;
  return with_constant_last(*relation, by, small_integer(first),
                            fmt::format("{:x} {:x}", in.literal,
                                        name_of(ops_[at]).starts_with("s_cmpk") ? in.immediate : 0),
                            sides);
}

/// What made a number that is compared: a constant, or the instruction with its constants.
std::string ChoiceContexts::origin(std::size_t before, const emu::Source& source) const {
  if (source.kind == emu::Source::Kind::constant) return fmt::format("#{:x}", source.value);
  if (source.kind == emu::Source::Kind::scalar) {
    const auto value = constant_in(before, source.number);
    return value ? fmt::format("={:x}", *value) : std::string("r");
  }
  // A comparison with a number of 32 bits says which one it is, as the bounds in a library function do: how the other number was made differs between copies
  // that were vectorized and those that were not.
  if (source.kind != emu::Source::Kind::vector || has_literal(ops_[before])) return "v";
  const std::size_t from = writer_of(before, source);
  return from == before ? std::string("v") : "v(" + described(from) + ")";
}

bool ChoiceContexts::keeps_condition(std::size_t choice) const {
  const emu::Op& op = ops_[choice];
  const isa::Operand* result = op.instruction->operand('D');
  const bool plain = name_of(op).starts_with("v_cndmask") && is_number(op.sources[0], 0) &&
                     (is_number(op.sources[1], 1) || is_number(op.sources[1], ~0U));
  if (!plain || result == nullptr) return false;
  bool any = false;
  for (std::size_t at = choice + 1; at < ops_.size(); ++at) {
    const emu::Op& next = ops_[at];
    if (reads_vector(next, result->number)) {
      any = true;
      const bool compares = relation_of(name_of(next)) &&
                            (is_number(next.sources[0], 1) || is_number(next.sources[1], 1) ||
                             is_number(next.sources[0], 0) || is_number(next.sources[1], 0));
      if (!compares) return false;
    }
    if (writes_vector(next, result->number)) break;
  }
  return any;
}

// ---- divisions

bool ChoiceContexts::mends_division(std::size_t choice) const {
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

bool ChoiceContexts::is_remainder(std::size_t before, const emu::Source& source,
                                  unsigned deep) const {
  const std::size_t at = writer_of(before, source);
  if (at == before || deep == 0) return false;
  const emu::Op& op = ops_[at];
  const auto name = op.instruction->opcode->name();
  for (const emu::Source& from : op.sources) {
    const std::size_t made = writer_of(at, from);
    if (made == at) continue;
    const auto by = ops_[made].instruction->opcode->name();
    if (name.find("_sub") != std::string_view::npos && (by == "v_mul_lo_u32" || by == "s_mul_i32"))
      return true;
  }
  const bool chosen = name == "v_cndmask_b32" || name == "s_cselect_b32";
  return chosen &&
         (is_remainder(at, op.sources[0], deep - 1) || is_remainder(at, op.sources[1], deep - 1));
}

bool ChoiceContexts::mended(std::size_t before, const emu::Source& source) const {
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

// ---- looking backwards

std::size_t ChoiceContexts::comparison(std::size_t choice) const {
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

std::size_t ChoiceContexts::writer_of(std::size_t before, const emu::Source& source) const {
  if (source.kind == emu::Source::Kind::vector)
    return writer(before, [&](const emu::Op& one) { return writes_vector(one, source.number); });
  if (source.kind == emu::Source::Kind::scalar)
    return writer(before, [&](const emu::Op& one) { return writes_scalar(one, source.number); });
  return before;
}

template <class Writes>
std::size_t ChoiceContexts::writer(std::size_t before, const Writes& writes) const {
  constexpr std::size_t kMost = 4000;
  std::vector<bool> seen(ops_.size());
  std::vector<std::size_t> open = {before};
  std::optional<std::size_t> idle;
  for (std::size_t next = 0; next < open.size() && next < kMost; ++next) {
    for (const std::uint32_t at : before_[open[next]]) {
      if (seen[at]) continue;
      seen[at] = true;
      if (ops_[at].instruction == nullptr || !writes(ops_[at])) {
        open.push_back(at);
      } else if (at < ran_.size() && ran_[at]) {
        return at;
      } else if (!idle) {
        idle = at;
      }
    }
  }
  return idle.value_or(before);
}

/// What the last s_mov_b32 before, if nothing else, put into a scalar register.
std::optional<std::uint32_t> ChoiceContexts::constant_in(std::size_t before,
                                                         unsigned number) const {
  // What stands before the entry is another kernel's.
  for (std::size_t at = before; at-- > entry_;) {
    const emu::Op& op = ops_[at];
    if (!writes_scalar(op, number)) continue;
    if (name_of(op) == "s_mov_b32" && op.instruction->literal != 0) return op.instruction->literal;
    return std::nullopt;
  }
  return std::nullopt;
}

bool ChoiceContexts::has_literal(const emu::Op& op) const {
  if (op.instruction->literal != 0) return true;
  const auto at = static_cast<std::size_t>(&op - ops_.data());
  return std::any_of(
      op.sources.begin(), op.sources.begin() + op.source_count, [&](const emu::Source& source) {
        return source.kind == emu::Source::Kind::scalar && constant_in(at, source.number);
      });
}

std::string ChoiceContexts::described(std::size_t at) const {
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
    const unsigned number = op.instruction->operands[i].number;
    out += number < kFirstConstant ? std::string(" r") : fmt::format(" #{:x}", number);
  }
  return out;
}

}  // namespace rpl
