// SPDX-License-Identifier: MIT
#include "engine/graph/step_lengths.h"

#include <algorithm>
#include <set>

#include "engine/base/median.h"
#include "engine/graph/rounds.h"

namespace rpl {
namespace {

/// The steps of one process.
struct OfProcess {
  std::size_t dispatches = 0;
  std::vector<std::int64_t> lengths_ns, numbers = {};
};

/// Steps before the loop has warmed up tell nothing of it. Where long ones go on to come, they are part of it.
void drop_cold(StepLengths& of) {
  const std::int64_t median_ns = upper_median(of.lengths_ns);
  std::ptrdiff_t warm = 0;
  for (std::size_t i = 0; i < of.lengths_ns.size(); ++i) {
    if (of.lengths_ns[i] <= 2 * median_ns) continue;
    if (2 * i >= of.lengths_ns.size()) return;
    warm = static_cast<std::ptrdiff_t>(i) + 1;
  }
  of.lengths_ns.erase(of.lengths_ns.begin(), of.lengths_ns.begin() + warm);
  if (!of.numbers.empty()) of.numbers.erase(of.numbers.begin(), of.numbers.begin() + warm);
}

StepLengths put_together(const std::vector<OfProcess>& processes) {
  StepLengths out;
  if (processes.empty()) return out;
  const auto busiest = std::ranges::max_element(processes, {}, &OfProcess::dispatches);
  const bool alike = std::ranges::all_of(processes, [&](const OfProcess& one) {
    return one.lengths_ns.size() == busiest->lengths_ns.size() && one.numbers == busiest->numbers;
  });
  out.lengths_ns = busiest->lengths_ns;
  out.numbers = busiest->numbers;
  out.ranks = 1;
  if (alike && processes.size() > 1) {
    out.ranks = processes.size();
    const auto count = static_cast<std::int64_t>(processes.size());
    for (std::size_t i = 0; i < out.lengths_ns.size(); ++i) {
      // Shares first: sums of damaged times may not fit.
      std::int64_t whole_ns = 0, rest_ns = 0;
      for (const OfProcess& one : processes) {
        whole_ns += one.lengths_ns[i] / count;
        rest_ns += one.lengths_ns[i] % count;
      }
      out.lengths_ns[i] = whole_ns + rest_ns / count;
    }
  }
  drop_cold(out);
  return out;
}

std::int64_t apart_ns(std::int64_t later_ns, std::int64_t earlier_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(later_ns) -
                                   static_cast<std::uint64_t>(earlier_ns));
}

/// The numbers of all ranges but the last one, whose step has no end; empty where a number comes twice.
std::vector<std::int64_t> numbers_of(const std::vector<const Marker*>& ranges) {
  std::vector<std::int64_t> out;
  std::set<std::int64_t> seen;
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
    const auto number = number_in(ranges[i]->text);
    if (!number || !seen.insert(*number).second) return {};
    out.push_back(*number);
  }
  return out;
}

}  // namespace

StepLengths lengths_by_repetition(const Trace& trace) {
  std::vector<OfProcess> processes;
  for (const BusyStream& stream : busy_streams(trace)) {
    std::vector<std::uint32_t> kernels;
    kernels.reserve(stream.rows.size());
    for (const std::uint32_t row : stream.rows) kernels.push_back(trace.kernel_of(row));
    OfProcess& one = processes.emplace_back(OfProcess{stream.rows.size(), {}});
    const auto rounds = find_rounds(kernels, trace.kernels().size());
    if (!rounds) continue;
    for (std::size_t i = 1; i < rounds->places.size(); ++i) {
      one.lengths_ns.push_back(apart_ns(trace.start_ns(stream.rows[rounds->places[i]]),
                                        trace.start_ns(stream.rows[rounds->places[i - 1]])));
    }
  }
  return put_together(processes);
}

Result<std::vector<MarkerLoop>> leading_loops(const Trace& trace) {
  if (!trace.presence().markers) return std::vector<MarkerLoop>();
  std::vector<MarkerLoop> loops = TRY(marker_loops(*TRY(trace.markers())));
  const std::vector<std::int64_t> spans_ns = spans_by_process(trace);
  std::erase_if(loops, [&](const MarkerLoop& loop) {
    return loop.process >= spans_ns.size() || spans_ns[loop.process] <= 0 ||
           !loop.is_most_of(spans_ns[loop.process]);
  });
  return loops;
}

StepLengths lengths_by_markers(const Trace& trace, const std::vector<MarkerLoop>& loops,
                               std::string_view name) {
  std::vector<std::size_t> dispatches(trace.entities().processes.size());
  for (const std::uint32_t lane : trace.columns().lane)
    ++dispatches[trace.entities().lanes[lane].process];
  std::vector<OfProcess> processes;
  for (const MarkerLoop& loop : loops) {
    if (loop.name != name) continue;
    OfProcess& one = processes.emplace_back(OfProcess{dispatches[loop.process], {}});
    for (std::size_t i = 1; i < loop.ranges.size(); ++i)
      one.lengths_ns.push_back(apart_ns(loop.ranges[i]->start_ns, loop.ranges[i - 1]->start_ns));
    one.numbers = numbers_of(loop.ranges);
  }
  return put_together(processes);
}

std::vector<std::int64_t> spans_by_process(const Trace& trace) {
  const std::size_t count = trace.entities().processes.size();
  std::vector<std::int64_t> first_ns(count, 0), last_ns(count, 0);
  std::vector<bool> any(count);
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::uint32_t process = trace.lane(row).process;
    const std::int64_t end_ns = std::max(trace.start_ns(row), trace.end_ns(row));
    if (!any[process]) {
      first_ns[process] = trace.start_ns(row);
      last_ns[process] = end_ns;
      any[process] = true;
    }
    last_ns[process] = std::max(last_ns[process], end_ns);
  }
  for (std::size_t i = 0; i < count; ++i) last_ns[i] = apart_ns(last_ns[i], first_ns[i]);
  return last_ns;
}

}  // namespace rpl
