// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/bound.h"

namespace rpl {

/// Whether a number can be the time of a dispatch: positive, and neither below a billionth of a nanosecond nor above 30 years, so that ratios
/// are finite.
inline bool is_time(double ns) { return ns >= 1e-9 && ns <= 1e18; }

/// Device times of one block: the baseline (a) and the candidate (b), each dispatched k times in a row.
struct MeasuredBlock {
  bool a_first = true;
  std::vector<double> a_ns, b_ns;
};
using MeasuredProcess = std::vector<MeasuredBlock>;

/// The raw samples of one A/B design: processes, each with blocks of alternating order.
struct Samples {
  std::vector<MeasuredProcess> processes;
  /// Modelled time: equal runs are equal, one process and one block say everything.
  bool deterministic = false;
  /// Of modelled times: the half-width h of the band of their ratio, real ones lie between ratio / (1 + h) and ratio * (1 + h) in nine of ten cases
  /// (docs/cycle-model.md). Nothing: of an older version, which told none.
  std::optional<double> model_band = {};
};

/// How much is measured before the first look at the result.
struct Design {
  std::uint32_t processes = 5;
  std::uint32_t blocks = 6;      ///< in each process; the first is warm-up
  std::uint32_t dispatches = 8;  ///< of each side in a block
};

/// Which side goes first in each block: half of them AB, half BA, shuffled; of an odd number one more AB. Deterministic for a seed.
std::vector<bool> balanced_orders(std::uint32_t blocks, std::uint64_t seed);

/// Where samples come from: a GPU, the emulated device, a recording, a simulation.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Measures in so many new processes. Each is fresh: nothing of an earlier one is left in it. A deterministic source gives one process.
  virtual Result<Samples> more(std::uint32_t processes) = 0;
  /// "measured", "modelled", "recorded" or "simulated".
  [[nodiscard]] virtual std::string_view time_source() const = 0;
};

/// Raw samples that were recorded elsewhere: one JSON line for each process,
/// {"kernel", "gain", "process", "blocks": [{"order": "AB"|"BA", "a": [ns …], "b": [ns …]}]}; `kernel`, `gain` and `process` may be missing.
/// A is the kernel; B the same kernel with the fraction `gain` of its work removed, 0 in an A/A measurement.
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
