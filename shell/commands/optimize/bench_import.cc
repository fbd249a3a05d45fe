// SPDX-License-Identifier: MIT
// bench import: a decision on raw samples from elsewhere. bench rates: how often the rule is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/monitor.h"
#include "engine/optimize/measure/raw_samples.h"
#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "shell/commands/optimize/decision_document.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
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

Result<Document> run_bench_import(Context& context, const BenchImportArgs& args) {
  const double min_improvement =
      args.min_improvement.value_or(context.settings().number("optimize min-improvement"));
  if (!(min_improvement >= 0 && min_improvement < 1))
    return fail(Errc::usage, "--min-improvement takes a fraction from 0 to 1");
  const auto groups = TRY(read_raw_samples(args.file));
  const auto decided = TRY(decide_groups(groups, args, min_improvement));
  if (decided.empty())
    return fail(Errc::not_found, fmt::format("{} has no such kernel or gain", args.file),
                "without --kernel and --gain all are listed");
  Document out;
  for (const DecidedGroup& one : decided) {
    Row row{Value::known(one.group->kernel), Value(one.group->gain)};
    for (Value& cell : decision_cells(one.decision)) row.push_back(std::move(cell));
    out.rows.push_back(std::move(row));
    if (auto session = context.log().existing()) {
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
  out.set("file", Value(args.file));
  out.set("kernel", decided.size() == 1 ? Value::known(decided[0].group->kernel) : Value());
  if (decided.size() == 1) {
    set_decision(decided[0].decision, out);
    out.exit_code = exit_code_of(decided[0].decision.verdict);
  } else {
    for (const Column& column : decision_columns()) out.set(std::string(column.name), Value());
  }
  out.provenance = Provenance::recorded;
  return out;
}

struct RatesArgs {
  std::int64_t sessions = 2000;
  std::string recorded;
};

Row rates_row(const KnownTruth& truth, const DecisionRates& rates) {
  return {Value(truth.name),
          Value(truth.truth),
          Value(rates.no_op),
          Value(rates.no_op_extended),
          Value(rates.ten_no_ops),
          Value(rates.gain),
          Value(rates.gain_extended),
          Value(rates.regression),
          std::isnan(rates.covered) ? Value() : Value(rates.covered),
          Value(rates.processes),
          Value(rates.older_no_op),
          Value(rates.older_ten_no_ops),
          Value(rates.older_gain),
          Value(rates.older_regression)};
}

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

Result<Document> run_bench_rates(Context& context, const RatesArgs& args) {
  constexpr std::int64_t kMost = 1'000'000;
  if (args.sessions < 1 || args.sessions > kMost)
    return fail(Errc::usage, fmt::format("--sessions takes a count from 1 to {}", kMost));
  const auto sessions = static_cast<std::uint32_t>(args.sessions);
  std::vector<RecordedSamples> groups;
  if (!args.recorded.empty()) groups = TRY(read_raw_samples(args.recorded));
  std::vector<std::pair<KnownTruth, double>> cells;
  for (const NoiseModel& noise : noise_models()) cells.emplace_back(simulated_truth(noise), 1.02);
  for (const RecordedSamples& group : groups) {
    const Samples* gain = group.gain == 0.0 ? gain_of(groups, group.kernel) : nullptr;
    if (gain) cells.emplace_back(recorded_truth(group.kernel, group.samples, *gain), 0.0);
  }
  Document out;
  std::uint64_t done = 0;
  for (const auto& [truth, ratio] : cells) {
    context.monitor().report(truth.name, done++, cells.size());
    out.rows.push_back(rates_row(truth, TRY(decision_rates(truth, sessions, 1, ratio))));
  }
  out.set("sessions", Value(args.sessions));
  out.provenance = Provenance::estimated;
  return out;
}

void add_rates(Registry& registry) {
  const auto share = [](Label name, Label help) {
    return Column{name, Type::number, Unit::share, help};
  };
  add(registry,
      command<RatesArgs>(
          Command{.path = "bench rates",
                  .chapter = Class::proposals,
                  .summary = "Show how often the decision rule is wrong, on noise of known truth.",
                  .help = "In each session an A/A calibration sets the floor; then a change that "
                          "does nothing, a gain of 2 %, a regression of 2 %, and ten "
                          "changes that do nothing are measured. Equal seeds, equal numbers. "
                          "`--recorded` adds a row for each kernel of a file of raw "
                          "samples with an A/A group, drawing whole processes from it. The columns "
                          "`older_…` are what a rule of one run against one run, "
                          "accepted from 2 %, would do. decision-rule.md explains all of it.",
                  .fields = {{"sessions", Type::integer, Unit::count, "in each row"}},
                  .columns =
                      {{"noise", Type::string, Unit::none, "model, or recorded kernel"},
                       {"truth", Type::string, Unit::none, "how it is known: simulated or recorded",
                        InText::if_room},
                       share("no_op", "no change accepted, one look"),
                       share("no_op_ext", "the same, undecided measurements extended"),
                       share("ten_no_ops", "one of ten accepted, the best measured again"),
                       share("gain", "2 % gain found, one look"),
                       share("gain_ext", "the same, extended"),
                       share("regression", "2 % regression accepted, extended"),
                       share("covered",
                             "intervals that hold the truth; null where only a recording knows it"),
                       {"processes", Type::number, Unit::none,
                        "mean of an extended measurement of the gain"},
                       share("older_no_op", "by the older rule: no change accepted"),
                       share("older_ten", "one of ten accepted"),
                       share("older_gain", "2 % gain accepted"),
                       share("older_regr", "2 % regression accepted")},
                  .scalar = "sessions",
                  .examples = {"bench rates --sessions 20"}},
          {option("sessions", &RatesArgs::sessions, "to simulate in each row").named("N"),
           option("recorded", &RatesArgs::recorded, "raw samples to draw from, too")
               .named("FILE")
               .completes(Complete::file)},
          run_bench_rates));
}

}  // namespace

void add_bench_import_commands(Registry& registry) {
  std::vector<Column> fields{
      {"file", Type::string, Unit::none, "that was read"},
      {"kernel", Type::string, Unit::none, "when the decision is about one"}};
  for (Column& column : decision_columns()) fields.push_back(std::move(column));
  std::vector<Column> columns{
      {"kernel", Type::string, Unit::none, "as told"},
      {"gain", Type::number, Unit::none, "as told: the fraction of the work that was removed"}};
  for (Column& column : decision_columns()) columns.push_back(std::move(column));
  add(registry,
      command<BenchImportArgs>(
          Command{.path = "bench import",
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
                  .fields = std::move(fields),
                  .columns = std::move(columns),
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
