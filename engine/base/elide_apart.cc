// SPDX-License-Identifier: MIT
#include "engine/base/elide_apart.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "engine/base/text.h"

namespace rpl {
namespace {

/// A distinct text, where it differs from those that it looked like, the latest found last, and how it is shown.
struct Cut {
  std::string_view text;
  std::vector<std::size_t> differs = {};
  std::string shown = {};

  /// False where that was known to be the latest.
  bool add(std::size_t place) {
    if (!differs.empty() && differs.back() == place) return false;
    std::erase(differs, place);
    differs.push_back(place);
    return true;
  }
};
using Group = std::vector<Cut*>;

std::size_t common_beginning(const Group& group) {
  const std::string_view first = group.front()->text;
  std::size_t common = first.size();
  for (const Cut* one : group) {
    const auto [a, b] = std::ranges::mismatch(first, one->text);
    common = std::min(common, static_cast<std::size_t>(a - first.begin()));
  }
  return common;
}

/// Where a window of `room` around a difference begins: at its word, where that leaves room for what differs.
std::size_t beginning(std::string_view text, std::size_t differs, std::size_t room) {
  std::size_t begin = std::min(differs, text.size());
  const std::size_t last = begin;
  while (begin > 0 && last - begin < room / 2 &&
         std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0)
    --begin;
  return std::min(begin, text.size() - std::min(text.size(), room));
}

/// The beginning of a text, and what stands around the differences that were found last, as many as there is room for.
std::string shown_of(const Cut& cut, std::size_t width) {
  constexpr std::size_t kLeast = 4, kHead = 8, kDots = 2;
  const std::size_t most = std::max<std::size_t>((width - kLeast) / (kLeast + kDots), 1);
  const std::size_t count = std::min(cut.differs.size(), most);
  const std::size_t head = count > 1 ? kLeast : std::min(kHead, width / 3);
  // Dots stand behind the last one as well, unless the text ends there.
  const std::size_t room = (width - head - (count + 1) * kDots) / count;
  std::vector<std::size_t> places(cut.differs.end() - static_cast<std::ptrdiff_t>(count),
                                  cut.differs.end());
  std::ranges::sort(places);
  std::string out(cut.text.substr(0, head));
  std::size_t end = head;
  for (const std::size_t place : places) {
    const std::size_t begin = std::max(beginning(cut.text, place, room), end);
    if (begin > end) out += "..";
    out += cut.text.substr(begin, room);
    end = std::min(begin + room, cut.text.size());
  }
  if (end == cut.text.size()) return out;
  if (out.size() + kDots > width) out.resize(width - kDots);
  return out + "..";
}

/// Texts that look the same all the same: by the one place at which most of them look different.
void show_where_most_differ(const Group& group, std::size_t width) {
  std::size_t longest = 0, best = 0, most = 1;
  for (const Cut* one : group) longest = std::max(longest, one->text.size());
  for (std::size_t place = 0; place < longest; ++place) {
    std::set<std::string> looks;
    for (const Cut* one : group) looks.insert(shown_of({one->text, {place}}, width));
    if (looks.size() <= most) continue;
    most = looks.size();
    best = place;
  }
  if (most == 1) return;
  for (Cut* one : group) one->shown = shown_of({one->text, {best}}, width);
}

/// Distinct texts by how they are shown; without those that fit, or have other than ASCII.
std::map<std::string, Group> groups_of(std::map<std::string_view, Cut>& cuts, std::size_t width) {
  std::map<std::string, Group> same;
  for (auto& [text, cut] : cuts) {
    const bool ascii =
        std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii && text.size() > width) same[cut.shown].push_back(&cut);
  }
  return same;
}

}  // namespace

std::vector<std::string> elide_apart(const std::vector<std::string>& texts, std::size_t width) {
  constexpr std::size_t kNarrowest = 12;
  constexpr int kMostRounds = 6;
  std::map<std::string_view, Cut> cuts;
  for (const std::string& text : texts) {
    Cut& cut = cuts[text];
    cut.text = text;
    cut.shown = elide_middle(text, width);
  }
  for (int round = 0; round < kMostRounds && width >= kNarrowest; ++round) {
    const auto same = groups_of(cuts, width);
    bool any = false;
    for (const auto& [shown, group] : same) {
      if (group.size() < 2) continue;
      const std::size_t differs = common_beginning(group);
      for (Cut* cut : group) any = cut->add(differs) || any;
      for (Cut* cut : group) cut->shown = shown_of(*cut, width);
    }
    if (!any) break;
  }
  for (int round = 0; round < kMostRounds && width >= kNarrowest; ++round) {
    for (const auto& [shown, group] : groups_of(cuts, width)) {
      if (group.size() > 1) show_where_most_differ(group, width);
    }
  }
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(cuts[text].shown);
  return out;
}

}  // namespace rpl
