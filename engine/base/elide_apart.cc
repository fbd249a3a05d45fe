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

/// A distinct text, where it differs from those that it looked like, and how it is shown.
struct Cut {
  std::string_view text;
  std::set<std::size_t> differs = {};
  std::string shown = {};
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

/// The beginning of a text, and what stands around its last differences, as many as there is room for.
std::string shown_of(const Cut& cut, std::size_t width) {
  constexpr std::size_t kLeast = 4, kHead = 8, kDots = 2;
  const std::size_t most = std::max<std::size_t>((width - kLeast) / (kLeast + kDots), 1);
  const std::size_t count = std::min(cut.differs.size(), most);
  const std::size_t head = count > 1 ? kLeast : std::min(kHead, width / 3);
  const std::size_t room = (width - head - count * kDots) / count;
  std::string out(cut.text.substr(0, head));
  std::size_t end = head;
  for (auto at = std::prev(cut.differs.end(), static_cast<std::ptrdiff_t>(count));
       at != cut.differs.end(); ++at) {
    const std::size_t begin = std::max(beginning(cut.text, *at, room), end);
    if (begin > end) out += "..";
    out += cut.text.substr(begin, room);
    end = std::min(begin + room, cut.text.size());
  }
  if (end == cut.text.size()) return out;
  if (out.size() + kDots > width) out.resize(width - kDots);
  return out + "..";
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
    std::map<std::string, Group> same;
    for (auto& [text, cut] : cuts) {
      const bool ascii =
          std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
      if (ascii && text.size() > width) same[cut.shown].push_back(&cut);
    }
    bool any = false;
    for (const auto& [shown, group] : same) {
      if (group.size() < 2) continue;
      const std::size_t differs = common_beginning(group);
      for (Cut* cut : group) any = cut->differs.insert(differs).second || any;
      for (Cut* cut : group) cut->shown = shown_of(*cut, width);
    }
    if (!any) break;
  }
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(cuts[text].shown);
  return out;
}

}  // namespace rpl
