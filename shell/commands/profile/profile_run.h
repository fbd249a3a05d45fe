// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/target/target.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/profile_shapes.h"

/// What `profile` is made of.
namespace rpl {

class Face;
class SessionLog;

/// The parts that a profile works with. Made of a context, so that whoever holds one may pass it.
struct Profiler : Inputs {
  Profiler(const Context& context);

  SessionLog& log;
  Face& face;
  Screen screen;
};

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
  std::unique_ptr<Target> target;
  ProfileRequest request;
};

/// Shows the lines of a program as they come; on stderr where only a document may stand on stdout. Empty where nobody listens.
std::function<void(OutputStream, std::string_view)> shown_lines(Face& face);

/// Runs the program and says what was found; what was recorded is opened, and the documents are written into the folder of the plan.
Result<Document> profiled(const ProfileRunArgs& args, const Profiler& profiler,
                          const ProfilePlan& plan);

/// The last profile again, into a folder of its own. Fails with not_found before the first.
Result<Document> repeat_profile(const Profiler& profiler);

/// The counters that --counters, --roofline and --deep-analysis ask for, as far as the emulated device has them on `arch`, in one pass. Sets may
/// hold what it lacks; fails with not_found for a single counter that it lacks.
Result<std::vector<std::vector<std::string>>> counters_to_record(const ProfileRunArgs& args,
                                                                 const std::string& arch);

/// The same for hardware: passes as `counters plan` makes them; no pass where nothing is asked for. Fails as plan_passes() does.
Result<std::vector<std::vector<std::string>>> passes_to_record(const Inputs& inputs,
                                                               const ProfileRunArgs& args,
                                                               const std::string& arch);

/// The database that the folder of a profile begins with; "" where no profile was written.
std::string linked_recording(const std::string& folder);

/// The lines below the times that the options ask for. `traced`: this profile left a thread trace.
std::string findings_text(const ProfileRunArgs& args, const Profile& profile, bool traced,
                          std::size_t width);

}  // namespace rpl
