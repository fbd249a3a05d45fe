// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/import/json/json_names.h"
#include "engine/trace/import/json/json_sections.h"

namespace rpl {

namespace {

/// `type` of an agent record.
constexpr std::int64_t kGpuAgent = 2;

std::uint32_t count(const JsonCell& cell) { return static_cast<std::uint32_t>(cell.integer); }

/// Reads one process of the document.
class ProcessReader {
 public:
  ProcessReader(JsonSections& sections, std::size_t index, RawTrace& out)
      : sections_(sections), index_(index), out_(out) {}

  Status read(const Monitor& monitor) {
    TRY(read_process());
    agents_ = TRY(read_json_agents(sections_, index_));
    TRY(read_agents());
    TRY(read_kernels());
    TRY(read_dispatches("buffer_records.kernel_dispatch", "", monitor));
    if (rows_ == 0) {
      // Without --kernel-trace the counter records are all there is; each holds its dispatch.
      TRY(read_dispatches("callback_records.counter_collection", "dispatch_data.", monitor));
      if (rows_ > 0) note_serialised();
    }
    if (unnamed_ > 0) {
      out_.notes.push_back(
          fmt::format("{} dispatches name a kernel that kernel_symbols does not list", unnamed_));
    }
    return {};
  }

 private:
  void note_serialised() {
    out_.notes.emplace_back(
        "only counters were recorded: the dispatches were serialised and their times are not those "
        "of a normal run");
  }

  Status read_process() {
    JsonProcess found = TRY(read_json_process(sections_, index_));
    Process process;
    process.pid = found.pid;
    process.hostname = std::move(found.hostname);
    process.command = std::move(found.command);
    process.start_ns = found.start_ns;
    process.end_ns = found.end_ns;
    process_ = out_.process(std::move(process));
    return {};
  }

  Status read_agents() {
    std::int64_t gpus = 0;
    return sections_.texts(index_, "agents",
                           {{"id.handle", JsonType::handle, true},
                            {"type"},
                            {"name", JsonType::text},
                            {"product_name", JsonType::text}},
                           [&](std::string_view text, std::span<const JsonCell> cells) -> Status {
                             Agent agent;
                             agent.process = process_;
                             agent.recorded_id = recorded_agent(agents_, cells[0].integer);
                             agent.gpu = cells[1].integer == kGpuAgent;
                             if (agent.gpu) agent.type_index = gpus++;
                             agent.arch = agent.gpu ? std::string(cells[2].text) : std::string();
                             agent.product = std::string(cells[3].text);
                             agent.details = std::string(text);
                             out_.agent(std::move(agent));
                             return {};
                           });
  }

  Status read_kernels() {
    return sections_.rows(index_, "kernel_symbols",
                          {{"kernel_id", JsonType::handle, true},
                           {"kernel_name", JsonType::text},
                           {"formatted_kernel_name", JsonType::text},
                           {"demangled_kernel_name", JsonType::text},
                           {"arch_vgpr_count", JsonType::count},
                           {"accum_vgpr_count", JsonType::count},
                           {"sgpr_count", JsonType::count},
                           {"group_segment_size", JsonType::count},
                           {"private_segment_size", JsonType::count},
                           {"kernarg_segment_size"}},
                          [&](std::span<const JsonCell> cells) -> Status {
                            Kernel kernel;
                            kernel.mangled = std::string(cells[1].text);
                            kernel.name =
                                std::string(cells[2].text.empty() ? cells[3].text : cells[2].text);
                            kernel.arch_vgprs = count(cells[4]);
                            kernel.accum_vgprs = count(cells[5]);
                            kernel.sgprs = count(cells[6]);
                            kernel.static_lds_bytes = count(cells[7]);
                            kernel.scratch_bytes = count(cells[8]);
                            kernel.kernarg_bytes = static_cast<std::uint64_t>(cells[9].integer);
                            symbols_.insert_or_assign(cells[0].integer, std::move(kernel));
                            return {};
                          });
  }

  /// `prefix` is where the fields of a dispatch stand in the records of `section`.
  Status read_dispatches(std::string_view section, const std::string& prefix,
                         const Monitor& monitor) {
    const std::string info = prefix + "dispatch_info.";
    return sections_.rows(index_, section,
                          {{prefix + "start_timestamp", JsonType::integer, true},
                           {prefix + "end_timestamp", JsonType::integer, true},
                           {info + "kernel_id", JsonType::handle, true},
                           {info + "dispatch_id"},
                           {prefix + "correlation_id.internal"},
                           {"thread_id"},
                           {info + "agent_id.handle", JsonType::handle},
                           {info + "queue_id.handle", JsonType::handle},
                           {prefix + "stream_id.handle", JsonType::handle},
                           {info + "group_segment_size", JsonType::count},
                           {info + "private_segment_size", JsonType::count},
                           {info + "grid_size.x", JsonType::count},
                           {info + "grid_size.y", JsonType::count},
                           {info + "grid_size.z", JsonType::count},
                           {info + "workgroup_size.x", JsonType::count},
                           {info + "workgroup_size.y", JsonType::count},
                           {info + "workgroup_size.z", JsonType::count}},
                          [&](std::span<const JsonCell> cells) -> Status {
                            if (++rows_ % interrupt::kRowsBetweenChecks == 0) {
                              TRY(interrupt::check());
                              monitor.report("reading dispatches", rows_, 0);
                            }
                            add(cells);
                            return {};
                          });
  }

