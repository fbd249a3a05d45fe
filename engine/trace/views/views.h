// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

/// A recording as tables of SQL, the same for every format: names, columns and units are promised. What `sql` asks, what `export sqlite` writes and the page
/// docs/sql-views.md are made of these definitions.
namespace rpl::views {

/// A value of SQL; monostate is NULL. Texts live as long as the trace.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

enum class CellType { integer, real, text };
/// "INTEGER".
std::string_view to_string(CellType type);

/// A trace and what of it the rows of a view need.
struct Source {
  std::shared_ptr<const Trace> trace;
  Facts facts;
};

struct ViewColumn {
  std::string_view name;  ///< the unit is the end of the name: _ns, _bytes; none where it has none
  CellType type = CellType::integer;
  std::string_view help;
  Cell (*cell)(const Source& source, std::size_t row) = nullptr;
  bool repeats = false;  ///< few different texts in many rows
  FactSet needs = {};    ///< beside what the rows of the view need
};

struct View {
  std::string_view name;  ///< "rpl_dispatches"
  std::string_view help;
  std::span<const ViewColumn> columns;
  FactSet needs;
  std::size_t (*rows)(const Source& source) = nullptr;
};

/// All of them; lives as long as the program.
std::span<const View> all_views();

/// The rows of a view: reads what they need. `columns`: a bit for each column that will be asked for. Fails as Trace::ask() does.
Result<Source> source_of(const View& view, std::shared_ptr<const Trace> trace,
                         std::uint64_t columns = ~std::uint64_t{0});

}  // namespace rpl::views
