// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl::rocpd {

/// CREATE VIEW statements for the views that rocprofv3 puts beside its tables in schema 3 (kernels, regions, memory_copies, top …): the
/// same names, columns and meaning, in our own words.
std::string convenience_views_sql();

}  // namespace rpl::rocpd
