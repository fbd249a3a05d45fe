// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/value.h"

/// Arguments of a tool, by name.
namespace rpl {

/// nullptr where it is not given, or null.
const Value* find_argument(const Record& given, std::string_view name);
/// "" where it is not given.
std::string text_argument(const Record& given, std::string_view name);
/// A text or a list of them.
std::vector<std::string> texts_argument(const Record& given, std::string_view name);
/// Those of these names that are given.
Record picked(const Record& given, std::initializer_list<std::string_view> names);
Record with_default(Record given, std::string_view name, std::int64_t value);

}  // namespace rpl
