// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/modelled_dispatch.h"
#include "engine/att/read/occupancy.h"
#include "engine/att/read/wave_file.h"
#include "engine/base/result.h"
#include "engine/device/cycle/parameters.h"
#include "engine/device/execute/launch/launch.h"

/// Writing decoded thread traces in the layout of rocprofv3, for traces that a model makes.
namespace rpl::att {

/// An instruction of the listing; its line number is its index + 1, which wave files name it by. Hits and cycles are summed from the waves.
struct WrittenInstruction {
  std::string text;    ///< "s_waitcnt lgkmcnt(0)"
  std::string source;  ///< "leaf:line -> caller:line", or ""
  std::uint64_t address = 0;
};

/// One wave with everything that it executed; `line` and `category` of the instructions as in wave files.
struct WrittenWave {
  std::uint32_t simd = 0, slot = 0;
  std::int64_t begin = 0, end = 0;
  std::vector<WaveInstruction> instructions;
};

/// A trace of one compute unit of one shader engine, numbered 0.
struct WrittenTrace {
  std::string kernel;  ///< the symbol
  std::string gfx;     ///< "gfx942"
  std::string model;   ///< what made it: "rpl-cycle/0.5 MI300X"; marks the trace as modelled
  std::string what;    ///< one sentence: what was simulated, and of how much
  std::uint32_t agent =
      1;  ///< its number, and below that of the dispatch: in the names of the files
  std::uint64_t number = 1;
  std::uint32_t compute_units = 0, simds_per_cu = 0, waves_per_simd = 0;  ///< of the device
  double clock_mhz = 0;
  std::vector<WrittenInstruction> code;
  std::vector<WrittenWave> waves;
  std::optional<ModelledDispatch> dispatch;  ///< what is known of the whole dispatch
};

/// Writes into `folder`, which is made: ui_output_agent_A_dispatch_D/ with code.json, filenames.json, occupancy.json, realtime.json, modelled_dispatch.json where it is known, copies of the sources that the code names with snapshots.json, and a file for each
/// wave, stats_ui_output_agent_A_dispatch_D.csv and agent_info.csv. Returns the path of the decoded folder. Fails with io.
Result<std::string> write_trace(const std::string& folder, const WrittenTrace& trace);

/// The category that a wave file gives to an executed instruction of this text.
std::int32_t written_category(std::string_view text, bool branch_taken);

/// The files of an inlined chain "leaf:7 -> caller:20" are added to `files`.
void add_files_of(std::string_view source, std::set<std::string>& files);

/// Copies those that exist, of at most 8 MiB each, into a decoded folder as source_N_NAME, and writes snapshots.json, which says what is a copy of what: nested objects by the parts of the
/// absolute path, the first of them "/". Relative paths and files that cannot be read are left out; without any there is no snapshots.json. Fails with io.
Status write_sources(const std::filesystem::path& folder, const std::set<std::string>& files);

}  // namespace rpl::att

namespace rpl::calibrate {

/// The simulated compute unit of a modelled launch as a thread trace; source lines where the code object has a line table. Fails with usage for a launch that
/// was not modelled with ExecuteOptions::keep_trace.
Result<att::WrittenTrace> modelled_trace(const emu::Executed& executed);

/// What the model says of a whole launch, as thread traces carry it. Fails with usage for a launch that was not modelled.
Result<att::ModelledDispatch> modelled_dispatch(const emu::Executed& executed);

}  // namespace rpl::calibrate
