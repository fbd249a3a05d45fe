// SPDX-License-Identifier: MIT
// bench import: a decision on raw samples from elsewhere. bench rates: how often the rule is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/monitor.h"
#include "engine/optimize/measure/samples.h"
#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/session_log.h"

namespace rpl {
namespace {

struct BenchImportArgs {
  std::string file, kernel;
  std::optional<double> gain, min_improvement;
};

bool selected(const RecordedSamples& group, const BenchImportArgs& args) {
  return (args.kernel.empty() || group.kernel == args.kernel) &&
         (!args.gain || group.gain == args.gain);
}

/// The A/A measurement of a kernel in the file, if it has one that is large enough.
Result<double> noise_in(const std::vector<RecordedSamples>& groups, const std::string& kernel) {
  for (const RecordedSamples& group : groups) {
    const bool is_a_a = group.kernel == kernel && group.gain == 0.0 &&
                        group.samples.processes.size() >= kFewestProcesses;
    if (is_a_a) return noise_floor(group.samples, Looks{}.first);
  }
  return 0.0;
}

struct DecidedGroup {
  const RecordedSamples* group = nullptr;
  DecisionInput input;
  Decision decision;
};

constexpr auto kGroupColumns = bound_to<DecidedGroup>(
    column<&DecidedGroup::group, &RecordedSamples::kernel>("kernel", "as told").or_null(),
    column<&DecidedGroup::group, &RecordedSamples::gain>(
        "gain", "as told: the fraction of the work that was removed"),
    through<kDecisionColumns, &DecidedGroup::decision>());

struct ImportedFile {
  std::string path;
  const DecidedGroup* only = nullptr;  ///< null where there are several
};

constexpr auto kImportFields = bound_to<ImportedFile>(
    column<&ImportedFile::path>("file", "that was read"),
    column<&ImportedFile::only, &DecidedGroup::group, &RecordedSamples::kernel>(
        "kernel", "when the decision is about one")
        .or_null(),
    through<kDecisionColumns, &ImportedFile::only, &DecidedGroup::decision>());

Result<std::vector<DecidedGroup>> decide_groups(const std::vector<RecordedSamples>& groups,
                                                const BenchImportArgs& args,
                                                double min_improvement) {
  std::vector<DecidedGroup> out;
  for (const RecordedSamples& group : groups) {
    if (!selected(group, args)) continue;
    const auto count = static_cast<std::uint32_t>(group.samples.processes.size());
    const double noise = TRY(noise_in(groups, group.kernel));
    DecidedGroup decided{
        .group = &group,
        .input = {.rule = {.min_improvement = min_improvement, .noise_floor = noise},
                  // They are all there: one look.
                  .looks = {.first = count, .step = 0, .last = count},
                  .samples = group.samples},
        .decision = {}};
    decided.decision = TRY(decide(decided.input));
    out.push_back(std::move(decided));
  }
  return out;
}

std::string about(const BenchImportArgs& args, const RecordedSamples& group) {
  return fmt::format("{}{}{}", args.file, group.kernel.empty() ? "" : " " + group.kernel,
                     group.gain ? fmt::format(" {}", *group.gain) : "");
}

Result<Document> run_bench_import(const BenchImportArgs& args, const Settings& settings,
                                  SessionLog& log) {
  const double min_improvement = TRY(min_improvement_of(settings, args.min_improvement));
  const auto groups = TRY(read_raw_samples(args.file));
  const auto decided = TRY(decide_groups(groups, args, min_improvement));
  if (decided.empty())
    return fail(Errc::not_found, fmt::format("{} has no such kernel or gain", args.file),
                "without --kernel and --gain all are listed");
  Document out;
  out.table(kGroupColumns, decided);
  for (const DecidedGroup& one : decided) {
    if (auto session = log.existing()) {
      TRY(keep(**session, {.kind = "import",
                           .target = "",
                           .about = about(args, *one.group),
                           .capture_code = "",
                           .time_source = "recorded",
                           .noise = std::nullopt,
                           .input = one.input,
                           .decision = one.decision}));
    }
  }
  const DecidedGroup* only = decided.size() == 1 ? decided.data() : nullptr;
  out.put(kImportFields, ImportedFile{args.file, only});
  if (only != nullptr) out.exit_code = exit_code_of(only->decision.verdict);
  out.provenance = Provenance::recorded;
  return out;
}

struct RatesArgs {
  std::int64_t sessions = 2000;
  std::string recorded;
};

struct RatedTruth {
  const KnownTruth* known = nullptr;
  DecisionRates rates;
};

std::optional<double> known_cover(const DecisionRates& rates) {
  return std::isnan(rates.covered) ? std::nullopt : std::optional(rates.covered);
}

template <auto Rate>
consteval BoundColumn share(Label name, Label help) {
  return column<&RatedTruth::rates, Rate>(name, help).in(Unit::share);
}

constexpr auto kRatesColumns = bound_to<RatedTruth>(
    column<&RatedTruth::known, &KnownTruth::name>("noise", "model, or recorded kernel"),
    column<&RatedTruth::known, &KnownTruth::truth>("truth",
                                                   "how it is known: simulated or recorded")
        .if_room(),
    share<&DecisionRates::no_op>("no_op", "no change accepted, one look"),
    share<&DecisionRates::no_op_extended>("no_op_ext", "the same, undecided measurements extended"),
    share<&DecisionRates::ten_no_ops>("ten_no_ops", "one of ten accepted, the best measured again"),
    share<&DecisionRates::gain>("gain", "2 % gain found, one look"),
    share<&DecisionRates::gain_extended>("gain_ext", "the same, extended"),
    share<&DecisionRates::regression>("regression", "2 % regression accepted, extended"),
    share<&known_cover>("covered",
                        "intervals that hold the truth; null where only a recording knows it"),
    column<&RatedTruth::rates, &DecisionRates::processes>(
        "processes", "mean of an extended measurement of the gain"),
    share<&DecisionRates::older_no_op>("older_no_op", "by the older rule: no change accepted"),
    share<&DecisionRates::older_ten_no_ops>("older_ten", "one of ten accepted"),
    share<&DecisionRates::older_gain>("older_gain", "2 % gain accepted"),
    share<&DecisionRates::older_regression>("older_regr", "2 % regression accepted"));

constexpr auto kRatesFields =
    bound_to<RatesArgs>(column<&RatesArgs::sessions>("sessions", "in each row"));

/// The gain of a recording to find: of those where the time saved is 2 % or more, the smallest.
const Samples* gain_of(const std::vector<RecordedSamples>& groups, const std::string& kernel) {
  constexpr double kWanted = 1.0195;
  const RecordedSamples* found = nullptr;
  for (const RecordedSamples& group : groups) {
    if (group.kernel != kernel || !group.gain || *group.gain <= 0) continue;
    const auto decision = decide(group.samples);
    if (!decision || decision->ratio < kWanted) continue;
    if (!found || *group.gain < *found->gain) found = &group;
  }
  return found ? &found->samples : nullptr;
}

Result<Document> run_bench_rates(const RatesArgs& args, const Monitor& monitor) {
  const auto sessions = static_cast<std::uint32_t>(args.sessions);
  std::vector<RecordedSamples> groups;
  if (!args.recorded.empty()) groups = TRY(read_raw_samples(args.recorded));
  std::vector<std::pair<KnownTruth, double>> cells;
  for (const NoiseModel& noise : noise_models()) cells.emplace_back(simulated_truth(noise), 1.02);
  for (const RecordedSamples& group : groups) {
    const Samples* gain = group.gain == 0.0 ? gain_of(groups, group.kernel) : nullptr;
    if (gain) cells.emplace_back(recorded_truth(group.kernel, group.samples, *gain), 0.0);
  }
  std::vector<RatedTruth> rated;
  for (const auto& [truth, ratio] : cells) {
    monitor.report(truth.name, rated.size(), cells.size());
    auto rates = TRY(decision_rates(truth, sessions, 1, ratio));
    rated.push_back({&truth, std::move(rates)});
  }
  Document out;
  out.put(kRatesFields, args);
  out.table(kRatesColumns, rated);
  out.provenance = Provenance::estimated;
  return out;
}

void add_rates(Registry& registry) {
  add(registry,
      command<RatesArgs>(
          Command{.path = "bench rates",
                  .does = kKeeps,
                  .chapter = Class::proposals,
                  .summary = "Show how often the decision rule is wrong, on noise of known truth.",
                  .help = "In each session an A/A calibration sets the floor; then a change that "
                          "does nothing, a gain of 2 %, a regression of 2 %, and ten "
                          "changes that do nothing are measured. Equal seeds, equal numbers. "
                          "`--recorded` adds a row for each kernel of a file of raw "
                          "samples with an A/A group, drawing whole processes from it. The columns "
                          "`older_…` are what a rule of one run against one run, "
                          "accepted from 2 %, would do. decision-rule.md explains all of it.",
                  .fields = described(kRatesFields),
                  .columns = described(kRatesColumns),
                  .scalar = "sessions",
                  .examples = {"bench rates --sessions 20"}},
          {option("sessions", &RatesArgs::sessions, "to simulate in each row")
               .in(within(1, 1'000'000))
               .named("N"),
           option("recorded", &RatesArgs::recorded, "raw samples to draw from, too")
               .named("FILE")
               .completes(Complete::file)},
          run_bench_rates));
}

}  // namespace

void add_bench_import_commands(Registry& registry) {
  add(registry,
      command<BenchImportArgs>(
          Command{.path = "bench import",
                  .does = kKeeps,
                  .chapter = Class::proposals,
                  .summary = "Apply the decision rule to raw samples that were recorded elsewhere.",
                  .help = "One JSON line for each process, plain or gzip: {\"kernel\", \"gain\", "
                          "\"process\", \"blocks\": [{\"order\": \"AB\" or \"BA\", \"a\": [ns, …], "
                          "\"b\": [ns, …]}]}. Lines of one kernel and gain are one measurement; a "
                          "gain of 0 is an A/A measurement, and the floor of the same "
                          "kernel's others. Where there is one measurement, or `--kernel` and "
                          "`--gain` leave one, the verdict stands in the fields, too, and the "
                          "exit status is 0 improved, 3 regression, 4 otherwise. A session that "
                          "exists keeps the samples.",
                  .fields = described(kImportFields),
                  .columns = described(kGroupColumns),
                  .scalar = "verdict",
                  .examples = {"bench import SAMPLES",
                               "bench import SAMPLES --kernel stream --gain 0.02"}},
          {arg("file", &BenchImportArgs::file, "raw samples").required().completes(Complete::file),
           option("kernel", &BenchImportArgs::kernel, "only this kernel").named("K"),
           option("gain", &BenchImportArgs::gain, "only this gain").named("G"),
           option("min-improvement", &BenchImportArgs::min_improvement,
                  "gain that is needed, a fraction; default: `optimize min-improvement`")
               .named("F")},
          run_bench_import));
  add_rates(registry);
}

}  // namespace rpl
