// SPDX-License-Identifier: MIT
#include "shell/lua/dispatch_columns.h"

#include <algorithm>
#include <limits>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "shell/core/command/nearest.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

constexpr std::size_t kCheckEvery = 65536;

template <std::int64_t (*number)(const Trace&, std::size_t)>
Value as_number(const Trace& trace, std::size_t row) {
  return Value(number(trace, row));
}

std::int64_t start_ns(const Trace& trace, std::size_t row) { return trace.start_ns(row); }
std::int64_t end_ns(const Trace& trace, std::size_t row) { return trace.end_ns(row); }
std::int64_t duration_ns(const Trace& trace, std::size_t row) { return trace.duration_ns(row); }
std::int64_t dispatch_id(const Trace& trace, std::size_t row) { return trace.dispatch_id(row); }
std::int64_t lds_bytes(const Trace& trace, std::size_t row) { return trace.launch(row).lds_bytes; }
std::int64_t scratch_bytes(const Trace& trace, std::size_t row) {
  return trace.launch(row).scratch_bytes;
}

Value id(const Trace&, std::size_t row) { return Value(fmt::format("d{}", row + 1)); }

const Kernel* kernel_of(const Trace& trace, std::size_t row) {
  const std::uint32_t kernel = trace.kernel_of(row);
  return kernel < trace.kernels().size() ? &trace.kernels()[kernel] : nullptr;
}
Value kernel(const Trace& trace, std::size_t row) {
  const Kernel* found = kernel_of(trace, row);
  return found ? Value(found->name) : Value();
}
Value kernel_id(const Trace& trace, std::size_t row) {
  const Kernel* found = kernel_of(trace, row);
  return found ? Value(found->id) : Value();
}

template <char letter, std::uint32_t Lane::* member>
Value lane(const Trace& trace, std::size_t row) {
  const std::uint32_t index = trace.lane(row).*member;
  return index == kNone ? Value() : Value(fmt::format("{}{}", letter, index));
}

template <Dim3 Launch::* member>
Value dim(const Trace& trace, std::size_t row) {
  const Dim3& size = trace.launch(row).*member;
  return Value(List{Value(size[0]), Value(size[1]), Value(size[2])});
}

template <std::int64_t (*number)(const Trace&, std::size_t)>
DispatchColumn number_column_of(Label name, Unit unit, Label description) {
  return {{name, Type::integer, unit, description}, number, as_number<number>};
}

std::vector<DispatchColumn> make_columns() {
  return {
      {{"id", Type::id, Unit::none, "d1 is the first to start"}, nullptr, id},
      number_column_of<dispatch_id>("dispatch_id", Unit::none, "the recorder's number"),
      {{"kernel", Type::kernel, Unit::none, "name of the kernel"}, nullptr, kernel},
      {{"kernel_id", Type::id, Unit::none, "id of the kernel"}, nullptr, kernel_id},
      {{"agent", Type::id, Unit::none, "where it ran"}, nullptr, lane<'a', &Lane::agent>},
      {{"queue", Type::id, Unit::none, "hardware queue"}, nullptr, lane<'q', &Lane::queue>},
      {{"stream", Type::id, Unit::none, "HIP stream"}, nullptr, lane<'s', &Lane::stream>},
      number_column_of<start_ns>("start_ns", Unit::ns, "when it started"),
      number_column_of<end_ns>("end_ns", Unit::ns, "when it ended"),
      number_column_of<duration_ns>("duration_ns", Unit::ns, "end - start"),
      {{"grid", Type::dim3, Unit::none, "work-items"}, nullptr, dim<&Launch::grid>},
      {{"workgroup", Type::dim3, Unit::none, "work-items"}, nullptr, dim<&Launch::workgroup>},
      number_column_of<lds_bytes>("lds_bytes", Unit::bytes, "per workgroup"),
      number_column_of<scratch_bytes>("scratch_bytes", Unit::bytes, "per work-item"),
  };
}

/// What a filter asks of a row, resolved to numbers so that ten million rows are quick to test.
struct Conditions {
  struct Range {
    const DispatchColumn* column = nullptr;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };
  std::vector<char> launches, lanes;  ///< by index, whether they pass; empty: all do
  std::vector<Range> ranges;

  bool hold(const Trace& trace, std::size_t row) const {
    if (!launches.empty() && launches[trace.columns().launch[row]] == 0) return false;
    if (!lanes.empty() && lanes[trace.columns().lane[row]] == 0) return false;
    return std::ranges::all_of(ranges, [&](const Range& range) {
      const auto value = static_cast<double>(range.column->number(trace, row));
      return value >= range.low && value <= range.high;
    });
  }
};

Status want_kernels(Conditions& out, const Trace& trace, const std::vector<std::uint32_t>& wanted) {
  const auto& launches = trace.entities().launches;
  if (out.launches.empty()) out.launches.assign(launches.size(), 1);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (std::ranges::find(wanted, launches[i].kernel) == wanted.end()) out.launches[i] = 0;
  }
  return {};
}

