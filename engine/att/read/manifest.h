// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/code_table.h"
#include "engine/base/result.h"

namespace rpl::att {

/// One wave of the traced compute unit, as filenames.json lists it. Times are cycles of the clock of its shader engine.
struct WaveFile {
  std::string name;  ///< of the file in the folder
  std::uint32_t se = 0, simd = 0, slot = 0, id = 0;
  std::int64_t begin = 0, end = 0;
};

/// filenames.json.
struct Manifest {
  std::vector<WaveFile> waves;  ///< by shader engine, SIMD, slot, id
  int gfxip = 0;                ///< major version of the instruction set: 9 to 12; 0: not said
  std::string version;
  std::vector<std::string> counters;  ///< of streamed performance counters
  std::string model,
      modelled_what;  ///< of a trace that a cycle model made: its name and version, and what was simulated; else empty
  bool thread_trace = true;  ///< false for files made of PC samples
  bool pc_sampling = false, stochastic = false;
};

/// Times outside of ±2^53 are damage: sums and differences of times then fit easily.
inline constexpr std::int64_t kLatestTime = std::int64_t{1} << 53;
inline constexpr std::size_t kMostWaves = std::size_t{1} << 22;

/// Reads filenames.json; `wave_filenames` null is no waves. Fails with not_found, io, corrupt, limit.
Result<Manifest> read_manifest(const std::string& path, ReadNotes& notes);

/// The wave files of a folder without filenames.json, by the names of the files; begin and end are 0.
std::vector<WaveFile> waves_by_name(const std::vector<std::string>& file_names);

/// Points of one shader engine's clock and of the steady clock.
struct ClockPoints {
  std::uint32_t se = 0;
  std::int64_t gfx_first = 0, gfx_last = 0;    ///< cycles
  std::int64_t real_first = 0, real_last = 0;  ///< ticks of `frequency`
};

/// realtime.json: how the clocks of the shader engines relate.
struct Clocks {
  std::vector<ClockPoints> points;
  std::int64_t frequency = 0;  ///< of the steady clock, Hz

  /// Shader clock in Hz, from the first shader engine with two points; nullopt without one.
  [[nodiscard]] std::optional<double> gfx_hz() const;
  /// What to add to the times of each shader engine so that they compare: all of `wanted`, or none when one is not
  /// calibrated. k = sum of steady ticks / sum of cycles; origin = real_first - gfx_first * k.
  [[nodiscard]] std::map<std::uint32_t, std::int64_t> offsets(
      const std::vector<std::uint32_t>& wanted) const;
};

Result<Clocks> read_clocks(const std::string& path);

/// Source files that the recorder copied: the path as the listing names it, and the copy's name in the folder.
Result<std::map<std::string, std::string>> read_snapshots(const std::string& path);

}  // namespace rpl::att
