// SPDX-License-Identifier: MIT
// Numbers of a whole trace: extent, sums, gaps, overlap.
#include "engine/graph/numbers.h"

#include <fmt/format.h>

#include <vector>

namespace rpl {
namespace {

using detail::number_of;
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

Found busy_share(TraceResults& from) {
  const auto busy = static_cast<double>(TRY(from.stats())->totals.busy_ns);
  return FoundNumber(quotient(busy, static_cast<double>(TRY(from.path())->span_ns)));
}

Found trace_busy_share(TraceResults& from) {
  const TraceTotals& totals = TRY(from.stats())->totals;
  return FoundNumber(
      quotient(static_cast<double>(totals.busy_ns), static_cast<double>(totals.span_ns)));
}

Found longest_gap(TraceResults& from) {
  const Gaps* gaps = TRY(from.gaps());
  if (gaps->rows.empty()) return FoundNumber(0, "there is no gap");
  const Gap& gap = gaps->rows.front();
  return FoundNumber(gap.end_ns - gap.start_ns,
                     fmt::format("on agent a{}, before {}", gap.agent, from.operation(gap.after)));
}

Found gap_share(TraceResults& from) {
  const Gaps* gaps = TRY(from.gaps());
  const auto idle = static_cast<double>(gaps->total_ns), busy = static_cast<double>(gaps->busy_ns);
  return FoundNumber(quotient(idle, idle + busy));
}

template <GapCause Cause>
Found gap_cause(TraceResults& from) {
  return FoundNumber(TRY(from.gaps())->by_cause_ns[static_cast<std::size_t>(Cause)]);
}

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

const TraceNumber kRows[] = {
    {"summary.dispatches", "", total<&TraceTotals::dispatches>},
    {"summary.kernels", "", total<&TraceTotals::kernels>},
    {"summary.first_start_ns", "", first_start, Provenance::none, Unit::ns,
     "least start of dispatches and copies"},
    {"summary.last_end_ns", "", last_end, Provenance::none, Unit::ns,
     "largest end of dispatches and copies"},
    {"summary.span_ns", "summary.last_end_ns summary.first_start_ns",
     number_of<&TraceResults::path, &CriticalPath::span_ns>},
    {"summary.gpu_time_ns", "", total<&TraceTotals::gpu_time_ns>},
    {"summary.busy_ns", "", total<&TraceTotals::busy_ns>},
    {"summary.busy_share", "summary.busy_ns summary.span_ns", busy_share},
    {"summary.gaps", "", number_of<&TraceResults::gaps, &Gaps::count>},
    {"summary.longest_gap_ns", "", longest_gap},
    {"trace.span_ns", "", total<&TraceTotals::span_ns>},
    {"trace.busy_share", "summary.busy_ns trace.span_ns", trace_busy_share},
    {"gaps.gaps", "", number_of<&TraceResults::gaps, &Gaps::count>},
    {"gaps.by_cause_ns.launch", "", gap_cause<GapCause::launch>, Provenance::none, Unit::ns,
     "part of the gaps in which the launch of the next operation had been called"},
    {"gaps.by_cause_ns.host", "", gap_cause<GapCause::host>, Provenance::none, Unit::ns,
     "part of the gaps in which the host had not called it yet"},
    {"gaps.by_cause_ns.idle", "", gap_cause<GapCause::idle>, Provenance::none, Unit::ns,
     "gaps in front of operations without a recorded call"},
    {"gaps.total_ns", "gaps.by_cause_ns.launch gaps.by_cause_ns.host gaps.by_cause_ns.idle",
     number_of<&TraceResults::gaps, &Gaps::total_ns>},
    {"gaps.busy_ns", "", number_of<&TraceResults::gaps, &Gaps::busy_ns>},
    {"gaps.gap_share", "gaps.total_ns gaps.busy_ns", gap_share},
    {"overlap.busy_ns", "", number_of<&TraceResults::overlap, &OverlapReport::busy_ns>},
    {"overlap.concurrent_ns", "", number_of<&TraceResults::overlap, &OverlapReport::concurrent_ns>},
    {"overlap.concurrent_share", "overlap.concurrent_ns overlap.busy_ns", concurrent_share},
    {"overlap.potential_ns", "", potential, Provenance::estimated},
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
