// SPDX-License-Identifier: MIT
// docs/sql-views.md: a recording as tables.
#include <fmt/format.h>

#include <algorithm>

#include "engine/trace/views/views.h"
#include "shell/reference/manual.h"

namespace rpl {
namespace {

constexpr const char* kOfTables = R"(# A recording as tables

`sql` asks these tables of any recording, whatever its format and of how many files it is; `export sqlite` writes a database in which views of these names have these columns. Names,
columns and units are promised: columns are added and never changed. Times are nanoseconds as recorded, after what was added for clocks of several hosts. What the
recording does not say is NULL. This page is written by `rpl maint sql-views` from the definitions in `engine/trace/views`.

```
rpl sql "select name, count(*), sum(duration_ns) from rpl_dispatches group by name" --trace run.db
rpl export sqlite -o run.sqlite --trace run.pt.trace.json.gz
```

A table is read when a query asks for it, from the first row to the last; columns that no query uses cost nothing, as `correlation` of `rpl_dispatches`, for which calls are read. A
recording that is a database has its recorder's tables as well. A window (`trace window`) is asked like any other trace.

In a database that `export sqlite` wrote, texts that come again stand once, in `rpl_texts`; the tables `rpl_…_rows` below the views may change.
)";

}  // namespace

std::string sql_views_page() {
  std::string out = kOfTables;
  for (const views::View& view : views::all_views()) {
    out += fmt::format("\n## {}\n\n{}\n\n| column | type | what it is |\n|---|---|---|\n",
                       view.name, view.help);
    for (const views::ViewColumn& column : view.columns)
      out += fmt::format("| `{}` | {} | {} |\n", column.name, to_string(column.type), column.help);
  }
  return out;
}

}  // namespace rpl
