// SPDX-License-Identifier: MIT
#include "shell/commands/tune/tuning_text.h"

#include <fmt/format.h>

#include <map>

#include "engine/base/units.h"
#include "shell/core/inputs/loaded.h"

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

std::string number_text(const Value* record, std::string_view key, const char* none = "unknown") {
  const Value* found = record == nullptr ? nullptr : record->find(key);
  const auto number = found == nullptr ? std::nullopt : found->number();
  return number ? fmt::format("{:.3f}", *number) : none;
}

std::string confirmation_text(const Document& document) {
  const Value* found = document.get("confirmation");
  const Value* verdict = found == nullptr ? nullptr : found->find("verdict");
  const auto* text = verdict == nullptr ? nullptr : verdict->as<std::string>();
  if (text == nullptr) return {};
  const Value* design = found->find("design");
  const bool modelled = document.provenance == Provenance::modelled;
  return fmt::format(
      "measured again  {}{}: {} times as fast as the default ({} to {}), {}\n", *text,
      modelled ? " (modelled)" : "", number_text(found, "ratio"), number_text(found, "ci_low"),
      number_text(found, "ci_high"),
      design == nullptr || design->as<std::string>() == nullptr ? "" : *design->as<std::string>());
}

}  // namespace

Canvas canvas_for_tuning(const Context& context) { return canvas_of(context); }

std::string tuning_text(const tune::Space& space, const tune::Cache& cache,
                        const tune::SearchOutcome& outcome, const Document& document,
                        const Canvas& canvas) {
  const tune::Evaluation* best = outcome.best ? cache.find(*outcome.best) : nullptr;
  const tune::Evaluation* first = cache.find(space.default_point());
  const auto time_of = [](const tune::Evaluation* one) {
    return one != nullptr && one->ok ? format_ns(*one->time_ns()) : std::string("failed");
  };
  std::string out = fmt::format("{} of {} configurations evaluated, {} failed\n",
                                outcome.order.size(), space.size(), cache.failures());
  out += fmt::format("default {}  {}\n", time_of(first), space.label(space.default_point()));
  if (best != nullptr)
    out += fmt::format("best    {}  {}  ({})\n", time_of(best), space.label(best->point),
                       best->time_source);
  out += confirmation_text(document);
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
