// SPDX-License-Identifier: MIT
#include "engine/graph/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/graph/graph_arrays.h"

namespace rpl {
namespace {

/// The ids of one process's dispatches, which recorders count from 1 as they are enqueued.
struct Ids {
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max(), highest = 0;
  std::uint64_t count = 0;
  bool counted = true;  ///< each has one
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max(),
               last_ns = std::numeric_limits<std::int64_t>::min();
};

/// The newest dispatch of one queue or stream, in order of start.
struct Newest {
  std::int64_t id = 0, end_ns = std::numeric_limits<std::int64_t>::min(), duration_ns = 0;
};

struct Seen {
  std::vector<Ids> processes;
  std::uint64_t backwards = 0;  ///< began before one that its queue had got earlier
  std::uint64_t beside = 0;     ///< overlap the one before them of their stream for real
  std::int64_t longest_beside_ns = 0;
};

/// A packet of a queue begins after the packets before it began, so that ids rise with starts.
void look_at_queue(Newest& newest, std::int64_t id, Seen& seen) {
  if (id < newest.id) ++seen.backwards;
  newest.id = std::max(newest.id, id);
}

/// Ends and starts are stamped by different units: a quarter of the shorter one is no overlap (docs/graph-model.md).
void look_at_stream(Newest& newest, std::int64_t start_ns, std::int64_t duration_ns, Seen& seen) {
  const std::int64_t overlap_ns = newest.end_ns > start_ns ? newest.end_ns - start_ns : 0;
  if (overlap_ns > std::min(newest.duration_ns, duration_ns) / 4 && duration_ns > 0 &&
      newest.duration_ns > 0) {
    ++seen.beside;
    seen.longest_beside_ns = std::max(seen.longest_beside_ns, std::min(overlap_ns, duration_ns));
  }
  if (start_ns + duration_ns >= newest.end_ns) {
    newest.end_ns = start_ns + duration_ns;
    newest.duration_ns = duration_ns;
  }
}

/// Whether dispatches have numbers that count them. RPD numbers all operations, PyTorch's profiler none.
bool counts_dispatches(const TraceEntities& entities, const Process& process) {
  if (process.file >= entities.files.size()) return true;
  const TraceFormat format = entities.files[process.file].format;
  return format != TraceFormat::rpd && format != TraceFormat::kineto;
}

Result<Seen> look(const Trace& trace) {
  Seen seen;
  const TraceEntities& entities = trace.entities();
  for (const Process& process : entities.processes)
    seen.processes.push_back({.counted = counts_dispatches(entities, process)});
  std::vector<Newest> queues(entities.queues.size()), streams(entities.streams.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (row % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const Lane& lane = trace.lane(row);
    const std::int64_t start_ns = trace.start_ns(row);
    const std::int64_t duration_ns = std::max<std::int64_t>(trace.duration_ns(row), 0);
    const std::int64_t id = trace.dispatch_id(row);
    Ids& ids = seen.processes[lane.process];
    ids.counted = ids.counted && id > 0;
    ids.lowest = std::min(ids.lowest, id);
    ids.highest = std::max(ids.highest, id);
    ++ids.count;
    ids.first_ns = std::min(ids.first_ns, start_ns);
    ids.last_ns = std::max(ids.last_ns, start_ns + duration_ns);
    if (lane.queue != kNone && ids.counted) look_at_queue(queues[lane.queue], id, seen);
    if (lane.stream != kNone) look_at_stream(streams[lane.stream], start_ns, duration_ns, seen);
  }
  return seen;
}

/// How far the ids of a process reach.
std::uint64_t reach_of(const Ids& ids) {
  return static_cast<std::uint64_t>(ids.highest - ids.lowest) + 1;
}

/// Ids far apart are no count of what was enqueued.
constexpr std::uint64_t kMostIdsPerDispatch = 1000;

/// Whether something is missing if the ids count dispatches, each once.
bool may_miss_some(const Ids& ids) {
  if (ids.count == 0 || !ids.counted) return false;
  if (static_cast<std::uint64_t>(ids.highest) / kMostIdsPerDispatch > ids.count) return false;
  const std::uint64_t reach = reach_of(ids);
  return reach >= ids.count && (reach > ids.count || ids.lowest != 1);
}

/// By process: it may miss some, and no id came twice. One pass for all of them.
Result<std::vector<bool>> processes_that_miss_some(const Trace& trace, const Seen& seen) {
  std::vector<bool> out(seen.processes.size());
  std::vector<std::vector<bool>> met(seen.processes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = may_miss_some(seen.processes[i]);
    if (out[i]) met[i].resize(reach_of(seen.processes[i]));
  }
  if (std::ranges::find(out, true) == out.end()) return out;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (row % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::uint32_t process = trace.lane(row).process;
    if (!out[process]) continue;
    const std::int64_t lowest = seen.processes[process].lowest;
    auto at = met[process][static_cast<std::size_t>(trace.dispatch_id(row) - lowest)];
    if (at) out[process] = false;
    at = true;
  }
  return out;
}

/// "1 dispatch", "1,023 dispatches".
std::string dispatches(std::uint64_t count) {
  return fmt::format("{} {}", format_count(count), count == 1 ? "dispatch" : "dispatches");
}

Status missing_dispatches(const Trace& trace, const Seen& seen, std::vector<Doubt>& out) {
  const std::vector<bool> miss = TRY(processes_that_miss_some(trace, seen));
  std::uint64_t before = 0, between = 0, recorded = 0;
  for (std::size_t process = 0; process < miss.size(); ++process) {
    if (!miss[process]) continue;
    const Ids& ids = seen.processes[process];
    before += static_cast<std::uint64_t>(ids.lowest) - 1;
    between += reach_of(ids) - ids.count;
    recorded += ids.count;
  }
  if (before > 0)
    out.push_back(
        {DoubtKind::clipped, fmt::format("the recording begins after {}: sums are those of a part",
                                         dispatches(before))});
  if (between > 0)
    out.push_back(
        {DoubtKind::lost,
         fmt::format("{} between the {} that were recorded {} missing, as the ids show: "
                     "dropped by the recorder, or left out on purpose",
                     dispatches(between), format_count(recorded), between == 1 ? "is" : "are")});
  return {};
}

void launches_without_calls(const Graph& graph, std::vector<Doubt>& out) {
  const ApiTable* calls = graph.api();
  if (calls == nullptr || calls->rows.empty()) return;
  const auto& found = graph.arrays().launch_call;
  std::uint64_t missing = 0, all = 0;
  for (NodeId row = 0; row < graph.dispatches() && row < calls->dispatch_correlation.size();
       ++row) {
    if (calls->dispatch_correlation[row] == 0) continue;
    ++all;
    missing += row >= found.size() || found[row] == kNone ? 1 : 0;
  }
  if (missing == 0) return;
  out.push_back({DoubtKind::calls_missing,
                 fmt::format("the calls that launched {} of {} are not in the recording: when the "
                             "host launched them is not known",
                             format_count(missing), dispatches(all))});
}

/// Processes of which none began before all others had ended. Clocks of several hosts may not compare.
void runs_one_after_the_other(const Trace& trace, const Seen& seen, std::vector<Doubt>& out) {
  const auto& processes = trace.entities().processes;
  if (std::ranges::any_of(processes, [&](const Process& one) {
        return one.hostname != processes.front().hostname;
      }))
    return;
  std::vector<std::pair<std::int64_t, std::int64_t>> lives;
  for (const Ids& ids : seen.processes)
    if (ids.count > 0) lives.emplace_back(ids.first_ns, ids.last_ns);
  std::ranges::sort(lives);
  std::uint64_t runs = lives.empty() ? 0 : 1;
  std::int64_t last_ns = lives.empty() ? 0 : lives.front().second, between_ns = 0;
  for (const auto& [from, to] : lives) {
    if (from > last_ns) {
      ++runs;
      between_ns += from - last_ns;
    }
    last_ns = std::max(last_ns, to);
  }
  if (runs < 2) return;
  out.push_back({DoubtKind::several_runs,
                 fmt::format("{} runs one after the other are in this trace; the {} between them "
                             "belong to none",
                             runs, format_ns(between_ns))});
}

}  // namespace

std::string_view to_string(DoubtKind kind) {
  switch (kind) {
    case DoubtKind::clipped:
      return "clipped";
    case DoubtKind::lost:
      return "lost";
    case DoubtKind::overlapping:
      return "overlapping";
    case DoubtKind::clock_jump:
      return "clock-jump";
    case DoubtKind::calls_missing:
      return "calls-missing";
    case DoubtKind::several_runs:
      return "several-runs";
  }
  return "";
}

bool is_of_kernels(DoubtKind kind) {
  return kind == DoubtKind::lost || kind == DoubtKind::overlapping || kind == DoubtKind::clock_jump;
}

Result<std::vector<Doubt>> find_doubts(const Graph& graph, const DoubtOptions& options) {
  const Trace& trace = graph.trace();
  std::vector<Doubt> out;
  if (trace.size() == 0 || !trace.has_times()) return out;
  const Seen seen = TRY(look(trace));
  if (options.whole) TRY(missing_dispatches(trace, seen, out));
  if (seen.beside > 0)
    out.push_back({DoubtKind::overlapping,
                   fmt::format("{} began while another one of the stream still ran, for up to {}: "
                               "their times hold work of each other",
                               dispatches(seen.beside), format_ns(seen.longest_beside_ns))});
  if (seen.backwards > 0)
    out.push_back({DoubtKind::clock_jump,
                   fmt::format("{} began before others that the queue had got earlier: the clock "
                               "went backwards, or ids were changed",
                               dispatches(seen.backwards))});
  launches_without_calls(graph, out);
  runs_one_after_the_other(trace, seen, out);
  return out;
}

}  // namespace rpl
