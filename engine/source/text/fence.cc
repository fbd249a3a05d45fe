// SPDX-License-Identifier: MIT
#include "engine/source/text/guard.h"

#include <algorithm>
#include <array>

namespace rpl {
namespace {

struct FenceLine {
  char mark = '\0';  ///< 0: the line is not a fence
  std::size_t length = 0;
  std::size_t indent = 0;
  std::string_view info;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

FenceLine fence_of(std::string_view line) {
  constexpr std::size_t kDeepest = 3;
  constexpr std::size_t kShortest = 3;
  FenceLine result;
  result.indent = std::min(line.find_first_not_of(' '), line.size());
  if (result.indent > kDeepest || result.indent == line.size()) return {};
  const char mark = line[result.indent];
  if (mark != '`' && mark != '~') return {};
  const std::size_t end = std::min(line.find_first_not_of(mark, result.indent), line.size());
  result.length = end - result.indent;
  result.info = trimmed(line.substr(end));
  if (result.length < kShortest) return {};
  if (mark == '`' && result.info.find('`') != std::string_view::npos) return {};
  result.mark = mark;
  return result;
}

bool closes(const FenceLine& line, const FenceLine& open) {
  return line.mark == open.mark && line.length >= open.length && line.info.empty();
}

std::string_view without_indent(std::string_view line, std::size_t indent) {
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(std::min(indent, blanks));
}

}  // namespace

bool FencedBlock::is_cpp() const {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"", "cpp", "c++", "cxx", "cc", "c", "h", "hpp", "hxx", "hh", "hip", "cuda", "cu"});
  std::string word;
  for (const char c : info.substr(0, info.find_first_of(" \t,{"))) {
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  // c++17, cpp20, c++2a
  const std::size_t digit = word.find_first_of("0123456789");
  return std::ranges::find(kNames, std::string_view(word).substr(0, digit)) != kNames.end() &&
         digit != 0;
}

std::vector<FencedBlock> fenced_blocks(std::string_view markdown) {
  std::vector<FencedBlock> result;
  FenceLine open;
  std::size_t number = 0;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    ++number;
    const FenceLine fence = fence_of(line);
    if (open.mark == '\0') {
      if (fence.mark == '\0') continue;
      open = fence;
      result.push_back({std::string(fence.info), {}, number, false});
    } else if (closes(fence, open)) {
      result.back().closed = true;
      open = {};
    } else {
      result.back().text += without_indent(line, open.indent);
      result.back().text += '\n';
    }
  }
  return result;
}

}  // namespace rpl
