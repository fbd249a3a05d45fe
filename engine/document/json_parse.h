// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// Reads one JSON document (RFC 8259) as a Value: objects keep the order of their keys, integers that fit 64 bits stay integers. Fails
/// with corrupt, naming line and column; nesting deeper than 256 is refused. For small documents: budgets, settings.
Result<Value> parse_json(std::string_view text);

}  // namespace rpl
