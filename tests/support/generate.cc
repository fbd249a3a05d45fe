// SPDX-License-Identifier: MIT
#include "tests/support/generate.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/store/database.h"
#include "tests/support/rocpd_writer.h"

namespace rpl::test {
namespace {

const char* to_string(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::stream:
      return "stream";
    case DependencyKind::queue:
      return "queue";
    case DependencyKind::event:
      return "event";
    case DependencyKind::host:
      return "host";
  }
  return "";
}

std::string to_string(const Node& node) {
  return fmt::format("{}{}", node.kind == NodeKind::kernel ? 'd' : 'c', node.id);
}

Result<ProcessTruth> write_process(Database& database, const GenerateOptions& options,
                                   unsigned index) {
  RocpdWriter writer(database, options, options.first_process + index);
  TRY(writer.begin(options.views && index == 0));
  WorkloadOptions load = options.workload;
  load.seed += 1000 * (options.first_process + index);
  TRY(writer.end(simulate(load, writer)));
  return ProcessTruth{writer.pid(), writer.guid(), writer.take_dependencies()};
}

/// Removes rows spread over the dispatch tables, so that pages have holes and free lists.
Status delete_rows(Database& database, double share) {
  Statement tables =
      TRY(database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE "
                           "'rocpd_kernel_dispatch%'"));
  std::vector<std::string> names;
  while (TRY(tables.step())) names.emplace_back(tables.text(0));
  for (const std::string& name : names) {
    Statement erase = TRY(
        database.prepare(fmt::format("DELETE FROM \"{}\" WHERE id * 2654435761 % 1000 < ?", name)));
    TRY(erase.bind(static_cast<std::int64_t>(share * 1000)));
    TRY(erase.run());
  }
  return {};
}

}  // namespace

std::int64_t stream_handle(const GenerateOptions& options, unsigned stream) {
  const std::uint64_t high = options.wide_handles ? 0xffff'8000'0000'0000 : 0;
  return static_cast<std::int64_t>(high + stream + 1);
}

std::int64_t queue_handle(const GenerateOptions& options, unsigned queue) {
  const std::uint64_t high = options.wide_handles ? 0x8000'0000'0000'0000 : 0;
  return static_cast<std::int64_t>(high + queue + 16);
}

std::string kernel_shown(unsigned kernel) {
  static constexpr const char* kShapes[] = {"gemm", "softmax", "layer_norm", "reduce",
                                            "elementwise"};
  return fmt::format("void {}_kernel<float, {}>(float const*, float*, int)", kShapes[kernel % 5],
                     kernel / 5);
}

std::string kernel_mangled(unsigned kernel) {
  static constexpr const char* kShapes[] = {"11gemm_kernel", "14softmax_kernel",
                                            "17layer_norm_kernel", "13reduce_kernel",
                                            "18elementwise_kernel"};
  return fmt::format("_Z{}IfLi{}EEvPKfPfi", kShapes[kernel % 5], kernel / 5);
}

Result<std::vector<ProcessTruth>> generate_rocpd(const GenerateOptions& options) {
  std::error_code ignored;
  for (const char* side : {"", "-wal", "-shm", "-journal"})
    std::filesystem::remove(options.path + side, ignored);
  Database database = TRY(Database::create_plain(options.path));
  TRY(
      database.execute(fmt::format("PRAGMA page_size={}; PRAGMA journal_mode=OFF; PRAGMA "
                                   "synchronous=OFF; PRAGMA cache_size=-65536",
                                   options.page_bytes)));
  TRY(database.execute("BEGIN"));
  std::vector<ProcessTruth> truth;
  for (unsigned index = 0; index < options.processes; ++index)
    truth.push_back(TRY(write_process(database, options, index)));
  if (options.deleted_share > 0) TRY(delete_rows(database, options.deleted_share));
  TRY(database.execute("COMMIT"));
  if (options.vacuum) TRY(database.execute("VACUUM"));
  if (options.wal) TRY(database.execute("PRAGMA journal_mode=WAL"));
  return truth;
}

std::string to_json(const std::vector<ProcessTruth>& truth) {
  std::string json = "{\"processes\": [";
  for (const ProcessTruth& process : truth) {
    json += fmt::format("{}{{\"pid\": {}, \"guid\": \"{}\", \"edges\": [",
                        json.back() == '[' ? "" : ", ", process.pid, process.guid);
    for (const Dependency& edge : process.dependencies) {
      json += fmt::format("{}{{\"from\": \"{}\", \"to\": \"{}\", \"kind\": \"{}\"}}",
                          json.back() == '[' ? "" : ",\n", to_string(edge.from), to_string(edge.to),
                          to_string(edge.kind));
    }
    json += "]}";
  }
  return json + "]}\n";
}

}  // namespace rpl::test
