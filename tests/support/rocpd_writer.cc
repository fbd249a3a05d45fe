// SPDX-License-Identifier: MIT
#include "tests/support/rocpd_writer.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

namespace rpl::test {
namespace {

constexpr unsigned kCounterInstances = 2;
constexpr const char* kCollectiveMangled =
    "_Z23ncclDevKernel_Generic_424ncclDevKernelArgsStorageILm4096EE";
constexpr const char* kCollectiveShown =
    "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)";
constexpr unsigned kUnusedSymbols = 20;  // code objects hold more kernels than are launched

void bind_value(sqlite3_stmt* statement, int index, std::int64_t value) {
  sqlite3_bind_int64(statement, index, value);
}
void bind_value(sqlite3_stmt* statement, int index, std::uint64_t value) {
  sqlite3_bind_int64(statement, index, static_cast<std::int64_t>(value));
}
void bind_value(sqlite3_stmt* statement, int index, unsigned value) {
  sqlite3_bind_int64(statement, index, value);
}
void bind_value(sqlite3_stmt* statement, int index, int value) {
  sqlite3_bind_int64(statement, index, value);
}
void bind_value(sqlite3_stmt* statement, int index, double value) {
  sqlite3_bind_double(statement, index, value);
}
void bind_value(sqlite3_stmt* statement, int index, std::string_view value) {
  sqlite3_bind_text64(statement, index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// A UUID of version 7 whose first 48 bits are the start in ms (rocpd.md §1.1).
std::string make_guid(std::int64_t start_ns, unsigned process, std::uint64_t seed) {
  const auto ms = static_cast<std::uint64_t>(start_ns / 1'000'000);
  return fmt::format("{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}", ms >> 16 & 0xffffffff, ms & 0xffff,
                     process & 0xfff, (process * 37 + 11) & 0xfff,
                     (seed * 0x9e3779b97f4aULL + process) & 0xffffffffffffULL);
}

const char* copy_name(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_device:
      return "MEMORY_COPY_HOST_TO_DEVICE";
    case CopyKind::device_to_host:
      return "MEMORY_COPY_DEVICE_TO_HOST";
    case CopyKind::device_to_device:
      return "MEMORY_COPY_DEVICE_TO_DEVICE";
  }
  return "";
}

}  // namespace

RocpdWriter::RocpdWriter(Database& database, const GenerateOptions& options, unsigned process)
    : database_(database),
      options_(options),
      version_(rocpd::SchemaVersion::parse(options.version)),
      tables_(rocpd::tables_of(version_, options.event_operations)),
      guid_(make_guid(options.workload.start_ns, process, options.workload.seed)),
      pid_(4242 + process),
      nid_(2047358781) {
  if (!options.suffix) return;
  suffix_ = "_" + guid_;
  std::replace(suffix_.begin(), suffix_.end(), '-', '_');
}

Status RocpdWriter::prepare(Statement& statement, std::string_view table,
                            std::string_view columns) {
  std::string parameters = "?";
  for (const char c : columns) {
    if (c == ',') parameters += ",?";
  }
  statement = TRY(database_.prepare(
      fmt::format("INSERT INTO \"{}{}\" ({}) VALUES ({})", table, suffix_, columns, parameters)));
  return {};
}

template <class... Values>
void RocpdWriter::insert(Statement& statement, const Values&... values) {
  int index = 0;
  (bind_value(statement.handle(), ++index, values), ...);
  if (sqlite3_step(statement.handle()) != SQLITE_DONE && status_) {
    status_ = Failure(sqlite_error(database_.handle(), sqlite3_errcode(database_.handle())));
  }
  sqlite3_reset(statement.handle());
}

Status RocpdWriter::begin(bool with_views) {
  TRY(database_.execute(rocpd::create_tables_sql(tables_, suffix_, guid_)));
  if (with_views) TRY(database_.execute(rocpd::create_views_sql(tables_, suffix_, version_)));
  TRY(prepare_all());
  TRY(write_metadata());
  TRY(write_entities());
  TRY(write_symbols());
  return write_counters_info();
}

Status RocpdWriter::prepare_all() {
  const std::string owner = version_.tracks() ? "track_id" : "nid,pid,tid";
  const std::string place = version_.tracks() ? "" : ",agent_id,queue_id,stream_id";
  TRY(prepare(string_, "rocpd_string", "id,string"));
  if (version_.tracks()) TRY(prepare(category_, "rocpd_info_category", "id,name"));
  TRY(prepare(event_, "rocpd_event",
              "id,category_id,stack_id,parent_stack_id,correlation_id,extdata"));
  TRY(prepare(kernel_, "rocpd_kernel_dispatch",
              "id,kernel_id,dispatch_id,start,\"end\",private_segment_size,group_segment_size,"
              "workgroup_size_x,"
              "workgroup_size_y,workgroup_size_z,grid_size_x,grid_size_y,grid_size_z,region_name_"
              "id,event_id," +
                  owner + place));
  TRY(prepare(
      copy_, "rocpd_memory_copy",
      "id,start,\"end\",name_id,dst_agent_id,dst_address,src_agent_id,src_address,size,event_id," +
          owner + (version_.tracks() ? "" : ",stream_id")));
  TRY(prepare(region_, "rocpd_region", "id,start,\"end\",name_id,event_id," + owner));
  TRY(prepare(sample_, "rocpd_sample", "id,track_id,timestamp,event_id"));
  TRY(prepare(arg_, "rocpd_arg", "event_id,position,type,name,value"));
  TRY(prepare(pmc_, "rocpd_pmc_event", "event_id,pmc_id,value"));
  TRY(prepare(track_, "rocpd_track",
              version_.tracks() ? "id,nid,pid,tid,agent_id,queue_id,stream_id" : "id,nid,pid,tid"));
  const std::string barrier = "nid,pid,tid,agent_id,queue_id,stream_id,start,\"end\",event_id,";
  if (version_ >= rocpd::SchemaVersion{3, 0, 4}) {
    TRY(prepare(barrier_, "rocpd_hip_event", barrier + "source_queue_id,name_id,hip_event_handle"));
  }
  if (options_.event_operations)
    TRY(prepare(operation_, "rocpd_event_operation", barrier + "type,event_handle"));
  return {};
}

Status RocpdWriter::write_metadata() {
  Statement statement;
  TRY(prepare(statement, "rocpd_metadata", "tag,value"));
  insert(statement, std::string_view("schema_version"), std::string_view(options_.version));
  insert(statement, std::string_view("uuid"), std::string_view(suffix_));
  insert(statement, std::string_view("guid"), std::string_view(guid_));
  return status_;
}

Status RocpdWriter::write_entities() {
  const WorkloadOptions& load = options_.workload;
  Statement node, process, thread, agent, queue, stream;
  TRY(prepare(node, "rocpd_info_node", "id,hash,machine_id,system_name,hostname"));
  insert(node, nid_, nid_ * 7, std::string_view("7a08373dca364ee48cb645887d6f3084"),
         std::string_view("Linux"), std::string_view(options_.hostname));
  TRY(prepare(process, "rocpd_info_process", "id,nid,ppid,pid,init,start,command"));
  insert(process, pid_, nid_, pid_ - 1, pid_, load.start_ns - 900'000, load.start_ns - 900'000,
         std::string_view("./train --config default.yaml"));
  TRY(prepare(thread, "rocpd_info_thread", "id,nid,ppid,pid,tid"));
  for (unsigned t = 0; t < load.threads; ++t)
    insert(thread, thread_id(t), nid_, pid_ - 1, pid_, thread_id(t));
  TRY(prepare(agent, "rocpd_info_agent",
              "id,nid,pid,type,absolute_index,logical_index,type_index,uuid,name,model_name,vendor_"
              "name,product_name,extdata"));
  insert(agent, 0, nid_, pid_, std::string_view("CPU"), 0, 0, 0, 0, std::string_view("AMD EPYC"),
         std::string_view(""), std::string_view("CPU"), std::string_view("AMD EPYC"),
         std::string_view("{}"));
  for (unsigned g = 0; g < load.gpus; ++g) {
    insert(agent, agent_id(g), nid_, pid_, std::string_view("GPU"), agent_id(g), agent_id(g), g,
           29857, std::string_view("gfx942"), std::string_view("ip discovery"),
           std::string_view("AMD"), std::string_view("AMD Instinct MI300X"),
           std::string_view("{\"cu_count\": 304, \"num_xcc\": 8, \"wave_front_size\": 64, "
                            "\"max_engine_clk_fcompute\": 2100}"));
  }
  TRY(prepare(queue, "rocpd_info_queue", "id,nid,pid,name"));
  insert(queue, 0, nid_, pid_, std::string_view("Default Queue"));
  for (unsigned q = 0; q < load.gpus * load.queues; ++q) {
    insert(queue, queue_handle(options_, q), nid_, pid_,
           std::string_view(fmt::format("Queue {}", q)));
  }
  TRY(prepare(stream, "rocpd_info_stream", "id,nid,pid,name"));
  insert(stream, 0, nid_, pid_, std::string_view("Default Stream"));
  for (unsigned s = 0; s < load.streams; ++s) {
    insert(stream, stream_handle(options_, s), nid_, pid_,
           std::string_view(fmt::format("Stream {}", s)));
  }
  return status_;
}

Status RocpdWriter::write_symbols() {
  Statement object, symbol;
  TRY(prepare(object, "rocpd_info_code_object",
              "id,nid,pid,agent_id,uri,load_base,load_size,load_delta"));
  insert(object, 1, nid_, pid_, agent_id(0),
         std::string_view("file:///opt/app/train#offset=4096&size=65536"),
         std::int64_t{0x7f0000000000}, 65536, std::int64_t{0x7f0000000000});
  TRY(prepare(
      symbol, "rocpd_info_kernel_symbol",
      "id,nid,pid,code_object_id,kernel_name,display_name,kernel_object,kernarg_segment_size,"
      "kernarg_segment_alignment,"
      "group_segment_size,private_segment_size,sgpr_count,arch_vgpr_count,accum_vgpr_count"));
  for (unsigned k = 0; k < options_.workload.kernels + kUnusedSymbols; ++k) {
    const bool collective = options_.collectives && k == options_.workload.kernels;
    const std::string mangled = collective ? kCollectiveMangled : kernel_mangled(k),
                      shown = collective ? kCollectiveShown : kernel_shown(k);
    insert(symbol, k + 1, nid_, pid_, 1, std::string_view(mangled + ".kd"), std::string_view(shown),
           std::int64_t{0x7f0000001000} + k * 256, 64 + 8 * (k % 20), 8, k % 4 * 4096,
           k % 13 == 0 ? 64 : 0, 112, 16 + 8 * (k % 29), k % 3 * 8);
  }
  return status_;
}

Status RocpdWriter::write_counters_info() {
  Statement info;
  TRY(prepare(info, "rocpd_info_pmc",
              "id,nid,pid,agent_id,target_arch,name,symbol,component,value_type,block,is_constant,"
              "is_derived"));
  const std::array<const char*, 4> names = {"SQ_WAVES", "SQ_INSTS_VALU", "TCC_HIT",
                                            "GRBM_GUI_ACTIVE"};
  for (unsigned g = 0; g < options_.workload.gpus; ++g) {
    for (unsigned c = 0; c < options_.counters; ++c) {
      const std::string name = c < names.size() ? names[c] : fmt::format("SQ_COUNTER_{}", c);
      insert(info, 1 + g * options_.counters + c, nid_, pid_, agent_id(g), std::string_view("GPU"),
             std::string_view(name), std::string_view(name), std::string_view("rocm"),
             std::string_view("ABS"), std::string_view(name.substr(0, 2)), 0, 0);
    }
  }
  return status_;
}

std::int64_t RocpdWriter::string_id(const std::string& text) {
  const auto [found, added] =
      strings_.try_emplace(text, static_cast<std::int64_t>(strings_.size() + 1));
  if (added) insert(string_, found->second, std::string_view(text));
  return found->second;
}

std::int64_t RocpdWriter::category_id(const std::string& name) {
  if (!version_.tracks()) return string_id(name);
  const auto [found, added] =
      categories_.try_emplace(name, static_cast<std::int64_t>(categories_.size() + 1));
  if (added) insert(category_, found->second, std::string_view(name));
  return found->second;
}

std::int64_t RocpdWriter::add_event(const std::string& category, std::uint64_t correlation,
                                    std::string_view extdata) {
  const std::int64_t id = ++next_event_;
  insert(event_, id, category_id(category), correlation, correlation, 0, extdata);
  return id;
}

std::int64_t RocpdWriter::track(std::int64_t thread, int gpu, int queue, int stream) {
  const auto [found, added] = tracks_.try_emplace({thread, gpu, queue, stream},
                                                  static_cast<std::int64_t>(tracks_.size() + 1));
  if (!added) return found->second;
  if (version_.tracks()) {
    sqlite3_clear_bindings(track_.handle());
    bind_value(track_.handle(), 5, gpu < 0 ? 0 : agent_id(static_cast<unsigned>(gpu)));
    if (queue >= 0)
      bind_value(track_.handle(), 6, queue_handle(options_, static_cast<unsigned>(queue)));
    if (stream >= 0)
      bind_value(track_.handle(), 7, stream_handle(options_, static_cast<unsigned>(stream)));
  }
  insert(track_, found->second, nid_, pid_, thread);
  return found->second;
}

void RocpdWriter::kernel(const KernelRun& run) {
  const std::int64_t event = add_event("KERNEL_DISPATCH", run.correlation);
  sqlite3_stmt* row = kernel_.handle();
  if (version_.tracks()) {
    bind_value(row, 16,
               track(run.thread, static_cast<int>(run.gpu), static_cast<int>(run.queue),
                     static_cast<int>(run.stream)));
  } else {
    bind_value(row, 16, nid_);
    bind_value(row, 17, pid_);
    bind_value(row, 18, run.thread);
    bind_value(row, 19, agent_id(run.gpu));
    bind_value(row, 20, queue_handle(options_, run.queue));
    bind_value(row, 21, stream_handle(options_, run.stream));
  }
  insert(kernel_, run.id, run.kernel + 1, run.id, run.start_ns, run.end_ns, run.scratch_bytes,
         run.lds_bytes, run.workgroup[0], run.workgroup[1], run.workgroup[2], run.grid[0],
         run.grid[1], run.grid[2], 1, event);
  write_counters(event, run);
}

void RocpdWriter::write_counters(std::int64_t event_id, const KernelRun& run) {
  for (unsigned c = 0; c < options_.counters; ++c) {
    for (unsigned instance = 0; instance < kCounterInstances; ++instance) {
      insert(pmc_, event_id, 1 + run.gpu * options_.counters + c,
             static_cast<double>((run.kernel + 1) * 100 * (c + 1) + instance));
    }
  }
}

void RocpdWriter::copy(const CopyRun& run) {
  if (!options_.copies) return;
  const std::int64_t event = add_event("MEMORY_COPY", run.correlation);
  const bool to_gpu = run.kind != CopyKind::device_to_host,
             from_gpu = run.kind != CopyKind::host_to_device;
  sqlite3_stmt* row = copy_.handle();
  if (version_.tracks()) {
    bind_value(row, 11,
               track(run.thread, static_cast<int>(run.gpu), -1, static_cast<int>(run.stream)));
  } else {
    bind_value(row, 11, nid_);
    bind_value(row, 12, pid_);
    bind_value(row, 13, run.thread);
    bind_value(row, 14, stream_handle(options_, run.stream));
  }
  insert(copy_, run.id, run.start_ns, run.end_ns, string_id(copy_name(run.kind)),
         to_gpu ? agent_id(run.gpu) : 0, std::int64_t{0x7f0000010000},
         from_gpu ? agent_id(run.gpu) : 0, std::int64_t{0x7f0000020000}, run.bytes, event);
}

void RocpdWriter::call(const ApiRun& run) {
  const std::int64_t event = add_event("HIP_RUNTIME_API_EXT", run.correlation);
  sqlite3_stmt* row = region_.handle();
  if (version_.tracks()) {
    bind_value(row, 6, track(run.thread, -1, -1, -1));
  } else {
    bind_value(row, 6, nid_);
    bind_value(row, 7, pid_);
    bind_value(row, 8, run.thread);
  }
  insert(region_, run.correlation, run.start_ns, run.end_ns, string_id(run.name), event);
  int position = 0;
  for (const CallArgument& argument : run.arguments) {
    insert(arg_, event, position++, std::string_view(argument.type),
           std::string_view(argument.name), std::string_view(argument.value));
  }
}

void RocpdWriter::event(const EventRun& run) {
  if (!options_.event_tables) return;
  const bool barriers = version_ >= rocpd::SchemaVersion{3, 0, 4};
  for (Statement* table :
       {barriers ? &barrier_ : nullptr, options_.event_operations ? &operation_ : nullptr}) {
    if (table == nullptr) continue;
    const std::int64_t event = add_event("HIP_EVENT", run.correlation);
    sqlite3_stmt* row = table->handle();
    if (table == &barrier_) {
      bind_value(row, 10, queue_handle(options_, run.source_queue));
      bind_value(row, 11, string_id(run.wait ? "HIP_EVENT_WAIT" : "HIP_EVENT_RECORD"));
      bind_value(row, 12, run.handle);
    } else {
      bind_value(row, 10, std::string_view(run.wait ? "WAIT" : "SIGNAL"));
      bind_value(row, 11, run.handle);
    }
    insert(*table, nid_, pid_, run.thread, agent_id(run.gpu), queue_handle(options_, run.queue),
           stream_handle(options_, run.stream), run.start_ns, run.end_ns, event);
  }
}

void RocpdWriter::marker(const MarkerRun& run) {
  if (!options_.markers) return;
  const std::string extdata = fmt::format("{{\"message\":\"{}\"}}", run.text);
  const std::int64_t event =
      add_event(run.range ? "MARKER_CORE_RANGE_API" : "MARKER_CORE_API", run.correlation, extdata);
  if (!run.range)
    return insert(sample_, run.correlation, track(run.thread, -1, -1, -1), run.start_ns, event);
  sqlite3_stmt* row = region_.handle();
  if (version_.tracks()) {
    bind_value(row, 6, track(run.thread, -1, -1, -1));
  } else {
    bind_value(row, 6, nid_);
    bind_value(row, 7, pid_);
    bind_value(row, 8, run.thread);
  }
  insert(region_, run.correlation, run.start_ns, run.end_ns, string_id("roctxRangePushA"), event);
}

void RocpdWriter::dependency(const Dependency& dependency) {
  if (options_.truth) dependencies_.push_back(dependency);
}

Status RocpdWriter::end(std::int64_t end_ns) {
  TRY(std::move(status_));
  Statement statement = TRY(database_.prepare(
      fmt::format("UPDATE \"rocpd_info_process{}\" SET fini = ?1, \"end\" = ?1", suffix_)));
  TRY(statement.bind(end_ns + 1'000'000));
  return statement.run();
}

}  // namespace rpl::test
