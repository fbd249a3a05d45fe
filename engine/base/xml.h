// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// Text with the five characters that XML and HTML reserve replaced; what is not UTF-8, and control characters, become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace rpl
