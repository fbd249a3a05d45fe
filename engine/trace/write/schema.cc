// SPDX-License-Identifier: MIT
#include "engine/trace/write/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"

namespace rpl::rocpd {
namespace {

constexpr std::string_view kOwner = "nid INTEGER NOT NULL, pid INTEGER NOT NULL, ";
constexpr std::string_view kExtdata = "extdata JSONB NOT NULL DEFAULT '{}'";
constexpr std::string_view kSpan = "start BIGINT NOT NULL, \"end\" BIGINT NOT NULL, ";

std::string owned(std::string_view columns) {
  return fmt::format("{}{}{}", kOwner, columns, kExtdata);
}

/// Who did it and where: spelled out in schema 3, a track in schema 4.
std::string placed(SchemaVersion version, std::string_view spelled_out, std::string_view rest) {
  if (version.tracks()) return fmt::format("track_id INTEGER NOT NULL, {}{}", rest, kExtdata);
  return fmt::format("{}{}{}{}", kOwner, spelled_out, rest, kExtdata);
}

std::string dispatch_columns(SchemaVersion version) {
  std::string rest = fmt::format(
      "{}private_segment_size INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER NOT "
      "NULL, "
      "workgroup_size_y INTEGER NOT NULL, workgroup_size_z INTEGER NOT NULL, grid_size_x INTEGER "
      "NOT NULL, "
      "grid_size_y INTEGER NOT NULL, grid_size_z INTEGER NOT NULL, region_name_id INTEGER, "
      "event_id INTEGER, ",
      kSpan);
  if (version >= SchemaVersion{3, 0, 2}) {
    rest += "graph_exec_id INTEGER NOT NULL DEFAULT 0, graph_node_id INTEGER NOT NULL DEFAULT 0, ";
  }
  if (version.tracks()) {
    return fmt::format(
        "track_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, {}{}",
        rest, kExtdata);
  }
  return fmt::format(
      "{}tid INTEGER, agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, dispatch_id INTEGER "
      "NOT NULL, "
      "queue_id INTEGER NOT NULL, stream_id INTEGER NOT NULL, {}{}",
      kOwner, rest, kExtdata);
}

std::string copy_columns(SchemaVersion version) {
  std::string rest = fmt::format(
      "{}name_id INTEGER NOT NULL, dst_agent_id INTEGER, dst_address INTEGER, src_agent_id "
      "INTEGER, src_address INTEGER, "
      "size INTEGER NOT NULL, {}region_name_id INTEGER, event_id INTEGER, ",
      kSpan, version.tracks() ? "" : "queue_id INTEGER, stream_id INTEGER, ");
  if (version >= SchemaVersion{3, 0, 2}) {
    rest += "graph_exec_id INTEGER NOT NULL DEFAULT 0, graph_node_id INTEGER NOT NULL DEFAULT 0, ";
  }
  return placed(version, "tid INTEGER, ", rest);
}

std::string agent_columns(SchemaVersion version) {
  const bool nic = version >= SchemaVersion{3, 0, 1};
  return owned(fmt::format(
      "type TEXT CHECK (type IN ('CPU', 'GPU'{})), absolute_index INTEGER, logical_index INTEGER, "
      "type_index INTEGER, "
      "uuid INTEGER, name TEXT, model_name TEXT, vendor_name TEXT, product_name TEXT, {}, ",
      nic ? ", 'NIC'" : "", version.tracks() ? "generic_name TEXT" : "user_name TEXT"));
}

std::string pmc_columns(SchemaVersion version) {
  return owned(
      fmt::format("agent_id INTEGER, target_arch TEXT CHECK (target_arch IN ('CPU', 'GPU'{})), "
                  "event_code INT, instance_id INTEGER, name "
                  "TEXT NOT NULL, symbol TEXT NOT NULL, "
                  "description TEXT, long_description TEXT DEFAULT '', component TEXT, units TEXT "
                  "DEFAULT '', value_type TEXT CHECK (value_type IN ('ABS', 'ACCUM', 'RELATIVE')), "
                  "block TEXT, expression TEXT, is_constant INTEGER, is_derived INTEGER, {}{}",
                  version >= SchemaVersion{3, 0, 1} ? ", 'NIC'" : "",
                  version >= SchemaVersion{3, 0, 3} ? "spm_support INTEGER DEFAULT 0, " : "",
                  version.tracks() ? "qualifier TEXT, " : ""));
}

std::string pmc_event_columns(SchemaVersion version) {
  std::string columns = "event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL DEFAULT 0.0, ";
  if (version >= SchemaVersion{3, 0, 3}) {
    columns += "sample_id INTEGER, xcc INTEGER, shader_engine INTEGER, instance INTEGER, ";
  }
  if (version >= SchemaVersion{3, 0, 5}) columns += "shader_array INTEGER, wgp INTEGER, ";
  return columns + "extdata JSONB DEFAULT '{}'";
}

void add_info_tables(std::vector<TableSpec>& tables, SchemaVersion version) {
  tables.push_back({"rocpd_string", "string TEXT NOT NULL UNIQUE"});
  tables.push_back({"rocpd_info_node",
                    "hash BIGINT NOT NULL UNIQUE, machine_id TEXT NOT NULL UNIQUE, system_name "
                    "TEXT, hostname TEXT, "
                    "release TEXT, version TEXT, hardware_name TEXT, domain_name TEXT"});
  tables.push_back(
      {"rocpd_info_process",
       fmt::format(
           "nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, init BIGINT, fini BIGINT, "
           "start BIGINT, \"end\" BIGINT, command TEXT, environment JSONB NOT NULL DEFAULT '{{}}', "
           "{}",
           kExtdata)});
  tables.push_back(
      {"rocpd_info_thread", fmt::format("nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, "
                                        "tid INTEGER NOT NULL, name TEXT, "
                                        "start BIGINT, \"end\" BIGINT, {}",
                                        kExtdata)});
  tables.push_back({"rocpd_info_agent", agent_columns(version)});
  tables.push_back({"rocpd_info_queue", owned("name TEXT, ")});
  tables.push_back({"rocpd_info_stream", owned("name TEXT, ")});
  tables.push_back({"rocpd_info_pmc", pmc_columns(version)});
  tables.push_back(
      {"rocpd_info_code_object",
       owned("agent_id INTEGER, uri TEXT, load_base BIGINT, load_size BIGINT, load_delta BIGINT, "
             "storage_type TEXT CHECK (storage_type IN ('FILE', 'MEMORY')), ")});
  tables.push_back(
      {"rocpd_info_kernel_symbol",
       owned("code_object_id INTEGER NOT NULL, kernel_name TEXT, display_name TEXT, kernel_object "
             "INTEGER, "
             "kernarg_segment_size INTEGER, kernarg_segment_alignment INTEGER, group_segment_size "
             "INTEGER, "
             "private_segment_size INTEGER, sgpr_count INTEGER, arch_vgpr_count INTEGER, "
             "accum_vgpr_count INTEGER, ")});
  if (version.tracks()) tables.push_back({"rocpd_info_category", "name TEXT NOT NULL UNIQUE"});
}

void add_event_tables(std::vector<TableSpec>& tables, SchemaVersion version,
                      bool event_operations) {
  const std::string barrier = fmt::format(
      "tid INTEGER, agent_id INTEGER, queue_id INTEGER, source_queue_id INTEGER, stream_id "
      "INTEGER, name_id INTEGER NOT NULL, "
      "hip_event_handle INTEGER, {}event_id INTEGER, ",
      kSpan);
  if (version >= SchemaVersion{3, 0, 4}) tables.push_back({"rocpd_hip_event", owned(barrier)});
  if (event_operations) {
    tables.push_back(
        {"rocpd_event_operation",
         owned(fmt::format(
             "tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, type TEXT NOT "
             "NULL "
             "CHECK (type IN ('WAIT', 'SIGNAL')), event_handle INTEGER, {}event_id INTEGER, ",
             kSpan))});
  }
}

}  // namespace

SchemaVersion SchemaVersion::parse(std::string_view text) {
  SchemaVersion version;
  for (int* part : {&version.major, &version.minor, &version.patch}) {
    const auto number = take_number<int>(text);
    if (!number) break;
    *part = *number;
    text.remove_prefix(std::min<std::size_t>(1, text.size()));
  }
  return version;
}

std::vector<TableSpec> tables_of(SchemaVersion version, bool event_operations) {
  std::vector<TableSpec> tables;
  add_info_tables(tables, version);
  const std::string track_columns =
      version.tracks() ? "ppid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, "
                       : "";
  tables.push_back(
      {"rocpd_track",
       fmt::format("nid INTEGER NOT NULL, pid INTEGER, tid INTEGER, {}name_id INTEGER, {}",
                   track_columns, kExtdata)});
  tables.push_back(
      {"rocpd_event",
       fmt::format(
           "category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id "
           "INTEGER, "
           "call_stack JSONB NOT NULL DEFAULT '{{}}', line_info JSONB NOT NULL DEFAULT '{{}}', {}",
           kExtdata)});
  tables.push_back({"rocpd_arg", fmt::format("event_id INTEGER NOT NULL, position INTEGER NOT "
                                             "NULL, type TEXT NOT NULL, name TEXT NOT NULL, "
                                             "value TEXT, {}",
                                             kExtdata)});
  tables.push_back({"rocpd_pmc_event", pmc_event_columns(version)});
  tables.push_back({"rocpd_region",
                    placed(version, "tid INTEGER NOT NULL, ",
                           fmt::format("{}name_id INTEGER NOT NULL, event_id INTEGER, ", kSpan))});
  tables.push_back(
      {"rocpd_sample",
       fmt::format("track_id INTEGER NOT NULL, timestamp BIGINT NOT NULL, {}event_id INTEGER, {}",
                   version.tracks() ? "name_id INTEGER, " : "", kExtdata)});
  tables.push_back({"rocpd_kernel_dispatch", dispatch_columns(version)});
  tables.push_back({"rocpd_memory_copy", copy_columns(version)});
  tables.push_back(
      {"rocpd_memory_allocate",
       placed(version, "tid INTEGER, agent_id INTEGER, ",
              fmt::format("type TEXT CHECK (type IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')), "
                          "level TEXT CHECK (level IN ('REAL', 'VIRTUAL', 'SCRATCH')), {}address "
                          "INTEGER, size INTEGER NOT NULL, "
                          "{}event_id INTEGER, ",
                          kSpan,
                          version.tracks() ? "name_id INTEGER, "
                                           : "queue_id INTEGER, stream_id INTEGER, "))});
  if (version >= SchemaVersion{3, 0, 2}) {
    tables.push_back(
        {"rocpd_graph_launch",
         owned(fmt::format(
             "tid INTEGER, agent_id INTEGER, queue_id INTEGER, {}graph_exec_id INTEGER, "
             "kernel_dispatch_count INTEGER, event_id INTEGER, ",
             kSpan))});
  }
  add_event_tables(tables, version, event_operations);
  return tables;
}

namespace {

/// The tables that columns of these names refer to.
struct Reference {
  std::string_view column, table;
};
constexpr std::array kReferences = {Reference{"nid", "rocpd_info_node"},
                                    Reference{"pid", "rocpd_info_process"},
                                    Reference{"tid", "rocpd_info_thread"},
                                    Reference{"agent_id", "rocpd_info_agent"},
                                    Reference{"dst_agent_id", "rocpd_info_agent"},
                                    Reference{"src_agent_id", "rocpd_info_agent"},
                                    Reference{"queue_id", "rocpd_info_queue"},
                                    Reference{"stream_id", "rocpd_info_stream"},
                                    Reference{"kernel_id", "rocpd_info_kernel_symbol"},
                                    Reference{"code_object_id", "rocpd_info_code_object"},
                                    Reference{"category_id", "rocpd_string"},
                                    Reference{"name_id", "rocpd_string"},
                                    Reference{"region_name_id", "rocpd_string"},
                                    Reference{"event_id", "rocpd_event"},
                                    Reference{"track_id", "rocpd_track"},
                                    Reference{"pmc_id", "rocpd_info_pmc"}};

/// Whether `columns` declare one of this name.
bool declares(std::string_view columns, std::string_view name) {
  const std::string wanted = fmt::format("{} ", name);
  return columns.starts_with(wanted) || columns.find(", " + wanted) != std::string_view::npos;
}

std::string foreign_keys(const TableSpec& table, std::string_view suffix) {
  std::string sql;
  for (const auto& [column, to] : kReferences) {
    // Processes and threads have their system's numbers in columns of their own.
    const bool own = (table.name == "rocpd_info_process" && column == "pid") ||
                     (table.name == "rocpd_info_thread" && column == "tid");
    if (own || !declares(table.columns, column)) continue;
    sql += fmt::format(", FOREIGN KEY ({}) REFERENCES \"{}{}\" (id) ON UPDATE CASCADE", column, to,
                       suffix);
  }
  return sql;
}

}  // namespace

std::string create_tables_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                              std::string_view guid) {
  std::string sql = fmt::format(
      "CREATE TABLE \"rocpd_metadata{}\" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, tag TEXT "
      "NOT NULL, value TEXT NOT NULL);\n",
      suffix);
  for (const TableSpec& table : tables) {
    sql += fmt::format(
        "CREATE TABLE \"{}{}\" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid TEXT NOT NULL "
        "DEFAULT '{}', {}{});\n",
        table.name, suffix, guid, table.columns, foreign_keys(table, suffix));
  }
  return sql;
}

