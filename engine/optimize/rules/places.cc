// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/loop_facts.h"

namespace rpl::rules {
namespace {

constexpr std::string_view kAxes = "xyz";

/// The dimension of `threadIdx.x` at token i: 0 for x; none for another word.
std::optional<std::size_t> axis_at(const SourceText& text, std::size_t i, std::string_view word) {
  if (!text.is(i, word) || !text.is(i + 1, ".") || i + 2 >= text.size()) return std::nullopt;
  const std::size_t axis = kAxes.find(text[i + 2].text);
  return text[i + 2].text.size() == 1 && axis != std::string_view::npos ? std::optional(axis)
                                                                        : std::nullopt;
}

/// The `blockDim.x` or number at [i, …) as large as a captured workgroup in that dimension; the token behind it, or none.
std::optional<std::size_t> behind_extent(const KernelCase& on, std::size_t i, std::size_t axis) {
  if (axis_at(on.text, i, "blockDim") == axis) return i + 3;
  const auto value = constant_value(on, i, i + 1);
  if (value && *value == on.launches->workgroup[axis]) return i + 1;
  return std::nullopt;
}

/// `blockIdx.y * blockDim.y` at i, in any order; the dimension and the token behind it.
std::optional<std::pair<std::size_t, std::size_t>> first_of_group(const KernelCase& on,
                                                                  std::size_t i) {
  const SourceText& text = on.text;
  if (const auto axis = axis_at(text, i, "blockIdx")) {
    if (!text.is(i + 3, "*")) return std::nullopt;
    const auto behind = behind_extent(on, i + 4, *axis);
    return behind ? std::optional(std::pair(*axis, *behind)) : std::nullopt;
  }
  for (const std::size_t length : {std::size_t{3}, std::size_t{1}}) {
    const auto axis = axis_at(text, i + length + 1, "blockIdx");
    if (axis && text.is(i + length, "*") && behind_extent(on, i, *axis) == i + length)
      return std::pair(*axis, i + length + 4);
  }
  return std::nullopt;
}

/// The place whose value begins at token `begin`; its dimension is that of `threadIdx`.
std::optional<std::pair<std::size_t, Place>> place_at(const KernelCase& on, std::size_t begin) {
  const SourceText& text = on.text;
  Place out{.name = text[begin - 2].text, .begin = begin};
  std::size_t group = 0, axis = 0;
  if (const auto thread = axis_at(text, begin, "threadIdx")) {
    if (!text.is(begin + 3, "+")) return std::nullopt;
    const auto first = first_of_group(on, begin + 4);
    if (!first) return std::nullopt;
    axis = *thread, group = first->first;
    out.thread = begin, out.end = first->second;
  } else {
    const auto first = first_of_group(on, begin);
    if (!first || !text.is(first->second, "+")) return std::nullopt;
    const auto behind = axis_at(text, first->second + 1, "threadIdx");
    if (!behind) return std::nullopt;
    axis = *behind, group = first->first;
    out.thread = first->second + 1, out.end = out.thread + 3;
  }
  const auto& size = on.launches->workgroup;
  if (size[axis] != size[group]) return std::nullopt;
  if (!text.is(out.end, ";") && !text.is(out.end, ",")) return std::nullopt;
  return std::pair(axis, out);
}

/// The comparison that holds where this one does not; "" for others.
std::string_view opposite(std::string_view comparison) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {">=", "<"}, {"<", ">="}, {">", "<="}, {"<=", ">"}};
  for (const auto& [one, other] : kPairs) {
    if (one == comparison) return other;
  }
  return {};
}

/// Takes `row >= n || column >= m` apart.
class GuardReader {
 public:
  GuardReader(const KernelCase& on, const TwoPlaces& places) : text_(on.text), places_(places) {}

  /// `negate`: the condition says which work-items have no element.
  bool run(std::size_t begin, std::size_t end, bool negate, PlaceGuard& out) {
    const std::string_view joins = negate ? "||" : "&&";
    std::size_t from = begin;
    for (std::size_t i = begin; i <= end; i = i < end ? text_.after_group(i) : i + 1) {
      if (i < end && !text_.is(i, joins)) continue;
      if (!part(from, i, negate, out)) return false;
      from = i + 1;
    }
    return true;
  }

 private:
  bool part(std::size_t begin, std::size_t end, bool negate, PlaceGuard& out) {
    while (text_.is(begin, "(") && text_.after_group(begin) == end) ++begin, --end;
    std::size_t at = kNoToken;
    for (std::size_t i = begin; i < end; i = text_.after_group(i)) {
      if (text_.is(i, "||") || text_.is(i, "&&") || text_.is(i, "?")) return false;
      if (opposite(text_[i].text).empty()) continue;
      if (at != kNoToken) return false;
      at = i;
    }
    if (at == kNoToken || !is_plain_arithmetic(text_, begin, at) ||
        !is_plain_arithmetic(text_, at + 1, end))
      return false;
    const bool x = mentions(text_, places_.x.name, begin, end),
               y = mentions(text_, places_.y.name, begin, end);
    if (x == y) return false;
    std::string& into = x ? out.x : out.y;
    const std::string_view how = negate ? opposite(text_[at].text) : text_[at].text;
    into += fmt::format("{}{} {} {}", into.empty() ? "" : " && ", written(text_, begin, at), how,
                        written(text_, at + 1, end));
    return true;
  }

