// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <limits>
#include <map>

#include "engine/base/numbers.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"
#include "engine/trace/import/rocpd/rpd_database.h"

namespace rpl {

namespace {

std::uint32_t size32(std::int64_t value) {
  const bool fits = value >= 0 && value <= std::numeric_limits<std::uint32_t>::max();
  return fits ? static_cast<std::uint32_t>(value) : 0;
}

class RpdReader {
 public:
  RpdReader(RpdDatabase& rpd, RawTrace& out) : rpd_(rpd), out_(out) {}

  Status read() {
    TRY(rpd_.each_op([&](const RpdOp& op) -> Status {
      switch (TRY(rpd_.kind(op))) {
        case RpdKind::kernel:
          return add(op);
        case RpdKind::copy:
          return add_copy(op);
        case RpdKind::other:
          break;
      }
      ++others_[std::string(TRY(rpd_.text(op.type)))];
      return {};
    }));
    for (const auto& [type, count] : others_) {
      out_.notes.push_back(
          fmt::format("{} operations of type '{}' are neither kernels nor copies and were left out",
                      count, type));
    }
    if (without_geometry_ > 0) {
      out_.notes.push_back(
          fmt::format("{} dispatches have no launch record: grid and workgroup are unknown",
                      without_geometry_));
    }
    return {};
  }

 private:
  Result<std::uint32_t> process(const RpdCall& call) {
    Process process;
    process.pid = call.pid != 0 ? call.pid : rpd_.first_pid();
    return out_.process(std::move(process));
  }

  Result<std::uint32_t> lane(const RpdOp& op, const RpdCall& call, std::string_view stream) {
    Lane lane;
    lane.process = TRY(process(call));
    lane.thread = call.tid;
    Agent agent;
    agent.process = lane.process;
    agent.recorded_id = op.gpu;
    agent.gpu = true;
    lane.agent = out_.agent(std::move(agent));
    lane.queue = out_.queue({lane.process, static_cast<std::uint64_t>(op.queue), {}});
    if (const auto handle = parse_handle(stream)) {
      lane.stream = out_.stream({lane.process, *handle, {}});
    }
    return out_.lane(lane);
  }

  Status add(const RpdOp& op) {
    const RpdCall call = TRY(rpd_.call(op.api));
    const bool launched = op.api != 0 && TRY(rpd_.find(kernel_, op.api));
    without_geometry_ += launched ? 0 : 1;
    RawDispatch dispatch;
    dispatch.start_ns = op.start_ns;
    dispatch.end_ns = op.end_ns;
    dispatch.dispatch_id = op.id;
    dispatch.event_id = op.api;
    dispatch.launch = TRY(launch(op, call, launched));
    dispatch.lane = TRY(lane(op, call, launched ? kernel_.statement.text(kStream) : ""));
    out_.add(dispatch);
    return {};
  }

  /// Interned so that the tables that are read later find their process, agent and stream.
  Status add_copy(const RpdOp& op) {
    const RpdCall call = TRY(rpd_.call(op.api));
    const bool found = op.api != 0 && TRY(rpd_.find(copy_, op.api));
    TRY(lane(op, call, found ? copy_.statement.text(0) : ""));
    out_.presence.copies = true;
    return {};
  }

  Result<std::uint32_t> launch(const RpdOp& op, const RpdCall& call, bool launched) {
    Launch launch;
    if (launched) {
      const Statement& row = kernel_.statement;
      // RPD writes down what the function was given.
      const bool items = launches_work_items(TRY(rpd_.text(call.name)));
      for (int axis = 0; axis < 3; ++axis) {
        const std::uint32_t workgroup = size32(row.int64(kWorkgroup + axis));
        const std::int64_t grid = row.int64(kGrid + axis);
        const auto at = static_cast<std::size_t>(axis);
        launch.workgroup[at] = workgroup;
        launch.grid[at] = items ? size32(grid) : size32(std::int64_t{size32(grid)} * workgroup);
      }
      launch.lds_bytes = size32(row.int64(kLds));
      launch.scratch_bytes = size32(row.int64(kScratch));
    }
    Kernel kernel;
    kernel.name = TRY(rpd_.text(op.description));
    if (kernel.name.empty() && launched) {
      kernel.name = TRY(rpd_.text(kernel_.statement.int64(kName)));
    }
    if (kernel.name.empty()) kernel.name = TRY(rpd_.text(op.type));
    launch.kernel = out_.kernel(std::move(kernel));
    return out_.launch(launch);
  }

  enum Column : int { kStream, kGrid, kWorkgroup = 4, kLds = 7, kScratch, kName };

  RpdDatabase& rpd_;
  RawTrace& out_;
  RpdDatabase::Lookup kernel_{
      "rocpd_kernelapi",
      "api_ptr_id",
      {"stream", "gridX", "gridY", "gridZ", "workgroupX", "workgroupY", "workgroupZ",
       "groupSegmentSize", "privateSegmentSize", "kernelName_id"},
      {},
      false,
      false};
  RpdDatabase::Lookup copy_{"rocpd_copyapi", "api_ptr_id", {"stream"}, {}, false, false};
  std::map<std::string, std::size_t> others_;
  std::size_t without_geometry_ = 0;
};

Status add_metadata(ForeignDatabase& database, RawTrace& out) {
  Statement rows = TRY(select_columns(database, "rocpd_metadata", {"tag", "value"}));
  while (TRY(rows.step())) {
    if (rows.text(0) == "schema_version") out.file.schema_version = rows.text(1);
  }
  Statement calls = TRY(select_columns(database, "rocpd_api", {"id"}, "LIMIT 1"));
  out.presence.api = TRY(calls.step());
  Statement markers = TRY(database.database().prepare(
      "SELECT 1 FROM rocpd_string WHERE string = 'UserMarker' LIMIT 1"));
  out.presence.markers = TRY(markers.step());
  Statement signals = TRY(select_columns(database, "rocpd_op_inputSignals", {"id"}, "LIMIT 1"));
  out.presence.events = TRY(signals.step());
  out.presence.api_args = out.presence.api;
  return {};
}

Result<RawTrace> read_open(const std::shared_ptr<ForeignDatabase>& database) {
  RawTrace out;
  out.file.format = TraceFormat::rpd;
  auto rpd = std::make_unique<RpdDatabase>(database);
  TRY(rpd->load());
  TRY(add_metadata(*database, out));
  TRY(RpdReader(*rpd, out).read());
  if (!out.file.schema_version.empty() && out.file.schema_version != "2") {
    out.notes.push_back(fmt::format("RPD schema version {} is not known; read as version 2",
                                    out.file.schema_version));
  }
  if (out.columns.start_ns.empty()) out.notes.emplace_back("no kernel was recorded");
  out.tables = rpd_tables(std::move(rpd));
  return out;
}

}  // namespace

Result<RawTrace> read_rpd(std::shared_ptr<ForeignDatabase> database, const ReadRequest& request) {
  auto read = read_open(database);
  if (!read && read.error().message.find(request.path) == std::string::npos) {
    return Failure(std::move(read).error().in(request.path));
  }
  return read;
}

}  // namespace rpl
