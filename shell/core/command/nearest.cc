// SPDX-License-Identifier: MIT
#include "shell/core/command/nearest.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::vector<std::string> nearest(std::string_view typed, std::span<const std::string> names) {
  constexpr std::size_t kLongest =
      64;  // distances of whole kernel names would cost more than they tell
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const bool contains = typed.size() >= 3 && name.find(typed) != std::string::npos;
    if (contains) {
      ranked.emplace_back(1, name);
    } else if (name.size() <= kLongest && typed.size() <= kLongest) {
      const std::size_t distance = edit_distance(typed, name);
      if (distance <= std::max<std::size_t>(1, typed.size() / 3))
        ranked.emplace_back(distance, name);
    }
  }
  std::ranges::sort(ranked);
  std::vector<std::string> best;
  for (const auto& [distance, name] : ranked) {
    if (best.size() < 3) best.push_back(name);
  }
  return best;
}

std::string did_you_mean(std::span<const std::string> names) {
  if (names.empty()) return {};
  std::string list = fmt::format("'{}'", names[0]);
  for (std::size_t i = 1; i < names.size(); ++i) {
    list += fmt::format("{}'{}'", i + 1 == names.size() ? " or " : ", ", names[i]);
  }
  return fmt::format("did you mean {}?", list);
}

std::optional<Format> format_of(std::string_view letter) {
  if (letter == "j" || letter == "json") return Format::json;
  if (letter == "l" || letter == "jsonl") return Format::jsonl;
  if (letter == "c" || letter == "csv") return Format::csv;
  if (letter == "csv-raw") return Format::csv_raw;
  if (letter == "m" || letter == "md") return Format::markdown;
  if (letter == "v") return Format::fields;
  if (letter == "q") return Format::scalar;
  return std::nullopt;
}

bool take_suffix(std::string_view word, Form& form) {
  if (word.size() < 2 || word[0] != '/') return false;
  word.remove_prefix(1);
  const auto limit = take_number<std::uint64_t>(word);
  const auto format = word.size() == 1 ? format_of(word) : std::nullopt;
  if (!word.empty() && !format) return false;
  if (limit) form.limit = *limit;
  if (format) form.format = *format;
  return true;
}

bool is_own_suffix(const Command& command, std::string_view suffix) {
  if (command.suffix_option.empty() || suffix.empty()) return false;
  const std::string_view letters = command.suffix_letters;
  if (letters.empty()) return true;
  const std::size_t first = suffix.find_first_not_of("-0123456789");
  return first != std::string_view::npos &&
         suffix.find_first_not_of(letters, first) == std::string_view::npos;
}

std::pair<std::string, std::string> split_suffix(const Word& word) {
  const std::size_t slash = word.text.find('/');
  if (word.quoted || slash == std::string::npos || slash == 0) return {word.text, ""};
  Form ignored;
  const std::string suffix = word.text.substr(slash);
  if (!take_suffix(suffix, ignored)) return {word.text, ""};
  return {word.text.substr(0, slash), suffix};
}

}  // namespace rpl
