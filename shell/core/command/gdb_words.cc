// SPDX-License-Identifier: MIT
#include "shell/core/command/gdb_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace rpl {
namespace {

constexpr GdbWord kWords[] = {
#include "shell/core/command/gdb_words.inc"
};

std::string_view family_of(std::string_view path) {
  return path.substr(0, std::min(path.rfind(' '), path.size()));
}

/// `show X` is about the same as `set X`.
bool in_family(const GdbWord& word, std::string_view family) {
  const bool top = word.path.find(' ') == std::string_view::npos;
  if (family.empty() || top) return family.empty() && top;
  const std::string_view own = family_of(word.path);
  return own == family || (family == "show" && own == "set");
}

bool lists(std::string_view aliases, std::string_view word) {
  while (!aliases.empty()) {
    const std::size_t end = std::min(aliases.find(' '), aliases.size());
    if (aliases.substr(0, end) == word) return true;
    aliases.remove_prefix(std::min(end + 1, aliases.size()));
  }
  return false;
}

}  // namespace

std::span<const GdbWord> gdb_words() { return kWords; }

std::string_view last_word(std::string_view path) {
  const std::size_t blank = path.rfind(' ');
  return blank == std::string_view::npos ? path : path.substr(blank + 1);
}

const GdbWord* gdb_word(std::string_view family, std::string_view word) {
  const auto found = std::ranges::find_if(kWords, [&](const GdbWord& row) {
    return in_family(row, family) && (last_word(row.path) == word || lists(row.aliases, word));
  });
  return found == std::end(kWords) ? nullptr : &*found;
}

const GdbWord* gdb_word_beginning(std::string_view family, std::string_view word) {
  const GdbWord* only = nullptr;
  for (const GdbWord& row : kWords) {
    if (!in_family(row, family) || !last_word(row.path).starts_with(word)) continue;
    if (only != nullptr) return nullptr;
    only = &row;
  }
  return only;
}

bool is_gdb_word(std::string_view path) {
  return std::ranges::find(kWords, path, &GdbWord::path) != std::end(kWords);
}

std::optional<Error> gdb_answer(const GdbWord& word) {
  if (word.why.empty()) return std::nullopt;
  return Error{Errc::unsupported, std::string(word.why), std::string(word.instead)};
}

std::optional<Error> gdb_answer_to(std::span<const std::string> words) {
  if (words.empty()) return std::nullopt;
  std::string family;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const GdbWord* row = gdb_word(family, words[i]);
    if (row == nullptr) row = gdb_word_beginning(family, words[i]);
    if (row == nullptr) return std::nullopt;
    // `set print asm-demangle` has an answer of its own behind that of `set print`.
    const bool goes_on = i + 1 < words.size() && gdb_word(row->path, words[i + 1]) != nullptr;
    auto answer = gdb_answer(*row);
    if (answer && !goes_on) return answer;
    family = row->path;
  }
  return std::nullopt;
}

}  // namespace rpl
