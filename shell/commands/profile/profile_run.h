// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/process/run.h"
#include "engine/target/stability.h"
#include "engine/target/traits.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/inputs/loaded.h"

/// What `profile` is made of: the program on the emulated devices, or timed from outside.
namespace rpl {

struct ProfileRunArgs : HardwareArgs {
  std::string command;               ///< the program and its arguments as one word
  std::vector<std::string> program;  ///< the same as words; one of the two is given
  std::string target, gpu, output, counters, att, pc_sampling;
  std::int64_t devices = 0, timeout_s = 0, runs = 1, ranks = 0;  ///< ranks 0: one
  bool rocprof = true;  ///< false: the host's time of the process alone
  bool quiet = false, debug = false, roofline = false, focus_critical = false,
       deep_analysis = false;
};

/// What a run is asked with, after the settings were looked at.
struct ProfilePlan {
  std::vector<std::string> argv;
  TargetKind target = TargetKind::emu;
  TargetKind runs_on = TargetKind::emu;  ///< the same; of slurm what the nodes run it on
  std::size_t ranks = 1;                 ///< of slurm: tasks of its job
  std::string code;                      ///< of the program: code_of_program()
  std::string gpu, folder;
  std::uint32_t devices = 1;
  std::size_t runs = 1;
  std::chrono::milliseconds timeout{0};
  std::function<void(OutputStream, std::string_view)> on_line;
};

/// The emulated devices that a command runs on: its options, else `set emu gpu` and `set emu devices`.
struct EmulatedDevices {
  std::string gpu;  ///< "" for what suits the program's code
  std::uint32_t count = 1;
};
/// `devices` 0: the setting. Fails with usage outside 1 to 8.
Result<EmulatedDevices> emulated_devices(const Context& context, const std::string& gpu,
                                         std::int64_t devices);
/// Shows the lines of a program as they come; on stderr where only a document may stand on stdout. Empty where nobody listens.
std::function<void(OutputStream, std::string_view)> shown_lines(Context& context);

/// `profile` on the emulated devices, under rocprofv3, and with --no-rocprof. All these write profile.json into the folder of the plan.
Result<Document> profile_emulated(Context& context, const ProfileRunArgs& args,
                                  const ProfilePlan& plan);
Result<Document> profile_local(Context& context, const ProfileRunArgs& args,
                               const ProfilePlan& plan);
Result<Document> profile_host_time(Context& context, const ProfileRunArgs& args,
                                   const ProfilePlan& plan);
/// As a job of a cluster, a database from each rank. Ranks that failed or were lost are notes and exit status 1; fails when none left a database, and as run_ranks() does.
Result<Document> profile_slurm(Context& context, const ProfileRunArgs& args,
                               const ProfilePlan& plan);

/// The newest profile in the session of the same program text and code, its stability from the raw samples. Fails with not_found, naming the key.
Result<Document> profile_recorded(Context& context, const ProfileRunArgs& args,
                                  const ProfilePlan& plan);
/// The first 16 hex digits of SHA-256 of the executable; "" where it cannot be read or is larger than 256 MiB.
std::string code_of_program(const std::string& program);

/// The last profile again, into a folder of its own. Fails with not_found before the first.
Result<Document> repeat_profile(Context& context);

/// The counters that --counters, --roofline and --deep-analysis ask for, as far as the emulated device has them on `arch`; empty for none. Sets may
/// hold what it lacks; fails with not_found for a single counter that it lacks.
Result<std::vector<std::string>> counters_to_record(const ProfileRunArgs& args,
                                                    const std::string& arch);

/// The same for hardware: passes as `counters plan` makes them; no pass where nothing is asked for. Fails as plan_passes() does.
Result<std::vector<std::vector<std::string>>> passes_to_record(const Context& context,
                                                               const ProfileRunArgs& args,
                                                               const std::string& arch);

/// The name under which the older tool keeps its database, for the one of the first process.
void link_recording(const std::string& folder, const std::string& database);
/// The database that it leads to; "" where no profile was written.
std::string linked_recording(const std::string& folder);
/// The kernels with most time, a line each.
std::string kernel_lines(const Loaded& now, const TraceStats& stats);
/// Says so where --att named nothing that ran.
void note_untraced(const ProfileRunArgs& args, bool traced, Document& out);
/// The four documents. profile.json is `out` without what two equal runs differ in: processor time.
Status write_profile_documents(Context& context, const RooflineArgs& analysis,
                               const ProfilePlan& plan, const Document& out);
/// What disturbs times on this machine, with what fixes it: governor, clocks, other processes on the GPU.
std::vector<std::string> disturbances();

/// The lines below the times that the options ask for. `traced`: this profile left a thread trace.
std::string findings_text(const ProfileRunArgs& args, const Document& profile, bool traced,
                          std::size_t width);

/// Keeps what the program printed as stdout.txt and stderr.txt in the folder of the plan; `run` counts from 1.
Status keep_output(const ProfilePlan& plan, const Exit& exit, std::size_t run);

/// The record "stability" and its line; adds the advice to the notes where there is some.
void set_stability(const std::vector<double>& samples_ms, Document& out, bool modelled = false);
std::string stability_line(const std::vector<double>& samples_ms);

}  // namespace rpl
