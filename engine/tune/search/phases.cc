// SPDX-License-Identifier: MIT
// The three phases of the older tool: a random share of the space, a regression, and what it leaves over.
#include <algorithm>
#include <cmath>

#include "engine/tune/search/model.h"
#include "engine/tune/search/strategies.h"

namespace rpl::tune {
namespace {

class Phases : public Strategy {
 public:
  Phases(const Space& space, const SearchOptions& options)
      : space_(space),
        options_(options),
        told_(space),
        features_(space),
        regression_(features_.count()),
        row_(features_.count()) {
    const auto count = static_cast<std::size_t>(
        std::ceil(options.seed_fraction * static_cast<double>(space.size())));
    queue_ = space.sample(count, options.seed);
  }

  std::vector<std::size_t> ask(std::size_t most) override {
    if (next_ >= queue_.size() && !learnt_) learn();
    std::vector<std::size_t> out;
    for (; next_ < queue_.size() && out.size() < most; ++next_) {
      if (told_.taken(queue_[next_])) continue;
      told_.take(queue_[next_]);
      out.push_back(queue_[next_]);
    }
    if (out.empty() && !learnt_) return ask(most);
    return out;
  }

  void tell(std::size_t point, std::optional<double> time_ns) override {
    told_.tell(point, time_ns);
    // The model is that of the seed phase: what it chose does not judge it.
    if (!time_ns || learnt_) return;
    features_.of(point, row_);
    regression_.add(row_, std::log(*time_ns));
  }

  [[nodiscard]] ModelReport model() const override { return report_; }

 private:
  void learn() {
    learnt_ = true;
    regression_.fit();
    if (regression_.observations() > 0) {
      report_ = {.r2 = regression_.r2(),
                 .training_r2 = regression_.training_r2(),
                 .residual_std = regression_.residual_std(),
                 .pruned = 0,
                 .low_confidence = false};
      report_.low_confidence = !report_.r2 || *report_.r2 < kConfidentR2;
    }
    const double limit = told_.best() ? std::log(told_.best_time() * options_.prune_factor) : 0;
    std::vector<std::pair<double, std::size_t>> rest;
    for (std::size_t point = 0; point < space_.size(); ++point) {
      if (told_.taken(point)) continue;
      features_.of(point, row_);
      const double predicted = regression_.predict(row_);
      const bool slow = told_.best().has_value() && predicted > limit;
      // A model that cannot predict what it was not told rules nothing out.
      if (slow && !report_.low_confidence) {
        ++report_.pruned;
      } else {
        rest.emplace_back(predicted, point);
      }
    }
    std::ranges::sort(rest);
    queue_.clear();
    next_ = 0;
    for (const auto& [predicted, point] : rest) queue_.push_back(point);
  }

  const Space& space_;
  SearchOptions options_;
  Told told_;
  Features features_;
  Regression regression_;
  std::vector<double> row_;
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;
  bool learnt_ = false;
  ModelReport report_;
};

}  // namespace

std::unique_ptr<Strategy> make_phases(const Space& space, const SearchOptions& options) {
  return std::make_unique<Phases>(space, options);
}

}  // namespace rpl::tune
