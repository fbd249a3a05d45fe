// SPDX-License-Identifier: MIT
#include "engine/trace/write/schema.h"

#include <fmt/format.h>

#include <string_view>

namespace rpl::rocpd {
namespace {

/// " JOIN TABLE ALIAS ON ALIAS.id = KEY and of the same recording": `key` is "k.agent_id".
std::string join(std::string_view table, std::string_view alias, std::string_view key,
                 std::string_view kind = "") {
  const std::string_view from = key.substr(0, key.find('.'));
  return fmt::format(" {0} JOIN rocpd_{1} {2} ON {2}.id = {3} AND {2}.guid = {4}.guid", kind, table,
                     alias, key, from);
}

std::string left(std::string_view table, std::string_view alias, std::string_view key) {
  return join(table, alias, key, "LEFT");
}

/// The text of a string id of the row `alias`.
std::string text(std::string_view alias, std::string_view column) {
  return fmt::format(
      "(SELECT string FROM rocpd_string t WHERE t.id = {0}.{1} AND t.guid = {0}.guid)", alias,
      column);
}

/// The four columns by which views name an agent.
std::string agent(std::string_view alias, std::string_view prefix) {
  return fmt::format(
      "{0}.absolute_index AS {1}agent_abs_index, {0}.logical_index AS {1}agent_log_index, "
      "{0}.type_index AS {1}agent_type_index, {0}.type AS {1}agent_type",
      alias, prefix);
}

std::string span(std::string_view alias) {
  return fmt::format(R"({0}.start, {0}."end", {0}."end" - {0}.start AS duration)", alias);
}

std::string ids() { return "e.stack_id, e.parent_stack_id, e.correlation_id AS corr_id"; }
std::string details() { return "e.extdata, e.call_stack, e.line_info"; }

std::string json(std::string_view alias, std::string_view key, std::string_view name) {
  return fmt::format("json_extract({}.extdata, '$.{}') AS {}", alias, key, name);
}

std::string view(std::string_view name, std::string_view columns, std::string_view from) {
  return fmt::format("CREATE VIEW {} AS SELECT {} FROM {};\n", name, columns, from);
}

std::string entity_views() {
  const std::string node =
      "n.id AS nid, n.machine_id, n.system_name, n.hostname, n.release AS system_release, "
      "n.version AS system_version";
  return view("code_objects",
              fmt::format(
                  "c.id, c.guid, c.nid, p.pid, a.absolute_index AS agent_abs_index, c.uri, "
                  "c.load_base, c.load_size, c.load_delta, "
                  "c.storage_type AS storage_type_str, {}, {}, {}, {}",
                  json("c", "size", "code_object_size"), json("c", "storage_type", "storage_type"),
                  json("c", "memory_base", "memory_base"), json("c", "memory_size", "memory_size")),
              "rocpd_info_code_object c" + join("info_agent", "a", "c.agent_id") +
                  join("info_process", "p", "c.pid")) +
         view("kernel_symbols",
              fmt::format(
                  "s.id, s.guid, s.nid, p.pid, s.code_object_id, s.kernel_name, s.display_name, "
                  "s.kernel_object, "
                  "s.kernarg_segment_size, s.kernarg_segment_alignment, s.group_segment_size, "
                  "s.private_segment_size, s.sgpr_count, "
                  "s.arch_vgpr_count, s.accum_vgpr_count, {}, {}, {}, {}, {}, {}, {}",
                  json("s", "size", "kernel_symbol_size"), json("s", "kernel_id", "kernel_id"),
                  json("s", "kernel_code_entry_byte_offset", "kernel_code_entry_byte_offset"),
                  json("s", "formatted_kernel_name", "formatted_kernel_name"),
                  json("s", "demangled_kernel_name", "demangled_kernel_name"),
                  json("s", "truncated_kernel_name", "truncated_kernel_name"),
                  json("s", "kernel_address.handle", "kernel_address")),
              "rocpd_info_kernel_symbol s" + join("info_process", "p", "s.pid")) +
         view("processes",
              node + R"(, p.guid, p.ppid, p.pid, p.init, p.start, p."end", p.fini, p.command)",
              "rocpd_info_process p" + join("info_node", "n", "p.nid")) +
         view("threads", node + R"(, p.guid, p.ppid, p.pid, h.tid, h.start, h."end", h.name)",
              "rocpd_info_thread h" + join("info_process", "p", "h.pid") +
                  join("info_node", "n", "h.nid"));
}

std::string host_views() {
  const std::string region = "rocpd_region r" + join("event", "e", "r.event_id");
  const std::string sample = "rocpd_sample s" + join("track", "t", "s.track_id") +
                             join("event", "e", "s.event_id") + join("info_process", "p", "t.pid") +
                             join("info_thread", "h", "t.tid");
  const std::string sample_is =
      fmt::format("s.id, s.guid, {} AS category, {} AS name, t.nid, p.pid, h.tid",
                  text("e", "category_id"), text("t", "name_id"));
  const std::string rest = fmt::format("{}, {}", ids(), details());
  return view("regions",
              fmt::format("r.id, r.guid, {} AS category, n.string AS name, r.nid, p.pid, h.tid, "
                          "{}, r.event_id, {}",
                          text("e", "category_id"), span("r"), rest),
              region + join("string", "n", "r.name_id") + join("info_process", "p", "r.pid") +
                  join("info_thread", "h", "r.tid")) +
         view("region_args", "r.id, r.guid, r.nid, p.pid, a.type, a.name, a.value",
              region + " JOIN rocpd_arg a ON a.event_id = e.id AND a.guid = e.guid" +
                  join("info_process", "p", "r.pid")) +
         view("samples", fmt::format("{}, s.timestamp, s.event_id, {}", sample_is, rest), sample) +
         view(
             "sample_regions",
             fmt::format(
                 R"({}, s.timestamp AS start, s.timestamp AS "END", 0 AS duration, s.event_id, {})",
                 sample_is, rest),
             sample) +
         "CREATE VIEW regions_and_samples AS SELECT * FROM regions UNION ALL SELECT * FROM "
         "sample_regions;\n" +
         view("events_args",
              fmt::format("e.id AS event_id, {} AS category, e.stack_id, e.parent_stack_id, "
                          "e.correlation_id, a.position AS arg_position, "
                          "a.type AS arg_type, a.name AS arg_name, a.value AS arg_value, "
                          "e.call_stack, e.line_info, a.extdata",
                          text("e", "category_id")),
              "rocpd_event e JOIN rocpd_arg a ON a.event_id = e.id AND a.guid = e.guid") +
         view("stream_args",
              "a.id AS argument_id, a.event_id, a.position AS arg_position, a.type AS arg_type, "
              "a.value AS arg_value, "
              "json_extract(a.extdata, '$.stream_id') AS stream_id, s.nid, p.pid, s.name AS "
              "stream_name, s.extdata",
              "rocpd_arg a JOIN rocpd_info_stream s ON s.id = json_extract(a.extdata, "
              "'$.stream_id') AND s.guid = a.guid" +
                  join("info_process", "p", "s.pid") + " WHERE a.name = 'stream'");
}

std::string device_views() {
  const std::string threads =
      join("info_process", "p", "m.pid") + join("info_thread", "h", "m.tid");
  const std::string lanes =
      left("info_queue", "q", "m.queue_id") + left("info_stream", "st", "m.stream_id");
  return view("kernels",
              fmt::format("k.id, k.guid, h.tid, {} AS category, r.string AS region, s.display_name "
                          "AS name, k.nid, p.pid, {}, "
                          "s.code_object_id, k.kernel_id, k.dispatch_id, k.stream_id, k.queue_id, "
                          "q.name AS queue, st.name AS stream, {}, "
                          "k.grid_size_x AS grid_x, k.grid_size_y AS grid_y, k.grid_size_z AS "
                          "grid_z, k.workgroup_size_x AS workgroup_x, "
                          "k.workgroup_size_y AS workgroup_y, k.workgroup_size_z AS workgroup_z, "
                          "k.group_segment_size AS lds_size, "
                          "k.private_segment_size AS scratch_size, s.arch_vgpr_count AS "
                          "vgpr_count, s.accum_vgpr_count, s.sgpr_count, "
                          "s.group_segment_size AS static_lds_size, s.private_segment_size AS "
                          "static_scratch_size, {}",
                          text("e", "category_id"), agent("a", ""), span("k"), ids()),
              "rocpd_kernel_dispatch k" + join("info_agent", "a", "k.agent_id") +
                  join("event", "e", "k.event_id") + join("string", "r", "k.region_name_id") +
                  join("info_kernel_symbol", "s", "k.kernel_id") +
                  left("info_stream", "st", "k.stream_id") + left("info_queue", "q", "k.queue_id") +
                  join("info_process", "p", "q.pid") + join("info_thread", "h", "k.tid")) +
         view("memory_copies",
              fmt::format("m.id, m.guid, {} AS category, m.nid, p.pid, h.tid, {}, n.string AS "
                          "name, r.string AS region_name, m.stream_id, "
                          "m.queue_id, st.name AS stream_name, q.name AS queue_name, m.size, "
                          "d.name AS dst_device, {}, m.dst_address, "
                          "f.name AS src_device, {}, m.src_address, {}",
                          text("e", "category_id"), span("m"), agent("d", "dst_"),
                          agent("f", "src_"), ids()),
              "rocpd_memory_copy m" + join("string", "n", "m.name_id") +
                  left("string", "r", "m.region_name_id") +
                  join("info_agent", "d", "m.dst_agent_id") +
                  join("info_agent", "f", "m.src_agent_id") + lanes +
                  join("event", "e", "m.event_id") + threads) +
         view("memory_allocations",
              fmt::format(
                  "m.id, m.guid, {} AS category, m.nid, p.pid, h.tid, {}, m.type, m.level, a.name "
                  "AS agent_name, {}, m.address, m.size, "
                  "m.queue_id, q.name AS queue_name, m.stream_id, st.name AS stream_name, {}",
                  text("e", "category_id"), span("m"), agent("a", ""), ids()),
              "rocpd_memory_allocate m" + left("info_agent", "a", "m.agent_id") + lanes +
                  join("event", "e", "m.event_id") + threads) +
         view("scratch_memory",
              fmt::format(
                  "m.id, m.guid, m.nid, p.pid, m.type AS operation, a.name AS agent_name, {}, "
                  "m.queue_id, h.tid, {}, {}, m.size, "
                  "m.address, e.correlation_id, {}, {} AS category, e.extdata AS event_extdata",
                  agent("a", ""), json("m", "flags", "alloc_flags"), span("m"), ids(),
                  text("e", "category_id")),
              "rocpd_memory_allocate m" + left("info_agent", "a", "m.agent_id") +
                  left("info_queue", "q", "m.queue_id") + join("event", "e", "m.event_id") +
                  threads + " WHERE m.level = 'SCRATCH' ORDER BY m.start");
}

std::string counter_views() {
  const std::string of_dispatch =
      "rocpd_pmc_event c" + join("info_pmc", "i", "c.pmc_id") + join("event", "e", "c.event_id") +
      " JOIN rocpd_kernel_dispatch k ON k.event_id = c.event_id AND k.guid = c.guid" +
      join("info_kernel_symbol", "s", "k.kernel_id") + join("info_process", "p", "k.pid");
  return view("pmc_info",
              "i.id, i.guid, i.nid, p.pid, a.absolute_index AS agent_abs_index, i.is_constant, "
              "i.is_derived, i.name, i.description, i.block, "
              "i.expression",
              "rocpd_info_pmc i" + join("info_agent", "a", "i.agent_id") +
                  join("info_process", "p", "i.pid")) +
         view("pmc_events",
              fmt::format("c.id, c.guid, c.pmc_id, e.id AS event_id, {} AS category, "
                          "s.display_name AS name, k.nid, p.pid, k.dispatch_id, {}, "
                          "i.name AS counter_name, c.value AS counter_value",
                          text("e", "category_id"), span("k")),
              of_dispatch) +
         view("counters_collection",
              fmt::format(
                  "min(c.id) AS id, c.guid, k.dispatch_id, k.kernel_id, e.id AS event_id, "
                  "e.correlation_id, e.stack_id, "
                  "e.parent_stack_id, p.pid, h.tid, k.agent_id, {}, k.queue_id, k.grid_size_x, "
                  "k.grid_size_y, k.grid_size_z, "
                  "k.grid_size_x * k.grid_size_y * k.grid_size_z AS grid_size, s.display_name AS "
                  "kernel_name, {} AS kernel_region, "
                  "k.workgroup_size_x, k.workgroup_size_y, k.workgroup_size_z, "
                  "k.workgroup_size_x * k.workgroup_size_y * k.workgroup_size_z AS workgroup_size, "
                  "k.group_segment_size AS lds_block_size, k.private_segment_size AS scratch_size, "
                  "s.arch_vgpr_count AS vgpr_count, "
                  "s.accum_vgpr_count, s.sgpr_count, i.name AS counter_name, i.symbol AS "
                  "counter_symbol, i.component, i.description, "
                  "i.block, i.expression, i.value_type, i.id AS counter_id, sum(c.value) AS value, "
                  "k.start, k.\"end\", i.is_constant, "
                  "i.is_derived, k.\"end\" - k.start AS duration, {} AS category, k.nid, "
                  "e.extdata, s.code_object_id",
                  agent("a", ""), text("k", "region_name_id"), text("e", "category_id")),
              of_dispatch + join("info_agent", "a", "k.agent_id") +
                  join("info_thread", "h", "k.tid") +
                  " GROUP BY c.guid, k.dispatch_id, i.name, k.agent_id");
}

// Sums of the whole file, in microseconds; the averages are cut to whole nanoseconds, as rocprofv3's are.
std::string summary_views() {
  const std::string sums =
      "count(*) AS total_calls, sum(duration) / 1000.0 AS total_duration, "
      "(sum(duration) / count(*)) / 1000.0 AS average";
  const std::string kernels =
      "SELECT s.display_name AS name, k.\"end\" - k.start AS duration FROM rocpd_kernel_dispatch "
      "k" +
      join("info_kernel_symbol", "s", "k.kernel_id");
  const std::string named =
      "SELECT n.string AS name, x.\"end\" - x.start AS duration FROM rocpd_{} x" +
      join("string", "n", "x.name_id");
  const auto of = [&](std::string_view table) { return fmt::format(fmt::runtime(named), table); };
  const std::string all =
      kernels + " UNION ALL " + of("memory_copy") + " UNION ALL " + of("region");
  const auto total = [](std::string_view table) {
    return fmt::format("(SELECT coalesce(sum(\"end\" - start), 0) FROM rocpd_{})", table);
  };
  const std::string work = "SELECT {0} AS agent_id, guid, start, \"end\" FROM rocpd_{1}";
  const std::string both = fmt::format(fmt::runtime(work), "agent_id", "kernel_dispatch") +
                           " UNION ALL " +
                           fmt::format(fmt::runtime(work), "dst_agent_id", "memory_copy");
  return view("top_kernels",
              fmt::format("name, {}, sum(duration) * 100.0 / {} AS percentage", sums,
                          total("kernel_dispatch")),
              fmt::format("({}) GROUP BY name ORDER BY total_duration DESC", kernels)) +
         view("busy",
              "b.agent_id, a.type, b.GpuTime, w.WallTime, b.GpuTime * 1.0 / w.WallTime AS Busy",
              fmt::format("(SELECT agent_id, guid, sum(\"end\" - start) AS GpuTime FROM ({0}) "
                          "GROUP BY agent_id, guid) b JOIN "
                          "(SELECT max(\"end\") - min(start) AS WallTime FROM ({0})) w{1}",
                          both, join("info_agent", "a", "b.agent_id"))) +
         view("top",
              fmt::format("name, {}, sum(duration) * 100.0 / ({} + {} + {}) AS percentage", sums,
                          total("kernel_dispatch"), total("memory_copy"), total("region")),
              fmt::format("({}) GROUP BY name ORDER BY total_duration DESC", all));
}

}  // namespace

std::string convenience_views_sql() {
  return entity_views() + host_views() + device_views() + counter_views() + summary_views();
}

}  // namespace rpl::rocpd
