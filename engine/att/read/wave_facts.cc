// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "engine/att/read/wave_collector.h"
#include "engine/base/interrupt.h"

namespace rpl::att {
namespace {

constexpr unsigned kMostThreads = 16;
constexpr std::size_t kMostFileNotes = 20;

/// What the threads share: the next file to be read.
class WaveWork {
 public:
  explicit WaveWork(const ThreadTrace& trace) : trace_(trace) {
    if (trace.occupancy) units_ = target_units(*trace.occupancy, trace.manifest.waves);
  }

  void run(WaveCollector& collector, const Monitor* monitor) {
    WaveBuffers buffers;
    const auto& waves = trace_.manifest.waves;
    for (std::size_t at = next_++; at < waves.size(); at = next_++) {
      if (interrupt::pending()) return;
      if (monitor) monitor->report("reading waves", at, waves.size());
      read(waves[at], collector, buffers);
    }
  }

 private:
  void read(const WaveFile& wave, WaveCollector& collector, WaveBuffers& buffers) {
    const std::string path = trace_.path_of(wave);
    const auto reading = read_wave(path, collector, buffers);
    WaveFacts& facts = collector.facts();
    if (!reading) {
      ++facts.failed;
      if (facts.notes.size() < kMostFileNotes)
        facts.notes.push_back(reading.error().message + "; this wave is left out");
      return;
    }
    facts.by_simdjson += *reading == WaveReading::simdjson ? 1 : 0;
    facts.bytes += buffers.file_bytes();
    const auto unit = units_.find(wave.se);
    collector.commit(
        wave.se, unit == units_.end() ? std::nullopt : std::optional<std::uint32_t>(unit->second));
  }

  const ThreadTrace& trace_;
  std::map<std::uint32_t, std::uint16_t> units_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace

std::int64_t union_length(std::vector<std::pair<std::int64_t, std::int64_t>>& intervals) {
  std::ranges::sort(intervals);
  std::int64_t sum = 0, until = INT64_MIN;
  for (const auto& [begin, end] : intervals) {
    if (end <= until) continue;
    sum += end - std::max(begin, until);
    until = end;
  }
  return sum;
}

Result<WaveFacts> read_waves(const ThreadTrace& trace, const Monitor& monitor,
                             const WaveOptions& options) {
  const Program program(trace, options.strip);
  WaveWork work(trace);
  unsigned threads = options.threads;
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  constexpr std::size_t kFilesWorthAThread = 4;
  threads = static_cast<unsigned>(
      std::min<std::size_t>(threads, trace.manifest.waves.size() / kFilesWorthAThread + 1));
  std::vector<WaveCollector> collectors;
  collectors.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) collectors.emplace_back(program);
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([&, i] { work.run(collectors[i], nullptr); });
    work.run(collectors[0], &monitor);
  }
  TRY(interrupt::check());
  for (unsigned i = 1; i < threads; ++i) collectors[0].merge(collectors[i]);
  WaveFacts facts = collectors[0].finish();
  if (facts.failed > facts.notes.size()) {
    facts.notes.push_back(fmt::format("{} wave files in all could not be read", facts.failed));
  }
  if (facts.unknown_categories > 0) {
    facts.notes.push_back(
        fmt::format("{} instructions have a category that this version does not know",
                    facts.unknown_categories));
  }
  if (facts.unmapped > 0 && !trace.code.rows.empty()) {
    facts.notes.push_back(
        fmt::format("{} instructions could not be matched to the listing by the recorder; their "
                    "cycles count, their lines do not",
                    facts.unmapped));
  }
  return facts;
}

}  // namespace rpl::att
