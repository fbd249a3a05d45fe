// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// Appends `value` as JSON (RFC 8259) on one line, keys in the order of the Record. A number that JSON cannot say
/// (NaN, infinity) is null; floating point has the shortest digits that read back as the same number, and always a
/// fraction or exponent, so that its type survives.
void append_json(std::string& out, const Value& value);

/// Appends a quoted string. Bytes that are no UTF-8 become U+FFFD, so that the document is always valid.
void append_json_string(std::string& out, std::string_view text);

std::string to_json(const Value& value);

/// A failure as an `rpl.error/1` document, with a final newline.
std::string error_json(const Error& error);

}  // namespace rpl
