// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "engine/source/text/body_rules.h"

namespace rpl {

/// The tokens of a body that declare one of `names` again: a variable, a lambda, a type, a parameter. Judged by the words
/// around them: `auto helper = …`, `float helper;`, `struct helper {`, never `x * helper(y)`.
std::vector<std::size_t> declarations_of(const BodyInText& body,
                                         const std::set<std::string_view>& names);

/// The names among `names` that the body declares.
std::set<std::string_view> declared_names(const BodyInText& body,
                                          const std::set<std::string_view>& names);

}  // namespace rpl