  void add(std::span<const JsonCell> cells) {
    RawDispatch dispatch;
    dispatch.start_ns = cells[0].integer;
    dispatch.end_ns = cells[1].integer;
    dispatch.dispatch_id = cells[3].integer;
    dispatch.event_id = cells[4].integer;
    dispatch.lane = lane(cells);
    dispatch.launch = launch(cells);
    out_.add(dispatch);
  }

  std::uint32_t lane(std::span<const JsonCell> cells) {
    Lane lane;
    lane.process = process_;
    lane.thread = cells[5].integer;
    if (cells[6].present) {
      Agent agent;
      agent.process = process_;
      agent.recorded_id = recorded_agent(agents_, cells[6].integer);
      agent.gpu = true;
      lane.agent = out_.agent(std::move(agent));
    }
    if (cells[7].present) {
      lane.queue = out_.queue({process_, static_cast<std::uint64_t>(cells[7].integer), {}});
    }
    if (cells[8].present) {
      lane.stream = out_.stream({process_, static_cast<std::uint64_t>(cells[8].integer), {}});
    }
    return out_.lane(lane);
  }

  std::uint32_t launch(std::span<const JsonCell> cells) {
    Launch launch;
    launch.kernel = kernel(cells[2].integer);
    launch.lds_bytes = count(cells[9]);
    launch.scratch_bytes = count(cells[10]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = count(cells[11 + axis]);
      launch.workgroup[axis] = count(cells[14 + axis]);
    }
    return out_.launch(launch);
  }

  std::uint32_t kernel(std::int64_t id) {
    const auto known = kernels_.find(id);
    if (known != kernels_.end()) return known->second;
    const auto symbol = symbols_.find(id);
    const bool listed = symbol != symbols_.end();
    Kernel kernel = listed ? symbol->second : Kernel{};
    if (kernel.name.empty() && kernel.mangled.empty()) {
      kernel.name = fmt::format("kernel_id {}", id);
      ++unnamed_;
    }
    return kernels_.emplace(id, out_.kernel(std::move(kernel))).first->second;
  }

  JsonSections& sections_;
  std::size_t index_;
  RawTrace& out_;
  std::uint32_t process_ = 0;
  JsonAgents agents_;
  std::unordered_map<std::int64_t, Kernel> symbols_;
  std::unordered_map<std::int64_t, std::uint32_t> kernels_;
  std::size_t rows_ = 0;
  std::size_t unnamed_ = 0;
};

Presence presence_of(const JsonSections& sections) {
  Presence presence;
  for (std::size_t process = 0; process < sections.processes(); ++process) {
    presence.copies |= sections.has(process, "buffer_records.memory_copy");
    presence.markers |= sections.has(process, "buffer_records.marker_api");
    presence.events |= sections.has(process, "buffer_records.hip_event");
    presence.counters |= sections.has(process, "callback_records.counter_collection");
    for (const auto& [name, offset] : sections.sections(process)) {
      presence.api |= name.starts_with("buffer_records.") && name.ends_with("_api") &&
                      name != "buffer_records.marker_api";
    }
  }
  return presence;
}

/// How many of them have samples of where waves were.
std::size_t processes_with_pc_samples(const JsonSections& sections) {
  std::size_t out = 0;
  for (std::size_t process = 0; process < sections.processes(); ++process) {
    out += sections.has(process, "buffer_records.pc_sample_host_trap") ||
                   sections.has(process, "buffer_records.pc_sample_stochastic")
               ? 1
               : 0;
  }
  return out;
}

}  // namespace

Result<RawTrace> read_json(const ReadRequest& request) {
  JsonSections sections =
      TRY(JsonSections::scan(TRY(ByteSource::open_unpacked(request.path)), request.monitor));
  RawTrace out;
  out.file.path = request.path;
  out.file.format = TraceFormat::json;
  out.file.bytes = sections.bytes();
  out.presence = presence_of(sections);
  for (std::size_t process = 0; process < sections.processes(); ++process) {
    TRY(ProcessReader(sections, process, out).read(request.monitor));
  }
  if (const std::size_t samples = processes_with_pc_samples(sections))
    out.notes.push_back(fmt::format(
        "{} of {} process{} took PC samples, which slow kernels down: "
        "they are not read here (att open reads them), and times are those of a sampled "
        "run",
        samples, sections.processes(), sections.processes() == 1 ? "" : "es"));
  if (sections.repaired()) out.notes.emplace_back("bytes that are not UTF-8 were replaced by '?'");
  out.tables = json_tables(std::move(sections));
  return out;
}

}  // namespace rpl
