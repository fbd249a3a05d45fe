// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "engine/replay/elements.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/session/inputs.h"

namespace rpl {

/// What `kernel run` is given.
struct KernelRunArgs {
  std::string object, kernel, grid, programs, workgroup, capture, att;
  std::vector<std::string> arg, dump, expect;
  std::int64_t budget = 0, max_waves = 0;
  std::optional<std::int64_t> dynamic_lds, threads;
  std::optional<double> tolerance;
  bool functional = false, counted = false, modelled = false, races = false, debug = false,
       stop = false;
};

/// What `kernel run` says of a run: before what was executed, and behind it.
struct RunFacts {
  std::string object, kernel = {};
  isa::Arch architecture{};
  emu::Size3 grid{}, workgroup{};
  std::uint32_t dynamic_lds_bytes = 0;
  Value stopped_workgroup = {};  ///< under the debugger: that of the selected wave
};
inline constexpr BoundColumn kRunObject =
    column<&RunFacts::object>("object", "the code object").as(Type::id);
inline constexpr BoundColumn kRunGrid = column<&RunFacts::grid>("grid", "work-items in x, y, z");
inline constexpr BoundColumn kRunWorkgroup =
    column<&RunFacts::workgroup>("workgroup", "work-items of a workgroup");
inline constexpr BoundColumn kStoppedWorkgroup =
    column<&RunFacts::stopped_workgroup>(
        "stopped_workgroup",
        "where it was stopped: the workgroup of the selected wave, its linear number in the grid")
        .as(Type::integer)
        .in(Unit::none);
inline constexpr auto kRunFields = bound_to<RunFacts>(
    kRunObject, column<&RunFacts::kernel>("kernel", "its name in the code object").as(Type::kernel),
    column<&RunFacts::architecture>("architecture", isa::kArchitectureNames), kRunGrid,
    kRunWorkgroup,
    column<&RunFacts::dynamic_lds_bytes>("dynamic_lds_bytes",
                                         "LDS beyond what the kernel declares"));
/// What a run under the debugger says beside the stop.
inline constexpr auto kDebuggedFields =
    bound_to<RunFacts>(kRunObject, kStoppedWorkgroup, kRunGrid, kRunWorkgroup);

struct RunChecks {
  std::optional<std::uint64_t> races;
  std::optional<bool> verified;
};
inline constexpr auto kCheckFields = bound_to<RunChecks>(
    column<&RunChecks::races>("races", "pairs of instructions that race; null without --races")
        .if_known(),
    column<&RunChecks::verified>("verified", "whether all of --expect agree").if_known());

/// What a run wrote and opened.
struct Kept {
  std::string id, path;
};
inline constexpr auto kKeptCapture = bound_to<Kept>(
    column<&Kept::id>("capture", "the capture that --capture wrote, now open").as(Type::id),
    column<&Kept::path>("capture_path", "its folder"));
inline constexpr auto kKeptTrace = bound_to<Kept>(
    column<&Kept::id>("att", "the thread trace that --att wrote, now open").as(Type::id),
    column<&Kept::path>("att_path", "its decoded folder"));

/// An argument after the run.
struct RunArgument {
  std::uint64_t number = 0;
  bool buffer = false, null = false;
  std::optional<Element> element;
  std::optional<std::uint64_t> count;  ///< of a buffer
  std::uint64_t size_bytes = 0;
  std::optional<std::string> first;  ///< none where the type is unknown
  std::optional<bool> changed;       ///< of a buffer
  std::string expected;

  [[nodiscard]] std::string kind() const { return null ? "null" : buffer ? "buffer" : "value"; }
};
inline constexpr auto kRunColumns = bound_to<RunArgument>(
    column<&RunArgument::number>("argument", "its number, from 1"),
    column<&RunArgument::kind>("kind", "buffer, value, or null for a pointer to nothing"),
    column<&RunArgument::element>("element", "type of its elements"),
    column<&RunArgument::count>("count", "elements of a buffer"),
    column<&RunArgument::size_bytes>("size_bytes", "of the buffer or value"),
    column<&RunArgument::first>("first", "the first elements afterwards"),
    column<&RunArgument::changed>("changed", "whether the kernel changed the buffer"),
    column<&RunArgument::expected>("expected", "matched or differs; null without --expect")
        .if_room()
        .or_null());

/// Of what it returns, run or stopped.
std::vector<Column> kernel_run_fields();
/// Runs the kernel, or hands it to the debugger.
Result<Document> run_kernel_command(const KernelRunArgs& args, Inputs inputs, Debugger debugger);

}  // namespace rpl
