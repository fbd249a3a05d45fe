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

/// The numbers of all ranges but the last one, as nothing follows that would end its step; empty where a number occurs twice.
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
  const auto& lanes = trace.entities().lanes;
  std::vector<std::size_t> of_lane(lanes.size()), dispatches(trace.entities().processes.size());
  for (const std::uint32_t lane : trace.columns().lane) ++of_lane[lane];
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    dispatches[lanes[lane].process] += of_lane[lane];
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
  struct Span {
    std::int64_t first_ns = 0, last_ns = 0;
    bool any = false;
  };
  const TraceColumns& columns = trace.columns();
  const auto durations = columns.duration_ns.raw();
  const auto& lanes = trace.entities().lanes;
  std::vector<Span> by_lane(lanes.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::int64_t start_ns = columns.start_ns[row];
    const std::int64_t end_ns =
        durations[row] == CompactColumn::kEscaped
            ? trace.end_ns(row)
            : static_cast<std::int64_t>(static_cast<std::uint64_t>(start_ns) + durations[row]);
    Span& span = by_lane[columns.lane[row]];
    // Rows come by their start.
    if (!span.any) span = {start_ns, start_ns, true};
    span.last_ns = std::max({span.last_ns, start_ns, end_ns});
  }
  std::vector<Span> by_process(trace.entities().processes.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    Span& span = by_process[lanes[lane].process];
    if (!by_lane[lane].any) continue;
    if (!span.any) span = by_lane[lane];
    span.first_ns = std::min(span.first_ns, by_lane[lane].first_ns);
    span.last_ns = std::max(span.last_ns, by_lane[lane].last_ns);
  }
  std::vector<std::int64_t> spans_ns;
  for (const Span& span : by_process) spans_ns.push_back(apart_ns(span.last_ns, span.first_ns));
  return spans_ns;
}

}  // namespace rpl
