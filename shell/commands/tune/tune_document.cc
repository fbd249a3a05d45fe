// SPDX-License-Identifier: MIT
// What a tuning found, as the older tool's document with ours beside it.
#include "shell/commands/tune/tuning.h"

namespace rpl::tune {
namespace {

constexpr auto kModelFields = bound_to<ModelReport>(
    column<&ModelReport::r2>("r2", "of log times by cross-validation"),
    column<&ModelReport::residual_std>("residual_std", "of log times: 0.1 is about 10 %"),
    column<&ModelReport::training_r2>("training_r2", "what the older tool called r2"),
    column<&ModelReport::pruned>("pruned", "configurations that it ruled out"));

constexpr auto kImportanceFields = bound_to<Importance>(
    column<&Importance::parameter>("parameter", "its name"),
    column<&Importance::share>("share", "of the variance of log times that it explains alone"),
    column<&Importance::best_value>("best_value", "the value with the least mean log time"));

constexpr auto kConfirmationFields = bound_to<Decision>(
    column<&Decision::verdict>("verdict", "improved, regression, equivalent or undecided"),
    column<&Decision::ratio>("ratio", "default time / winner's time: above 1 is faster"),
    column<&Decision::ci_low>("ci_low", "lower end of its interval").in(Unit::ratio),
    column<&Decision::ci_high>("ci_high", "upper end").in(Unit::ratio),
    column<&Decision::floor>("floor", "what the gain must exceed").in(Unit::share),
    column<&Decision::samples>("samples", "dispatches that counted, of both sides"),
    column<&Decision::design>("design",
                              "processes, blocks in each, dispatches of a side in a block"));
constexpr auto kConfirmedFields =
    bound_to<Confirmation>(through<kConfirmationFields, &Confirmation::decision>());

}  // namespace

Columns<ModelReport> bound(const ModelReport*) { return kModelFields; }
Columns<Importance> bound(const Importance*) { return kImportanceFields; }
Columns<Confirmation> bound(const Confirmation*) { return kConfirmedFields; }

namespace {

constexpr double kTuneNsPerMs = 1e6;

constexpr auto kTimedFields = bound_to<TimedConfiguration>(
    column<&TimedConfiguration::parameters>("parameters", "its choices by name"),
    column<&TimedConfiguration::runtime_ms>("runtime_ms",
                                            "median of its runs; null when it failed"));

std::optional<TimedConfiguration> best_config(const Found& found) {
  return timed(found.tuning->space, found.best());
}

std::optional<TimedConfiguration> default_config(const Found& found) {
  return timed(found.tuning->space, found.first());
}

std::optional<std::string> warning(const Found& found) {
  if (!found.outcome->model.low_confidence) return std::nullopt;
  return "low_model_confidence";
}

std::optional<double> speedup(const Found& found) {
  const auto before = found.first() == nullptr ? std::nullopt : found.first()->time_ns();
  if (found.best() == nullptr || !before) return std::nullopt;
  return *before / *found.best()->time_ns();
}

std::vector<Importance> importance(const Found& found) {
  return importance_of(found.tuning->space, *found.cache);
}

Provenance provenance_of(const Evaluation& evaluation) {
  return evaluation.time_source == "modelled"   ? Provenance::modelled
         : evaluation.time_source == "recorded" ? Provenance::recorded
                                                : Provenance::measured;
}

constexpr auto kTuningFields = bound_to<Found>(
    column<&Found::tuning, &Tuning::space, &Space::size>("search_space_size",
                                                         "configurations of the space"),
    column<&Found::outcome, &SearchOutcome::order, &how_many<std::vector<std::size_t>>>(
        "evaluated_configs", "configurations that were evaluated, failed ones among them"),
    column<&best_config>("best_config",
                         "parameters and runtime_ms of the fastest; null when none ran"),
    column<&Found::outcome, &SearchOutcome::model>(
        "model",
        "r2 of log times by cross-validation, residual_std, training_r2 (what the older tool "
        "called "
        "r2), pruned; null without a model"),
    column<&warning>("warning", "low_model_confidence when r2 is below 0.75; else null"),
    column<&Found::tuning, &Tuning::id>("tuning", "its id").as(Type::id),
    column<&Found::tuning, &Tuning::plan, &Plan::search, &SearchOptions::strategy>(
        "strategy", "how it searched"),
    column<&Found::tuning, &Tuning::plan, &Plan::search, &SearchOptions::seed>(
        "seed", "of its random choices")
        .in(Unit::none),
    column<&default_config>("default_config", "what was measured first, and its runtime_ms"),
    column<&speedup>("speedup", "default time / best time, as the search saw them").in(Unit::ratio),
    column<&Found::cache, &Cache::failures>(
        "failed_configs", "evaluated configurations that did not build, run or verify"),
    column<&Found::best, &Evaluation::time_source>(
        "time_source",
        "modelled, measured (dispatches on a GPU), host (whole process), program (printed by it), "
        "recorded"),
    column<&Found::tuning, &shown_target>("target", "where they ran"),
    column<&Found::best, &Evaluation::verified>("verified",
                                                "what each had to pass before its time counted"),
    column<&Found::confirmation>(
        "confirmation",
        "the winner against the default again: verdict, ratio, ci_low, ci_high, floor, samples, "
        "design; null without"),
    column<&importance>(
        "importance",
        "parameters with the share of the variance of log times that each explains alone, and its "
        "best value"));

}  // namespace

Columns<TimedConfiguration> bound(const TimedConfiguration*) { return kTimedFields; }
Columns<Found> tuning_fields() { return kTuningFields; }

std::optional<TimedConfiguration> timed(const Space& space, const Evaluation* evaluation) {
  if (evaluation == nullptr) return std::nullopt;
  TimedConfiguration out{space.configuration(evaluation->point), evaluation->time_ns()};
  if (out.runtime_ms) *out.runtime_ms /= kTuneNsPerMs;
  return out;
}

const Evaluation* Found::best() const {
  return outcome->best ? cache->find(*outcome->best) : nullptr;
}

const Evaluation* Found::first() const { return cache->find(tuning->space.default_point()); }

const std::string& shown_target(const Tuning& tuning) {
  return tuning.plan.executor == "here" ? tuning.plan.work.target : tuning.plan.executor;
}

std::string_view state_of(const Evaluation& evaluation) { return evaluation.ok ? "ok" : "failed"; }

std::vector<Evaluated> evaluation_rows(const Space& space, const Cache& cache,
                                       const std::vector<std::size_t>& order) {
  std::vector<Evaluated> out;
  std::optional<double> best;
  for (const std::size_t point : order) {
    const Evaluation* one = cache.find(point);
    if (one == nullptr) continue;
    const auto time = one->time_ns();
    if (time && (!best || *time < *best)) best = time;
    out.push_back({out.size() + 1, space.label(point), one, best});
  }
  return out;
}

Document tuning_document(const Found& found) {
  const Space& space = found.tuning->space;
  const SearchOutcome& outcome = *found.outcome;
  Document out;
  out.table(kEvaluationColumns, evaluation_rows(space, *found.cache, outcome.order));
  if (outcome.model.low_confidence)
    out.notes.emplace_back(
        "low_model_confidence: the model does not predict what it was not told; the search went on "
        "at random and beside the best");
  if (outcome.order.size() == space.size() && space.size() > 3 &&
      found.tuning->plan.search.strategy != "exhaustive")
    out.notes.emplace_back("every configuration was measured: the budget allowed it");
  if (space.size() <= 3)
    out.notes.emplace_back("a space of three configurations or fewer is measured whole");
  out.provenance = found.best() == nullptr ? Provenance::none : provenance_of(*found.best());
  return out;
}

}  // namespace rpl::tune
