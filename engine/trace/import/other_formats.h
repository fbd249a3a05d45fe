// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// Fails with unsupported for files of formats that are known and not read: what it is, why not, and what to type instead. `first`
/// are the first bytes of the file; names decide only where the bytes of a format say nothing.
Status refuse_other_format(const std::string& path, std::string_view first);

/// The same for databases of other programs, by the names of their tables and views.
Status refuse_other_database(const std::string& path, std::span<const std::string> tables);

}  // namespace rpl
