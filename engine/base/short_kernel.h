// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// A demangled kernel name as people say it: without return type, argument list and namespaces, template arguments kept. Display only.
std::string short_kernel(std::string_view name);

}  // namespace rpl
