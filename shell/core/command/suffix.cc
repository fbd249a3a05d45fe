// SPDX-License-Identifier: MIT
#include "shell/core/command/suffix.h"

#include "engine/base/numbers.h"

namespace rpl {

std::optional<Format> format_of(std::string_view letter) {
  if (letter == "j" || letter == "json") return Format::json;
  if (letter == "l" || letter == "jsonl") return Format::jsonl;
  if (letter == "c" || letter == "csv") return Format::csv;
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

std::pair<std::string, std::string> split_suffix(const Word& word) {
  const std::size_t slash = word.text.find('/');
  if (word.quoted || slash == std::string::npos || slash == 0) return {word.text, ""};
  Form ignored;
  const std::string suffix = word.text.substr(slash);
  if (!take_suffix(suffix, ignored)) return {word.text, ""};
  return {word.text.substr(0, slash), suffix};
}

}  // namespace rpl
