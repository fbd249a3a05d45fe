// SPDX-License-Identifier: MIT
// bench aa, bench ab: what a target's noise is, and two builds of a kernel against each other, on a captured dispatch.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/measure/replay_sampler.h"
#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "engine/replay/hsa/page_ranges.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/launch_choice.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

/// What both commands take.
struct BenchArgs {
  std::string capture, target, kernel;
  std::int64_t processes = 0, blocks = 6, dispatches = 8;
  bool cold = false;
};

constexpr double kMostSamples = 1000;

Status check(const BenchArgs& args) {
  if (args.processes == 0 || args.processes >= std::int64_t{kFewestProcesses}) return {};
  return fail(
      Errc::usage,
      fmt::format("--processes {}: fewer than {} decide nothing", args.processes, kFewestProcesses),
      fmt::format("--processes {}", kFewestProcesses));
}

/// Where the samples come from.
Result<std::unique_ptr<Target>> target_of(const BenchArgs& args, const Inputs& inputs,
                                          const Jobs& jobs) {
  const TargetChoice choice = TRY(target_for(inputs.settings, Ability::bench, args.target));
  if (args.cold) TRY(require(choice.kind, Ability::cold_caches));
  return open_target(inputs, jobs, choice.kind);
}

SampledPair pair_of(const BenchArgs& args, const CaptureEntry& entry) {
  return {.capture = entry->value.get(),
          .folder = entry->path,
          .kernel = args.kernel,
          .cold = args.cold,
          .host_regions = host_regions_of(*entry->value),
          .design = {.blocks = static_cast<std::uint32_t>(args.blocks),
                     .dispatches = static_cast<std::uint32_t>(args.dispatches)}};
}

Result<std::string> code_of(const CaptureEntry& entry) {
  return TRY(object_of(*entry->value))->hash();
}

KeptMeasurement kept(std::string kind, TargetKind target, const CaptureEntry& entry,
                     std::string code, const DecisionRule& rule, const Looks& looks,
                     Measurement measured) {
  return {.kind = std::move(kind),
          .target = std::string(to_string(target)),
          .about = entry->value->kernel,
          .capture_code = std::move(code),
          .time_source = std::move(measured.time_source),
          .noise = std::nullopt,
          .input = {.rule = rule, .looks = looks, .samples = std::move(measured.samples)},
          .decision = std::move(measured.decision)};
}

/// What either command says.
struct Benched {
  std::string id;
  CaptureEntry entry;
  TargetKind target = {};
  std::optional<double> noise_floor = {};
  std::string candidate = {};
  Decision decision = {};

  [[nodiscard]] std::string_view time_source() const { return to_string(traits_of(target).times); }
};

constexpr auto kBenchFields = bound_to<Benched>(
    column<&Benched::id>("id", "of the measurement in the session").as(Type::id),
    column<&Benched::entry, &Shelved<Capture>::id>("capture", "whose dispatch was run")
        .as(Type::id),
    column<&Benched::entry, &Shelved<Capture>::value, &Capture::kernel>("kernel", "its kernel")
        .as(Type::kernel),
    column<&Benched::target>("target", "where: emu or local"),
    column<&Benched::time_source>("time_source", "modelled or measured"));
constexpr auto kAaFields = bound_to<Benched>(
    column<&Benched::noise_floor>("noise_floor", "95th percentile of |ratio - 1|").in(Unit::share),
    through<kDecisionColumns, &Benched::decision>());
constexpr auto kAbFields = bound_to<Benched>(
    column<&Benched::candidate>("candidate", "that the decision is about: the best one"),
    through<kDecisionColumns, &Benched::decision>());

Document document_of(const Benched& done) {
  Document out;
  out.put(kBenchFields, done);
  out.provenance = traits_of(done.target).times;
  return out;
}

Result<Document> run_bench_aa(const BenchArgs& args, Inputs inputs, SessionLog& log, Jobs& jobs) {
  TRY(check(args));
  const auto target = TRY(target_of(args, inputs, jobs));
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  const auto count =
      args.processes > 0 ? static_cast<std::uint32_t>(args.processes) : kCalibrationProcesses;
  const Looks once{.first = count, .step = 0, .last = count};
  const DecisionRule rule{.min_improvement = inputs.settings.number("optimize min-improvement")};
  Measurement measured = TRY(measure(*replay_sampler(*target, pair_of(args, entry)), rule, once));
  KeptMeasurement keeping =
      kept("aa", target->kind(), entry, TRY(code_of(entry)), rule, once, std::move(measured));
  keeping.noise = TRY(noise_floor(keeping.input.samples, Looks{}.first));
  const auto number = TRY(keep(*TRY(log.needed()), keeping));
  const Benched done{.id = fmt::format("b{}", number),
                     .entry = entry,
                     .target = target->kind(),
                     .noise_floor = keeping.noise,
                     .decision = keeping.decision};
  Document out = document_of(done);
  out.put(kAaFields, done);
  if (keeping.input.samples.deterministic)
    out.notes.emplace_back("modelled times do not differ from run to run: their noise is 0");
  if (keeping.decision.verdict == Verdict::improved ||
      keeping.decision.verdict == Verdict::regression)
    out.notes.emplace_back(
        "the same code differs from itself by more than the floor: something favours one side");
  out.next = {"bench ab BASELINE CANDIDATE", "info measurements"};
  return out;
}

