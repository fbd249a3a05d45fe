// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl::att {

/// The files of an inlined chain "leaf:7 -> caller:20" are added to `files`.
void add_files_of(std::string_view source, std::set<std::string>& files);

/// Copies those that exist, of at most 8 MiB each, into a decoded folder as source_N_NAME, and writes snapshots.json, which says what is a copy of what: nested objects by the parts of the
/// absolute path, the first of them "/". Relative paths and files that cannot be read are left out; without any there is no snapshots.json. Fails with io.
Status write_sources(const std::filesystem::path& folder, const std::set<std::string>& files);

}  // namespace rpl::att
