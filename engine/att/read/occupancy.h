// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/manifest.h"

namespace rpl::att {

/// Start or end of a wave on any compute unit of a traced shader engine.
struct OccupancyEvent {
  std::int64_t time = 0;  ///< cycles of that shader engine
  std::uint32_t kernel = 0;
  std::uint16_t cu = 0;
  std::uint8_t simd = 0;
  std::uint8_t slot = 0;
  bool start = false;
};

struct OccupancyOfEngine {
  std::uint32_t se = 0;
  std::vector<OccupancyEvent> events;  ///< in the order of the file
};

/// occupancy.json, 6 or more columns a row.
struct OccupancyFile {
  std::vector<OccupancyOfEngine> engines;           ///< by number
  std::map<std::uint32_t, std::string> dispatches;  ///< kernel_id to its name
  std::size_t skipped = 0;                          ///< rows that could not be read
  std::size_t packet_losses = 0,
              stalls =
                  0;  ///< events of newer files: the trace itself lost packets or held waves up
};

Result<OccupancyFile> read_occupancy(const std::string& path);

/// Waves in flight in one shader engine over the time from the first to the last event.
struct EngineOccupancy {
  std::uint32_t se = 0;
  std::uint64_t events = 0, starts = 0;
  std::uint64_t cus = 0;  ///< that got a wave
  std::int64_t peak_waves = 0, final_waves = 0;
  double avg_waves = 0;   ///< integral of waves over time / span
  std::int64_t span = 0;  ///< cycles
  std::int64_t first = 0, last = 0;
};

/// An end without a start counts nothing (lost data): the number of waves never falls below 0.
EngineOccupancy occupancy_of(const OccupancyOfEngine& engine);

/// Mean waves in flight over all engines in `bins` equal parts of the aligned time from the first to the last event.
/// `offsets` from Clocks::offsets(); engines without one count as offset 0.
struct OccupancyStrip {
  std::int64_t first = 0, last = 0;
  std::vector<double> waves;
};
OccupancyStrip occupancy_strip(const OccupancyFile& file,
                               const std::map<std::uint32_t, std::int64_t>& offsets,
                               std::size_t bins);

/// The compute unit of each shader engine's traced waves: their begin is a start event of the same SIMD and slot. The unit that fits most
/// waves; engines for which none fits are left out.
std::map<std::uint32_t, std::uint16_t> target_units(const OccupancyFile& file,
                                                    const std::vector<WaveFile>& waves);

/// Names of the kernels whose waves ran, most starts first.
std::vector<std::string> kernels_of(const OccupancyFile& file);

}  // namespace rpl::att
