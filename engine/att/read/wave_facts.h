// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/att/read/wait_model.h"
#include "engine/base/monitor.h"

/// What only the wave files say, summed while they are read.
namespace rpl::att {

/// Executions and cycles, by row or by category.
struct Cost {
  std::uint64_t hits = 0, latency = 0, stall = 0, idle = 0;

  Cost& operator+=(const Cost& other) {
    hits += other.hits;
    latency += other.latency;
    stall += other.stall;
    idle += other.idle;
    return *this;
  }
  [[nodiscard]] std::uint64_t issue() const { return latency - stall; }
  bool operator==(const Cost&) const = default;
};

/// Cycles from the issue of an instruction to the end of the wait that waited for it, of waits that stalled more than 8
/// cycles: exact for the youngest, an upper bound for the older ones.
struct LatencyStats {
  std::uint64_t n = 0;
  double mean = 0;
  std::int64_t p50 = 0, p95 = 0, max = 0;  ///< the value at index n * p / 100 of the sorted ones
};

/// A wait and an instruction that it waited for.
struct WaitPair {
  std::uint32_t wait_row = 0, row = 0;
  std::uint64_t times = 0;
  std::int64_t latency_sum = 0;  ///< from issue to the end of the wait, over all `times`
  std::uint64_t exposed = 0;     ///< stall of the waits in which this was the youngest
};

/// One compute unit (WGP on gfx10 and later) of one shader engine.
struct UnitFacts {
  std::uint32_t se = 0;
  std::optional<std::uint32_t> cu;
  std::uint64_t waves = 0, instructions = 0;
  std::int64_t busy_cycles = 0;  ///< length of the union of the waves' lives
  std::int64_t wave_cycles = 0;  ///< sum of the waves' lives
};

struct WaveFacts {
  std::uint64_t waves = 0;        ///< read
  std::uint64_t failed = 0;       ///< left out: missing or damaged
  std::uint64_t bytes = 0;        ///< of the files read
  std::uint64_t by_simdjson = 0;  ///< files that the fast reader did not take
  std::vector<Cost> rows;         ///< by row of the listing, summed again
  std::array<Cost, kCategories> categories{};
  std::uint64_t unmapped = 0;  ///< instructions that the recorder could not match to the listing
  std::uint64_t unknown_categories = 0;
  StateCycles recorded{};       ///< from the stored timelines
  StateCycles rebuilt{};        ///< from the instructions
  std::uint64_t timelines = 0;  ///< waves that had one
  StateStrip
      strip;  ///< states over time in narrow bins where WaveOptions::strip asked for them; else empty
  std::array<LatencyStats, kCounters> latencies{};
  std::vector<WaitPair> pairs;  ///< by wait row, then row
  std::vector<UnitFacts> units;
  std::uint64_t stored_waits = 0,
                equal_waits =
                    0;  ///< waves with stored wait lists; those whose rebuilt list is equal
  std::vector<std::string> notes;
};

struct WaveOptions {
  bool strip =
      false;  ///< states over time too, of traces without wstates files: a quarter more time
  unsigned threads = 0;  ///< 0: as many as there are cores
};

/// Reads all wave files in threads; at most a few MiB are in memory at a time. A file that cannot be read is a note and counts nothing. Fails with interrupted.
Result<WaveFacts> read_waves(const ThreadTrace& trace, const Monitor& monitor = {},
                             const WaveOptions& options = {});

/// Length of the union of intervals, which are sorted in place.
std::int64_t union_length(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals);

/// Gives the rows of a listing that was read from the CSV file their line numbers, by which wave files name instructions. `by_line` is what the wave
/// files add up to. A function takes consecutive numbers; where they begin follows from its costs, which must be equal in every row. Returns
/// "" when all functions that ran were found and no cost is left over, else why not; then `code` is as it was.
std::string number_rows(CodeTable& code, const std::vector<Cost>& by_line);

/// Reads all wave files and does the same for a whole trace.
std::string join_waves_to_csv(ThreadTrace& trace);

}  // namespace rpl::att