Status want_lane(Conditions& out, const Trace& trace, char letter, const Value& given) {
  std::optional<std::uint32_t> index;
  if (const auto* number = given.as<std::int64_t>(); number && *number >= 0) {
    index = static_cast<std::uint32_t>(*number);
  } else if (const auto* text = given.as<std::string>(); text && text->starts_with(letter)) {
    index = whole_number<std::uint32_t>(std::string_view(*text).substr(1));
  }
  if (!index) {
    return fail(Errc::usage, fmt::format("'{}' is no {} id", as_text(given), letter),
                fmt::format("write \"{}0\" or 0", letter));
  }
  const auto& lanes = trace.entities().lanes;
  if (out.lanes.empty()) out.lanes.assign(lanes.size(), 1);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::uint32_t has = letter == 's'   ? lanes[i].stream
                              : letter == 'q' ? lanes[i].queue
                                              : lanes[i].agent;
    if (has != *index) out.lanes[i] = 0;
  }
  return {};
}

Status want_range(Conditions& out, std::string_view name, const Value& given) {
  const bool low = name.starts_with("min_");
  std::string_view column =
      name.substr(name.starts_with("min_") || name.starts_with("max_") ? 4 : 0);
  const bool exact = column == name;
  if (column == "ns") column = "duration_ns";
  const auto number = given.number();
  Conditions::Range range { .column = TRY(number_column(column)) };
  if (!number) return fail(Errc::usage, fmt::format("{} takes a number", name));
  if (low || exact) range.low = *number;
  if (!low) range.high = *number;
  out.ranges.push_back(range);
  return {};
}

Result<Conditions> conditions_of(const Workspace& workspace, const Trace& trace,
                                 const Record& given) {
  Conditions out;
  for (const auto& [name, value] : given) {
    if (name == "kernel" || name == "kernel_id") {
      const auto* reference = value.as<std::string>();
      if (!reference) return fail(Errc::usage, "kernel takes a kernel, its id or a name");
      TRY(want_kernels(out, trace, TRY(resolve_kernels(workspace, trace, *reference))));
    } else if (name == "agent" || name == "queue" || name == "stream") {
      TRY(want_lane(out, trace, name[0], value));
    } else {
      TRY(want_range(out, name, value));
    }
  }
  return out;
}

}  // namespace

std::span<const DispatchColumn> dispatch_columns() {
  static const std::vector<DispatchColumn> columns = make_columns();
  return columns;
}

Result<const DispatchColumn*> dispatch_column(std::string_view name) {
  std::vector<std::string> names;
  for (const DispatchColumn& column : dispatch_columns()) {
    if (column.column.name == name) return &column;
    names.push_back(column.column.name);
  }
  std::string hint = did_you_mean(nearest(name, names));
  if (hint.empty()) {
    for (const std::string& known : names) hint += (hint.empty() ? "columns: " : ", ") + known;
  }
  return fail(Errc::not_found, fmt::format("dispatches have no column '{}'", name),
              std::move(hint));
}

Result<const DispatchColumn*> number_column(std::string_view name) {
  const DispatchColumn* column = TRY(dispatch_column(name));
  if (column->number == nullptr) {
    return fail(Errc::usage, fmt::format("column '{}' does not hold numbers", name),
                "like start_ns, duration_ns");
  }
  return column;
}

Result<std::vector<std::uint32_t>> filter_dispatches(const Workspace& workspace,
                                                     const DispatchSet& set, const Record& given) {
  const Conditions conditions = TRY(conditions_of(workspace, set.trace, given));
  std::vector<std::uint32_t> rows;
  for (std::size_t at = 0; at < set.size(); ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    const std::size_t row = set.row(at);
    if (conditions.hold(set.trace, row)) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

Result<std::vector<double>> numbers_of(const DispatchSet& set, const DispatchColumn& column) {
  std::vector<double> values(set.size());
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    values[at] = static_cast<double>(column.number(set.trace, set.row(at)));
  }
  return values;
}

Result<Value> sum_of(const DispatchSet& set, const DispatchColumn& column) {
  std::int64_t whole = 0;
  double real = 0;
  bool fits = true;
  for (std::size_t at = 0; at < set.size(); ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    const std::int64_t value = column.number(set.trace, set.row(at));
    real += static_cast<double>(value);
    fits = fits && !__builtin_add_overflow(whole, value, &whole);
  }
  return fits ? Value(whole) : Value(real);
}

Result<std::vector<std::uint32_t>> largest_rows(const DispatchSet& set,
                                                const DispatchColumn& column, std::size_t count) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> all(set.size());
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    const auto row = static_cast<std::uint32_t>(set.row(at));
    all[at] = {column.number(set.trace, row), row};
  }
  const auto before = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  count = std::min(count, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), before);
  std::vector<std::uint32_t> rows;
  for (std::size_t at = 0; at < count; ++at) rows.push_back(all[at].second);
  return rows;
}

}  // namespace rpl
