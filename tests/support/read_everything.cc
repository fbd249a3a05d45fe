// SPDX-License-Identifier: MIT
#include "tests/support/read_everything.h"

#include <fmt/format.h>

#include <vector>

#include "engine/trace/import/open.h"

namespace rpl::test {
namespace {

class Checker {
 public:
  explicit Checker(const Trace& trace) : trace_(trace), entities_(trace.entities()) {}

  Status check() {
    dispatches();
    const ApiTable& api = *TRY(trace_.api());
    within("correlations", trace_.size(), api.dispatch_correlation.size() + 1);
    for (const ApiCall& call : api.rows) {
      within("process", call.process, entities_.processes.size());
      within("api name", call.name, api.names.size());
      within("api category", call.category, api.names.size());
    }
    copies(*TRY(trace_.copies()));
    for (const Marker& marker : TRY(trace_.markers())->rows) {
      within("marker process", marker.process, entities_.processes.size());
    }
    for (const SyncOp& op : TRY(trace_.syncs())->rows) {
      within("sync process", op.process, entities_.processes.size());
      optional("sync stream", op.stream, entities_.streams.size());
      optional("sync queue", op.queue, entities_.queues.size());
      optional("sync source queue", op.source_queue, entities_.queues.size());
    }
    const CounterTable& counters = *TRY(trace_.counters());
    for (const CounterSample& sample : counters.rows) {
      within("counter dispatch", sample.dispatch, trace_.size());
      within("counter name", sample.counter, counters.names.size());
    }
    return {};
  }

  std::string violation;

 private:
  void within(std::string_view what, std::size_t index, std::size_t size) {
    if (index < size || !violation.empty()) return;
    violation = fmt::format("{}: {} of {}", what, index, size);
  }
  void optional(std::string_view what, std::uint32_t index, std::size_t size) {
    if (index != kNone) within(what, index, size);
  }

  void dispatches() {
    for (std::size_t row = 0; row < trace_.size(); ++row) {
      within("launch", trace_.columns().launch[row], entities_.launches.size());
      within("lane", trace_.columns().lane[row], entities_.lanes.size());
    }
    for (const Launch& launch : entities_.launches) {
      within("kernel", launch.kernel, entities_.kernels.size());
    }
    for (const Lane& lane : entities_.lanes) {
      within("process", lane.process, entities_.processes.size());
      optional("agent", lane.agent, entities_.agents.size());
      optional("queue", lane.queue, entities_.queues.size());
      optional("stream", lane.stream, entities_.streams.size());
    }
  }

  void copies(const CopyTable& table) {
    for (const Copy& copy : table.rows) {
      within("copy process", copy.process, entities_.processes.size());
      within("copy name", copy.name, table.names.size());
      optional("copy stream", copy.stream, entities_.streams.size());
      optional("copy queue", copy.queue, entities_.queues.size());
      optional("copy source", copy.src_agent, entities_.agents.size());
      optional("copy destination", copy.dst_agent, entities_.agents.size());
    }
  }

  const Trace& trace_;
  const TraceEntities& entities_;
};

}  // namespace

Outcome read_everything(const std::string& path) {
  const auto trace = open_trace(std::vector{path});
  if (!trace) return {trace.error().message, {}};
  Checker checker(**trace);
  const auto done = checker.check();
  return {done ? std::string() : done.error().message, checker.violation};
}

}  // namespace rpl::test
