// SPDX-License-Identifier: MIT
// What a tuning found, as the older tool's document with ours beside it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/units.h"
#include "engine/document/document.h"
#include "shell/commands/tune/tuning.h"

namespace rpl {
namespace {

constexpr double kTuneNsPerMs = 1e6;

Value timed_configuration(const tune::Space& space, const tune::Evaluation* one) {
  if (one == nullptr) return {};
  const auto time = one->time_ns();
  return Value(Record{{"parameters", Value(space.configuration(one->point))},
                      {"runtime_ms", time ? Value(*time / kTuneNsPerMs) : Value()}});
}

Value model_record(const tune::ModelReport& model) {
  return Value(Record{{"r2", Value(model.r2)},
                      {"residual_std", Value(model.residual_std)},
                      {"training_r2", Value(model.training_r2)},
                      {"pruned", Value(std::uint64_t{model.pruned})}});
}

Value importance_list(const tune::Space& space, const tune::Cache& cache) {
  List out;
  for (const tune::Importance& one : tune::importance_of(space, cache)) {
    out.emplace_back(Record{{"parameter", Value(one.parameter)},
                            {"share", Value(one.share)},
                            {"best_value", one.best_value}});
  }
  return Value(std::move(out));
}

Provenance provenance_of(const std::string& source) {
  return source == "modelled"   ? Provenance::modelled
         : source == "recorded" ? Provenance::recorded
                                : Provenance::measured;
}

}  // namespace

std::vector<Row> evaluation_rows(const tune::Space& space, const tune::Cache& cache,
                                 const std::vector<std::size_t>& order) {
  std::vector<Row> out;
  std::optional<double> best;
  for (const std::size_t point : order) {
    const tune::Evaluation* one = cache.find(point);
    if (one == nullptr) continue;
    const auto time = one->time_ns();
    if (time && (!best || *time < *best)) best = time;
    out.push_back({Value(std::uint64_t{out.size() + 1}), Value(space.label(point)),
                   Value(one->ok ? "ok" : "failed"), Value(time), Value(best),
                   Value::known(one->stage), Value::known(one->reason), Value(one->requeued)});
  }
  return out;
}

Document tuning_document(const tune::Tuning& tuning, const tune::Cache& cache,
                         const tune::SearchOutcome& outcome) {
  const tune::Space& space = tuning.space;
  const tune::Evaluation* best = outcome.best ? cache.find(*outcome.best) : nullptr;
  const tune::Evaluation* first = cache.find(space.default_point());
  Document out;
  out.set("search_space_size", Value(std::uint64_t{space.size()}));
  out.set("evaluated_configs", Value(std::uint64_t{outcome.order.size()}));
  out.set("best_config", timed_configuration(space, best));
  out.set("model", model_record(outcome.model));
  out.set("warning", outcome.model.low_confidence ? Value("low_model_confidence") : Value());
  out.set("tuning", Value(tuning.id()));
  out.set("strategy", Value(tuning.plan.search.strategy));
  out.set("seed", Value(std::uint64_t{tuning.plan.search.seed}));
  out.set("default_config", timed_configuration(space, first));
  const auto default_time = first == nullptr ? std::nullopt : first->time_ns();
  out.set("speedup",
          best != nullptr && default_time ? Value(*default_time / *best->time_ns()) : Value());
  out.set("failed_configs", Value(std::uint64_t{cache.failures()}));
  out.set("time_source", best == nullptr ? Value() : Value(best->time_source));
  out.set("target",
          Value(tuning.plan.executor == "here" ? tuning.plan.work.target : tuning.plan.executor));
  out.set("verified", best == nullptr ? Value() : Value(best->verified));
  out.set("confirmation", Value());
  out.set("importance", importance_list(space, cache));
  out.rows = evaluation_rows(space, cache, outcome.order);
  if (outcome.model.low_confidence)
    out.notes.emplace_back(
        "low_model_confidence: the model does not predict what it was not told; the search went on "
        "at random and beside the best");
  if (outcome.order.size() == space.size() && space.size() > 3 &&
      tuning.plan.search.strategy != "exhaustive")
    out.notes.emplace_back("every configuration was measured: the budget allowed it");
  if (space.size() <= 3)
    out.notes.emplace_back("a space of three configurations or fewer is measured whole");
  out.provenance = best == nullptr ? Provenance::none : provenance_of(best->time_source);
  return out;
}

std::vector<Column> tuning_fields() {
  return {
      {"search_space_size", Type::integer, Unit::count, "configurations of the space"},
      {"evaluated_configs", Type::integer, Unit::count,
       "configurations that were evaluated, failed ones among them"},
      {"best_config", Type::record, Unit::none,
       "parameters and runtime_ms of the fastest; null when none ran"},
      {"model", Type::record, Unit::none,
       "r2 of log times by cross-validation, residual_std, training_r2 (what the older tool called "
       "r2), pruned; null without a model"},
      {"warning", Type::string, Unit::none,
       "low_model_confidence when r2 is below 0.75; else null"},
      {"tuning", Type::id, Unit::none, "its id"},
      {"strategy", Type::string, Unit::none, "how it searched"},
      {"seed", Type::integer, Unit::none, "of its random choices"},
      {"default_config", Type::record, Unit::none, "what was measured first, and its runtime_ms"},
      {"speedup", Type::number, Unit::ratio, "default time / best time, as the search saw them"},
      {"failed_configs", Type::integer, Unit::count,
       "evaluated configurations that did not build, run or verify"},
      {"time_source", Type::string, Unit::none,
       "modelled, measured (dispatches on a GPU), host (whole process), program (printed by it), "
       "recorded"},
      {"target", Type::string, Unit::none, "where they ran"},
      {"verified", Type::string, Unit::none, "what each had to pass before its time counted"},
      {"confirmation", Type::record, Unit::none,
       "the winner against the default again: verdict, ratio, ci_low, ci_high, floor, samples, "
       "design; null without"},
      {"importance", Type::any, Unit::none,
       "parameters with the share of the variance of log times that each explains alone, and its "
       "best value"}};
}

std::vector<Column> evaluation_columns() {
  return {{"evaluation", Type::integer, Unit::none, "in which order, from 1"},
          {"configuration", Type::string, Unit::none, "its parameters"},
          {"state", Type::string, Unit::none, "ok or failed"},
          {"time_ns", Type::number, Unit::ns, "median of its runs; null when it failed"},
          {"best_ns", Type::number, Unit::ns, "the fastest so far"},
          {"stage", Type::string, Unit::none, "where it failed: build, run, verify, time, lost",
           InText::if_room},
          {"reason", Type::string, Unit::none, "why"},
          {"requeued", Type::integer, Unit::count, "how often a batch system had to run it again",
           InText::if_room}};
}

}  // namespace rpl
