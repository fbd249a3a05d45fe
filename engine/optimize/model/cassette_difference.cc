// SPDX-License-Identifier: MIT
#include "engine/optimize/model/cassette_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/utf8.h"
#include "engine/document/json_text.h"

namespace rpl::llm {
namespace {

/// Every text and number with its place: "messages[1].content".
void flatten(const Value& value, const std::string& place, std::map<std::string, Value>& out) {
  if (const auto* record = value.as<Record>()) {
    for (const auto& [name, held] : *record)
      flatten(held, place.empty() ? name : place + "." + name, out);
  } else if (const auto* list = value.as<List>()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      flatten((*list)[i], fmt::format("{}[{}]", place, i), out);
  } else {
    out[place] = value;
  }
}

std::map<std::string, Value> flat(const Record& request) {
  std::map<std::string, Value> out;
  flatten(Value(request), "", out);
  return out;
}

std::size_t common_bytes(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::string cut(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, end));
    if (end + length > kMost) return std::string(text.substr(0, end)) + "…";
    end += length;
  }
  return std::string(text);
}

std::string line_at(const std::string& text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return cut(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
}

std::string text_difference(const std::string& place, const std::string& there,
                            const std::string& here) {
  const std::size_t at = common_bytes(there, here);
  const auto line =
      std::count(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  return fmt::format("{}, line {}: there '{}', here '{}'", place, line, line_at(there, at),
                     line_at(here, at));
}

std::string shown(const std::map<std::string, Value>& all, const std::string& place) {
  const auto found = all.find(place);
  return found == all.end() ? "absent" : cut(to_json(found->second));
}

}  // namespace

std::size_t likeness(const Record& recorded, const Record& asked) {
  const auto there = flat(recorded), here = flat(asked);
  std::size_t out = 0;
  for (const auto& [place, value] : here) {
    const auto other = there.find(place);
    if (other == there.end()) continue;
    const auto* a = value.as<std::string>();
    const auto* b = other->second.as<std::string>();
    if (a && b) {
      out += common_bytes(*a, *b) + (*a == *b ? 1 : 0);
    } else if (value == other->second) {
      ++out;
    }
  }
  return out;
}

std::string first_difference(const Record& recorded, const Record& asked) {
  const auto there = flat(recorded), here = flat(asked);
  std::map<std::string, Value> either = there;
  either.insert(here.begin(), here.end());
  for (const auto& [place, unused] : either) {
    const auto a = there.find(place), b = here.find(place);
    if (a != there.end() && b != here.end() && a->second == b->second) continue;
    const auto* before = a == there.end() ? nullptr : a->second.as<std::string>();
    const auto* now = b == here.end() ? nullptr : b->second.as<std::string>();
    if (before && now &&
        (before->find('\n') != std::string::npos || now->find('\n') != std::string::npos))
      return text_difference(place, *before, *now);
    return fmt::format("{} is {} there and {} here", place, shown(there, place),
                       shown(here, place));
  }
  return "in nothing that can be named";
}

}  // namespace rpl::llm
