// SPDX-License-Identifier: MIT
// profile: runs a program and opens what was recorded; `run` does the last one again.
#include "shell/commands/profile/profile_run.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "engine/isa/traits/architecture.h"
#include "engine/target/emu/program_check.h"
#include "shell/core/command/define.h"
#include "shell/core/command/line.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/workspace.h"

namespace rpl {

namespace {

/// The program and its arguments. One word is split as a shell would; nothing else of a shell happens to it.
Result<std::vector<std::string>> program_of(const ProfileRunArgs& args) {
  if (!args.program.empty() && !args.command.empty()) {
    return fail(Errc::usage,
                fmt::format("'{}' stands before '--', and a program behind it", args.command),
                "profile -- ./app ARGS");
  }
  if (!args.program.empty()) return args.program;
  if (args.command.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  // A word that is a program is not taken apart: its path may hold blanks.
  std::error_code ignored;
  if (std::filesystem::exists(args.command, ignored)) return std::vector{args.command};
  const Line line = TRY(split_line(args.command));
  if (!line.pipe.empty())
    return fail(Errc::usage, "a pipeline is not a program", "profile -- sh -c 'A | B'");
  std::vector<std::string> out;
  for (const Word& word : line.words) out.push_back(word.text);
  if (out.empty()) return fail(Errc::usage, "no program to run", "profile -- ./app ARGS");
  return out;
}

/// Options that the target, or what its program runs on in the end, does not have.
Status check_options(const ProfileRunArgs& args, TargetKind target, TargetKind on) {
  if (args.ranks > 0) TRY(require(target, Ability::ranks));
  if (!args.gpu.empty() || args.devices != 0) TRY(require(on, Ability::emulated_devices));
  if (args.counters == "all") TRY(require(on, Ability::all_counters));
  if (!args.pc_sampling.empty()) TRY(require(on, Ability::pc_samples));
  const bool records_more = args.roofline || args.deep_analysis || args.focus_critical ||
                            !args.counters.empty() || !args.att.empty();
  if (records_more || !args.pc_sampling.empty()) TRY(require(target, Ability::more_records));
  if (args.rocprof) return {};
  TRY(require(target, Ability::host_time));
  if (!records_more) return {};
  return fail(Errc::usage,
              "--no-rocprof records nothing: it leaves no kernels for --roofline, --counters, "
              "--att, --focus-critical and --deep-analysis",
              "leave one or the other out");
}

/// Whether it was started as rocm-perf-lab, which leaves its files in the current folder.
bool named_as_older_tool() {
  return std::string_view(program_invocation_short_name) == "rocm-perf-lab";
}

/// What the `profile` of each rank is typed.
std::vector<std::string> rank_words(const ProfileRunArgs& args, const ProfileRequest& request,
                                    TargetKind on, const profile::EmulatedDevices& devices) {
  std::vector<std::string> out{"--target", std::string(to_string(on))};
  const auto text = [&](const char* option, const std::string& value) {
    if (!value.empty()) out.insert(out.end(), {option, value});
  };
  const auto flag = [&](const char* option, bool set) {
    if (set) out.emplace_back(option);
  };
  if (require(on, Ability::emulated_devices)) {
    text("--gpu", devices.gpu);
    text("--devices", std::to_string(devices.count));
  }
  text("--runs", std::to_string(args.runs));
  text("--timeout", std::to_string(args.timeout_s));
  text("--counters", args.counters);
  text("--att", args.att);
  text("--pc-sampling", args.pc_sampling);
  flag("--roofline", args.roofline);
  flag("--deep-analysis", args.deep_analysis);
  flag("--focus-critical", args.focus_critical);
  flag("--debug", args.debug);
  flag("--quiet", !request.on_line);
  out.emplace_back("--");
  out.insert(out.end(), request.argv.begin(), request.argv.end());
  return out;
}

Result<ProfilePlan> plan_of(const ProfileRunArgs& args, const Profiler& profiler) {
  ProfilePlan plan;
  ProfileRequest& request = plan.request;
  request.argv = TRY(program_of(args));
  const TargetKind target = TRY(target_for(profiler.settings, Ability::profile, args.target)).kind;
  const TargetKind on = runs_on(profiler.settings, target);
  TRY(check_options(args, target, on));
  const ProgramPlace place{
      .gpu = args.gpu,
      .devices = args.devices,
      .ranks = static_cast<std::size_t>(std::max<std::int64_t>(args.ranks, 1))};
  plan.target = TRY(open_target(profiler.settings, profiler.log, target, place));
  request.code = code_of_program(profile::found_in_path(request.argv.front()).value_or(""));
  request.runs = static_cast<std::size_t>(args.runs);
  request.timeout = std::chrono::seconds(args.timeout_s);
  request.folder = args.output;
  if (request.folder.empty())
    request.folder = named_as_older_tool()
                         ? std::string(".")
                         : TRY(numbered_folder(
                               profiler.log, "profiles",
                               target == TargetKind::recorded ? Numbered::free : Numbered::made));
  // The ranks of a job start somewhere else.
  if (target == TargetKind::slurm)
    request.folder = std::filesystem::absolute(request.folder).lexically_normal().string();
  if (!args.quiet || args.debug) request.on_line = shown_lines(profiler.face);
  request.announce = [&face = profiler.face](const std::string& text) { face.announce(text); };
  request.counters = [&profiler, &args, target](const std::string& arch) {
    return traits_of(target).counts_at_once ? counters_to_record(args, arch)
                                            : passes_to_record(profiler, args, arch);
  };
  request.trace_kernel = args.att;
  request.pc_sampling = args.pc_sampling;
  request.hsa_calls = args.focus_critical;
  request.from_outside = !args.rocprof;
  request.debug = args.debug;
  if (target == TargetKind::slurm)
    request.words = rank_words(args, request, on, emulated_devices(profiler.settings, place));
  return plan;
}

Result<Document> run_profile(const ProfileRunArgs& args, Profiler profiler) {
  const ProfilePlan plan = TRY(plan_of(args, profiler));
  // Kept before it runs: a program that fails is the one to run again.
  profiler.workspace.last_profile = std::make_shared<const ProfileRunArgs>(args);
  Result<Document> out = profiled(args, profiler, plan);
  // Of a program that could not run nothing stays; a folder that holds something is not removed.
  std::error_code ignored;
  if (!out && args.output.empty()) std::filesystem::remove(plan.request.folder, ignored);
  return out;
}

constexpr const char* kProfileHelp =
    "Runs the program and opens what was recorded: dispatches, copies, memory, every HIP call, "
    "streams and events. It runs on the AMD GPU of this machine under rocprofv3 (`--target local`, "
    "the default where `info capabilities` finds both), or on the emulated devices (`--target "
    "emu`), where every time is of the virtual clock and modelled. `--target recorded` runs "
    "nothing: it answers with the newest profile of the same program, arguments and build in the "
    "session. `--target slurm` runs it as a job of a cluster (docs/slurm.md): `--ranks N` starts N "
    "tasks of it, as MPI programs want, and the databases of all ranks are opened as one trace. "
    "What it prints is shown and kept (stdout.txt, stderr.txt). For the emulated devices the "
    "program is checked first; `set emu gpu MI250X` and `set emu devices 2` say what they are; "
    "otherwise its code decides.\n\n"
    "`--runs N` runs it N times: runtime_ms is the mean of the runs, with standard deviation, cv "
    "(standard deviation / mean) and class: stable up to 0.05, moderate up to 0.10, else unstable, "
    "with advice. The first run is the one that is opened.\n\n"
    "`--counters A,B` counts for every dispatch. On hardware that takes runs of its own, as many "
    "as the counters need, whose values are put to the dispatches of the run without counters by "
    "kernel and ordinal; on the emulated devices instructions are counted exactly and caches are "
    "modelled. `--roofline` counts what the roofline needs. `--att KERNEL` takes a thread trace "
    "and opens it. `--deep-analysis` does both for the kernel that matters most, and says what "
    "limits it. `--focus-critical` is about the kernel that dominates the critical path instead of "
    "the one with most time; on hardware it records HSA calls too. `--pc-sampling stochastic` "
    "samples program counters, on hardware alone. `--no-rocprof` records nothing: it measures the "
    "host's time of the whole process, of any program. `run` does the last profile again.\n\n"
    "The databases (one for each process, FOLDER/HOST/PID_results.db) and profile.json, "
    "roofline.json, dag.json and analysis.json go to profiles/N of the session, or to --output "
    "DIR; those of later runs to run_2, run_3 … in it. docs/profiling-on-rocm.md and "
    "docs/profiling-without-a-gpu.md say how, and what to do when something is wrong.";

std::vector<Bound> profile_parameters() {
  using Args = ProfileRunArgs;
  return {
      arg("command", &Args::command, "the program and its arguments as one word: \"./app 1024\"")
          .completes(Complete::file),
      rest("program", &Args::program, "the program and its arguments"),
      option("runs", &Args::runs, "how often it runs").in(within(1, 1000)),
      flag("rocprof", &Args::rocprof, "--no-rocprof: do not record, measure the host's time"),
      option("counters", &Args::counters,
             "counters to record, with commas: names, sets (roofline, memory, lds, stalls), or all")
          .completes(Complete::counters)
          .named("A,B"),
      flag("roofline", &Args::roofline,
           "record the counters of the roofline, and show where the kernel stands"),
      option("att", &Args::att,
             "thread trace of the first dispatch of each kernel with this in its name")
          .named("KERNEL"),
      flag("deep-analysis", &Args::deep_analysis,
           "counters, a thread trace of the kernel that matters most, and what limits it"),
      flag("focus-critical", &Args::focus_critical,
           "look at the kernel that dominates the critical path"),
      option("pc-sampling", &Args::pc_sampling,
             fmt::format("sample program counters as well: host_trap ({}), stochastic ({})",
                         isa::first_with(&isa::Traits::has_host_trap_sampling),
                         isa::first_with(&isa::Traits::has_stochastic_sampling)))
          .named("METHOD"),
      target_option(&Args::target),
      option("ranks", &Args::ranks,
             "tasks of the job on a cluster, each of which runs the program; 0: one")
          .in(within(0, 100'000))
          .named("N"),
      option("gpu", &Args::gpu, emulated_gpu_help()),
      devices_option(&Args::devices),
      option("output", &Args::output, "the folder; made when it does not exist")
          .or_letter('o')
          .needs({rpl::Capability::write})
          .named("DIR")
          .completes(Complete::file),
      option("timeout", &Args::timeout_s, "seconds after which a run is stopped; 0: never")
          .in(at_least(0))
          .named("S"),
      flag("quiet", &Args::quiet, "do not show what the program prints"),
      flag("debug", &Args::debug,
           "say what is run and how; show what the program prints even with --quiet")};
}

}  // namespace

Profiler::Profiler(const Context& context)
    : Inputs(context), log(context.log()), face(context.face()), screen(context) {}

std::function<void(OutputStream, std::string_view)> shown_lines(Face& face) {
  return [&face](OutputStream, std::string_view line) {
    (void)face.write(OutputBytes::raw(fmt::format("{}\n", line)));
  };
}

Result<Document> repeat_profile(const Profiler& profiler) {
  if (profiler.workspace.last_profile == nullptr) {
    return fail(Errc::not_found, "no program has run yet",
                "profile -- ./app ARGS; the next 'run' repeats it");
  }
  ProfileRunArgs args = *profiler.workspace.last_profile;
  // A folder holds one profile: another run goes beside it.
  args.output.clear();
  return run_profile(args, profiler);
}

void add_profile_run_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "profile",
                  .does = {rpl::Capability::read, rpl::Capability::session, rpl::Capability::run},
                  .chapter = Class::running,
                  .summary = "Run a HIP program, on a GPU or emulated, and open the recording.",
                  .help = kProfileHelp,
                  .fields = document_shape("rpl.profile/1").fields,
                  .scalar = "runtime_ms",
                  .examples = {"profile --quiet -- PROGRAM", "profile --runs 3 --quiet PROGRAM",
                               "profile --roofline --att vector --quiet PROGRAM"},
                  .changes_program = true},
          with_hardware<ProfileRunArgs>(profile_parameters()), run_profile));
}

}  // namespace rpl
