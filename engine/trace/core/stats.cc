// SPDX-License-Identifier: MIT
#include "engine/trace/core/stats.h"

#include <algorithm>
#include <limits>
#include <set>

#include "engine/trace/core/duration_sums.h"
#include "engine/trace/core/row_parts.h"

namespace rpl {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

/// Union of intervals that come in order of their starts.
struct Cover {
  std::int64_t end_ns = kNever;  ///< everything before is counted
  std::int64_t busy_ns = 0;

  void add(std::int64_t start, std::int64_t end) {
    const std::int64_t from = std::max(start, end_ns);
    busy_ns += end > from ? end - from : 0;
    end_ns = std::max(end_ns, end);
  }
};

struct Part {
  std::vector<DurationSums> launches;
  Cover cover;
};

void scan(const Trace& trace, std::size_t from, std::size_t to, Part& part) {
  const TraceColumns& columns = trace.columns();
  const auto durations = columns.duration_ns.raw();
  Cover cover = part.cover;
  for (std::size_t row = from; row < to; ++row) {
    DurationSums& sums = part.launches[columns.launch[row]];
    const std::uint32_t duration = durations[row];
    const std::int64_t start = columns.start_ns[row];
    if (duration == CompactColumn::kEscaped) {
      sums.add_escaped(trace.duration_ns(row));
      cover.add(start, trace.end_ns(row));
    } else {
      sums.add(duration);
      cover.add(start, static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + duration));
    }
  }
  part.cover = cover;
}

/// What a part's cover would be had it known where the one before it ended: only its first rows differ.
Cover continued(const Trace& trace, std::size_t from, std::size_t to, const Cover& before,
                const Cover& alone) {
  Cover blind, known = before;
  for (std::size_t row = from; row < to && blind.end_ns != known.end_ns; ++row) {
    blind.add(trace.start_ns(row), trace.end_ns(row));
    known.add(trace.start_ns(row), trace.end_ns(row));
  }
  return {std::max(alone.end_ns, before.end_ns), known.busy_ns + alone.busy_ns - blind.busy_ns};
}

void count_used(const Trace& trace, TraceTotals& totals) {
  std::set<std::uint32_t> agents, queues, streams, processes;
  std::set<std::pair<std::uint32_t, std::int64_t>> threads;
  // A lane is interned for a dispatch, so that all of them are in use.
  for (const Lane& lane : trace.entities().lanes) {
    processes.insert(lane.process);
    threads.emplace(lane.process, lane.thread);
    if (lane.agent != kNone) agents.insert(lane.agent);
    if (lane.queue != kNone) queues.insert(lane.queue);
    if (lane.stream != kNone) streams.insert(lane.stream);
  }
  const auto size = [](const auto& set) { return static_cast<std::uint32_t>(set.size()); };
  totals.agents = size(agents);
  totals.queues = size(queues);
  totals.streams = size(streams);
  totals.processes = size(processes);
  totals.threads = size(threads);
}

std::vector<KernelStats> by_kernel(const Trace& trace, const std::vector<DurationSums>& launches,
                                   TraceTotals& totals) {
  std::vector<DurationSums> sums(trace.kernels().size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    sums[trace.entities().launches[i].kernel].add(launches[i]);
  std::vector<KernelStats> kernels;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const DurationSummary summary = sums[i].summary();
    if (summary.calls == 0) continue;
    kernels.push_back({static_cast<std::uint32_t>(i), summary, 0});
    totals.gpu_time_ns += summary.total_ns;
  }
  for (KernelStats& stats : kernels) {
    stats.share = totals.gpu_time_ns == 0 ? 0
                                          : static_cast<double>(stats.duration.total_ns) /
                                                static_cast<double>(totals.gpu_time_ns);
  }
  std::sort(kernels.begin(), kernels.end(), [&](const KernelStats& a, const KernelStats& b) {
    if (a.duration.total_ns != b.duration.total_ns)
      return a.duration.total_ns > b.duration.total_ns;
    return trace.kernels()[a.kernel].mangled < trace.kernels()[b.kernel].mangled;
  });
  totals.kernels = static_cast<std::uint32_t>(kernels.size());
  return kernels;
}

}  // namespace

Result<TraceStats> trace_stats(const Trace& trace) {
  const RowParts rows(0, trace.size());
  std::vector<Part> parts(rows.count());
  for (Part& part : parts) part.launches.resize(trace.entities().launches.size());
  TRY(rows.run([&](std::size_t part, std::size_t from, std::size_t to) {
    scan(trace, from, to, parts[part]);
  }));
  Cover cover = parts[0].cover;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    cover = continued(trace, rows.begin(i), rows.begin(i + 1), cover, parts[i].cover);
    for (std::size_t k = 0; k < parts[i].launches.size(); ++k)
      parts[0].launches[k].add(parts[i].launches[k]);
  }
  TraceStats stats;
  stats.totals.dispatches = trace.size();
  stats.totals.busy_ns = cover.busy_ns;
  const auto [first, last] = trace.extent_ns();
  stats.totals.span_ns = last - first;
  stats.kernels = by_kernel(trace, parts[0].launches, stats.totals);
  count_used(trace, stats.totals);
  return stats;
}

}  // namespace rpl
