// SPDX-License-Identifier: MIT
// Running and resuming tunings.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/target/emu/emulated_target.h"
#include "engine/target/local/local_target.h"
#include "engine/tune/run/slurm.h"
#include "shell/commands/tune/tuning.h"
#include "shell/core/command/line.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

/// Where its evaluations run, with what that needs alive.
struct Machinery {
  std::unique_ptr<Target> target;
  std::unique_ptr<tune::Evaluator> evaluator;  ///< null where nothing is measured in this process
  std::unique_ptr<tune::Executor> executor;
};

Result<std::vector<std::pair<tune::Space, tune::Cache>>> earlier_of(const tune::TuningStore& store,
                                                                    const tune::Tuning& tuning) {
  std::vector<std::pair<tune::Space, tune::Cache>> out;
  for (const tune::Tuning& one : store.all()) {
    if (one.number == tuning.number || one.work_digest != tuning.work_digest) continue;
    const tune::Tuning whole = TRY(store.tuning(one.id()));
    tune::Cache cache = TRY(store.evaluations(whole));
    out.emplace_back(whole.space, std::move(cache));
  }
  return out;
}

Result<Machinery> machinery_of(const Inputs& inputs, const tune::TuningStore& store,
                               const tune::Tuning& tuning) {
  Machinery out;
  if (target_kind(tuning.plan.executor) == TargetKind::recorded) {
    out.executor =
        std::make_unique<tune::RecordedExecutor>(tuning.space, TRY(earlier_of(store, tuning)));
    return out;
  }
  if (target_kind(tuning.plan.executor) == TargetKind::slurm) {
    out.executor =
        TRY(tune::make_slurm_executor(tuning, TRY(cluster::slurm_options_from(tuning.plan.slurm))));
    return out;
  }
  out.target = TRY(tuning_target(inputs)(tuning.plan.work));
  out.evaluator = TRY(
      tune::make_evaluator(tuning.space, tuning.plan.work, *out.target, tuning.folder + "/work"));
  out.executor = std::make_unique<tune::HereExecutor>(*out.evaluator);
  return out;
}

/// The winner against the default, measured again: the best of many is partly the luckiest.
Status add_confirmation(const Inputs& inputs, tune::Found& result, tune::Evaluator* evaluator,
                        std::vector<std::string>& notes) {
  const tune::Tuning& tuning = *result.tuning;
  const tune::SearchOutcome& outcome = *result.outcome;
  const tune::Evaluation* first = result.first();
  if (!outcome.best || first == nullptr || !first->ok || tuning.plan.confirm == 0) return {};
  if (*outcome.best == tuning.space.default_point()) {
    notes.emplace_back("nothing was faster than the default");
    return {};
  }
  const bool on_slurm = target_kind(tuning.plan.executor) == TargetKind::slurm;
  if (evaluator == nullptr && !on_slurm) {
    notes.emplace_back("the winner was not measured again: nothing runs on recorded evaluations");
    return {};
  }
  inputs.monitor.report("measuring the winner again", 0, 0);
  const DecisionRule rule{.min_improvement = inputs.settings.number("optimize min-improvement")};
  auto found =
      on_slurm ? tune::confirm_on_slurm(tuning, TRY(cluster::slurm_options_from(tuning.plan.slurm)),
                                        *outcome.best, tuning.plan.confirm, rule)
               : tune::confirm(*evaluator, tuning.space.default_point(), *outcome.best,
                               tuning.plan.confirm, rule);
  if (!found && found.error().code == Errc::interrupted) return Failure(found.error());
  if (!found) {
    notes.push_back("the winner could not be measured again: " + found.error().message);
    return {};
  }
  result.confirmation = std::move(*found);
  return {};
}

