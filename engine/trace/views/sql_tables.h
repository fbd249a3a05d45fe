// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/store/database.h"
#include "engine/trace/core/trace.h"

namespace rpl::views {

/// Gives queries of this connection all views of a trace, as tables that are read while they are asked. The trace lives as long as the connection. A table of the
/// database that has the name of a view hides it. Fails with what SQLite fails with.
Status add_views(Database& database, std::shared_ptr<const Trace> trace);

/// How many rows there are in a database that write_views() made.
struct WrittenViews {
  std::uint64_t views = 0, rows = 0;
};

/// Writes all views of a trace into an empty file as a database of SQLite: a view with the promised name and columns over a table that holds texts which come again as numbers.
/// Fails with what reading the trace or writing fails with, or `interrupted`; the file is of no use then.
Result<WrittenViews> write_views(const std::shared_ptr<const Trace>& trace, const std::string& path,
                                 const Monitor& monitor);

}  // namespace rpl::views
