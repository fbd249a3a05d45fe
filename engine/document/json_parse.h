// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// What a document may cost whoever reads it.
struct JsonLimits {
  std::size_t depth = 256;                     ///< containers around a value
  std::size_t bytes = std::size_t{256} << 20;  ///< of the text
  std::size_t values = std::size_t{8} << 20;   ///< scalars and containers
};

/// Reads one JSON document (RFC 8259) as a Value: objects keep the order of their keys, also of keys that appear twice (Value::find takes the first);
/// integers of 64 bits stay integers, larger ones are doubles; bytes that are not UTF-8 become U+FFFD, as the writer has them. Fails with corrupt,
/// naming line and column except for what is nested too deeply and for numbers too small for a double, and with limit. Recordings of gigabytes have a reader of their own in engine/trace/import/json.
Result<Value> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace rpl
