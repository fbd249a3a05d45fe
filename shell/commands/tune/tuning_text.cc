// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>

#include "engine/base/numbers.h"
#include "shell/commands/tune/tuning.h"
#include "shell/render/pictures/text_pictures.h"

namespace rpl {
namespace {

std::string failures_text(const tune::Cache& cache) {
  std::map<std::string, std::pair<std::size_t, std::string>> by_stage;
  for (const tune::Evaluation& one : cache.all()) {
    if (one.ok) continue;
    auto& [count, reason] = by_stage[one.stage];
    if (count++ == 0) reason = one.reason;
  }
  std::string out;
  for (const auto& [stage, found] : by_stage)
    out += fmt::format("failed  {} at {}, the first: {}\n", found.first, stage, found.second);
  return out;
}

std::string confirmation_text(const Decision& found, Provenance provenance) {
  return fmt::format(
      "measured again  {}{}: {:.3f} times as fast as the default ({:.3f} to {:.3f}), {}\n",
      to_string(found.verdict), provenance == Provenance::modelled ? " (modelled)" : "",
      found.ratio, found.ci_low, found.ci_high, found.design);
}

}  // namespace

std::string tuning_text(const tune::Found& result, Provenance provenance, const Canvas& canvas) {
  const tune::Space& space = result.tuning->space;
  const tune::Cache& cache = *result.cache;
  const tune::SearchOutcome& outcome = *result.outcome;
  const tune::Evaluation* best = result.best();
  const auto time_of = [](const tune::Evaluation* one) {
    return one != nullptr && one->ok ? format_ns(*one->time_ns()) : std::string("failed");
  };
  std::string out = fmt::format("{} of {} configurations evaluated, {} failed\n",
                                outcome.order.size(), space.size(), cache.failures());
  out +=
      fmt::format("default {}  {}\n", time_of(result.first()), space.label(space.default_point()));
  if (best != nullptr)
    out += fmt::format("best    {}  {}  ({})\n", time_of(best), space.label(best->point),
                       best->time_source);
  if (result.confirmation) out += confirmation_text(result.confirmation->decision, provenance);
  if (outcome.model.r2 || outcome.model.training_r2) {
    out +=
        fmt::format("model   r2 {} by cross-validation, {} configurations pruned{}\n",
                    outcome.model.r2 ? fmt::format("{:.2f}", *outcome.model.r2) : "unknown",
                    outcome.model.pruned, outcome.model.low_confidence ? ": low confidence" : "");
  }
  for (const tune::Importance& one : tune::importance_of(space, cache)) {
    constexpr std::size_t kBar = 20;
    out += fmt::format("  {:<16} {} {:>6}  best {}\n", one.parameter,
                       bar(one.share, kBar, canvas.unicode), format_share(one.share),
                       tune::choice_text(one.best_value));
  }
  out += failures_text(cache);
  ConvergenceDrawing drawing{.best_ns = {}, .name = "this search"};
  for (const auto& time : outcome.curve) drawing.best_ns.push_back(time.value_or(0));
  return out + convergence_text(drawing, canvas);
}

}  // namespace rpl
