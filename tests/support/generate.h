// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "tests/support/workload.h"

namespace rpl::test {

/// What to write beside the kernels, and how.
struct GenerateOptions {
  std::string path;
  std::string version = "3";   ///< "3", "3.0.1" … "3.0.5", "4.1"
  WorkloadOptions workload;    ///< of each process; the seed is varied
  unsigned processes = 1;      ///< all in this file, each with its own tables
  unsigned first_process = 0;  ///< number of the first, for several files of one run
  bool suffix = true;          ///< tables named after the guid; false needs processes = 1
  bool views = true;
  bool api = false;  ///< HIP API regions with arguments
  bool copies = true;
  bool markers = false;
  bool event_tables = true;       ///< rows in rocpd_hip_event, from version 3.0.4
  bool event_operations = false;  ///< the table rocpd_event_operation of some builds
  unsigned counters = 0;          ///< hardware counters, with 2 instances each
  bool wide_handles = false;      ///< queue and stream handles above 2^63, as some runtimes give
  std::string hostname = "gpu-node-1";
  bool collectives = false;  ///< kernel number workload.kernels is one of RCCL
  unsigned page_bytes = 4096;
  bool wal = false;          ///< leave the file in WAL mode (checkpointed)
  double deleted_share = 0;  ///< of the dispatch rows
  bool vacuum = false;
  bool truth = false;  ///< collect the dependencies
};

/// The dependencies of one process's operations, true by construction.
struct ProcessTruth {
  std::int64_t pid = 0;
  std::string guid;
  std::vector<Dependency> dependencies;
};

/// Writes a new database; an existing file is replaced. About 3 µs a dispatch without API regions.
Result<std::vector<ProcessTruth>> generate_rocpd(const GenerateOptions& options);

/// `{"processes": [{"pid", "guid", "edges": [{"from": "d1"|"c1", "to": …, "kind"}]}]}`; d = dispatch_id, c = row of
/// rocpd_memory_copy.
std::string to_json(const std::vector<ProcessTruth>& truth);

/// Recorded handles of the simulated streams and queues (0-based).
std::int64_t stream_handle(const GenerateOptions& options, unsigned stream);
std::int64_t queue_handle(const GenerateOptions& options, unsigned queue);
/// rocpd agent id of a simulated GPU; agent 0 is the CPU.
inline std::int64_t agent_id(unsigned gpu) { return 1 + std::int64_t{gpu}; }
/// Mangled and shown name of a simulated kernel.
std::string kernel_mangled(unsigned kernel);
std::string kernel_shown(unsigned kernel);

}  // namespace rpl::test
