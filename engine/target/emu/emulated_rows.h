// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/device/hip/device.h"
#include "engine/device/hip/recording.h"
#include "engine/store/database.h"
#include "engine/target/emu/emulated_database.h"
#include "engine/target/emu/host_lines.h"

namespace rpl::profile {

/// Turns the records of a process into rows of a rocpd database whose tables are there.
class Rows {
 public:
  Rows(Database& database, std::string suffix, const RunIdentity& identity);

  Status write_metadata(const std::string& guid);
  // One record each. Fails with corrupt when it refers to what was not recorded before.
  Status add(const emu::hip::ProcessRecord& record);
  Status add(const emu::hip::StreamRecord& record);
  Status add(const emu::hip::ObjectRecord& record);
  Status add(const emu::hip::KernelRecord& record);
  Status add(const emu::hip::CallRecord& record);
  Status add(const emu::hip::DispatchRecord& record);
  Status add(const emu::hip::CopyRecord& record);
  Status add(const emu::hip::MemoryRecord& record);
  Status add(const emu::hip::RefusedRecord& record);
  Status add(const emu::hip::EndRecord& record);
  Status add(const emu::hip::CounterRecord& record);
  Status add(const emu::hip::CountsRecord& record);
  Status add(const emu::hip::TraceRecord& record);
  Status add(const emu::hip::CaptureRecord& record);
  Status add(const emu::hip::SiteRecord& record);
  /// What is known only at the end: when the process ended.
  Status finish();

 private:
  /// The statement that inserts into `columns` of a table, of rocpd's or, by its whole name, of our own ("rpl_…"); kept.
  Result<Statement*> into(const std::string& table, const std::string& columns);
  Status metadata(const std::string& tag, const std::string& value);
  Result<std::int64_t> text_id(const std::string& text);
  Result<std::int64_t> event(const std::string& category, std::uint64_t correlation,
                             const std::string& extdata = "{}");
  Status thread(std::int64_t id);
  Status agents();
  [[nodiscard]] std::int64_t agent_of(std::int32_t device) const { return device + 1; }
  Status check_place(const emu::hip::Place& place);
  /// The row of info_pmc for a counter on an agent.
  Result<std::int64_t> counter_on(const emu::hip::CounterRecord& counter, std::int64_t agent);

  /// What counters and thread traces need to know of a dispatch.
  struct Dispatch {
    std::int64_t event = 0, agent = 0;
  };
  Database& database_;
  std::string suffix_;
  RunIdentity identity_;
  std::map<std::string, Statement> statements_;
  std::map<std::string, std::int64_t> texts_;
  std::set<std::int64_t> threads_, queues_;
  std::set<std::uint64_t> streams_, objects_;
  std::map<std::uint64_t, Dispatch> dispatches_;
  std::map<std::uint32_t, emu::hip::CounterRecord> counters_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::int64_t>
      pmc_rows_;  ///< by counter and agent
  HostLines lines_;
  emu::hip::ProcessRecord process_;
  std::uint32_t dies_ = 1;  ///< XCCs of a device
  std::string target_;      ///< "gfx942"
  std::set<std::string> models_;
  /// Sums over a kernel's dispatches: durations, the ends of their bands, half-widths of ratios times durations.
  struct KernelBand {
    std::string name;
    double ns = 0, low_ns = 0, high_ns = 0, ratio = 0;
    std::string findings = {};  ///< of the last dispatch that has some: none took far longer
  };
  std::map<std::uint64_t, KernelBand> bands_;
  std::int64_t node_ = 0, events_ = 0, end_ns_ = 0;
};

/// Runs an INSERT with these values.
template <class... Values>
Status insert(Result<Statement*> statement, const Values&... values) {
  Statement* into = TRY(std::move(statement));
  TRY(into->bind(values...));
  return into->run();
}

}  // namespace rpl::profile
