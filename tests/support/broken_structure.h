// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace rpl::test {

/// A valid input with one thing broken that keeps its format, so that it gets past the parser: a page, a cell or a value of a SQLite database, a member of
/// JSON (left out, doubled, of another type, at the end of a range, moved), a header of a tar archive with its checksum made right again, or a field of CSV. Parts that
/// zero bytes divide are told by themselves. `what` says what was broken. An input of no such format comes back as it is, with an empty `what`.
std::string broken_structure(std::string_view input, Random& random, std::string& what);

}  // namespace rpl::test
