// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace rpl::test {

/// Breaks a JSON text; "" for what is none.
using BreakText = std::function<std::string(std::string_view text)>;

/// The bytes of a SQLite database in which SQLite itself put another value into one place of one row, past CHECK constraints, STRICT types and triggers: the
/// pages are in order, and a reader is what must notice. Half of the texts that `broken` takes are replaced by what it returns. `what` says where. "" when
/// the database cannot be opened, has no rows, or does not take the value.
std::string broken_value(std::string_view database, Random& random, const BreakText& broken,
                         std::string& what);

}  // namespace rpl::test
