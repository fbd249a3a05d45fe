// SPDX-License-Identifier: MIT
#include "engine/tune/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/tune/search/strategies.h"

namespace rpl::tune {

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{"guided", "phases", "random", "local", "exhaustive"};
  return names;
}

std::size_t default_budget(const Space& space, std::string_view strategy) {
  constexpr std::size_t kSmall = 3, kMost = 1000;
  if (strategy == "exhaustive" || space.size() <= kSmall) return space.size();
  return std::min(space.size() * 3 / 4, kMost);
}

Result<Search> Search::start(const Space& space, const SearchOptions& options) {
  if (!(options.seed_fraction > 0 && options.seed_fraction <= 1))
    return fail(Errc::usage, fmt::format("a seed fraction of {}", options.seed_fraction),
                "above 0 and at most 1; the usual one is 0.2");
  if (!(options.prune_factor >= 1))
    return fail(Errc::usage, fmt::format("a prune factor of {}", options.prune_factor),
                "at least 1; the usual one is 1.75");
  if (options.budget && *options.budget == 0)
    return fail(Errc::usage, "a budget of 0 evaluations", "at least 1");
  const auto& names = strategy_names();
  if (std::ranges::find(names, options.strategy) == names.end())
    return fail(Errc::usage, fmt::format("no strategy '{}'", options.strategy),
                fmt::format("there are {}", fmt::join(names, ", ")));
  const std::size_t budget =
      std::min(options.budget.value_or(default_budget(space, options.strategy)), space.size());
  return Search(space, make_strategy(space, options), budget);
}

std::vector<std::size_t> Search::ask(std::size_t most) {
  most = std::min(most, budget_ - std::min(asked_, budget_));
  if (most == 0) return {};
  std::vector<std::size_t> out =
      asked_ == 0 ? std::vector{space_->default_point()} : strategy_->ask(most);
  asked_ += out.size();
  return out;
}

void Search::tell(std::size_t point, std::optional<double> time_ns) {
  const std::optional<double> before = curve_.empty() ? std::nullopt : curve_.back();
  const bool better = time_ns && (!before || *time_ns < *before);
  if (better) best_ = point;
  curve_.push_back(better ? time_ns : before);
  strategy_->tell(point, time_ns);
}

}  // namespace rpl::tune
