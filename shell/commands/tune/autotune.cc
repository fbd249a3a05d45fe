// SPDX-License-Identifier: MIT
// autotune: the fastest of many configurations, with few measurements.
#include <fmt/format.h>

#include <filesystem>

#include "engine/isa/traits/architecture.h"
#include "engine/tune/run/slurm.h"
#include "shell/commands/tune/tuning.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

struct AutotuneArgs {
  std::string space, command, source, capture, variants, programs, workgroup, grid, architecture,
      target, gpu, kernel, pattern, check, strategy = "guided", objective = "kernels";
  std::vector<std::string> flags, include;
  bool rocprof = true;
  std::int64_t runs = 1, timeout_s = 0, seed = 0, budget = 0, batch = 0, confirm = 6;
  double seed_fraction = 0.2, prune_factor = 1.75;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

Result<tune::Plan> plan_of(const AutotuneArgs& args, const Settings& settings) {
  tune::Plan plan;
  tune::Work& work = plan.work;
  const TargetChoice choice = TRY(target_for(settings, Ability::tune, args.target));
  const TargetKind target = choice.kind;
  work.command = TRY(template_words(args.command, "--cmd-template"));
  work.check = TRY(template_words(args.check, "--check-cmd"));
  work.source = absolute(args.source);
  work.capture = absolute(args.capture);
  work.variants = absolute(args.variants);
  work.programs = args.programs;
  work.workgroup = args.workgroup;
  work.grid = args.grid;
  work.flags = args.flags;
  for (const std::string& folder : args.include) work.include.push_back(absolute(folder));
  work.architecture = args.architecture;
  work.compiler = settings.text("build compiler");
  work.headers = settings.text("build headers");
  // What runs on the nodes of a cluster runs there as it would here.
  const bool elsewhere = target == TargetKind::slurm || target == TargetKind::recorded;
  work.target = !args.rocprof ? "host"
                : elsewhere   ? settings.text("slurm runs")
                              : std::string(to_string(target));
  work.gpu = emulated_devices(settings, {.gpu = args.gpu}).gpu;
  work.kernel = args.kernel;
  work.pattern = args.pattern;
  if (args.objective != "kernels") work.objective = args.objective;
  work.runs = args.runs;
  work.timeout_s = args.timeout_s;
  work.cwd = std::filesystem::current_path().string();
  plan.search = {.strategy = args.strategy,
                 .seed = static_cast<std::uint64_t>(args.seed),
                 .seed_fraction = args.seed_fraction,
                 .prune_factor = args.prune_factor};
  if (args.budget > 0) plan.search.budget = static_cast<std::size_t>(args.budget);
  constexpr std::int64_t kUsualArray = 8;
  plan.batch = static_cast<std::size_t>(args.batch > 0                ? args.batch
                                        : target == TargetKind::slurm ? kUsualArray
                                                                      : 1);
  plan.confirm = args.confirm;
  plan.executor = elsewhere ? std::string(to_string(target)) : "here";
  if (target == TargetKind::slurm) plan.slurm = cluster::to_record(slurm_options(settings));
  return plan;
}

/// The configurations of Triton's variants; what its own tuner chose is the default, where that is known.
Result<tune::Space> variant_space(const tune::Work& work, std::vector<std::string>& notes) {
  triton::Variants variants = TRY(tune::variants_of(work));
  notes = std::move(variants.notes);
  tune::Space space = TRY(tune::Space::listed(variants.configurations));
  const triton::Variant* best = nullptr;
  for (const triton::Variant& one : variants.all)
    if (one.timed_ms && (best == nullptr || *one.timed_ms < *best->timed_ms)) best = &one;
  if (best == nullptr) return space;
  const auto& chosen =
      variants.configurations[static_cast<std::size_t>(best - variants.all.data())];
  TRY(space.set_default(chosen));
  notes.push_back(fmt::format("Triton's tuner measured {:.4g} ms for its choice, the default here",
                              *best->timed_ms));
  return space;
}

Result<Document> run_variants(const AutotuneArgs& args, Inputs inputs, SessionLog& log,
                              Screen screen) {
  if (!args.space.empty())
    return fail(Errc::usage, "the variants are the space", "leave --space out");
  tune::Plan plan = TRY(plan_of(args, inputs.settings));
  std::vector<std::string> notes;
  if (plan.work.capture.empty()) TRY(tune::check_work(plan.work, {}));
  tune::Space space = TRY(variant_space(plan.work, notes));
  TRY(tune::check_work(plan.work, space));
  // They are compiled, and as few as a person wrote down: a model of them would save little.
  constexpr std::size_t kFew = 32;
  if (args.strategy == "guided" && space.size() <= kFew) plan.search.strategy = "exhaustive";
  TRY(tune::Search::start(space, plan.search));
  Session* session = TRY(log.needed());
  tune::TuningStore store = TRY(tune::TuningStore::read(*session));
  tune::Tuning tuning = TRY(store.begin(std::move(space), std::move(plan)));
  Document out = TRY(run_tuning(inputs, screen, store, tuning));
  out.notes.insert(out.notes.begin(), notes.begin(), notes.end());
  return out;
}

Result<Document> run_autotune(const AutotuneArgs& args, Inputs inputs, ScriptHost& scripts,
                              SessionLog& log, Screen screen) {
  if (!args.variants.empty()) return run_variants(args, inputs, log, screen);
  const auto space = TRY(space_named(inputs.workspace, scripts, args.space));
  tune::Plan plan = TRY(plan_of(args, inputs.settings));
  TRY(tune::check_work(plan.work, *space));
  TRY(tune::Search::start(*space, plan.search));
  Session* session = TRY(log.needed());
  tune::TuningStore store = TRY(tune::TuningStore::read(*session));
  tune::Tuning tuning = TRY(store.begin(*space, std::move(plan)));
  return run_tuning(inputs, screen, store, tuning);
}

constexpr const char* kAutotuneHelp =
    "Measures the default configuration first, then what a strategy chooses, and says which is "
    "fastest. A configuration runs as a command (`--cmd-template \"./app "
    "--block {BLOCK}\"`), as a program that is built with -DNAME=VALUE for each parameter "
    "(`--source main.hip`, {BINARY} in the template), or as a captured dispatch "
    "whose kernel is rebuilt (`--source kernel.hip --capture DIR`, with `--workgroup "
    "{TILE},{TILE}` where the geometry follows). It must verify before its time "
    "counts: exit status 0 and `--check-cmd` for programs, all memory against the captured code "
    "for dispatches. What fails is kept with its reason.\n\n"
    "Times are those of dispatches on the target (`--kernel` for some of them, `--objective "
    "application` for the recorded program from its first call to its last); `--no-rocprof` takes "
    "the host's time of the whole process, `--time-pattern` what the "
    "program prints. Strategies: `guided` (the default) learns from a few configurations and "
    "follows its model as far as cross-validation trusts it; `phases` is "
    "that of the older tool: a random share (`--seed-fraction`), a regression, and all that it "
    "predicts within `--prune-factor` of the best; `random`, "
    "`local`, `exhaustive`. Without `--budget` at most three quarters of the space are measured, "
    "and 1000. The winner is measured against the default again, "
    "interleaved, and judged by the decision rule; `--confirm 0` leaves that out.\n\n"
    "`--variants FOLDER --capture DIR` takes the cache of a Triton autotuner instead of a space: "
    "each compiled variant of the captured kernel is launched as its metadata says, with "
    "`--programs` workgroups calculated from its constants where these change with them (\"-(-4096 "
    "// BLOCK_M), 8\"), verified and timed; up to 32 of them all.\n\n"
    "Every evaluation is in the session as it finishes: `tune resume` goes on after Ctrl-C or a "
    "crash and ends as if nothing had happened. docs/tuning.md.";

std::vector<Bound> parameters() {
  using Args = AutotuneArgs;
  return {
      option("space", &Args::space, "configurations, JSON or Lua; default: the loaded space")
          .named("FILE")
          .completes(Complete::file),
      option("cmd-template", &Args::command,
             "the program, with {NAME} for the value of a parameter")
          .needs({Capability::run})
          .named("TEMPLATE"),
      option("source", &Args::source, "HIP source that is built for each configuration")
          .named("FILE")
          .completes(Complete::file),
      option("capture", &Args::capture, "captured dispatch whose kernel the source has")
          .named("DIR")
          .completes(Complete::capture),
      option("variants", &Args::variants,
             "cache folder of Triton whose variants of the captured kernel are the configurations")
          .named("FOLDER")
          .completes(Complete::file),
      option("programs", &Args::programs,
             "of these: workgroups in each direction, calculated from their constants")
          .named("SIZE"),
      option("workgroup", &Args::workgroup,
             "of the captured dispatch, as a template: {TILE},{TILE}")
          .named("SIZE"),
      option("grid", &Args::grid, "of the captured dispatch in work-items, as a template")
          .named("SIZE"),
      option("flag", &Args::flags,
             "for the compiler, as a template; left out where it becomes empty; may be repeated"),
      option("include", &Args::include, "folder with headers; may be repeated")
          .or_letter('I')
          .named("DIR")
          .completes(Complete::file),
      option("arch", &Args::architecture,
             fmt::format("{}, …; default: that of the capture, else {}",
                         isa::architecture_names(", "), isa::usual_architecture())),
      target_option(&Args::target),
      flag("rocprof", &Args::rocprof, "--no-rocprof: the host's time of the whole process"),
      option("gpu", &Args::gpu, "of the emulated devices: " + emulated_gpus(1) + " …"),
      option("kernel", &Args::kernel, "time the kernels with this in their names").named("NAME"),
      option("objective", &Args::objective,
             "time of the kernels, or of the application: from the first to the last call, copy or "
             "kernel that was recorded")
          .one_of({"kernels", "application"}),
      option("time-pattern", &Args::pattern,
             "time that the program prints, in milliseconds: the first group of this expression")
          .named("REGEX"),
      option("check-cmd", &Args::check,
             "program that must end with 0 after each run; RPL_OUTPUT names what was printed")
          .needs({Capability::run})
          .named("TEMPLATE"),
      option("runs", &Args::runs, "runs of each configuration; their median counts")
          .in(within(1, 1000)),
      option("timeout", &Args::timeout_s, "seconds after which a run is stopped; 0: never")
          .in(at_least(0))
          .named("S"),
      option("strategy", &Args::strategy, "how it searches")
          .one_of({"guided", "phases", "random", "local", "exhaustive"}),
      option("seed", &Args::seed, "of all random choices").in(at_least(0)),
      option("seed-fraction", &Args::seed_fraction,
             "of the space: what the model learns from at most; with `phases` exactly"),
      option("prune-factor", &Args::prune_factor,
             "what is predicted to be slower than this times the best is not measured"),
      option("budget", &Args::budget,
             "most evaluations; 0: three quarters of the space, at most 1000")
          .in(at_least(0)),
      option("batch", &Args::batch, "configurations chosen at once; 0: 1, on slurm 8")
          .in(at_least(0)),
      option("confirm", &Args::confirm,
             "processes in which the winner is measured against the default again, at least 5; 0: "
             "none")
          .in(at_least(0))};
}

}  // namespace

void add_autotune_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "autotune",
              .does = kKeeps,
              .may = {Capability::run},
              .chapter = Class::tuning,
              .summary = "Search configurations for the fastest one.",
              .help = kAutotuneHelp,
              .fields = described(tune::tuning_fields()),
              .columns = described(tune::kEvaluationColumns),
              .scalar = "speedup",
              .examples = {"autotune --space SPACE --cmd-template 'echo took {TILE}{DEPTH}{UNROLL} "
                           "ms' --no-rocprof --time-pattern 'took ([0-9]+) ms'"},
              .changes_program = false},
          parameters(), run_autotune));
}

}  // namespace rpl