struct AbArgs : BenchArgs, LaunchChoice {
  std::string baseline;
  std::vector<std::string> candidates;
  std::int64_t max_processes = 13;
  std::optional<double> min_improvement;
};

Result<DecisionRule> rule_of(const AbArgs& args, const Settings& settings, SessionLog& log,
                             TargetKind target, const CaptureEntry& entry,
                             std::vector<std::string>& notes) {
  DecisionRule rule{.min_improvement = TRY(min_improvement_of(settings, args.min_improvement))};
  if (traits_of(target).deterministic) return rule;
  Session& session = *TRY(log.needed());
  const auto noise =
      calibrated_noise(TRY(kept_measurements(session)), to_string(target), TRY(code_of(entry)));
  if (!noise)
    notes.emplace_back(
        "this session has no A/A calibration of the kernel on this target: 'bench aa' makes one");
  rule.noise_floor = noise.value_or(0);
  return rule;
}

struct Candidate {
  std::string candidate;
  std::string_view when;
  Decision decision;
};

constexpr auto kCandidateColumns = bound_to<Candidate>(
    column<&Candidate::candidate>("candidate", "code object"),
    column<&Candidate::when>("measurement", "first, or again: of the best of several"),
    through<kDecisionColumns, &Candidate::decision>());

struct Objects {
  std::shared_ptr<const isa::CodeObject> baseline;
  std::vector<ObjectEntry> candidates;
};

Result<Objects> objects_of(const AbArgs& args, const Inputs& inputs) {
  Objects out{.baseline = TRY(object_named(inputs, args.baseline))->value, .candidates = {}};
  for (const std::string& candidate : args.candidates)
    out.candidates.push_back(TRY(object_named(inputs, candidate)));
  return out;
}

/// Keeps every measurement; the id of the last.
Result<std::string> keep_all(SessionLog& log, TargetKind target, const CaptureEntry& entry,
                             const DecisionRule& rule, const Looks& looks, Tournament tournament) {
  Session& session = *TRY(log.needed());
  if (tournament.again) tournament.measured.push_back(std::move(*tournament.again));
  std::int64_t number = 0;
  for (Measurement& measured : tournament.measured)
    number = TRY(keep(
        session, kept("ab", target, entry, TRY(code_of(entry)), rule, looks, std::move(measured))));
  return fmt::format("b{}", number);
}

Result<Document> run_bench_ab(const AbArgs& args, Inputs inputs, SessionLog& log, Jobs& jobs) {
  TRY(check(args));
  const auto target = TRY(target_of(args, inputs, jobs));
  const CaptureEntry entry = TRY(capture_named(inputs, args.capture));
  const Objects objects = TRY(objects_of(args, inputs));
  std::vector<std::string> notes;
  const DecisionRule rule = TRY(rule_of(args, inputs.settings, log, target->kind(), entry, notes));
  const LaunchPlan launch = TRY(launch_plan_of(args));
  Looks looks{.last = static_cast<std::uint32_t>(args.max_processes)};
  if (args.processes > 0) looks.first = static_cast<std::uint32_t>(args.processes);
  std::vector<std::unique_ptr<Sampler>> samplers;
  std::vector<Sampler*> candidates;
  for (const ObjectEntry& candidate : objects.candidates) {
    SampledPair pair = pair_of(args, entry);
    pair.baseline = objects.baseline;
    pair.candidate = candidate->value;
    pair.candidate_launch = launch;
    pair.seed = samplers.size() + 1;
    samplers.push_back(replay_sampler(*target, std::move(pair)));
    candidates.push_back(samplers.back().get());
  }
  // The winner of one needs no second measurement: nothing was chosen.
  Tournament tournament;
  if (candidates.size() == 1)
    tournament.measured.push_back(TRY(measure(*candidates[0], rule, looks)));
  else
    tournament = TRY(measure_several(candidates, rule, looks));
  std::vector<Candidate> rows;
  for (std::size_t i = 0; i < tournament.measured.size(); ++i)
    rows.push_back({args.candidates[i], "first", tournament.measured[i].decision});
  if (tournament.again)
    rows.push_back({args.candidates[*tournament.best], "again", tournament.again->decision});
  const Candidate shown =
      tournament.again ? rows.back()
                       : *std::ranges::max_element(
                             rows, {}, [](const Candidate& row) { return row.decision.ratio; });
  const Benched done{
      .id = TRY(keep_all(log, target->kind(), entry, rule, looks, std::move(tournament))),
      .entry = entry,
      .target = target->kind(),
      .candidate = shown.candidate,
      .decision = shown.decision};
  Document out = document_of(done);
  out.put(kAbFields, done);
  out.table(kCandidateColumns, rows);
  out.notes = std::move(notes);
  out.exit_code = exit_code_of(shown.decision.verdict);
  out.next = {"info measurements"};
  return out;
}

