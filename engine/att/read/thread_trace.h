// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/code_table.h"
#include "engine/att/read/manifest.h"
#include "engine/att/read/modelled_dispatch.h"
#include "engine/att/read/occupancy.h"
#include "engine/att/read/wave_states.h"
#include "engine/base/result.h"

namespace rpl::att {

/// What an opened path holds.
enum class Kind {
  folder,  ///< a decoded ui_output folder
  stats,   ///< stats_ui_output_*.csv alone: hits and cycles, no waves
  samples,  ///< PC samples: a folder whose code.json has sample columns, or a PC-sampling CSV or JSON file
};
std::string_view to_string(Kind kind);

/// The device as *agent_info.csv beside the trace describes it; only what all its GPUs agree on.
struct Device {
  std::string name;  ///< "gfx950"; "" when it is not said
  std::uint32_t cus = 0, shader_engines = 0, waves_per_simd = 0, simds_per_cu = 0;  ///< 0: not said
};

/// A decoded thread trace. Everything but the wave files is in memory; these are read by read_waves(). Immutable, safe to share.
struct ThreadTrace {
  Kind kind = Kind::folder;
  std::string path;    ///< as it was opened
  std::string folder;  ///< where the wave files and source copies are; "" without
  CodeTable code;
  Manifest manifest;
  std::optional<OccupancyFile> occupancy;
  std::vector<StateSteps> states;  ///< empty without wstates files
  std::optional<Clocks> clocks;
  std::map<std::string, std::string> snapshots;
  Device device;
  std::optional<std::uint64_t> agent, dispatch;  ///< from the folder's name
  std::optional<ModelledDispatch>
      modelled;  ///< what a cycle model knows of the whole dispatch; only of traces that one made
  std::vector<std::string> notes;  ///< about files that could not be read, each naming its file

  /// 9 to 12; 9 when nothing says it.
  [[nodiscard]] std::string path_of(const WaveFile& wave) const;
  [[nodiscard]] int gfxip() const { return manifest.gfxip > 0 ? manifest.gfxip : 9; }
  /// The function with most executed instructions: its label's demangled name or symbol; else the kernel of the recorded waves; "" for none.
  [[nodiscard]] std::string kernel() const;
  /// Text of a source file as the listing names it, from the copy in the folder. Fails with not_found.
  [[nodiscard]] Result<std::string> source_text(const std::string& file) const;
};

using TracePtr = std::shared_ptr<const ThreadTrace>;

/// Whether `path` is a decoded folder: it holds filenames.json or code.json with the marks of the format.
bool is_trace_folder(const std::string& path);
/// Whether `path` is a stats or PC-sampling CSV file, by its header line.
bool is_trace_csv(const std::string& path);
/// The decoded folders at or below `path`, at most 4 levels deep and 4096 of them, by name; and stats CSV files whose folder is not there.
std::vector<std::string> find_traces(const std::string& path);

/// Opens a folder, a stats CSV or a PC-sampling CSV or JSON file. What cannot be read is a note; fails when neither a listing nor a list of
/// waves could be read (not_found, io, corrupt, unsupported).
Result<TracePtr> open_trace(const std::string& path);

/// What *agent_info.csv files in the folder above `folder`, or in the folders beside it, say of the GPUs; values on which GPUs differ stay unknown.
Device read_device(const std::string& folder);

}  // namespace rpl::att
