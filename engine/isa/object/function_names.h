// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl::isa {

/// Whether a person who typed `typed` may mean the function `name`, which is mangled, demangled or plain: by its whole name, without return type,
/// without parameters, without template arguments, without leading namespaces, in any spacing. `const T*` is `T const*`.
bool names_function(std::string_view typed, std::string_view name);

/// The function as people say it: demangled, without return type and parameters: "ns::scale<float, 4>".
std::string function_text(std::string_view name);

}  // namespace rpl::isa
