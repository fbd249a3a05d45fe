// SPDX-License-Identifier: MIT
#include "engine/target/emu/emulated_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/json.h"
#include "engine/trace/core/entities.h"

namespace rpl::profile {

using namespace emu::hip;

namespace {

std::string agent_json(const DeviceKind& kind) {
  const auto simds = kind.gpu.whole("simds_per_cu").value_or(0);
  return to_json(Value(rpl::Record{{"name", Value(isa::to_string(kind.arch))},
                                   {"product_name", Value(kind.name)},
                                   {"vendor_name", Value("AMD")},
                                   {"device_id", Value(kind.device_id)},
                                   {"cu_count", Value(kind.compute_units)},
                                   {"num_xcc", Value(kind.dies)},
                                   {"simd_per_cu", Value(simds)},
                                   {"simd_count", Value(simds * kind.compute_units)},
                                   {"wave_front_size", Value(kind.wave_size)},
                                   {"max_waves_per_cu", Value(kind.waves_per_unit)},
                                   {"lds_size_in_kb", Value(kind.lds_bytes / 1024)},
                                   {"max_engine_clk_fcompute", Value(kind.clock_mhz)},
                                   {"workgroup_max_size", Value(kind.max_workgroup)},
                                   {"emulated", Value(true)}}));
}

/// Functions that the compiler calls have a category of their own.
std::string category_of(const std::string& call) {
  return call.starts_with("__hip") ? "HIP_COMPILER_API_EXT" : "HIP_RUNTIME_API_EXT";
}

std::optional<std::int64_t> address(std::uint64_t value) {
  return value == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(value));
}

Failure refers(std::string_view what, std::uint64_t id) {
  return fail(Errc::corrupt,
              fmt::format("the recording refers to {} {}, which it does not have", what, id));
}

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

Rows::Rows(Database& database, std::string suffix, const RunIdentity& identity)
    : database_(database), suffix_(std::move(suffix)), identity_(identity) {}

Result<Statement*> Rows::into(const std::string& table, const std::string& columns) {
  const auto known = statements_.find(table + columns);
  if (known != statements_.end()) return &known->second;
  std::string parameters = "?";
  for (const char c : columns) {
    if (c == ',') parameters += ",?";
  }
  const std::string_view prefix = table.starts_with("rpl_") ? "" : "rocpd_";
  Statement made = TRY(database_.prepare(fmt::format("INSERT INTO \"{}{}{}\" ({}) VALUES ({})",
                                                     prefix, table, suffix_, columns, parameters)));
  return &(statements_[table + columns] = std::move(made));
}

Status Rows::metadata(const std::string& tag, const std::string& value) {
  return insert(into("metadata", "tag,value"), tag, value);
}

Status Rows::write_metadata(const std::string& guid) {
  TRY(metadata("schema_version", "3"));
  TRY(metadata("uuid", suffix_));
  TRY(metadata("guid", guid));
  TRY(metadata("provenance", "modelled"));
  TRY(text_id(""));
  return {};
}

Result<std::int64_t> Rows::text_id(const std::string& text) {
  const auto [found, added] =
      texts_.try_emplace(text, static_cast<std::int64_t>(texts_.size() + 1));
  if (added) TRY(insert(into("string", "id,string"), found->second, text));
  return found->second;
}

Result<std::int64_t> Rows::event(const std::string& category, std::uint64_t correlation,
                                 const std::string& extdata) {
  const std::int64_t text = TRY(text_id(category));
  TRY(insert(into("event", "id,category_id,stack_id,parent_stack_id,correlation_id,extdata"),
             ++events_, text, number(correlation), number(correlation), 0, extdata));
  return events_;
}

Status Rows::thread(std::int64_t id) {
  if (!threads_.insert(id).second) return {};
  return insert(into("info_thread", "id,nid,ppid,pid,tid"), id, node_, process_.ppid, process_.pid,
                id);
}

Status Rows::add(const ProcessRecord& record) {
  process_ = record;
  end_ns_ = record.start_ns;
  std::uint64_t hash = 1469598103934665603U;
  for (const char c : identity_.machine_id + identity_.host_name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  hash &= 0x7fffffffffffffffU;
  node_ = number(hash % 0xffffffffU);
  TRY(metadata("host_model", record.host_model));
  TRY(insert(
      into("info_node", "id,hash,machine_id,system_name,hostname,release,version,hardware_name"),
      node_, number(hash), identity_.machine_id, identity_.kernel_name, identity_.host_name,
      identity_.kernel_release, identity_.kernel_version, identity_.hardware));
  TRY(insert(into("info_process", "id,nid,ppid,pid,init,start,command"), record.pid, node_,
             record.ppid, record.pid, record.start_ns, record.start_ns, record.command));
  TRY(agents());
  queues_.insert(0);
  return insert(into("info_queue", "id,nid,pid,name"), 0, node_, record.pid, "Default Queue");
}

Status Rows::agents() {
  const auto kind = device_kind(process_.product);
  if (!kind)
    return fail(Errc::corrupt,
                fmt::format("the recording is of an unknown device: {}", process_.product));
  target_ = isa::to_string(kind->arch);
  dies_ = kind->dies;
  const std::string columns =
      "id,nid,pid,type,absolute_index,logical_index,type_index,uuid,name,model_name,vendor_name,"
      "product_name,user_name,extdata";
  TRY(insert(into("info_agent", columns), 0, node_, process_.pid, "CPU", 0, 0, 0, 0,
             identity_.hardware, "", "CPU", identity_.hardware, identity_.hardware, "{}"));
  for (std::uint32_t device = 0; device < process_.devices; ++device) {
    const std::int64_t id = device + 1;
    TRY(insert(into("info_agent", columns), id, node_, process_.pid, "GPU", id, id, device,
               kind->device_id, target_, "emulated", "AMD", kind->name, kind->name,
               agent_json(*kind)));
  }
  return {};
}

Status Rows::add(const StreamRecord& record) {
  if (record.device >= process_.devices) return refers("device", record.device);
  if (queues_.insert(record.queue).second) {
    TRY(insert(into("info_queue", "id,nid,pid,name"), record.queue, node_, process_.pid,
               fmt::format("Queue {}", record.queue)));
  }
  streams_.insert(record.id);
  return insert(
      into("info_stream", "id,nid,pid,name"), number(record.id), node_, process_.pid,
      record.id == 0 ? std::string(kNullStreamName) : fmt::format("Stream {}", record.id));
}

Status Rows::add(const ObjectRecord& record) {
  if (record.device >= process_.devices) return refers("device", record.device);
  objects_.insert(record.id);
  return insert(
      into("info_code_object", "id,nid,pid,agent_id,uri,load_base,load_size,load_delta,extdata"),
      number(record.id), node_, process_.pid, agent_of(static_cast<std::int32_t>(record.device)),
      "memory://sha256/" + record.hash, number(record.load_base), number(record.bytes),
      number(record.load_base),
      to_json(Value(rpl::Record{{"size", Value(record.bytes)}, {"storage_type", Value(2)}})));
}

Status Rows::add(const KernelRecord& record) {
  if (!objects_.contains(record.object)) return refers("code object", record.object);
  bands_[record.id].name = record.name;
  const std::string shown = demangled(record.name),
                    truncated = shown.substr(0, shown.find_first_of("(<"));
  constexpr int kAlignment = 64;
  return insert(
      into("info_kernel_symbol",
           "id,nid,pid,code_object_id,kernel_name,display_name,kernel_object,kernarg_segment_size,"
           "kernarg_segment_alignment,"
           "group_segment_size,private_segment_size,sgpr_count,arch_vgpr_count,accum_vgpr_count,"
           "extdata"),
      number(record.id), node_, process_.pid, number(record.object), record.name + ".kd", shown,
      number(record.descriptor), record.kernarg_bytes, kAlignment, record.lds_bytes,
      record.scratch_bytes, record.sgprs, record.vgprs, record.agprs,
      to_json(Value(rpl::Record{
          {"kernel_id", Value(record.id)},
          {"code_object_id", Value(record.object)},
          {"formatted_kernel_name", Value(shown)},
          {"demangled_kernel_name", Value(shown)},
          {"truncated_kernel_name", Value(truncated)},
          {"kernel_address", Value(rpl::Record{{"handle", Value(number(record.descriptor))}})}})));
}

Status Rows::add(const CallRecord& record) {
  TRY(thread(record.thread));
  const std::int64_t name = TRY(text_id(record.name));
  const std::int64_t id = TRY(event(category_of(record.name), record.correlation,
                                    to_json(Value(rpl::Record{{"result", Value(record.result)}}))));
  TRY(insert(into("region", "id,nid,pid,tid,start,\"end\",name_id,event_id"),
             number(record.correlation), node_, process_.pid, record.thread, record.start_ns,
             record.end_ns, name, id));
  end_ns_ = std::max(end_ns_, record.end_ns);
  const auto known = [](std::int64_t value, bool is_known) {
    return is_known ? std::optional(value) : std::nullopt;
  };
  if (record.site != 0 || record.again >= 0)
    TRY(insert(into("rpl_call_site", "stack_id,site_id,again"), number(record.correlation),
               known(number(record.site), record.site != 0),
               known(record.again, record.again >= 0)));
  for (std::size_t i = 0; i < record.arguments.size(); ++i) {
    const Argument& argument = record.arguments[i];
    const auto stream =
        argument.type == "hipStream_t" ? whole_number<std::int64_t>(argument.value) : std::nullopt;
    JsonStream data(kJsonLine);
    if (stream) data.member("stream_id", Value(*stream));
    TRY(insert(into("arg", "event_id,position,type,name,value,extdata"), id,
               static_cast<std::int64_t>(i), argument.type, argument.name, argument.value,
               data.text().string()));
  }
  return {};
}

Status Rows::add(const SiteRecord& record) {
  std::int64_t depth = 0;
  for (const HostLine& line : lines_.of(record.frames)) {
    TRY(insert(into("rpl_site_frame",
                    "site_id,depth,file,line,\"column\",function,module,\"offset\",program"),
               number(record.id), depth++, line.file, line.line, line.column, line.function,
               line.module, number(line.offset), line.program ? 1 : 0));
  }
  return {};
}

Status Rows::check_place(const Place& place) {
  if (place.device >= process_.devices) return refers("device", place.device);
  if (!queues_.contains(place.queue)) return refers("queue", place.queue);
  if (!streams_.contains(place.stream)) return refers("stream", place.stream);
  end_ns_ = std::max(end_ns_, place.end_ns);
  return thread(place.thread);
}

Status Rows::add(const DispatchRecord& record) {
  const Place& place = record.place;
  TRY(check_place(place));
  const auto kernel = bands_.find(record.kernel);
  if (kernel == bands_.end()) return refers("kernel", record.kernel);
  const auto ns = static_cast<double>(place.end_ns - place.start_ns);
  kernel->second.ns += ns;
  kernel->second.low_ns += record.low_ns;
  kernel->second.high_ns += record.high_ns;
  kernel->second.ratio += ns * record.ratio_band;
  if (!record.findings.empty()) kernel->second.findings = record.findings;
  if (models_.insert(record.model).second) TRY(metadata("cycle_model", record.model));
  const std::int64_t id = TRY(event("KERNEL_DISPATCH", place.correlation)),
                     no_region = TRY(text_id(""));
  dispatches_[record.id] = {.event = id,
                            .agent = agent_of(static_cast<std::int32_t>(place.device))};
  const auto &w = record.workgroup, &g = record.grid;
  return insert(into("kernel_dispatch",
                     "id,nid,pid,tid,agent_id,kernel_id,dispatch_id,queue_id,stream_id,start,"
                     "\"end\",private_segment_size,group_segment_size,"
                     "workgroup_size_x,workgroup_size_y,workgroup_size_z,grid_size_x,grid_size_y,"
                     "grid_size_z,region_name_id,event_id"),
                number(record.id), node_, process_.pid, place.thread,
                agent_of(static_cast<std::int32_t>(place.device)), number(record.kernel),
                number(record.id), place.queue, number(place.stream), place.start_ns, place.end_ns,
                record.scratch_bytes, record.lds_bytes, w[0], w[1], w[2], g[0], g[1], g[2],
                no_region, id);
}

Status Rows::add(const CopyRecord& record) {
  const Place& place = record.place;
  TRY(check_place(place));
  const auto side = [](std::int32_t device) { return device < 0 ? "HOST" : "DEVICE"; };
  const std::int64_t name =
      TRY(text_id(fmt::format("MEMORY_COPY_{}_TO_{}", side(record.from), side(record.to))));
  const std::int64_t id = TRY(event("MEMORY_COPY", place.correlation));
  return insert(into("memory_copy",
                     "nid,pid,tid,start,\"end\",name_id,dst_agent_id,dst_address,src_agent_id,src_"
                     "address,size,stream_id,event_id"),
                node_, process_.pid, place.thread, place.start_ns, place.end_ns, name,
                agent_of(record.to), address(record.to_address), agent_of(record.from),
                address(record.from_address), number(record.bytes), number(place.stream), id);
}

Status Rows::add(const MemoryRecord& record) {
  const Place& place = record.place;
  TRY(check_place(place));
  const std::int64_t id = TRY(event("MEMORY_ALLOCATION", place.correlation));
  const std::int32_t device =
      record.on_host ? CopyRecord::kHost : static_cast<std::int32_t>(place.device);
  const std::optional<std::int64_t> agent =
      record.free ? std::nullopt : std::optional(agent_of(device));
  return insert(
      into("memory_allocate",
           "nid,pid,tid,agent_id,type,level,start,\"end\",address,size,stream_id,event_id"),
      node_, process_.pid, place.thread, agent, record.free ? "FREE" : "ALLOC", "REAL",
      place.start_ns, place.end_ns, number(record.address), number(record.bytes),
      number(place.stream), id);
}

Status Rows::add(const RefusedRecord& record) {
  return metadata("refused", fmt::format("{} ({} calls)", record.name, record.calls));
}

Status Rows::add(const EndRecord& record) {
  end_ns_ = std::max(end_ns_, record.end_ns);
  if (!record.failure.empty()) TRY(metadata("failure", record.failure));
  return {};
}

Status Rows::finish() {
  for (const auto& [id, band] : bands_) {
    if (band.ns > 0 && band.low_ns > 0)
      TRY(metadata("model_band",
                   fmt::format("{:.4g} {:.4g} {:.4g} {}", band.low_ns / band.ns,
                               band.high_ns / band.ns, band.ratio / band.ns, band.name)));
    if (!band.findings.empty())
      TRY(metadata("findings", fmt::format("{} {}", band.name, band.findings)));
  }
  return database_.execute(fmt::format(
      "UPDATE \"rocpd_info_process{}\" SET fini = {}, \"end\" = {}", suffix_, end_ns_, end_ns_));
}

}  // namespace rpl::profile
