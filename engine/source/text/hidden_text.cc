// SPDX-License-Identifier: MIT
#include "engine/source/text/hidden_text.h"

namespace rpl {
namespace {

/// UTF-8 of U+202A to U+202E and U+2066 to U+2069.
bool is_direction_mark(std::string_view text) {
  if (text.size() < 3) return false;
  const auto last = static_cast<unsigned char>(text[2]);
  if (text.starts_with("\xE2\x80")) return last >= 0xAA && last <= 0xAE;
  return text.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9;
}

bool is_trigraph(std::string_view text) {
  return text.size() >= 3 && text.starts_with("??") &&
         std::string_view("=/'()!<>-").find(text[2]) != std::string_view::npos;
}

bool is_lone_return(std::string_view text) {
  return text.starts_with('\r') && (text.size() < 2 || text[1] != '\n');
}

}  // namespace

HiddenText find_hidden_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view here = text.substr(i, 3);
    if (is_direction_mark(here))
      return {i, "a mark that changes the direction of text (Unicode bidi)"};
    if (is_trigraph(here)) return {i, "a trigraph, which compilers read in two ways"};
    if (is_lone_return(here))
      return {i, "a carriage return without line feed, which ends a line for some"};
  }
  return {};
}

}  // namespace rpl