  const SourceText& text_;
  const TwoPlaces& places_;
};

}  // namespace

std::optional<TwoPlaces> two_places(const KernelCase& on, std::string& why) {
  const SourceText& text = on.text;
  why = meeting_point(on);
  if (why.empty()) why = no_launch(on);
  if (!why.empty()) return std::nullopt;
  const auto& size = on.launches->workgroup;
  if (size[0] < 2 || size[1] < 2 || size[2] != 1) {
    why = "workgroups do not have two dimensions";
    return std::nullopt;
  }
  why = "the kernel does not take the number of the work-item in each of two dimensions, once";
  std::optional<Place> found[2];
  std::size_t threads = 0, groups = 0;
  for (std::size_t i = on.kernel.body_open + 3; i < on.kernel.body_close; ++i) {
    threads += text.is(i, "threadIdx") ? 1 : 0;
    groups += text.is(i, "blockIdx") ? 1 : 0;
    if (text.is(i, "gridDim")) return std::nullopt;
    if (!text.is(i - 1, "=") || text[i - 2].kind != SourceTokenKind::identifier) continue;
    if (const auto place = place_at(on, i)) {
      if (place->first > 1 || found[place->first]) return std::nullopt;
      found[place->first] = place->second;
    }
  }
  if (!found[0] || !found[1] || threads != 2 || groups != 2) return std::nullopt;
  for (const auto& place : found) {
    if (declarations_in(text, place->name, on.kernel.body_open, on.kernel.body_close) > 1)
      return std::nullopt;
    for (std::size_t i = place->end; i < on.kernel.body_close; ++i) {
      if (text.is(i, place->name) && is_assigned_at(text, i)) return std::nullopt;
    }
  }
  why.clear();
  return TwoPlaces{*found[0], *found[1]};
}

std::optional<PlaceGuard> place_guard(const KernelCase& on, const TwoPlaces& places,
                                      std::string& why) {
  const SourceText& text = on.text;
  std::size_t at = std::max(places.x.end, places.y.end);
  while (at < on.kernel.body_close && !text.is(at, ";")) ++at;
  PlaceGuard out{
      .begin = at + 1, .end = at + 1, .rest_begin = at + 1, .rest_end = on.kernel.body_close};
  // What else stands first computes values, and belongs to the rest.
  if (!text.is(out.begin, "if") || !text.is(out.begin + 1, "(")) return out;
  const std::size_t close = text.partner(out.begin + 1);
  if (close == kNoToken) return out;
  std::size_t behind = close + 1;
  const bool braces = text.is(behind, "{");
  const std::size_t first = behind + (braces ? 1 : 0);
  const bool leaves = text.is(first, "return") && text.is(first + 1, ";");
  why = "the condition that keeps work-items out cannot be taken apart by dimension";
  if (leaves) {
    out.end = out.rest_begin = first + 2 + (braces ? 1 : 0);
    if (braces && !text.is(first + 2, "}")) return std::nullopt;
  } else if (braces && text.after_group(behind) == on.kernel.body_close) {
    out.end = behind + 1;
    out.rest_begin = behind + 1;
    out.rest_end = text.partner(behind);
  } else {
    why.clear();
    return out;
  }
  if (!GuardReader(on, places).run(out.begin + 2, close, leaves, out)) return std::nullopt;
  why.clear();
  return out;
}

std::string renamed(const SourceText& text, std::size_t begin, std::size_t end,
                    const std::vector<NewName>& names) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) out += text.text().substr(text[i - 1].end, text[i].begin - text[i - 1].end);
    const bool member = i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->"));
    const auto found = std::ranges::find(names, text[i].text, &NewName::name);
    out += found == names.end() || member || text[i].kind != SourceTokenKind::identifier
               ? std::string(text[i].text)
               : found->text;
  }
  return out;
}

std::string renamed(std::string_view condition, const std::vector<NewName>& names) {
  const SourceText text(condition);
  return renamed(text, 0, text.size(), names);
}

bool mentions(const SourceText& text, std::string_view name, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text.is(i, name) && !text.is(i - 1, ".") && !text.is(i - 1, "->")) return true;
  }
  return false;
}

bool multiplies(const SourceText& text, std::string_view name, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text.is(i, name) && (text.is(i + 1, "*") || text.is(i - 1, "*"))) return true;
  }
  return false;
}

std::string value_at(const SourceText& text, const Place& place, std::string_view number) {
  const Replacement thread{text[place.thread].begin - text[place.begin].begin,
                           text[place.thread + 2].end - text[place.begin].begin,
                           std::string(number)};
  return replaced(written(text, place.begin, place.end), {thread});
}

std::string inside(const PlaceGuard& guard) {
  return guard.x + (guard.x.empty() || guard.y.empty() ? "" : " && ") + guard.y;
}

std::string shape_of_workgroups(const KernelCase& on) {
  return fmt::format("{} by {} work-items", on.launches->workgroup[0], on.launches->workgroup[1]);
}

}  // namespace rpl::rules