std::vector<Bound> bench_params() {
  return {
      option("capture", &BenchArgs::capture, "capture: a folder or c1; the current one without")
          .named("C")
          .completes(Complete::capture),
      target_option(&BenchArgs::target),
      option("kernel", &BenchArgs::kernel, "kernel of the builds, when not of the captured name")
          .named("NAME"),
      option("processes", &BenchArgs::processes,
             "fresh processes before the first look; 0: 5, and 9 for a calibration")
          .in(within(0, kMostSamples))
          .named("N"),
      option("blocks", &BenchArgs::blocks, "blocks in each process, the first of which is warm-up")
          .in(within(2, kMostSamples))
          .named("N"),
      option("dispatches", &BenchArgs::dispatches, "of each side in a block")
          .in(within(1, kMostSamples))
          .named("N"),
      flag("cold", &BenchArgs::cold, "empty the GPU's caches before each dispatch")};
}

}  // namespace

void add_bench_commands(Registry& registry) {
  add(registry,
      command<BenchArgs>(
          Command{.path = "bench aa",
                  .does = kKeeps,
                  .may = {Capability::run},
                  .chapter = Class::proposals,
                  .summary = "Measure a kernel against itself: what the target's noise is.",
                  .help = "The captured dispatch is measured as both sides of an A/B design. "
                          "`noise_floor` is the 95th percentile of |ratio - 1| that "
                          "measurements of 5 processes show there, by the hierarchical bootstrap; "
                          "later measurements of this session on the same target and "
                          "kernel must exceed it. Modelled times have no noise.",
                  .fields = described({kBenchFields, kAaFields}),
                  .scalar = "noise_floor",
                  .examples = {"bench aa --capture CAPTURE"}},
          bench_params(), run_bench_aa));
  std::vector<Bound> own{
      arg("baseline", &AbArgs::baseline, "code object: a file or o1")
          .required()
          .completes(Complete::file),
      arg("candidates", &AbArgs::candidates, "code objects to measure against it")
          .required()
          .completes(Complete::file),
      option("max-processes", &AbArgs::max_processes,
             "an undecided measurement is extended up to so many; 1: never")
          .in(within(1, kMostSamples))
          .named("N"),
      option("min-improvement", &AbArgs::min_improvement,
             "gain that is needed, a fraction; default: `optimize min-improvement`")
          .named("F")};
  add(registry,
      command<AbArgs>(
          Command{.path = "bench ab",
                  .does = kKeeps,
                  .may = {Capability::run},
                  .chapter = Class::proposals,
                  .summary = "Measure builds of a kernel against each other and decide.",
                  .help = "Both run the captured dispatch: on a GPU in fresh processes, in "
                          "balanced blocks, with memory restored before each dispatch; on the "
                          "emulated device once each. What the candidate leaves in memory must be "
                          "what the baseline leaves, within the tolerance of its "
                          "type, else the exit status is 5. Undecided measurements are extended. "
                          "Of several candidates the best is measured again, "
                          "and that decides. Exit status: 0 improved, 3 regression, 4 otherwise. "
                          "decision-rule.md explains the rule.",
                  .fields = described({kBenchFields, kAbFields}),
                  .columns = described(kCandidateColumns),
                  .scalar = "verdict",
                  .examples = {"bench ab SLOWER FASTER --capture CAPTURE"}},
          with_launch_options<AbArgs>(
              joined(std::move(own), inherited<AbArgs, BenchArgs>(bench_params())),
              "of the candidates: "),
          run_bench_ab));
}

}  // namespace rpl