/// Which variant was chosen and why: what costs it and the next one most, and whether the model knows them apart.
void add_reasons(const tune::Found& result, const tune::Evaluator* evaluator, Document& out) {
  const tune::Evaluation* best = result.best();
  if (result.tuning->plan.work.variants.empty() || best == nullptr) return;
  const tune::Space& space = result.tuning->space;
  const auto said = [&](std::string_view role, const tune::Evaluation& one) {
    const auto finding = std::ranges::find(one.facts, "finding", &Record::value_type::first);
    const auto* text = finding == one.facts.end() ? nullptr : finding->second.as<std::string>();
    return fmt::format("{} {}, {}{}", role, space.label(one.point), format_ns(*one.time_ns()),
                       text == nullptr ? std::string() : "; what costs it most: " + *text);
  };
  out.notes.push_back(said("chosen:", *best));
  const tune::Evaluation* next = nullptr;
  for (const tune::Evaluation& one : result.cache->all())
    if (one.ok && one.point != best->point &&
        (next == nullptr || *one.time_ns() < *next->time_ns()))
      next = &one;
  if (next == nullptr) return;
  out.notes.push_back(said("next:", *next));
  const auto band =
      evaluator == nullptr ? std::nullopt : evaluator->model_band(best->point, next->point);
  if (!band) return;
  const double longer = *next->time_ns() / *best->time_ns() - 1;
  constexpr double kPercent = 100;
  out.notes.push_back(
      fmt::format("the next one takes {:.1f} % longer, {} the model's band of {:.0f} %{}",
                  longer * kPercent, longer > *band ? "beyond" : "within", *band * kPercent,
                  longer > *band ? "" : ": measure both on a GPU"));
}

Error with_way_on(Error error, const tune::Tuning& tuning) {
  if (error.code == Errc::interrupted)
    error.hint = fmt::format("what was measured is kept: 'tune resume {}' goes on", tuning.id());
  return error;
}

}  // namespace

tune::TargetOf tuning_target(const Inputs& inputs) {
  return [inputs](const tune::Work& work) -> Result<std::unique_ptr<Target>> {
    if (target_kind(work.target) == TargetKind::local)
      return std::make_unique<LocalTarget>(LocalOptions{.program = "/proc/self/exe"});
    EmulatedOptions options{.devices = {.gpu = work.gpu}};
    if (!work.capture.empty() && !work.gpu.empty())
      options.model = TRY(gpu_model(inputs, work.gpu));
    return std::make_unique<EmulatedTarget>(std::move(options));
  };
}

Result<Document> run_tuning(const Inputs& inputs, const Canvas& canvas, tune::TuningStore& store,
                            tune::Tuning& tuning) {
  tune::Cache cache = TRY(store.evaluations(tuning));
  const std::size_t known = cache.size();
  Machinery machinery = TRY(machinery_of(inputs, store, tuning));
  auto outcome = tune::run_search(
      tuning.space, tuning.plan.search, tuning.plan.batch, cache, *machinery.executor,
      [&](const tune::Evaluation& one) { return store.keep(tuning, one); }, inputs.monitor);
  if (!outcome) return Failure(with_way_on(std::move(outcome).error(), tuning));
  tune::Found result{&tuning, &cache, &*outcome};
  Document out = tune::tuning_document(result);
  if (known > 0) out.notes.push_back(fmt::format("{} evaluations were known from before", known));
  if (auto confirmed = add_confirmation(inputs, result, machinery.evaluator.get(), out.notes);
      !confirmed)
    return Failure(with_way_on(std::move(confirmed).error(), tuning));
  add_reasons(result, machinery.evaluator.get(), out);
  tuning.state = "done";
  out.put(tune::tuning_fields(), result);
  // The session has the rows as evaluations.
  tuning.result = Value(out.record);
  TRY(store.save(tuning));
  out.text = tuning_text(result, out.provenance, canvas);
  out.next = {"tune best " + tuning.id(), "tune simulate " + tuning.id(),
              "plot tuning " + tuning.id()};
  if (!outcome->best) {
    out.exit_code = exit_status(Errc::undecided);
    out.notes.emplace_back("no configuration ran and verified");
  }
  return out;
}

}  // namespace rpl
