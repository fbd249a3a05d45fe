// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/process/run.h"
#include "engine/profile/stability.h"
#include "engine/table/document.h"
#include "shell/commands/roofline_view.h"

/// What `profile` is made of: the program on the emulated devices, or timed from outside.
namespace rpl {

struct ProfileRunArgs : HardwareArgs {
  std::string command;               ///< the program and its arguments as one word
  std::vector<std::string> program;  ///< the same as words; one of the two is given
  std::string gpu, output, counters, att;
  std::int64_t devices = 0, timeout_s = 0, runs = 1;
  bool rocprof = true;  ///< false: the host's time of the process alone
  bool quiet = false, debug = false, roofline = false, focus_critical = false, deep_analysis = false;
};

/// What a run is asked with, after the settings were looked at.
struct ProfilePlan {
  std::vector<std::string> argv;
  std::string gpu, folder;
  std::uint32_t devices = 1;
  std::size_t runs = 1;
  std::chrono::milliseconds timeout{0};
  std::function<void(OutputStream, std::string_view)> on_line;
};

/// `profile` with recording, and with --no-rocprof. Both write profile.json into the folder of the plan.
Result<Document> profile_emulated(Context& context, const ProfileRunArgs& args, const ProfilePlan& plan);
Result<Document> profile_host_time(Context& context, const ProfileRunArgs& args, const ProfilePlan& plan);

/// The last profile once more, into a folder of its own. Fails with not_found before the first.
Result<Document> repeat_profile(Context& context);

/// The counters that --counters, --roofline and --deep-analysis ask for, as far as the emulated device has them on `arch`; empty for none. Sets may
/// hold what it lacks; fails with not_found for a single counter that it lacks.
Result<std::vector<std::string>> counters_to_record(const ProfileRunArgs& args, const std::string& arch);

/// The lines below the times that the options ask for. `traced`: this profile left a thread trace.
std::string findings_text(const ProfileRunArgs& args, const Document& profile, bool traced, std::size_t width);

/// Keeps what the program printed as stdout.txt and stderr.txt in the folder of the plan; `run` counts from 1.
Status keep_output(const ProfilePlan& plan, const Exit& exit, std::size_t run);

/// The record "stability" and its line; adds the advice to the notes where there is some.
void set_stability(const std::vector<double>& samples_ms, Document& out);
std::string stability_line(const std::vector<double>& samples_ms);

}  // namespace rpl
