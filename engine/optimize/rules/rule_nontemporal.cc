// SPDX-License-Identifier: MIT
// nontemporal: what is touched once need not displace what is touched again. Hints only: they never change a result.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// The pointers of a body that lead to one parameter.
struct Family {
  std::string_view base;
  std::vector<ElementPointer> pointers;
};

std::vector<Family> families(const KernelCase& on) {
  std::vector<Family> out;
  const auto pointers = element_pointers(on);
  for (const PointerParameter& parameter : pointer_parameters(on)) {
    Family family{parameter.name, {}};
    for (const ElementPointer& pointer : pointers) {
      if (pointer.base == parameter.name) family.pointers.push_back(pointer);
    }
    if (!family.pointers.empty() && family.pointers.front().name == parameter.name)
      out.push_back(std::move(family));
  }
  return out;
}

/// The semicolon of the statement `x[i] = value;` whose name is at `use`; kNoToken when it is not written so.
std::size_t statement_end(const KernelCase& on, const NameUse& use) {
  const SourceText& text = on.text;
  const bool begins = text.is(use.token - 1, ";") || text.is(use.token - 1, "{") ||
                      text.is(use.token - 1, "}") || text.is(use.token - 1, ")") ||
                      text.is(use.token - 1, "else");
  std::size_t end = use.end + 1;
  while (end < on.kernel.body_close && !text.is(end, ";") && !text.is(end, ",") &&
         !text.is(end, "="))
    end = text.after_group(end);
  return begins && text.is(end, ";") ? end : kNoToken;
}

/// Whether the initializer of a pointer of the family is where `use` stands.
bool makes_pointer(const KernelCase& on, const Family& family, const NameUse& use) {
  return std::ranges::any_of(family.pointers, [&](const ElementPointer& pointer) {
    if (pointer.declared == 0 || use.token <= pointer.declared) return false;
    for (std::size_t i = pointer.declared; i < use.token; ++i) {
      if (on.text.is(i, ";")) return false;
    }
    return true;
  });
}

void offer_stores(const KernelCase& on, const Family& family, RuleOutcome& out) {
  std::vector<Replacement> changes;
  std::size_t line = on.kernel.line;
  for (const ElementPointer& pointer : family.pointers) {
    for (const NameUse& use :
         uses_of(on.text, pointer.name, on.kernel.body_open + 1, on.kernel.body_close)) {
      if (use.token == pointer.declared || makes_pointer(on, family, use)) continue;
      const std::size_t end =
          use.kind == UseKind::write && use.subscripts == 1 ? statement_end(on, use) : kNoToken;
      if (end == kNoToken) {
        return refuse(
            out, on.text[use.token].line,
            fmt::format("'{}' is not only written by statements of its own", pointer.name));
      }
      if (changes.empty()) line = on.text[use.token].line;
      changes.push_back(
          {on.text[use.token].begin, on.text[end - 1].end,
           fmt::format("__builtin_nontemporal_store({}, &{})", written(on.text, use.end + 1, end),
                       written(on.text, use.token, use.end))});
    }
  }
  if (changes.empty())
    return refuse(out, on.kernel.line, fmt::format("'{}' is not written", family.base));
  RuleEdit edit;
  edit.line = line;
  edit.title = fmt::format("store to {} past the caches", family.base);
  edit.why = "what is written once and not read again need not displace what is read again";
  edit.source = replaced(on.text.text(), std::move(changes));
  out.edits.push_back(std::move(edit));
}

bool in_loop(const LoopsFound& loops, std::size_t token) {
  return std::ranges::any_of(loops.loops, [&](const SourceLoop& loop) {
    return token > loop.keyword && token < loop.body_end;
  });
}

void offer_loads(const KernelCase& on, const Family& family, const LoopsFound& loops,
                 RuleOutcome& out) {
  std::vector<Replacement> changes;
  std::size_t line = on.kernel.line;
  for (const ElementPointer& pointer : family.pointers) {
    for (const NameUse& use :
         uses_of(on.text, pointer.name, on.kernel.body_open + 1, on.kernel.body_close)) {
      if (use.token == pointer.declared || makes_pointer(on, family, use)) continue;
      if (use.kind != UseKind::read || use.subscripts != 1) {
        return refuse(out, on.text[use.token].line,
                      fmt::format("'{}' is not only read element by element", pointer.name));
      }
      line = on.text[use.token].line;
      changes.push_back(
          {on.text[use.token].begin, on.text[use.end - 1].end,
           fmt::format("__builtin_nontemporal_load(&{})", written(on.text, use.token, use.end))});
      if (changes.size() > 1 || (in_loop(loops, use.token) && family.pointers.size() > 1)) {
        return refuse(
            out, line,
            fmt::format("'{}' may be read more than once, which caches are for", family.base));
      }
    }
  }
  if (changes.empty())
    return refuse(out, on.kernel.line, fmt::format("'{}' is not read", family.base));
  RuleEdit edit;
  edit.line = line;
  edit.title = fmt::format("load from {} past the caches", family.base);
  edit.why = "what is read once need not displace what is read again";
  edit.source = replaced(on.text.text(), std::move(changes));
  out.edits.push_back(std::move(edit));
}

}  // namespace

RuleOutcome nontemporal(const KernelCase& on) {
  RuleOutcome out;
  const LoopsFound loops = find_loops(on.text, on.kernel);
  for (const Family& family : families(on)) {
    const ElementPointer& parameter = family.pointers.front();
    if (bytes_of(parameter.element) == 0) {
      refuse(out, on.kernel.line,
             fmt::format("'{}' points to {}, which is not a plain number", parameter.name,
                         parameter.element));
    } else if (parameter.is_const) {
      offer_loads(on, family, loops, out);
    } else {
      offer_stores(on, family, out);
    }
  }
  if (out.edits.empty() && out.refusals.empty())
    refuse(out, on.kernel.line, "the kernel has no pointer parameter");
  return out;
}

}  // namespace rpl::rules
