// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/att/read/code_table.h"

/// PC sampling of rocprofv3: where waves of the whole GPU were when they were looked at, and (stochastic method) why they did not issue.
namespace rpl::att {

/// *_pc_sampling_host_trap.csv and *_pc_sampling_stochastic.csv. The file has no addresses: one row stands for all instructions of equal text
/// and source line. Rows in the order in which they first appear. Host-trap samples do not say whether the wave issued: all count as issued, without reasons.
Result<CodeTable> read_samples_csv(const std::string& path, ReadNotes& notes);

/// The samples in results.json of rocprofv3 (buffer_records.pc_sample_host_trap, pc_sample_stochastic), by address. Fails with not_found where it has none.
Result<CodeTable> read_samples_json(const std::string& path, ReadNotes& notes);

}  // namespace rpl::att
