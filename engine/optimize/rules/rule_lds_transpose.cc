// SPDX-License-Identifier: MIT
// lds-transpose: a kernel that reads along rows and writes along columns, or the other way round, has lanes far apart on one side. A square of elements goes
// through LDS, and lanes lie next to one another on both.
#include <fmt/format.h>

#include "engine/optimize/rules/places.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// `out[column * n + row] = in[row * n + column];`, the last statement.
struct Store {
  const ElementPointer* pointer = nullptr;
  std::size_t begin = 0, subscript_begin = 0, subscript_end = 0, equals = 0, end = 0;
};

std::optional<Store> last_store(const KernelCase& on, const PlaceGuard& guard,
                                const std::vector<ElementPointer>& pointers) {
  const SourceText& text = on.text;
  std::size_t begin = guard.rest_begin;
  for (std::size_t i = begin; i + 1 < guard.rest_end; i = text.after_group(i)) {
    if (text.is(i, ";") || text.is(i, "}")) begin = i + 1;
  }
  Store out{.begin = begin};
  for (const ElementPointer& pointer : pointers) {
    if (text.is(begin, pointer.name)) out.pointer = &pointer;
  }
  if (out.pointer == nullptr || !text.is(begin + 1, "[") || text.partner(begin + 1) == kNoToken)
    return std::nullopt;
  out.subscript_begin = begin + 2;
  out.subscript_end = text.partner(begin + 1);
  out.equals = out.subscript_end + 1;
  out.end = guard.rest_end - 1;
  if (!text.is(out.equals, "=") || !text.is(out.end, ";")) return std::nullopt;
  return out;
}

std::string why_not(const KernelCase& on, const TwoPlaces& places, const PlaceGuard& guard,
                    const std::vector<ElementPointer>& pointers,
                    const std::optional<Store>& store) {
  const SourceText& text = on.text;
  if (on.launches->workgroup[0] != on.launches->workgroup[1]) return "workgroups are not square";
  if (!store) return "the last statement does not store an element";
  if (!multiplies(text, places.x.name, store->subscript_begin, store->subscript_end) ||
      multiplies(text, places.y.name, store->subscript_begin, store->subscript_end) ||
      !mentions(text, places.y.name, store->subscript_begin, store->subscript_end))
    return "lanes do not write a row apart";
  if (!is_plain_arithmetic(text, store->subscript_begin, store->subscript_end))
    return "where the element lies is not plain arithmetic";
  for (std::size_t i = store->subscript_begin; i < store->subscript_end; ++i) {
    // A name of the body may hold what belongs to this work-item alone.
    if (text[i].kind == SourceTokenKind::identifier && text[i].text != places.x.name &&
        text[i].text != places.y.name &&
        declarations_in(text, text[i].text, on.kernel.body_open, on.kernel.body_close) > 0)
      return fmt::format("'{}' may be another number in other work-items", text[i].text);
  }
  for (const ElementPointer& pointer : pointers) {
    for (const NameUse& use : uses_of(text, pointer.name, guard.rest_begin, store->begin)) {
      if (use.kind == UseKind::write || use.kind == UseKind::update)
        return "another statement stores, too";
    }
  }
  for (std::size_t i = guard.rest_begin; i < guard.rest_end; ++i) {
    if (text.is(i, "return")) return "work-items return on their way";
  }
  return {};
}

std::string text_of(const KernelCase& on, const TwoPlaces& places, const PlaceGuard& guard,
                    const Store& store) {
  const SourceText& text = on.text;
  const std::string line(line_end_of(text.text()));
  const std::string tile = fresh_name(text, "tile"), x = fresh_name(text, "x_out"),
                    y = fresh_name(text, "y_out");
  const auto size = on.launches->workgroup[0];
  const std::vector<NewName> there{{places.x.name, x}, {places.y.name, y}};
  const std::string here = inside(guard), elsewhere = renamed(here, there);
  std::vector<Replacement> changes;
  const std::size_t top = text[on.kernel.body_open].end;
  changes.push_back({top, top,
                     fmt::format("{}  __shared__ {} {}[{}][{}];", line, store.pointer->element,
                                 tile, size, size + 1)});
  if (guard.end > guard.begin)
    changes.push_back(
        {text[guard.begin].begin, text[guard.end - 1].end, fmt::format("if ({}) {{", here)});
  changes.push_back({text[store.begin].begin, text[store.equals].end,
                     fmt::format("{}[threadIdx.y][threadIdx.x] =", tile)});
  const std::string after = fmt::format(
      "{0}  __syncthreads();{0}  const decltype({9}) {1} = {2};{0}  const decltype({10}) {3} = "
      "{4};{0}  {5}{6}[{7}] = "
      "{8}[threadIdx.x][threadIdx.y];",
      line, x, value_at(text, places.x, "threadIdx.y"), y, value_at(text, places.y, "threadIdx.x"),
      elsewhere.empty() ? elsewhere : fmt::format("if ({}) ", elsewhere), store.pointer->name,
      renamed(text, store.subscript_begin, store.subscript_end, there), tile, places.x.name,
      places.y.name);
  const bool wraps = guard.rest_end < on.kernel.body_close;
  if (guard.end > guard.begin && !wraps) {
    const std::size_t end = text[store.end].end;
    changes.push_back({end, end, fmt::format("{0}  }}{1}", line, after)});
  } else {
    const std::size_t end = text[wraps ? guard.rest_end : store.end].end;
    changes.push_back({end, end, after});
  }
  return replaced(text.text(), std::move(changes));
}

}  // namespace

RuleOutcome lds_transpose(const KernelCase& on) {
  RuleOutcome out;
  std::string why;
  std::optional<PlaceGuard> guard;
  const auto places = two_places(on, why);
  if (places) guard = place_guard(on, *places, why);
  const auto pointers = element_pointers(on);
  std::optional<Store> store;
  if (guard) {
    store = last_store(on, *guard, pointers);
    why = why_not(on, *places, *guard, pointers, store);
  }
  if (!why.empty()) {
    refuse(out, store ? on.text[store->begin].line : on.kernel.line, std::move(why));
    return out;
  }
  RuleEdit edit;
  edit.line = on.text[store->begin].line;
  edit.title = fmt::format("squares of {} go through LDS", store->pointer->name);
  edit.why = "lanes read next to one another and write next to one another";
  edit.assumes = fmt::format("only {} shows that workgroups have {}", on.launches->capture,
                             shape_of_workgroups(on));
  edit.source = text_of(on, *places, *guard, *store);
  out.edits.push_back(std::move(edit));
  return out;
}

}  // namespace rpl::rules
