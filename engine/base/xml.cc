// SPDX-License-Identifier: MIT
#include "engine/base/xml.h"

#include "engine/base/utf8.h"

namespace rpl {

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0 ||
        (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')) {
      out += "\xef\xbf\xbd";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace rpl
