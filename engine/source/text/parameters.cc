// SPDX-License-Identifier: MIT
// Parameter lists: cut into parameters, types in one spelling.
#include <algorithm>
#include <array>

#include "engine/source/text/declarations.h"

namespace rpl {
namespace {

constexpr auto kBuiltinWords = std::to_array<std::string_view>(
    {"void", "bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double"});

bool is_builtin_word(std::string_view word) {
  return std::ranges::find(kBuiltinWords, word) != kBuiltinWords.end();
}

/// Where `*`, `&` or a bracket ends the specifiers, not looking into template lists.
std::vector<std::string_view>::iterator specifiers_end(std::vector<std::string_view>& words) {
  int angles = 0;
  return std::ranges::find_if(words, [&](std::string_view word) {
    angles += word == "<" ? 1 : word == ">" ? -1 : 0;
    return angles <= 0 &&
           (word == "*" || word == "&" || word == "&&" || word == "(" || word == "[");
  });
}

/// `unsigned`, `long int`, `int long unsigned` in the spelling of symbols.
std::string integer_type(const std::vector<std::string_view>& words) {
  const auto count = [&](std::string_view word) { return std::ranges::count(words, word); };
  const auto is_sized = [&] { return count("short") + count("long") + count("char") > 0; };
  std::string result = count("unsigned") > 0 ? "unsigned " : "";
  if (count("char") > 0) return (count("signed") > 0 ? "signed " : result) + "char";
  if (count("short") > 0) return result + "short";
  if (count("double") > 0) return count("long") > 0 ? "long double" : "double";
  if (count("long") > 0) return result + (count("long") > 1 ? "long long" : "long");
  for (const std::string_view word : {"void", "bool", "float"}) {
    if (count(word) > 0) return std::string(word);
  }
  return is_sized() ? result : result + "int";
}

/// Drops the parameter's name, turns an array into a pointer.
void drop_name(std::vector<std::string_view>& words, const SourceText& source, std::size_t last) {
  if (!words.empty() && words.back() == "]") {
    const auto open = std::ranges::find(words, "[");
    words.erase(open, words.end());
    if (!words.empty()) words.back() = "*";
    return;
  }
  if (words.size() < 2 || source[last].kind != SourceTokenKind::identifier) return;
  const std::string_view before = words[words.size() - 2];
  const bool alone = words.size() == 2 && (before == "const" || before == "volatile");
  if (!is_builtin_word(words.back()) && words.back() != "const" && before != "::" && !alone) {
    words.pop_back();
  }
}

std::string joined_words(const std::vector<std::string_view>& words) {
  std::string result;
  for (const std::string_view word : words) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

}  // namespace

std::string canonical_type(const SourceText& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; i = source.after_group(i)) {
    if (source.is(i, "=")) end = i;
  }
  std::vector<std::string_view> words = source.words(begin, end);
  drop_name(words, source, end - 1);
  std::erase_if(words, [](std::string_view word) {
    return word == "__restrict__" || word == "__restrict" || word == "restrict" ||
           word == "typename" || word == "struct" || word == "class";
  });
  const auto pointer = specifiers_end(words);
  std::vector<std::string_view> builtin, result, tail(pointer, words.end());
  bool is_const = false;
  int angles = 0;
  for (auto word = words.begin(); word != pointer; ++word) {
    angles += *word == "<" ? 1 : *word == ">" ? -1 : 0;
    if (angles > 0) {
      result.push_back(*word);
    } else if (*word == "const") {
      is_const = true;
    } else if (is_builtin_word(*word)) {
      builtin.push_back(*word);
    } else {
      result.push_back(*word);
    }
  }
  while (!tail.empty() && tail.back() == "const") tail.pop_back();
  const std::string integer = builtin.empty() || !result.empty() ? "" : integer_type(builtin);
  if (!integer.empty()) result = {integer};
  if (!result.empty() && integer.empty())
    result.insert(result.end(), builtin.begin(), builtin.end());
  if (is_const && !tail.empty()) result.insert(result.begin(), "const");
  result.insert(result.end(), tail.begin(), tail.end());
  return joined_words(result);
}

std::size_t parameter_list_of(const SourceText& source, const SourceKernel& kernel) {
  std::size_t found = kNoToken;
  for (std::size_t i = kernel.header_begin; i < kernel.body_open; i = source.after_group(i)) {
    if (!source.is(i, kernel.name)) continue;
    const std::size_t next =
        source.is(i + 1, "<") ? source.after_angles(i + 1, kernel.body_open) : i + 1;
    if (next < kernel.body_open && source.is(next, "(")) found = next;
  }
  return found;
}

std::string_view parameter_name(const SourceText& source, ByteRange parameter) {
  std::size_t end = parameter.begin;
  while (end < parameter.end && !source.is(end, "=") && !source.is(end, "["))
    end = source.after_group(end);
  if (end < parameter.begin + 2) return {};  // a type alone
  const SourceToken& last = source[end - 1];
  return last.kind == SourceTokenKind::identifier && !is_builtin_word(last.text) &&
                 last.text != "const"
             ? last.text
             : std::string_view();
}

std::vector<ByteRange> parameters_of(const SourceText& source, std::size_t open) {
  std::vector<ByteRange> result;
  const std::size_t close = source.after_group(open) - 1;
  if (close <= open + 1) return result;
  if (close == open + 2 && source.is(open + 1, "void")) return result;
  std::size_t begin = open + 1;
  std::size_t angles = 0;
  for (std::size_t i = begin; i < close; i = source.after_group(i)) {
    if (source.is(i, "<")) ++angles;
    if (source.is(i, ">") && angles > 0) --angles;
    if (!source.is(i, ",") || angles > 0) continue;
    result.push_back({begin, i});
    begin = i + 1;
  }
  result.push_back({begin, close});
  return result;
}

}  // namespace rpl
