// SPDX-License-Identifier: MIT
#include "tests/support/rocprofv3/recording.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "engine/base/files.h"
#include "engine/store/database.h"

namespace rpl::stand_in {
namespace {

namespace fs = std::filesystem;

class Tables {
 public:
  static Result<Tables> open(const std::string& path) {
    Tables out(TRY(Database::open_copy(path)));
    Statement uuid =
        TRY(out.database.prepare("SELECT value FROM rocpd_metadata WHERE tag = 'uuid'"));
    if (!TRY(uuid.step())) return fail(Errc::corrupt, "no uuid");
    out.suffix = uuid.text(0);
    return out;
  }

  /// `sql` with each {name} of a table in it replaced by the table's full name.
  Status execute(std::string sql) {
    for (std::size_t at = sql.find('{'); at != std::string::npos; at = sql.find('{', at)) {
      const std::size_t end = sql.find('}', at);
      sql.replace(at, end + 1 - at, "\"rocpd_" + sql.substr(at + 1, end - at - 1) + suffix + "\"");
    }
    return database.execute(sql);
  }

  Database database;
  std::string suffix;

 private:
  explicit Tables(Database opened) : database(std::move(opened)) {}
};

Status remove_marks(Tables& tables) {
  TRY(tables.execute("DELETE FROM {metadata} WHERE tag NOT IN ('schema_version', 'uuid', 'guid')"));
  TRY(tables.execute(
      "UPDATE {info_agent} SET model_name = '', product_name = replace(product_name, ' "
      "(emulated)', ''), "
      "user_name = replace(user_name, ' (emulated)', ''), "
      "extdata = replace(replace(extdata, ', \"emulated\": true', ''), ' (emulated)', '')"));
  return tables.execute("UPDATE {info_pmc} SET long_description = description, extdata = '{}'");
}

}  // namespace

Status make_real(const std::string& database, const Options& options) {
  Tables tables = TRY(Tables::open(database));
  const bool counts = !options.values("pmc").empty();
  TRY(tables.execute("PRAGMA foreign_keys = OFF; BEGIN"));
  TRY(remove_marks(tables));
  if (!options.traces("hip")) {
    TRY(
        tables.execute("DELETE FROM {arg}; DELETE FROM {event} WHERE id IN (SELECT event_id FROM "
                       "{region}); DELETE FROM {region}"));
  }
  if (!options.traces("memory-copy")) TRY(tables.execute("DELETE FROM {memory_copy}"));
  if (!options.traces("memory-allocation")) TRY(tables.execute("DELETE FROM {memory_allocate}"));
  // Thread traces alone come without dispatches; counters bring their own.
  if (!options.traces("kernel") && !counts) TRY(tables.execute("DELETE FROM {kernel_dispatch}"));
  if (counts) {
    TRY(tables.execute(
        "UPDATE {kernel_dispatch} SET start = z + (start - z) * 4, \"end\" = z + (\"end\" - z) * 4 "
        "FROM (SELECT min(start) AS z FROM {kernel_dispatch})"));
  }
  return tables.execute("COMMIT");
}

Status make_real_trace(const std::string& folder) {
  const fs::path path = fs::path(folder) / "filenames.json";
  std::string text = TRY(read_text_file(path.string()));
  constexpr std::string_view kMark = "\"modelled\":";
  if (const std::size_t at = text.find(kMark); at != std::string::npos)
    text.erase(at, text.find("},", at) + 2 - at);
  std::error_code ignored;
  fs::remove(fs::path(folder) / "modelled_dispatch.json", ignored);
  return write_file(path.string(), text);
}

Status leave_half(const std::string& database) {
  Tables tables = TRY(Tables::open(database));
  return tables.execute(
      "PRAGMA foreign_keys = OFF; DELETE FROM {arg}; DELETE FROM {event}; DELETE FROM {region}; "
      "DELETE FROM {memory_copy}; DELETE FROM {memory_allocate}; "
      "DELETE FROM {kernel_dispatch}; DELETE FROM {pmc_event}; DELETE FROM {info_pmc}; DELETE FROM "
      "{info_kernel_symbol}; DELETE FROM {info_code_object}; "
      "DELETE FROM {info_stream}; DELETE FROM {info_queue}; DELETE FROM {info_agent}; DELETE FROM "
      "{info_thread}; DELETE FROM {info_process}");
}

Status leave_no_kernels(const std::string& database) {
  Tables tables = TRY(Tables::open(database));
  return tables.execute(
      "PRAGMA foreign_keys = OFF; DELETE FROM {kernel_dispatch}; DELETE FROM {pmc_event}");
}

Status write_kernel_csv(const std::string& database) {
  Tables tables = TRY(Tables::open(database));
  std::string name = fs::path(database).filename().string();
  name.replace(name.find("_results.db"), std::string::npos, "_kernel_trace.csv");
  std::ofstream out(fs::path(database).parent_path() / name);
  out << "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_"
         "Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\","
         "\"End_Timestamp\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"Accum_VGPR_"
         "Count\",\"SGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\","
         "\"Workgroup_Size_Z\",\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n";
  Statement rows = TRY(tables.database.prepare(
      "SELECT 'KERNEL_DISPATCH', 'Agent ' || agent_abs_index, queue_id, stream_id, tid, "
      "dispatch_id, kernel_id, name, stack_id, start, \"end\", lds_size, "
      "scratch_size, vgpr_count, accum_vgpr_count, sgpr_count, workgroup_x, workgroup_y, "
      "workgroup_z, grid_x, grid_y, grid_z FROM kernels ORDER BY dispatch_id"));
  while (TRY(rows.step())) {
    for (int i = 0; i < rows.column_count(); ++i) {
      const bool text = rows.type(i) == 3;  // SQLITE_TEXT
      out << (i == 0 ? "" : ",") << (text ? "\"" : "") << rows.text(i) << (text ? "\"" : "");
    }
    out << "\n";
  }
  return {};
}

}  // namespace rpl::stand_in
