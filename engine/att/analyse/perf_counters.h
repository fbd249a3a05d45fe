// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/att/analyse/summary.h"
#include "engine/att/read/manifest.h"

/// Counters that were streamed into a thread trace (rocprofv3 --att-perfcounters, gfx9): se<SE>_perfcounter.json. No recording was at hand; this follows
/// the description of the format.
namespace rpl::att {

/// Counters of a bank: the first four names of filenames.json are bank 0, the next four bank 1.
inline constexpr std::size_t kBankCounters = 4;

/// One row: what the counters of a bank counted on a compute unit since its last sample.
struct PerfSample {
  std::int64_t time = 0;  ///< cycles of the shader engine
  std::array<std::uint16_t, kBankCounters> values{};
  std::uint16_t cu = 0;
  std::uint16_t bank = 0;
};

struct PerfOfEngine {
  std::uint32_t se = 0;
  std::vector<PerfSample> samples;  ///< in the order of the file
  std::size_t skipped = 0;          ///< rows that could not be read
};

/// Fails with not_found, io, corrupt, limit; `data` null is no samples.
Result<PerfOfEngine> read_perf_counters(const std::string& path, std::uint32_t se);

/// One counter over all engines and units.
struct PerfCounter {
  std::string name;   ///< "SQ_ACTIVE_INST_VALU"
  std::string simds;  ///< "3" of "SQ_WAVES:3"; "" for all
  std::uint64_t total = 0, samples = 0;
  std::uint64_t units = 0;  ///< compute units that reported it
  double per_sample = 0;    ///< mean
  std::uint16_t largest = 0;
  /// 100 * total / total of SQ_BUSY_CU_CYCLES, of counters of busy or active cycles; MFMA counts cycles, the others quad-cycles.
  std::optional<double> of_busy_pct;
};

struct PerfSummary {
  std::vector<PerfCounter> counters;  ///< in the order of filenames.json
  std::int64_t first = 0, last = 0;   ///< cycles of the first and the last sample
  std::optional<double> interval;     ///< median cycles between samples of one unit and bank
};
PerfSummary summarise_perf(const std::vector<PerfOfEngine>& engines,
                           const std::vector<std::string>& names);

/// Cycles from issue to return by the counters of instructions in flight, where SQ_INST_LEVEL_VMEM or SQ_INST_LEVEL_LDS was streamed: at each sample of the
/// traced unit as many of the issues have returned as are not in flight any more, first in first out; each of these took from its issue to the sample,
/// less half an interval. By "VMEM" and "LDS". Reads the wave files.
std::map<std::string, LatencyStats> latencies_by_level(const ThreadTrace& trace,
                                                       const std::vector<PerfOfEngine>& engines);

/// The files of a trace; one that cannot be read is a note.
std::vector<PerfOfEngine> read_perf_of(const ThreadTrace& trace, std::vector<std::string>& notes);

}  // namespace rpl::att
