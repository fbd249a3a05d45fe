// SPDX-License-Identifier: MIT
#include "tests/support/tiny_trace.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/trace/core/name_index.h"
#include "engine/trace/core/secondary.h"

namespace rpl::testing {
namespace {

class TinyTables : public FileTables {
 public:
  explicit TinyTables(TinyTrace tiny) : tiny_(std::move(tiny)) {}

  Status copies(const Trace&, std::uint32_t, Fact, CopyTable& out) override {
    NameIndex names(out.names);
    for (const TinyCopy& tiny : tiny_.copies) {
      Copy copy;
      copy.start_ns = tiny.start_ns;
      copy.end_ns = tiny.end_ns;
      copy.process = tiny.process;
      copy.stream = static_cast<std::uint32_t>(tiny.stream);
      copy.correlation = tiny.correlation;
      copy.name = names(tiny.name);
      copy.bytes = tiny.bytes;
      copy.from_address = tiny.from_address;
      copy.to_address = tiny.to_address;
      out.rows.push_back(copy);
    }
    out.rows.sort();
    return {};
  }
  Status api(const Trace&, std::uint32_t, ApiTable& out) override {
    NameIndex names(out.names);
    const std::uint32_t category = names("HIP_RUNTIME_API_EXT");
    for (const TinyCall& tiny : tiny_.calls) {
      ApiCall call{tiny.start_ns,    tiny.end_ns, tiny.process,    tiny.thread,
                   names(tiny.name), category,    tiny.correlation};
      out.rows.push_back(call);
    }
    out.rows.sort();
    for (std::size_t row = 0; row < tiny_.ops.size(); ++row) {
      out.dispatch_correlation.set(row, tiny_.ops[row].correlation);
    }
    return {};
  }
  Status markers(const Trace&, std::uint32_t, MarkerTable& out) override {
    out.rows = tiny_.markers;
    return {};
  }
  Status syncs(const Trace&, std::uint32_t, SyncTable& out) override {
    out.rows = tiny_.syncs;
    std::ranges::stable_sort(out.rows, {}, [](const SyncOp& op) {
      return std::tuple(op.process, op.correlation, op.start_ns);
    });
    return {};
  }

 private:
  TinyTrace tiny_;
};

class TinyColumns {
 public:
  void add(const TinyOp& op) {
    columns.start_ns.push_back(op.start_ns);
    columns.duration_ns.push_back(op.end_ns - op.start_ns);
    columns.dispatch_id.push_back(
        op.dispatch_id != 0 ? op.dispatch_id : static_cast<std::int64_t>(columns.start_ns.size()));
    columns.event_id.push_back(0);
    columns.launch.push_back(kernel(op.kernel));
    columns.lane.push_back(lane(op));
  }

  TraceColumns columns;
  TraceEntities entities;

 private:
  std::uint32_t kernel(const std::string& name) {
    const auto next = static_cast<std::uint32_t>(entities.kernels.size());
    const auto [at, fresh] = kernels_.try_emplace(name, next);
    if (fresh) {
      Kernel added;
      added.id = "k" + std::to_string(next);
      added.name = added.mangled = name;
      entities.kernels.push_back(added);
      entities.launches.push_back({.kernel = next});
    }
    return at->second;
  }
  std::uint32_t lane(const TinyOp& op) {
    const auto next = static_cast<std::uint32_t>(entities.lanes.size());
    const auto identity = std::tuple(op.process, op.agent, op.queue, op.stream);
    const auto [at, fresh] = lanes_.try_emplace(identity, next);
    if (fresh) {
      entities.lanes.push_back({op.process, op.agent, static_cast<std::uint32_t>(op.queue),
                                static_cast<std::uint32_t>(op.stream), 1});
    }
    return at->second;
  }

  std::map<std::string, std::uint32_t> kernels_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, int, int>, std::uint32_t> lanes_;
};

void add_entities(const TinyTrace& tiny, TraceEntities& entities) {
  int streams = 0;
  int queues = 0;
  std::uint32_t agents = 0;
  std::uint32_t processes = 0;
  for (const TinyOp& op : tiny.ops) {
    streams = std::max(streams, op.stream + 1);
    queues = std::max(queues, op.queue + 1);
    agents = std::max(agents, op.agent + 1);
    processes = std::max(processes, op.process + 1);
  }
  for (const TinyCopy& copy : tiny.copies) streams = std::max(streams, copy.stream + 1);
  for (int i = 0; i < streams; ++i)
    entities.streams.push_back({0, static_cast<std::uint64_t>(i), ""});
  for (int i = 0; i < queues; ++i)
    entities.queues.push_back({0, static_cast<std::uint64_t>(i), ""});
  entities.processes.resize(std::max(1U, processes));
  entities.agents.resize(std::max(1U, agents));
  for (Agent& agent : entities.agents) agent.gpu = true;
  entities.files.resize(1);
  entities.presence.copies = !tiny.copies.empty();
  entities.presence.markers = !tiny.markers.empty();
  entities.presence.api = !tiny.calls.empty() || !tiny.syncs.empty();
}

}  // namespace

std::shared_ptr<const Trace> TinyTrace::build() const {
  TinyTrace sorted = *this;
  std::ranges::stable_sort(sorted.ops, {}, &TinyOp::start_ns);
  TinyColumns built;
  for (const TinyOp& op : sorted.ops) built.add(op);
  add_entities(sorted, built.entities);
  for (Kernel& kernel : built.entities.kernels) {
    kernel.time_low = time_low;
    kernel.time_high = time_high;
  }
  std::vector<std::unique_ptr<FileTables>> files;
  files.push_back(std::make_unique<TinyTables>(std::move(sorted)));
  return std::make_shared<Trace>(std::move(built.columns), std::move(built.entities),
                                 std::make_unique<SecondarySource>(std::move(files)));
}

std::shared_ptr<const Trace> tiny_trace(std::vector<TinyOp> ops) {
  TinyTrace tiny;
  tiny.ops = std::move(ops);
  return tiny.build();
}

}  // namespace rpl::testing
