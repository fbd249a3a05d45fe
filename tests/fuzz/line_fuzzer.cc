// SPDX-License-Identifier: MIT
// Splitting a command line: any bytes give words inside the line, and words that are quoted come back as they were.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/base/numbers.h"
#include "shell/core/command/line.h"

namespace {

std::string in_quotes(std::string_view word) {
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

void require(bool holds) {
  if (!holds) std::abort();
}

void check_words(const rpl::Line& line, std::size_t length) {
  std::string again;
  for (const rpl::Word& word : line.words) {
    require(word.offset < length);
    again += in_quotes(word.text) + " ";
  }
  const auto second = rpl::split_line(again);
  require(second.has_value() && second->words.size() == line.words.size());
  for (std::size_t i = 0; i < line.words.size(); ++i) {
    require(second->words[i].text == line.words[i].text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto line = rpl::split_line(text)) check_words(*line, size);
  if (const auto time = rpl::parse_ns(text)) require(!text.empty());
  return 0;
}
