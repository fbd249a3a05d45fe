// SPDX-License-Identifier: MIT
#include "tests/support/answers.h"

#include <fmt/format.h>

#include <vector>

#include "engine/graph/critical_path.h"
#include "engine/trace/core/stats.h"
#include "engine/trace/import/open.h"

namespace rpl::test {
namespace {

void add(std::string& to, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) to += note + '\n';
}

std::string about_trace(const Trace& trace, const TraceStats& stats) {
  const TraceTotals& totals = stats.totals;
  return fmt::format(
      "{} dispatches, {} kernels, {} agents, {} queues, {} streams, {} processes, "
      "{} ns, {} ns, {} ns, {} entities",
      totals.dispatches, totals.kernels, totals.agents, totals.queues, totals.streams,
      totals.processes, totals.span_ns, totals.gpu_time_ns, totals.busy_ns,
      trace.entities().agents.size());
}

std::string about_kernels(const Trace& trace, const TraceStats& stats) {
  std::string out;
  for (const KernelStats& one : stats.kernels) {
    out += fmt::format("{} {} {} {} {}\n", trace.kernels()[one.kernel].name, one.duration.calls,
                       one.duration.total_ns, one.duration.min_ns, one.duration.max_ns);
  }
  return out;
}

std::string about_path(const Trace& trace, const CriticalPath& path) {
  std::string out = fmt::format("{} {} {}", path.span_ns, path.critical_path_ns, path.operations);
  for (const std::int64_t ns : path.segments_ns) out += fmt::format(" {}", ns);
  for (const std::uint64_t edges : path.edges) out += fmt::format(" {}", edges);
  for (const KernelOnPath& one : path.kernels)
    out +=
        fmt::format("\n{} {} {}", trace.kernels()[one.kernel].name, one.path_ns, one.min_slack_ns);
  return out;
}

}  // namespace

Answers answers_of(const std::string& path) {
  Answers out;
  const auto trace = open_trace(std::vector{path});
  if (!trace) {
    out.errors.fill(trace.error().message);
    return out;
  }
  const auto stats = trace_stats(**trace);
  if (!stats) {
    out.errors.fill(stats.error().message);
    return out;
  }
  out.texts[0] = about_trace(**trace, *stats);
  out.texts[1] = about_kernels(**trace, *stats);
  add(out.said[0], (*trace)->entities().notes);
  add(out.said[0], (*trace)->damage());
  out.said[1] = out.said[0];
  const auto graph = Graph::build(*trace);
  if (!graph) {
    out.errors[2] = graph.error().message;
    return out;
  }
  CriticalPathOptions options;
  options.simulated_operations = 0;
  const auto found = path_and_slack(**graph, options);
  if (!found) {
    out.errors[2] = found.error().message;
    return out;
  }
  out.texts[2] = about_path(**trace, found->path);
  add(out.said[2], (*trace)->entities().notes);
  add(out.said[2], (*trace)->damage());
  add(out.said[2], (*graph)->notes());
  return out;
}

Verdict compare(const Answers& good, const Answers& damaged, std::size_t question) {
  if (!damaged.errors[question].empty()) return Verdict::refused;
  if (damaged.said[question] != good.said[question]) return Verdict::said;
  return damaged.texts[question] == good.texts[question] ? Verdict::same : Verdict::silent;
}

}  // namespace rpl::test
