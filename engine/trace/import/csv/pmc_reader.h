// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/trace/core/reader.h"
#include "engine/trace/core/secondary.h"
#include "engine/trace/import/csv/csv_table.h"

namespace rpl {

/// Whether a header is that of rocprof-compute's pmc_perf.csv: wide (a column for each counter) or long (a row for each).
bool is_pmc_perf(const CsvTable& table);

/// Whether a header is that of the results.csv of rocprof version 1, which read_pmc_perf() reads as well.
bool is_rocprof_v1(const CsvTable& table);

/// A pmc_perf.csv of rocprof-compute: the dispatches of the application with what several runs counted of them. In the long form the runs
/// stand one after the other; a dispatch of one run is that of another when both are the n-th of their kernel. Times are those of
/// the first run. A sysinfo.csv beside it describes the GPU. Counters are read on first use.
/// Fails with unsupported for a results.csv of rocprof version 1 without times.
Result<RawTrace> read_pmc_perf(const ReadRequest& request);

/// The agent JSON that the other formats carry (rocpd_info_agent.extdata), made of a sysinfo.csv; false when there is none that
/// can be read. Sets arch, product and details.
bool describe_by_sysinfo(const std::string& folder, Agent& agent);

/// Which dispatch a row of a long pmc_perf.csv belongs to: its number (event_id) by recorded id and start. Empty for the wide form,
/// whose n-th row is dispatch n.
struct PmcRows {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> dispatches;
};

/// The counters of a pmc_perf.csv. A column "TCC_HIT[3]" is one instance of TCC_HIT_sum, unless the file has that column too.
std::unique_ptr<FileTables> pmc_tables(std::string path, PmcRows rows);

}  // namespace rpl
