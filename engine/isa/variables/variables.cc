// SPDX-License-Identifier: MIT
#include "engine/isa/variables/variables.h"

#include <algorithm>
#include <set>

#include "engine/base/numbers.h"
#include "engine/isa/object/function_names.h"

namespace rpl::isa {
namespace {

constexpr std::uint32_t kNone = DebugEntries::kNone;
constexpr std::size_t kMostVariables = 4096;

bool covers(const CodeRanges& ranges, std::uint64_t address) {
  return std::ranges::any_of(
      ranges, [&](const auto& range) { return range.first <= address && address < range.second; });
}

/// A base type that an expression converts to.
std::optional<StackType> stack_type(const DebugEntries& all, std::uint64_t offset) {
  constexpr std::uint64_t kFloat = 0x04, kSigned = 0x05, kSignedChar = 0x06;
  const std::uint32_t entry = all.at_offset(offset);
  if (entry == kNone || all.tag(entry) != kTagBase) return std::nullopt;
  std::uint64_t bits = all.number(entry, kAtSize).value_or(0) * 8;
  // clang says the bits of its own types in their names alone: DW_ATE_unsigned_1.
  const std::string_view name = all.text(entry, kAtName);
  const auto in_name = name.starts_with("DW_ATE_")
                           ? whole_number<std::uint64_t>(name.substr(name.rfind('_') + 1))
                           : std::nullopt;
  if (in_name) bits = *in_name;
  if (bits == 0 || bits > 64) return std::nullopt;
  const std::uint64_t encoding = all.number(entry, kAtEncoding).value_or(0);
  return StackType{.bits = static_cast<unsigned>(bits),
                   .is_signed = encoding == kSigned || encoding == kSignedChar,
                   .is_float = encoding == kFloat};
}

}  // namespace

Result<std::shared_ptr<Variables>> Variables::read(std::shared_ptr<const CodeObject> object) {
  std::shared_ptr<Variables> out(new Variables());
  out->plain_ = TRY(plain_sections(object->elf().debug));
  out->object_ = std::move(object);
  out->entries_ = std::make_unique<DebugEntries>(TRY(DebugEntries::read(out->plain_.sections)));
  out->types_ = std::make_unique<SourceTypes>(*out->entries_);
  out->find_functions();
  return out;
}

void Variables::find_functions() {
  const DebugEntries& all = *entries_;
  for (std::uint32_t i = 0; i < all.all().size(); ++i) {
    const std::uint64_t tag = all.tag(i);
    // Tables of lines describe constants and declarations of headers all the same.
    const std::uint32_t parent = all.at(i).parent;
    const bool in_function =
        parent != kNone && all.tag(parent) == kTagSubprogram && !all.value(parent, kAtDeclaration);
    any_ = any_ || (in_function && (tag == kTagVariable || tag == kTagParameter));
    if (tag != kTagSubprogram) continue;
    CodeRanges ranges = all.ranges(i);
    if (!ranges.empty()) functions_.push_back({i, std::move(ranges)});
  }
}

std::vector<VariableFrame> Variables::frames(std::uint64_t address) {
  const auto function = std::ranges::find_if(
      functions_, [&](const Function& one) { return covers(one.ranges, address); });
  if (function == functions_.end()) return {};
  const DebugEntries& all = *entries_;
  std::vector<std::uint32_t> scopes{function->entry};
  // Functions that were inlined here, outer before inner, through the blocks around them.
  const std::uint32_t end = all.at(function->entry).next;
  for (std::uint32_t i = all.first(function->entry); i < end;) {
    const std::uint64_t tag = all.tag(i);
    const bool inside = tag == kTagInlined && covers(all.ranges(i), address);
    if (inside) scopes.push_back(i);
    // What is in another function that was inlined is not here.
    i = inside || tag == kTagBlock ? all.first(i) : all.at(i).next;
  }
  std::vector<VariableFrame> out;
  for (std::size_t i = scopes.size(); i-- > 0;) {
    VariableFrame& frame = out.emplace_back();
    frame.entry = scopes[i];
    const std::uint32_t named = all.holder(scopes[i], kAtName);
    if (named != kNone) frame.function = all.text(named, kAtName);
    add_variables(scopes[i], address, true, frame);
    add_origins(frame);
    std::ranges::stable_partition(frame.locals, &SourceVariable::in_scope);
  }
  return out;
}

/// Those of a function or block, behind those of the blocks in it.
void Variables::add_variables(std::uint32_t scope, std::uint64_t address, bool in_scope,
                              VariableFrame& frame) {
  const DebugEntries& all = *entries_;
  std::vector<std::uint32_t> own;
  for (std::uint32_t i = all.first(scope); i < all.at(scope).next; i = all.at(i).next) {
    const std::uint64_t tag = all.tag(i);
    if (tag == kTagVariable || tag == kTagParameter) own.push_back(i);
    if (tag != kTagBlock || frame.locals.size() > kMostVariables) continue;
    const CodeRanges ranges = all.ranges(i);
    add_variables(i, address, in_scope && (ranges.empty() || covers(ranges, address)), frame);
  }
  for (const std::uint32_t entry : own) {
    if (frame.locals.size() + frame.parameters.size() > kMostVariables) return;
    SourceVariable variable = variable_of(entry);
    if (variable.name.empty()) continue;
    variable.in_scope = in_scope;
    (variable.is_parameter ? frame.parameters : frame.locals).push_back(std::move(variable));
  }
}

/// What is optimized out of an inlined function has no entry of its own there.
void Variables::add_origins(VariableFrame& frame) {
  const DebugEntries& all = *entries_;
  const std::uint32_t origin = all.reference(frame.entry, kAtOrigin);
  if (origin == kNone) return;
  std::set<std::uint32_t> there;
  for (const auto* list : {&frame.parameters, &frame.locals}) {
    for (const SourceVariable& variable : *list)
      there.insert(all.reference(variable.entry, kAtOrigin));
  }
  std::vector<SourceVariable> parameters;
  for (std::uint32_t i = all.first(origin); i < all.at(origin).next; i = all.at(i).next) {
    const std::uint64_t tag = all.tag(i);
    if (tag != kTagVariable && tag != kTagParameter) continue;
    if (frame.locals.size() + parameters.size() > kMostVariables) return;
    SourceVariable variable = variable_of(i);
    if (variable.name.empty()) continue;
    if (!variable.is_parameter) {
      if (!there.contains(i)) frame.locals.push_back(std::move(variable));
      continue;
    }
    // Parameters are in the order of the declaration.
    const auto known = std::ranges::find_if(frame.parameters, [&](const SourceVariable& one) {
      return all.reference(one.entry, kAtOrigin) == i;
    });
    parameters.push_back(known == frame.parameters.end() ? std::move(variable) : std::move(*known));
  }
  if (parameters.size() >= frame.parameters.size()) frame.parameters = std::move(parameters);
}

SourceVariable Variables::variable_of(std::uint32_t entry) {
  const DebugEntries& all = *entries_;
  SourceVariable out;
  out.entry = entry;
  out.is_parameter = all.tag(entry) == kTagParameter;
  const std::uint32_t named = all.holder(entry, kAtName);
  if (named != kNone) out.name = all.text(named, kAtName);
  const std::uint32_t typed = all.holder(entry, kAtType);
  if (typed != kNone) out.type = types_->at(all.reference(typed, kAtType));
  const std::uint32_t placed = all.holder(entry, kAtLine);
  if (placed != kNone)
    out.line = static_cast<std::uint32_t>(all.number(placed, kAtLine).value_or(0));
  return out;
}

std::vector<std::pair<std::string, const SourceType*>> Variables::functions(
    std::string_view typed) {
  const DebugEntries& all = *entries_;
  std::vector<std::pair<std::string, const SourceType*>> out;
  std::set<const SourceType*> known;
  const auto add = [&](std::uint32_t entry) {
    const std::uint32_t named = all.holder(entry, kAtName);
    if (named == kNone || out.size() == kMostVariables) return;
    const std::uint32_t linked = all.holder(entry, kAtLinkageName);
    std::string name(linked == kNone ? all.text(named, kAtName) : all.text(linked, kAtLinkageName));
    if (!names_function(typed, name)) return;
    const SourceType* type = types_->function(entry);
    if (type != nullptr && known.insert(type).second) out.emplace_back(std::move(name), type);
  };
  // Lines alone name functions without their types.
  if (!any_) return out;
  for (const Function& function : functions_) add(function.entry);
  for (std::uint32_t i = 0; i < all.all().size(); ++i) {
    if (all.tag(i) == kTagSubprogram) add(i);
  }
  return out;
}

bool Variables::names(std::string_view name) {
  const DebugEntries& all = *entries_;
  if (names_.empty() && any_) {
    for (std::uint32_t i = 0; i < all.all().size(); ++i) {
      const std::uint64_t tag = all.tag(i);
      if (tag == kTagVariable || tag == kTagParameter) names_.emplace(all.text(i, kAtName));
    }
  }
  return !name.empty() && names_.contains(name);
}

std::vector<SourceVariable> Variables::globals() {
  const DebugEntries& all = *entries_;
  std::vector<SourceVariable> out;
  for (std::uint32_t i = 0; i < all.all().size() && out.size() < kMostVariables;) {
    const std::uint64_t tag = all.tag(i);
    if (tag == kTagVariable && all.value(i, kAtLocation)) {
      SourceVariable variable = variable_of(i);
      if (!variable.name.empty()) out.push_back(std::move(variable));
    }
    i = tag == kTagUnit || tag == kTagNamespace ? all.first(i) : all.at(i).next;
  }
  return out;
}

std::optional<ByteView> Variables::expression(std::uint32_t entry, std::uint64_t address) const {
  const std::uint32_t holder = entries_->holder(entry, kAtLocation);
  const auto value = holder == kNone ? std::nullopt : entries_->value(holder, kAtLocation);
  if (!value) return std::nullopt;
  if (value->block.size() > 0) return value->block;
  return location_at(entries_->sections(), entries_->unit(holder), *value, address);
}

std::optional<VariablePart> Variables::constant(std::uint32_t entry) const {
  const std::uint32_t holder = entries_->holder(entry, kAtConstValue);
  const auto value = holder == kNone ? std::nullopt : entries_->value(holder, kAtConstValue);
  if (!value) return std::nullopt;
  VariablePart part{.kind = VariablePart::Kind::value};
  part.value.assign(value->block.bytes().begin(), value->block.bytes().end());
  for (unsigned i = 0; part.value.size() < 8 && value->block.size() == 0; ++i)
    part.value.push_back(static_cast<std::byte>(value->number >> 8 * i));
  return part;
}

bool Variables::is_somewhere(const SourceVariable& variable, std::uint64_t address) const {
  const auto found = expression(variable.entry, address);
  return (found && found->size() > 0) || constant(variable.entry);
}

std::vector<VariablePart> Variables::locate(const VariableFrame& frame,
                                            const SourceVariable& variable, std::uint64_t address,
                                            LocationNeeds needs) const {
  const DebugEntries& all = *entries_;
  const auto found = expression(variable.entry, address);
  if (!found) return {constant(variable.entry).value_or(VariablePart{})};
  const std::uint32_t holder = all.holder(variable.entry, kAtLocation);
  const DebugUnitHeader& unit = all.unit(holder);
  needs.offset_bytes = unit.offset_bytes;
  needs.indexed_address = [&](std::uint64_t index) {
    constexpr std::uint64_t kFormIndex = 0x1b;
    DebugValue value;
    value.form = kFormIndex;
    value.number = index;
    return debug_address(all.sections(), unit, value);
  };
  needs.type = [&](std::uint64_t offset) { return stack_type(all, unit.begin + offset); };
  // Of the function around what was inlined.
  std::uint32_t function = frame.entry;
  while (function != kNone && all.tag(function) != kTagSubprogram)
    function = all.at(function).parent;
  const auto base = function == kNone ? std::nullopt : all.value(function, kAtFrameBase);
  if (base) needs.frame_base = base->block;
  return isa::locate(*found, needs);
}

}  // namespace rpl::isa
