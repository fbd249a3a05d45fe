// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tune/search/space.h"

namespace rpl::tune {

struct SearchOptions {
  std::string strategy = "guided";  ///< one of strategy_names()
  std::uint64_t seed = 0;
  double seed_fraction =
      0.2;  ///< of the space: what the model learns from first; above 0, at most 1
  double prune_factor =
      1.75;  ///< what the model predicts to be slower than this times the best is not measured; at least 1
  std::optional<std::size_t> budget = std::nullopt;  ///< most evaluations; none: default_budget()
};

/// What a strategy's model is worth.
struct ModelReport {
  std::optional<double> r2;            ///< by cross-validation, of log times; none without a model
  std::optional<double> training_r2;   ///< what the older tool calls r2
  std::optional<double> residual_std;  ///< of log times: 0.1 is about 10 %
  std::size_t pruned = 0;              ///< configurations that it ruled out
  bool low_confidence = false;         ///< there is a model, and r2 is below kConfidentR2
};
inline constexpr double kConfidentR2 = 0.75;

/// Chooses what to measure next. It sees the static parameters of configurations, times and failures, nothing else. Equal options and equal answers give
/// equal choices, so that a search that was stopped is taken up by asking again and answering from what is known.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// At most `most` configurations that may be measured side by side, none of which was asked for before; empty: nothing is left that is worth it.
  virtual std::vector<std::size_t> ask(std::size_t most) = 0;
  /// The time of one; none: it failed.
  virtual void tell(std::size_t point, std::optional<double> time_ns) = 0;
  [[nodiscard]] virtual ModelReport model() const { return {}; }
};

/// guided, phases, random, local, exhaustive.
const std::vector<std::string>& strategy_names();

/// How many evaluations a search without a budget makes at most: all of a space of three or fewer and for `exhaustive`, else three quarters of the
/// space, and no more than 1000.
std::size_t default_budget(const Space& space, std::string_view strategy);

/// A strategy within its budget, behind the default configuration, which always comes first. The space must outlive it.
class Search {
 public:
  /// Fails with usage for an unknown strategy and options out of range.
  static Result<Search> start(const Space& space, const SearchOptions& options);

  std::vector<std::size_t> ask(std::size_t most);
  void tell(std::size_t point, std::optional<double> time_ns);
  [[nodiscard]] ModelReport model() const { return strategy_->model(); }
  [[nodiscard]] std::size_t budget() const { return budget_; }
  [[nodiscard]] std::size_t told() const { return curve_.size(); }
  /// The fastest time so far after each answer; none before the first success.
  [[nodiscard]] const std::vector<std::optional<double>>& curve() const { return curve_; }
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }

 private:
  Search(const Space& space, std::unique_ptr<Strategy> strategy, std::size_t budget)
      : space_(&space), strategy_(std::move(strategy)), budget_(budget) {}

  const Space* space_;
  std::unique_ptr<Strategy> strategy_;
  std::size_t budget_, asked_ = 0;
  std::vector<std::optional<double>> curve_;
  std::optional<std::size_t> best_;
};

}  // namespace rpl::tune
