// SPDX-License-Identifier: MIT
// Numbers of a whole trace: extent, sums, gaps, overlap.
#include "engine/graph/numbers.h"

#include <fmt/format.h>

#include <vector>

namespace rpl {
namespace {

using Found = Result<FoundNumber>;

std::optional<double> quotient(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::optional(0.0);
}

template <auto Member>
Found total(TraceResults& from) {
  return FoundNumber(TRY(from.stats())->totals.*Member);
}

/// Times of day are larger than a double can hold to the nanosecond: values count from the beginning, notes have what is recorded.
Found first_start(TraceResults& from) {
  const Graph* graph = TRY(from.graph());
  const std::int64_t begin = graph->span_ns().first;
  for (NodeId id = 0; id < graph->operations(); ++id) {
    if (graph->start_ns(id) == begin)
      return FoundNumber(0, fmt::format("recorded as {}", begin), from.operation(id));
  }
  return FoundNumber({}, "nothing ran");
}

Found last_end(TraceResults& from) {
  const Graph* graph = TRY(from.graph());
  const NodeId last = last_operation(*graph);
  if (last == kNoNode) return FoundNumber({}, "nothing ran");
  const auto [begin, end] = graph->span_ns();
  return FoundNumber(end - begin, fmt::format("from first_start_ns; recorded as {}", end),
                     from.operation(last));
}

Found span(TraceResults& from) { return FoundNumber(TRY(from.path())->span_ns); }

Found busy_share(TraceResults& from) {
  const auto busy = static_cast<double>(TRY(from.stats())->totals.busy_ns);
  return FoundNumber(quotient(busy, static_cast<double>(TRY(from.path())->span_ns)));
}

Found trace_busy_share(TraceResults& from) {
  const TraceTotals& totals = TRY(from.stats())
  ->totals;
  return FoundNumber(
      quotient(static_cast<double>(totals.busy_ns), static_cast<double>(totals.span_ns)));
}

Found gap_count(TraceResults& from) { return FoundNumber(TRY(from.gaps())->count); }

Found longest_gap(TraceResults& from) {
  const Gaps* gaps = TRY(from.gaps());
  if (gaps->rows.empty()) return FoundNumber(0, "there is no gap");
  const Gap& gap = gaps->rows.front();
  return FoundNumber(gap.end_ns - gap.start_ns,
                     fmt::format("on agent a{}, before {}", gap.agent, from.operation(gap.after)));
}

Found gap_total(TraceResults& from) { return FoundNumber(TRY(from.gaps())->total_ns); }
Found gap_busy(TraceResults& from) { return FoundNumber(TRY(from.gaps())->busy_ns); }

Found gap_share(TraceResults& from) {
  const Gaps* gaps = TRY(from.gaps());
  const auto idle = static_cast<double>(gaps->total_ns), busy = static_cast<double>(gaps->busy_ns);
  return FoundNumber(quotient(idle, idle + busy));
}

template <GapCause Cause>
Found gap_cause(TraceResults& from) {
  return FoundNumber(TRY(from.gaps())->by_cause_ns[static_cast<std::size_t>(Cause)]);
}

Found overlap_busy(TraceResults& from) { return FoundNumber(TRY(from.overlap())->busy_ns); }
Found concurrent(TraceResults& from) { return FoundNumber(TRY(from.overlap())->concurrent_ns); }

Found concurrent_share(TraceResults& from) {
  const OverlapReport* report = TRY(from.overlap());
  return FoundNumber(
      quotient(static_cast<double>(report->concurrent_ns), static_cast<double>(report->busy_ns)));
}

Found potential(TraceResults& from) {
  const OverlapReport* report = TRY(from.overlap());
  std::int64_t sum = 0;
  for (const OverlapPair& pair : report->potential) sum += pair.could_save_ns;
  return FoundNumber(sum, fmt::format("{} pairs of kernels; savings of different pairs exclude one "
                                      "another, and whether both fit on the device is not asked",
                                      report->potential.size()));
}

constexpr const char* kUnion =
    "length of the union of [start, end] of the dispatches, over all devices";
constexpr const char* kSum =
    "sum of end - start over all dispatches; time is counted twice in which two ran";
const TraceNumber kRows[] = {
    {"summary.dispatches", Unit::count, "dispatches in the recording", "",
     total<&TraceTotals::dispatches>},
    {"summary.kernels", Unit::count, "kernels with at least one dispatch", "",
     total<&TraceTotals::kernels>},
    {"summary.first_start_ns", Unit::ns, "least start of dispatches and copies", "", first_start},
    {"summary.last_end_ns", Unit::ns, "largest end of dispatches and copies", "", last_end},
    {"summary.span_ns", Unit::ns, "last_end_ns - first_start_ns",
     "summary.last_end_ns summary.first_start_ns", span},
    {"summary.gpu_time_ns", Unit::ns, kSum, "", total<&TraceTotals::gpu_time_ns>},
    {"summary.busy_ns", Unit::ns, kUnion, "", total<&TraceTotals::busy_ns>},
    {"summary.busy_share", Unit::share, "busy_ns / span_ns", "summary.busy_ns summary.span_ns",
     busy_share},
    {"summary.gaps", Unit::count,
     "times between the first and the last operation of a device in which "
     "none ran",
     "", gap_count},
    {"summary.longest_gap_ns", Unit::ns, "the longest of them", "", longest_gap},
    {"trace.span_ns", Unit::ns, "last end - first start of the dispatches, copies left out", "",
     total<&TraceTotals::span_ns>},
    {"trace.busy_share", Unit::share, "busy_ns / span_ns", "summary.busy_ns trace.span_ns",
     trace_busy_share},
    {"gaps.gaps", Unit::count,
     "times between the first and the last operation of a device in which none "
     "ran",
     "", gap_count},
    {"gaps.by_cause_ns.launch", Unit::ns,
     "part of the gaps in which the launch of the next operation had been called", "",
     gap_cause<GapCause::launch>},
    {"gaps.by_cause_ns.host", Unit::ns, "part of the gaps in which the host had not called it yet",
     "", gap_cause<GapCause::host>},
    {"gaps.by_cause_ns.idle", Unit::ns, "gaps in front of operations without a recorded call", "",
     gap_cause<GapCause::idle>},
    {"gaps.total_ns", Unit::ns, "by_cause_ns.launch + by_cause_ns.host + by_cause_ns.idle",
     "gaps.by_cause_ns.launch gaps.by_cause_ns.host gaps.by_cause_ns.idle", gap_total},
    {"gaps.busy_ns", Unit::ns, "union of dispatches and copies of each device, summed over devices",
     "", gap_busy},
    {"gaps.gap_share", Unit::share, "total_ns / (total_ns + busy_ns)", "gaps.total_ns gaps.busy_ns",
     gap_share},
    {"overlap.busy_ns", Unit::ns,
     "union of dispatches and copies of each device, summed over devices", "", overlap_busy},
    {"overlap.concurrent_ns", Unit::ns, "of that, with at least two streams of the device busy", "",
     concurrent},
    {"overlap.concurrent_share", Unit::share, "concurrent_ns / busy_ns",
     "overlap.concurrent_ns overlap.busy_ns", concurrent_share},
    {"overlap.potential_ns", Unit::ns,
     "sum over pairs (a, b) that nothing recorded orders of min(end(a) - max(start(a), "
     "arrival(b)), "
     "duration(b))",
     "", potential, Provenance::estimated},
};

}  // namespace

namespace detail {
std::span<const TraceNumber> span_numbers() { return kRows; }
}  // namespace detail

std::span<const TraceNumber> trace_numbers() {
  static const std::vector<TraceNumber> all = [] {
    std::vector<TraceNumber> out;
    for (const auto part : {detail::span_numbers(), detail::path_numbers(),
                            detail::kernel_numbers(), detail::what_if_numbers()})
      out.insert(out.end(), part.begin(), part.end());
    return out;
  }();
  return all;
}

}  // namespace rpl
