// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/table/value.h"

namespace rpl {

/// Appends `text` as a JSON string; bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);
/// Appends a value as compact JSON.
void append_json(std::string& out, const Value& value);

}  // namespace rpl
