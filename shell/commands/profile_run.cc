// SPDX-License-Identifier: MIT
// profile: runs a program and opens what was recorded; `run` does the last one once more.
#include "shell/commands/profile_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/profile/emulated_run.h"
#include "shell/command/define.h"
#include "shell/command/line.h"
#include "shell/commands/families.h"
#include "shell/commands/profile_files.h"

namespace rpl {

namespace {

/// The program and its arguments. One word is split as a shell would; nothing else of a shell happens to it.
Result<std::vector<std::string>> program_of(const ProfileRunArgs& args) {
  if (!args.program.empty() && !args.command.empty()) {
    return fail(Errc::usage, fmt::format("'{}' stands before '--', and a program behind it", args.command), "profile -- ./app ARGS");
  }
  if (!args.program.empty()) return args.program;
  if (args.command.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  // A word that is a program is not taken apart: its path may hold blanks.
  std::error_code ignored;
  if (std::filesystem::exists(args.command, ignored)) return std::vector{args.command};
  const Line line = TRY(split_line(args.command));
  if (!line.pipe.empty()) return fail(Errc::usage, "a pipeline is no program", "profile -- sh -c 'A | B'");
  std::vector<std::string> out;
  for (const Word& word : line.words) out.push_back(word.text);
  if (out.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  return out;
}

/// Shows what the program prints as it comes; on stderr where only a document may stand on stdout.
std::function<void(OutputStream, std::string_view)> shown(Context& context, const ProfileRunArgs& args) {
  if ((args.quiet && !args.debug) || !context.write) return {};
  return [&context](OutputStream, std::string_view line) { (void)context.write(fmt::format("{}\n", line)); };
}

Result<ProfilePlan> plan_of(Context& context, const ProfileRunArgs& args) {
  ProfilePlan plan;
  plan.argv = TRY(program_of(args));
  plan.gpu = args.gpu;
  const std::string set = context.settings.text("emu gpu");
  if (plan.gpu.empty() && set != "none") plan.gpu = set;
  const std::int64_t devices = args.devices != 0 ? args.devices : static_cast<std::int64_t>(context.settings.number("emu devices"));
  constexpr std::int64_t kMostDevices = 8, kMostRuns = 1000;
  if (devices < 1 || devices > kMostDevices) return fail(Errc::usage, "--devices must be 1 to 8");
  if (args.runs < 1 || args.runs > kMostRuns) return fail(Errc::usage, "--runs must be 1 to 1000");
  if (args.timeout_s < 0) return fail(Errc::usage, "--timeout takes seconds, 0 or more");
  plan.devices = static_cast<std::uint32_t>(devices);
  plan.runs = static_cast<std::size_t>(args.runs);
  plan.timeout = std::chrono::seconds(args.timeout_s);
  plan.folder = args.output.empty() ? TRY(free_profile_folder(context)) : args.output;
  plan.on_line = shown(context, args);
  return plan;
}

Result<Document> run_profile(Context& context, const ProfileRunArgs& args) {
  const ProfilePlan plan = TRY(plan_of(context, args));
  // Kept before it runs: a program that fails is the one to run again.
  context.last_profile = std::make_shared<const ProfileRunArgs>(args);
  return args.rocprof ? profile_emulated(context, args, plan) : profile_host_time(context, args, plan);
}

constexpr const char* kProfileHelp =
    "Runs the program on the emulated devices and opens what was recorded: dispatches, copies, memory, every HIP call, streams and events. "
    "What it prints is shown and kept (stdout.txt, stderr.txt). The program is checked first; what cannot run is told with what mends it. "
    "`set emu gpu MI250X` and `set emu devices 2` say what it runs on; otherwise its code decides.\n\n"
    "`--runs N` runs it N times: runtime_ms is the mean of the runs, with standard deviation, cv (standard deviation / mean) and class: "
    "stable up to 0.05, moderate up to 0.10, else unstable, with advice. The first run is the one that is opened.\n\n"
    "`--counters A,B` counts for every dispatch, under the hardware's names, into the database: instructions are counted exactly, caches are "
    "modelled; `info counters`, `roofline` and `classify` take it from there. Counting changes no time. `--roofline` counts what the roofline "
    "needs. `--att KERNEL` writes a modelled thread trace beside the database and opens it. `--deep-analysis` does both for the kernel that "
    "matters most, which takes a second run, and says what limits it. `--focus-critical` is about "
    "the kernel that dominates the critical path instead of the one with most time. `--no-rocprof` records nothing: it measures the host's "
    "time of the whole process, of any program. `run` does the last profile again.\n\n"
    "The databases (one for each process, FOLDER/HOST/PID_results.db, as rocprofv3 writes them) and profile.json, roofline.json, dag.json and "
    "analysis.json go to profiles/N of the session, or to --output DIR; those of later runs to run_2, run_3 … in it. "
    "Every time is of the virtual clock and modelled; docs/profiling-without-a-gpu.md says how. On a machine with an AMD GPU, record with "
    "rocprofv3 and open its database: this command does not drive it yet.";

std::vector<Bound> profile_parameters() {
  using Args = ProfileRunArgs;
  return {arg("command", &Args::command, "the program and its arguments as one word: \"./app 1024\""),
          rest("program", &Args::program, "the program and its arguments"),
          option("runs", &Args::runs, "how often it runs"),
          flag("rocprof", &Args::rocprof, "--no-rocprof: do not record, measure the host's time"),
          option("counters", &Args::counters, "counters to record, with commas: names, sets (roofline, memory, lds, stalls), or all").named("A,B"),
          flag("roofline", &Args::roofline, "record the counters of the roofline, and show where the kernel stands"),
          option("att", &Args::att, "thread trace of the first dispatch of each kernel with this in its name").named("KERNEL"),
          flag("deep-analysis", &Args::deep_analysis, "counters, a thread trace of the kernel that matters most, and what limits it"),
          flag("focus-critical", &Args::focus_critical, "look at the kernel that dominates the critical path"),
          option("gpu", &Args::gpu, "MI300X, MI250X, gfx90a …; default: `set emu gpu`, else what suits its code"),
          option("devices", &Args::devices, "how many of them; 0: `set emu devices`"),
          option("output", &Args::output, "the folder; made when it does not exist").or_letter('o').named("DIR").completes(Complete::file),
          option("timeout", &Args::timeout_s, "seconds after which a run is stopped; 0: never").named("S"),
          flag("quiet", &Args::quiet, "do not show what the program prints"),
          flag("debug", &Args::debug, "say what is run and how; show what the program prints even with --quiet")};
}

}  // namespace

Result<Document> repeat_profile(Context& context) {
  if (context.last_profile == nullptr) {
    return fail(Errc::not_found, "no program has run yet", "profile -- ./app ARGS; the next 'run' repeats it");
  }
  ProfileRunArgs args = *context.last_profile;
  // A folder holds one profile: another run goes beside it.
  args.output.clear();
  return run_profile(context, args);
}

void add_profile_run_commands(Registry& registry) {
  add(registry, command(Command{.path = "profile",
                                .chapter = Class::running,
                                .summary = "Run a HIP program on the emulated devices and open the recording.",
                                .help = kProfileHelp,
                                .fields = document_shape("rpl.profile/1").fields,
                                .scalar = "runtime_ms",
                                .examples = {"profile --quiet -- PROGRAM", "profile --runs 3 --quiet PROGRAM", "profile --roofline --att vector --quiet PROGRAM"},
                                .changes_program = true},
                        with_hardware<ProfileRunArgs>(profile_parameters()), run_profile));
}

}  // namespace rpl
