// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "shell/core/command/nearest.h"
#include "shell/core/session/values.h"
#include "shell/lua/rows.h"

namespace rpl {
namespace {

constexpr std::size_t kCheckEvery = 65536;

/// What a filter asks of a row, resolved to numbers so that ten million rows are quick to test.
struct Conditions {
  struct Range {
    const BoundColumn* column = nullptr;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };
  std::vector<char> launches, lanes;  ///< by index, whether they pass; empty: all do
  std::vector<Range> ranges;

  bool hold(const DispatchRow& dispatch) const {
    const TraceColumns& columns = dispatch.trace->columns();
    if (!launches.empty() && launches[columns.launch[dispatch.row]] == 0) return false;
    if (!lanes.empty() && lanes[columns.lane[dispatch.row]] == 0) return false;
    return std::ranges::all_of(ranges, [&](const Range& range) {
      const auto value = static_cast<double>(range.column->number(&dispatch));
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
    return fail(Errc::usage, fmt::format("'{}' is not a {} id", as_text(given), letter),
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
  Conditions::Range range;
  range.column = TRY(DispatchSet::number_column(column));
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

Result<const BoundColumn*> DispatchSet::column(std::string_view name) {
  const BoundList list = kScriptDispatch;
  if (const BoundColumn* found = list.find(name)) return found;
  return no_such_column("dispatches have no column", name, described(list));
}

Result<const BoundColumn*> DispatchSet::number_column(std::string_view name) {
  const BoundColumn* found = TRY(column(name));
  if (found->integer != nullptr) return found;
  return fail(Errc::usage, fmt::format("column '{}' does not hold numbers", name),
              "like start_ns, duration_ns");
}

static_assert(std::ranges::all_of(kScriptDispatch.columns,
                                  [](const BoundColumn& column) {
                                    return column.integer == nullptr || column.at == nullptr;
                                  }),
              "numbers of a dispatch are computed from it, so that the loops call one function");

// Plain loops: shell code is compiled without the optimisations that would make them of something shorter.

Result<std::vector<std::uint32_t>> DispatchSet::where(const Workspace& workspace,
                                                      const Record& given) const {
  const Conditions conditions = TRY(conditions_of(workspace, trace, given));
  std::vector<std::uint32_t> kept;
  DispatchRow dispatch{.trace = &trace};
  for (std::size_t at = 0, count = size(); at < count; ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    dispatch.row = row(at);
    if (conditions.hold(dispatch)) kept.push_back(dispatch.row);
  }
  return kept;
}

Result<std::vector<double>> DispatchSet::numbers(std::string_view name) const {
  const BoundColumn* of = TRY(number_column(name));
  const auto number = of->integer;
  std::vector<double> values(size());
  DispatchRow dispatch{.trace = &trace};
  for (std::size_t at = 0, count = size(); at < count; ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    dispatch.row = row(at);
    values[at] = static_cast<double>(number(&dispatch));
  }
  return values;
}

Result<Value> DispatchSet::sum(std::string_view name) const {
  const BoundColumn* of = TRY(number_column(name));
  const auto number = of->integer;
  std::int64_t whole = 0;
  DispatchRow dispatch{.trace = &trace};
  for (std::size_t at = 0, count = size(); at < count; ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    dispatch.row = row(at);
    if (!__builtin_add_overflow(whole, number(&dispatch), &whole)) continue;
    const auto values = TRY(numbers(name));
    return Value(std::accumulate(values.begin(), values.end(), 0.0));
  }
  return Value(whole);
}

Result<std::vector<std::uint32_t>> DispatchSet::top(std::size_t count,
                                                    std::string_view name) const {
  const BoundColumn* of = TRY(number_column(name));
  const auto number = of->integer;
  std::vector<std::pair<std::int64_t, std::uint32_t>> all(size());
  DispatchRow dispatch{.trace = &trace};
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (at % kCheckEvery == 0) TRY(interrupt::check());
    dispatch.row = row(at);
    all[at] = {number(&dispatch), dispatch.row};
  }
  const auto before = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  count = std::min(count, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), before);
  std::vector<std::uint32_t> largest;
  for (std::size_t at = 0; at < count; ++at) largest.push_back(all[at].second);
  return largest;
}

}  // namespace rpl
