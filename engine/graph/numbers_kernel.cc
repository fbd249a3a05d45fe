// SPDX-License-Identifier: MIT
// Numbers of one kernel and of one dispatch.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/graph/numbers.h"
#include "engine/trace/core/query.h"

namespace rpl {
namespace {

using FoundField = Result<FoundNumber>;

/// Null for a kernel that was not dispatched.
Result<const DurationSummary*> durations(TraceResults& from) {
  const TraceStats* stats = TRY(from.stats());
  const auto found = std::ranges::find(stats->kernels, from.kernel, &KernelStats::kernel);
  if (found == stats->kernels.end())
    return fail(Errc::not_found, "that kernel was not dispatched", "info kernels");
  return &found->duration;
}

template <auto Member>
FoundField duration(TraceResults& from) {
  return FoundNumber(TRY(durations(from))->*Member);
}

/// The first dispatch that took so long.
template <auto Member>
FoundField extreme(TraceResults& from) {
  const std::int64_t wanted = TRY(durations(from))->*Member;
  const Trace& trace = from.trace();
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (trace.kernel_of(row) == from.kernel && trace.duration_ns(row) == wanted)
      return FoundNumber(wanted, "", from.operation(row));
  }
  return FoundNumber(wanted);
}

FoundField spread(TraceResults& from) {
  const DurationSummary* found = TRY(durations(from));
  return FoundNumber(found->stddev_ns, found->stddev_ns ? "" : "one dispatch has no spread");
}

FoundField variation(TraceResults& from) {
  const auto found = TRY(durations(from))->variation();
  return FoundNumber(found, found ? "" : "one dispatch has no spread");
}

template <int Rank>
FoundField percentile(TraceResults& from) {
  DispatchQuery query;
  query.kernels = {from.kernel};
  const std::array<double, 1> ranks{Rank};
  const auto found = TRY(duration_percentiles(from.trace(), query, ranks));
  return found.empty() ? FoundNumber({}, "it was not dispatched") : FoundNumber(found.front());
}

FoundField share(TraceResults& from) {
  const TraceStats* stats = TRY(from.stats());
  const auto found = std::ranges::find(stats->kernels, from.kernel, &KernelStats::kernel);
  return FoundNumber(found == stats->kernels.end() ? 0.0 : found->share);
}

/// A kernel off the path has no row there.
Result<KernelOnPath> on_path(TraceResults& from) {
  const CriticalPath* path = TRY(from.path());
  const auto found = std::ranges::find(path->kernels, from.kernel, &KernelOnPath::kernel);
  return found == path->kernels.end() ? KernelOnPath{} : *found;
}

FoundField path_calls(TraceResults& from) { return FoundNumber(TRY(on_path(from)).path_calls); }

FoundField path_time(TraceResults& from) {
  const KernelOnPath found = TRY(on_path(from));
  return FoundNumber(found.path_ns,
                     found.path_calls == 0 ? "none of its dispatches is on the path" : "");
}

FoundField criticality(TraceResults& from) { return FoundNumber(TRY(on_path(from)).share); }

FoundField gain_if_2x(TraceResults& from) {
  const auto gain = TRY(on_path(from)).gain_if_2x;
  return FoundNumber(gain, gain ? "the graph run again with half the kernel's durations"
                                : "not simulated, as many kernels have more time: whatif does it");
}

struct SlackSums {
  std::int64_t least = INT64_MAX, most = 0;
  double sum = 0;
  std::uint64_t calls = 0, critical = 0;
  std::uint32_t least_row = 0, most_row = 0;
};

Result<SlackSums> slack_sums(TraceResults& from) {
  const Slack* slack = TRY(from.slack());
  SlackSums out;
  for (std::uint32_t row = 0; row < from.trace().size(); ++row) {
    if (from.trace().kernel_of(row) != from.kernel) continue;
    const std::int64_t ns = slack->at(row);
    if (ns < out.least) out.least_row = row;
    if (out.calls == 0 || ns > out.most) out.most_row = row;
    out.least = std::min(out.least, ns);
    out.most = std::max(out.most, ns);
    out.sum += static_cast<double>(ns);
    ++out.calls;
    out.critical += ns == 0 ? 1 : 0;
  }
  if (out.calls == 0)
    return fail(Errc::not_found, "that kernel was not dispatched", "info kernels");
  return out;
}

FoundField least_slack(TraceResults& from) {
  const SlackSums sums = TRY(slack_sums(from));
  return FoundNumber(sums.least, "", from.operation(sums.least_row));
}
FoundField most_slack(TraceResults& from) {
  const SlackSums sums = TRY(slack_sums(from));
  return FoundNumber(sums.most, "", from.operation(sums.most_row));
}
FoundField sum_slack(TraceResults& from) { return FoundNumber(TRY(slack_sums(from)).sum); }
FoundField mean_slack(TraceResults& from) {
  const SlackSums sums = TRY(slack_sums(from));
  return FoundNumber(sums.sum / static_cast<double>(sums.calls));
}
FoundField critical(TraceResults& from) { return FoundNumber(TRY(slack_sums(from)).critical); }

FoundField start(TraceResults& from) {
  const std::int64_t begin = TRY(from.graph())->span_ns().first;
  const std::int64_t at = from.trace().start_ns(from.row);
  return FoundNumber(at - begin,
                     fmt::format("from the beginning of the trace; recorded as {}", at));
}
FoundField end(TraceResults& from) {
  const std::int64_t begin = TRY(from.graph())->span_ns().first;
  const std::int64_t at = from.trace().end_ns(from.row);
  return FoundNumber(at - begin,
                     fmt::format("from the beginning of the trace; recorded as {}", at));
}
FoundField length(TraceResults& from) { return FoundNumber(from.trace().duration_ns(from.row)); }
FoundField row_slack(TraceResults& from) {
  const std::int64_t ns = TRY(from.slack())->at(from.row);
  return FoundNumber(
      ns,
      ns == 0 ? "it is critical: later by a nanosecond, the trace ends a nanosecond later" : "");
}

const TraceNumber kKernelRows[] = {
    {"kernel.calls", "", duration<&DurationSummary::calls>},
    {"kernel.total_ns", "", duration<&DurationSummary::total_ns>},
    {"kernel.mean_ns", "kernel.total_ns kernel.calls", duration<&DurationSummary::mean_ns>},
    {"kernel.min_ns", "", extreme<&DurationSummary::min_ns>},
    {"kernel.max_ns", "", extreme<&DurationSummary::max_ns>},
    {"kernel.stddev_ns", "kernel.mean_ns kernel.calls", spread},
    {"kernel.variation", "kernel.stddev_ns kernel.mean_ns", variation, Provenance::none,
     Unit::share, "stddev_ns / mean_ns"},
    {"kernel.p50_ns", "", percentile<50>},
    {"kernel.p90_ns", "", percentile<90>},
    {"kernel.p99_ns", "", percentile<99>},
    {"kernel.share", "kernel.total_ns summary.gpu_time_ns", share},
    {"kernel.path_calls", "", path_calls},
    {"kernel.path_ns", "", path_time},
    {"kernel.criticality", "kernel.path_ns critpath.critical_path_ns", criticality,
     Provenance::none, Unit::share, "path_ns / critical_path_ns"},
    {"kernel.path_share", "kernel.path_ns critpath.critical_path_ns", criticality},
    {"kernel.gain_if_2x", "kernel.path_ns summary.span_ns", gain_if_2x, Provenance::estimated},
    {"kernel.critical", "", critical},
    {"kernel.min_slack_ns", "", least_slack},
    {"kernel.max_slack_ns", "", most_slack},
    {"kernel.sum_slack_ns", "", sum_slack, Provenance::none, Unit::ns,
     "sum of the slack of its dispatches"},
    {"kernel.mean_slack_ns", "kernel.sum_slack_ns kernel.calls", mean_slack},
    {"dispatch.start_ns", "", start, Provenance::none, Unit::ns},
    {"dispatch.end_ns", "", end, Provenance::none, Unit::ns},
    {"dispatch.duration_ns", "dispatch.end_ns dispatch.start_ns", length},
    {"dispatch.slack_ns", "", row_slack},
};

}  // namespace

namespace detail {
std::span<const TraceNumber> kernel_numbers() { return kKernelRows; }
}  // namespace detail

}  // namespace rpl
