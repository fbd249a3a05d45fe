// SPDX-License-Identifier: MIT
// restrict: a store through one pointer may change what another points to, unless the compiler is told otherwise.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// Why two pointers may meet; "" when captured launches show that they do not.
std::string may_meet(const KernelCase& on, const PointerParameter& a, const PointerParameter& b) {
  if (a.is_const && b.is_const) return {};
  const auto& of_a = on.launches->parameters[a.position];
  const auto& of_b = on.launches->parameters[b.position];
  if (of_a->region_begin >= of_b->region_end || of_b->region_begin >= of_a->region_end) return {};
  return fmt::format("'{}' and '{}' pointed into the same allocation in {}", a.name, b.name,
                     on.launches->capture);
}

std::string unknown_pointer(const KernelCase& on, const PointerParameter& parameter) {
  const bool known = parameter.position < on.launches->parameters.size() &&
                     on.launches->parameters[parameter.position];
  if (!known) return fmt::format("'{}' pointed to nothing that was captured", parameter.name);
  if (on.launches->parameters[parameter.position]->of_variable) {
    return fmt::format("'{}' points to a variable of the program, which the kernel may use by name",
                       parameter.name);
  }
  return {};
}

/// A parameter that may hold pointers which nobody sees: a struct, or a pointer to pointers.
std::string hidden_pointer(const KernelCase& on, const std::vector<PointerParameter>& pointers) {
  for (std::size_t i = 0; i < on.kernel.parameters.size(); ++i) {
    const std::string& type = on.kernel.parameters[i];
    const bool is_pointer =
        std::ranges::find(pointers, i, &PointerParameter::position) != pointers.end();
    if (is_pointer || bytes_of(type) > 0 || type == "bool") continue;
    return fmt::format("parameter {} is a {}, which may hold pointers of its own", i + 1, type);
  }
  return {};
}

std::string not_provable(const KernelCase& on, const std::vector<PointerParameter>& pointers) {
  if (on.launches == nullptr) return "no captured launch says where pointers point";
  std::string why = hidden_pointer(on, pointers);
  for (const PointerParameter& pointer : pointers) {
    if (why.empty()) why = unknown_pointer(on, pointer);
  }
  for (std::size_t a = 0; a < pointers.size() && why.empty(); ++a) {
    for (std::size_t b = a + 1; b < pointers.size() && why.empty(); ++b)
      why = may_meet(on, pointers[a], pointers[b]);
  }
  return why;
}

}  // namespace

RuleOutcome restrict_pointers(const KernelCase& on) {
  RuleOutcome out;
  const auto pointers = pointer_parameters(on);
  const bool writes =
      std::ranges::any_of(pointers, [](const PointerParameter& p) { return !p.is_const; });
  if (pointers.size() < 2 || !writes) {
    refuse(out, on.kernel.line,
           "fewer than two pointers, or none that is written through: nothing can alias");
    return out;
  }
  std::string why_not = not_provable(on, pointers);
  if (!why_not.empty()) {
    refuse(out, on.kernel.line, std::move(why_not));
    return out;
  }
  RuleEdit edit;
  edit.header = HeaderEdit{HeaderEdit::Kind::restrict_pointers, {}};
  std::string names;
  for (const PointerParameter& pointer : pointers) {
    if (pointer.is_restrict) continue;
    edit.header->numbers.push_back(static_cast<std::uint32_t>(pointer.position));
    names += (names.empty() ? "" : ", ") + std::string(pointer.name);
  }
  if (names.empty()) {
    refuse(out, on.kernel.line, "every pointer is restrict already");
    return out;
  }
  auto source = apply_header_edit(on.text.text(), on.reference, *edit.header);
  if (!source) {
    refuse(out, on.kernel.line, source.error().message);
    return out;
  }
  edit.line = on.kernel.line;
  edit.title = fmt::format("promise that {} do not alias", names);
  edit.why = "loads need not wait for stores before them, and may be reordered and joined";
  edit.assumes =
      fmt::format("only {} shows that they point into different allocations", on.launches->capture);
  edit.source = std::move(*source);
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
