// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/bound.h"
#include "engine/optimize/measure/samples.h"

/// Raw samples that were recorded elsewhere: one JSON line for each process,
/// {"kernel", "gain", "process", "blocks": [{"order": "AB"|"BA", "a": [ns …], "b": [ns …]}]}; `kernel`, `gain` and `process` may be missing.
/// A is the kernel; B the same kernel with the fraction `gain` of its work removed, 0 in an A/A measurement.
namespace rpl {

/// The processes of one kernel and gain.
struct RecordedSamples {
  std::string kernel;          ///< "" when not told
  std::optional<double> gain;  ///< as told: what was done, not what came of it
  Samples samples;
};

/// Groups in the order of their first line; empty lines are skipped. Fails with corrupt, naming the line, for what is not of that layout, for
/// times that are not positive and finite, a process that appears twice, and a file without processes; with limit beyond 65 536 processes in all,
/// 4096 blocks in a process, 65 536 dispatches in a block, or 2^22 dispatches in all.
Result<std::vector<RecordedSamples>> parse_raw_samples(std::string_view text);

/// The same of a file, plain or gzip. Fails also with not_found and io; with limit for more than 256 MiB of text.
Result<std::vector<RecordedSamples>> read_raw_samples(const std::string& path);

/// "blocks" of a process and back. Fails with corrupt and limit as above; `where` begins the sentence.
Columns<MeasuredBlock> bound(const MeasuredBlock*);
Status check_process(const MeasuredProcess& process, const std::string& where);
Result<MeasuredProcess> process_from(const Value& blocks, const std::string& where);

}  // namespace rpl
