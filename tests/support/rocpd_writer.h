// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/store/database.h"
#include "engine/trace/write/schema.h"
#include "tests/support/generate.h"
#include "tests/support/workload.h"

namespace rpl::test {

/// Writes one process's recording as rocprofv3 would.
class RocpdWriter : public WorkloadSink {
 public:
  RocpdWriter(Database& database, const GenerateOptions& options, unsigned process);

  /// Tables, node, process, agents, queues, streams, threads, kernel symbols. Views go to the first process only.
  Status begin(bool with_views);
  /// The first failure of a write, and the process's end.
  Status end(std::int64_t end_ns);

  void kernel(const KernelRun& run) override;
  void copy(const CopyRun& run) override;
  void call(const ApiRun& run) override;
  void event(const EventRun& run) override;
  void marker(const MarkerRun& run) override;
  void dependency(const Dependency& dependency) override;
  [[nodiscard]] bool wants_calls() const override { return options_.api; }

  [[nodiscard]] std::vector<Dependency> take_dependencies() { return std::move(dependencies_); }
  [[nodiscard]] std::int64_t pid() const { return pid_; }
  [[nodiscard]] const std::string& guid() const { return guid_; }

 private:
  /// An INSERT into a table of this process with the given columns, one parameter each; "" before (…) constants.
  Status prepare(Statement& statement, std::string_view table, std::string_view columns);
  template <class... Values>
  void insert(Statement& statement, const Values&... values);
  std::int64_t string_id(const std::string& text);
  std::int64_t category_id(const std::string& name);
  std::int64_t add_event(const std::string& category, std::uint64_t correlation,
                         std::string_view extdata = "{}");
  std::int64_t track(std::int64_t thread, int gpu, int queue, int stream);
  Status prepare_all();
  Status write_metadata();
  Status write_entities();
  Status write_symbols();
  Status write_counters_info();
  void write_counters(std::int64_t event_id, const KernelRun& run);

  Database& database_;
  const GenerateOptions& options_;
  rocpd::SchemaVersion version_;
  std::vector<rocpd::TableSpec> tables_;
  std::string guid_, suffix_;
  std::int64_t pid_, nid_;
  Status status_;
  Statement string_, category_, event_, kernel_, copy_, region_, sample_, arg_, barrier_,
      operation_, pmc_, track_;
  std::map<std::string, std::int64_t> strings_, categories_;
  std::map<std::array<std::int64_t, 4>, std::int64_t> tracks_;
  std::int64_t next_event_ = 0;
  std::vector<Dependency> dependencies_;
};

}  // namespace rpl::test
