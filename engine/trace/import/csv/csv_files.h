// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/core/entities.h"
#include "engine/trace/core/secondary.h"

namespace rpl {

/// The files that one run of rocprofv3 (or `rocpd convert`) wrote with the same prefix as a kernel trace. Files that do not
/// exist are not listed.
struct CsvSiblings {
  std::string copies;            ///< *memory_copy_trace.csv, "" when absent
  std::string markers;           ///< *marker_api_trace.csv
  std::string counters;          ///< *counter_collection.csv
  std::string agents;            ///< *agent_info.csv
  std::string pc_samples;        ///< *pc_sampling_host_trap.csv or *pc_sampling_stochastic.csv
  std::vector<std::string> api;  ///< *hip_api_trace.csv, *hsa_api_trace.csv, *rccl_api_trace.csv, …
};

/// Looks beside `path`, whose name ends in "kernel_trace.csv" (or "counter_collection.csv"). Nothing is found beside a file
/// with another name.
CsvSiblings find_csv_siblings(const std::string& path);

/// The process id that rocprofv3 puts first in the names of its files ("1234_kernel_trace.csv"); 0 when there is none.
std::int64_t pid_of_file_name(std::string_view path);

/// The tables that lie beside a kernel trace as files of their own. A recorded dispatch's event_id is its Correlation_Id,
/// which is how launches are found: CSV has no event table. CSV holds no arguments either, so the
/// order between streams comes from function names alone (SyncSource::api_name).
std::unique_ptr<FileTables> csv_tables(CsvSiblings siblings);

}  // namespace rpl
