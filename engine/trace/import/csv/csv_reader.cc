// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/document/json.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/csv/csv_files.h"
#include "engine/trace/import/csv/csv_table.h"
#include "engine/trace/import/csv/csv_times.h"
#include "engine/trace/import/csv/pmc_reader.h"

namespace rpl {

namespace {

/// Where the wanted columns stand; releases of rocprofv3 differ in which they write and in their order.
struct KernelColumns {
  std::size_t name = 0, start = 0, end = 0;
  std::size_t guid = 0, pid = 0, thread = 0, agent = 0, queue = 0, stream = 0;
  std::size_t dispatch = 0, correlation = 0, lds = 0, scratch = 0;
  std::size_t vgprs = 0, accum_vgprs = 0, sgprs = 0;
  std::size_t grid[3] = {}, workgroup[3] = {};

  static Result<KernelColumns> find(const CsvTable& table) {
    KernelColumns at;
    at.name = TRY(table.required("Kernel_Name"));
    at.start = TRY(table.required("Start_Timestamp"));
    at.end = TRY(table.required("End_Timestamp"));
    at.guid = table.column("Guid");
    at.pid = table.column("Process_Id");
    at.thread = table.column("Thread_Id");
    at.agent = table.column("Agent_Id");
    at.queue = table.column("Queue_Id");
    at.stream = table.column("Stream_Id");
    at.dispatch = table.column("Dispatch_Id");
    at.correlation = table.column("Correlation_Id");
    at.lds = table.column("LDS_Block_Size");
    at.scratch = table.column("Scratch_Size");
    at.vgprs = table.column("VGPR_Count");
    at.accum_vgprs = table.column("Accum_VGPR_Count");
    at.sgprs = table.column("SGPR_Count");
    constexpr std::string_view kAxes[] = {"X", "Y", "Z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at.grid[axis] = table.column(fmt::format("Grid_Size_{}", kAxes[axis]));
      at.workgroup[axis] = table.column(fmt::format("Workgroup_Size_{}", kAxes[axis]));
    }
    // The counter file has the products only; they stand in for X, so that counts of work-items are right.
    if (at.grid[0] == CsvTable::kAbsent) at.grid[0] = table.column("Grid_Size");
    if (at.workgroup[0] == CsvTable::kAbsent) at.workgroup[0] = table.column("Workgroup_Size");
    return at;
  }
};

class KernelTraceReader {
 public:
  KernelTraceReader(CsvTable table, KernelColumns at, std::int64_t pid, RawTrace& out)
      : table_(std::move(table)), at_(at), times_(at.start, at.end), pid_(pid), out_(out) {}

  Status read(const Monitor& monitor) {
    const bool counters = table_.has("Counter_Name");
    std::size_t rows = 0;
    while (TRY(table_.next())) {
      if (++rows % interrupt::kRowsBetweenChecks == 0) {
        TRY(interrupt::check());
        monitor.report("reading dispatches", table_.offset(), table_.bytes());
      }
      if (!counters || first_of_dispatch()) add_row();
    }
    if (table_.truncated()) {
      out_.notes.push_back(fmt::format("line {} is cut short and was left out", table_.line()));
    }
    times_.note(out_.notes);
    return {};
  }

 private:
  /// A counter file has one row for each counter of a dispatch.
  bool first_of_dispatch() {
    return seen_
        .try_emplace(fmt::format("{}/{}/{}", table_.text(at_.guid), table_.text(at_.pid),
                                 table_.text(at_.dispatch)))
        .second;
  }

  void add_row() {
    RawDispatch dispatch;
    const CsvTimes times = times_.read(table_);
    dispatch.start_ns = times.start_ns;
    dispatch.end_ns = times.end_ns;
    dispatch.dispatch_id = table_.integer(at_.dispatch);
    dispatch.event_id = table_.integer(at_.correlation);
    dispatch.launch = launch();
    dispatch.lane = lane();
    out_.add(dispatch);
  }

  std::uint32_t launch() {
    Launch launch;
    launch.kernel = kernel();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = axis_size(at_.grid[axis]);
      launch.workgroup[axis] = axis_size(at_.workgroup[axis]);
    }
    launch.lds_bytes = table_.count(at_.lds);
    launch.scratch_bytes = table_.count(at_.scratch);
    return out_.launch(launch);
  }

  std::uint32_t axis_size(std::size_t column) {
    return column == CsvTable::kAbsent ? 1 : table_.count(column);
  }

  std::uint32_t kernel() {
    const std::string_view name = table_.text(at_.name);
    if (const auto known = kernels_.find(name); known != kernels_.end()) return known->second;
    Kernel kernel;
    kernel.name = std::string(name);
    kernel.arch_vgprs = table_.count(at_.vgprs);
    kernel.accum_vgprs = table_.count(at_.accum_vgprs);
    kernel.sgprs = table_.count(at_.sgprs);
    return kernels_.emplace(name, out_.kernel(std::move(kernel))).first->second;
  }