std::string create_site_tables_sql(std::string_view suffix) {
  return fmt::format(
      "CREATE TABLE \"rpl_call_site{0}\" (stack_id INTEGER PRIMARY KEY NOT NULL, site_id INTEGER, "
      "again INTEGER);\n"
      "CREATE TABLE \"rpl_site_frame{0}\" (site_id INTEGER NOT NULL, depth INTEGER NOT NULL, file "
      "TEXT NOT NULL, line INTEGER NOT NULL, \"column\" INTEGER NOT NULL, function TEXT NOT NULL, "
      "module TEXT NOT NULL, \"offset\" INTEGER NOT NULL, program INTEGER NOT NULL, PRIMARY KEY "
      "(site_id, depth)) WITHOUT ROWID;\n",
      suffix);
}

std::string create_views_sql(const std::vector<TableSpec>& tables, std::string_view suffix,
                             SchemaVersion version) {
  std::string sql;
  if (suffix.empty()) return sql;
  sql += fmt::format("CREATE VIEW rocpd_metadata AS SELECT * FROM \"rocpd_metadata{}\";\n", suffix);
  for (const TableSpec& table : tables) {
    sql += fmt::format("CREATE VIEW \"{0}\" AS SELECT * FROM \"{0}{1}\";\n", table.name, suffix);
  }
  return version.tracks() ? sql : sql + convenience_views_sql();
}

}  // namespace rpl::rocpd