  std::uint32_t lane() {
    Lane lane;
    lane.process = process();
    lane.thread = table_.integer(at_.thread);
    if (const std::int64_t id = table_.agent(at_.agent); id >= 0)
      lane.agent = agent(lane.process, id);
    if (!table_.text(at_.queue).empty()) {
      lane.queue = out_.queue({lane.process, table_.handle(at_.queue), {}});
    }
    if (!table_.text(at_.stream).empty()) {
      lane.stream = out_.stream({lane.process, table_.handle(at_.stream), {}});
    }
    return out_.lane(lane);
  }

  std::uint32_t process() {
    Process process;
    process.guid = std::string(table_.text(at_.guid));
    process.pid = table_.text(at_.pid).empty() ? pid_ : table_.integer(at_.pid);
    return out_.process(std::move(process));
  }

  std::uint32_t agent(std::uint32_t process, std::int64_t id) {
    Agent agent;
    agent.process = process;
    agent.recorded_id = id;
    agent.gpu = true;
    return out_.agent(std::move(agent));
  }

  CsvTable table_;
  KernelColumns at_;
  CsvTimesReader times_;
  std::int64_t pid_;
  RawTrace& out_;
  TextMap<std::uint32_t> kernels_;
  TextMap<char> seen_;
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// The row of agent_info.csv as the JSON that the other formats carry: the same keys, there in lower case.
std::string agent_details(const CsvTable& table) {
  JsonStream details(kJsonCompact);
  for (std::size_t i = 0; i < table.header().size(); ++i) {
    const std::string_view text = table.text(i);
    // An unsigned one of 64 bits has no Value.
    const bool integer = whole_number<std::int64_t>(text) || whole_number<std::uint64_t>(text);
    details.member_text(lower(table.header()[i]), integer ? json_already(text) : json_string(text));
  }
  return details.text().string();
}

Status read_agents(const std::string& path, RawTrace& out) {
  CsvTable table = TRY(CsvTable::open(path));
  const std::size_t id = TRY(table.required("Node_Id"));
  const std::size_t type = table.column("Agent_Type");
  std::vector<std::int64_t> gpus(out.processes().size(), 0);
  while (TRY(table.next())) {
    for (std::uint32_t process = 0; process < gpus.size(); ++process) {
      Agent agent;
      agent.process = process;
      agent.recorded_id = table.agent(id);
      agent.gpu = table.text(type) == "GPU";
      if (agent.gpu) agent.type_index = gpus[process]++;
      agent.arch = agent.gpu ? std::string(table.text(table.column("Name"))) : std::string();
      agent.product = std::string(table.text(table.column("Product_Name")));
      agent.details = agent_details(table);
      out.agent(std::move(agent));
    }
  }
  return {};
}

/// The process id in the first row of a file that has that column; a kernel trace itself has none.
std::int64_t pid_in(const std::string& path) {
  if (path.empty()) return 0;
  auto table = CsvTable::open(path);
  if (!table || !table->has("Process_Id") || !table->next().value_or(false)) return 0;
  return whole_number<std::int64_t>(table->text(table->column("Process_Id"))).value_or(0);
}

std::int64_t find_pid(const std::string& path, const CsvSiblings& siblings) {
  std::int64_t pid = pid_of_file_name(path);
  for (const std::string& file : siblings.api) pid = pid != 0 ? pid : pid_in(file);
  pid = pid != 0 ? pid : pid_in(siblings.counters);
  return pid != 0 ? pid : pid_in(siblings.markers);
}

}  // namespace

Result<RawTrace> read_csv(const ReadRequest& request) {
  CsvTable table = TRY(CsvTable::open(request.path));
  if (is_pmc_perf(table) || is_rocprof_v1(table)) return read_pmc_perf(request);
  const KernelColumns at = TRY(KernelColumns::find(table));
  CsvSiblings siblings = find_csv_siblings(request.path);

  RawTrace out;
  out.file.path = request.path;
  out.file.format = TraceFormat::csv;
  out.file.bytes = table.bytes();
  if (table.has("Counter_Name")) {
    siblings.counters = request.path;
    out.notes.emplace_back(
        "this is a counter file: the dispatches were serialised and their times are not those of a "
        "normal run");
  }
  if (!siblings.pc_samples.empty())
    out.notes.push_back(fmt::format(
        "PC samples lie beside it, which slow kernels down: times are those of a sampled run; "
        "'att open {}' reads them",
        siblings.pc_samples));
  const std::int64_t pid = at.pid == CsvTable::kAbsent && at.guid == CsvTable::kAbsent
                               ? find_pid(request.path, siblings)
                               : 0;
  TRY(KernelTraceReader(std::move(table), at, pid, out).read(request.monitor));
  if (!siblings.agents.empty()) {
    if (const auto read = read_agents(siblings.agents, out); !read) {
      out.notes.push_back(read.error().message);
    }
  }
  out.presence.copies = !siblings.copies.empty();
  out.presence.api = !siblings.api.empty();
  out.presence.markers = !siblings.markers.empty();
  out.presence.counters = !siblings.counters.empty();
  out.tables = csv_tables(std::move(siblings));
  return out;
}

}  // namespace rpl
