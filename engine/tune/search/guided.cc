// SPDX-License-Identifier: MIT
// The default strategy: learns from few configurations, measures what its model promises as far as cross-validation trusts it, and otherwise
// searches at random and next to the best.
#include <algorithm>
#include <cmath>

#include "engine/tune/search/model.h"
#include "engine/tune/search/random.h"
#include "engine/tune/search/strategies.h"

namespace rpl::tune {
namespace {

constexpr std::size_t kFrontier = 256;  ///< candidates whose uncertainty is looked at
constexpr double kSomeR2 = 0.1;         ///< below, predictions are no better than the mean
constexpr double kLikelyFailure = 0.5;

class Guided : public Strategy {
 public:
  Guided(const Space& space, const SearchOptions& options)
      : space_(space),
        options_(options),
        told_(space),
        random_(options.seed),
        features_(space),
        times_(features_.count()),
        failures_(features_.count()),
        row_(features_.count()),
        shuffled_(space.sample(space.size(), options.seed)) {
    choose_seeds();
  }

  std::vector<std::size_t> ask(std::size_t most) override {
    std::vector<std::size_t> out;
    for (; next_seed_ < seeds_.size() && out.size() < most; ++next_seed_) {
      if (!told_.taken(seeds_[next_seed_])) take(seeds_[next_seed_], out);
    }
    if (!out.empty()) return out;
    refit();
    if (finished()) return out;
    while (out.size() < most) {
      const std::optional<std::size_t> point = pick();
      if (!point) break;
      take(*point, out);
    }
    return out;
  }

  void tell(std::size_t point, std::optional<double> time_ns) override {
    const double before = told_.best_time();
    const bool first = !told_.best().has_value();
    constexpr double kWorthIt = 0.99;
    if (told_.tell(point, time_ns) && (first || told_.best_time() < before * kWorthIt))
      since_gain_ = 0;
    ++since_gain_;
    features_.of(point, row_);
    if (time_ns) times_.add(row_, std::log(*time_ns));
    failures_.add(row_, time_ns ? 0.0 : 1.0);
    any_failure_ |= !time_ns;
  }

  [[nodiscard]] ModelReport model() const override {
    if (times_.observations() == 0) return {};
    Regression last = times_;
    last.fit();
    return {.r2 = last.r2(),
            .training_r2 = last.training_r2(),
            .residual_std = last.residual_std(),
            .pruned = pruned_,
            .low_confidence = !last.r2() || *last.r2() < kConfidentR2};
  }

 private:
  void take(std::size_t point, std::vector<std::size_t>& out) {
    told_.take(point);
    out.push_back(point);
  }

  /// Points far from each other: each is the one of a few random ones that is farthest from those before it.
  void choose_seeds() {
    constexpr std::size_t kFewest = 6, kTries = 12;
    const auto share = static_cast<std::size_t>(
        std::ceil(options_.seed_fraction * static_cast<double>(space_.size())));
    const std::size_t count = std::min(share, std::max(kFewest, features_.plain_count() + 3));
    const std::size_t width = features_.plain_count();
    std::vector<double> chosen(width), here(width);
    features_.plain(space_.default_point(), chosen);
    std::size_t drawn = 0;
    while (seeds_.size() < count && drawn < shuffled_.size()) {
      double farthest = -1;
      std::size_t best = shuffled_[drawn];
      for (std::size_t i = 0; i < kTries && drawn < shuffled_.size(); ++i, ++drawn) {
        features_.plain(shuffled_[drawn], here);
        double nearest = 1e300;
        for (std::size_t at = 0; at < chosen.size(); at += std::max<std::size_t>(width, 1)) {
          double distance = 0;
          for (std::size_t k = 0; k < width; ++k)
            distance += (here[k] - chosen[at + k]) * (here[k] - chosen[at + k]);
          nearest = std::min(nearest, distance);
        }
        if (nearest > farthest && shuffled_[drawn] != space_.default_point()) {
          farthest = nearest;
          best = shuffled_[drawn];
        }
      }
      if (best == space_.default_point()) continue;
      seeds_.push_back(best);
      features_.plain(best, here);
      chosen.insert(chosen.end(), here.begin(), here.end());
    }
  }

  /// Fits again when there is news: always at first, later with every fiftieth part.
  void refit() {
    constexpr std::size_t kAlways = 200, kPart = 50;
    const std::size_t seen = failures_.observations();
    if (seen == fitted_ || (fitted_ >= kAlways && seen < fitted_ + fitted_ / kPart)) return;
    fitted_ = seen;
    times_.fit();
    if (any_failure_) failures_.fit();
    rank();
  }

  /// The untried configurations that are predicted to be fastest, best first; what is predicted to be too slow is pruned.
  void rank() {
    frontier_.clear();
    pruned_ = 0;
    const double limit = told_.best() ? std::log(told_.best_time() * options_.prune_factor) : 1e300;
    const bool avoids = any_failure_ && failures_.r2().value_or(0) > kSomeR2;
    for (std::size_t point = 0; point < space_.size(); ++point) {
      if (told_.taken(point)) continue;
      features_.of(point, row_);
      const double predicted = times_.predict(row_);
      if (predicted > limit && confident()) {
        ++pruned_;
        continue;
      }
      // What is likely to fail comes last.
      const bool fails = avoids && failures_.predict(row_) > kLikelyFailure;
      frontier_.emplace_back(fails ? predicted + 1e6 : predicted, point);
    }
    const std::size_t kept = std::min(frontier_.size(), 4 * kFrontier);
    std::ranges::partial_sort(frontier_, frontier_.begin() + static_cast<std::ptrdiff_t>(kept));
    survivors_ = frontier_.size();
    frontier_.resize(kept);
    next_in_frontier_ = 0;
  }

  [[nodiscard]] bool confident() const { return times_.r2().value_or(0) >= kConfidentR2; }

  /// A model that is trusted and has not gained anything for long has found what there is to find.
  [[nodiscard]] bool finished() const {
    constexpr std::size_t kShortest = 25;
    if (told_.left() == 0) return true;
    if (!confident()) return false;
    return survivors_ == 0 || since_gain_ > std::max(kShortest, 2 * features_.count());
  }

  std::optional<std::size_t> pick() {
    ++picks_;
    const double r2 = times_.r2().value_or(0);
    const double draw = random_.unit();
    if (r2 >= kConfidentR2 || (r2 > kSomeR2 && draw < r2)) {
      constexpr std::size_t kNearEvery = 3;
      if (picks_ % kNearEvery == 0) {
        if (const auto near = beside_best()) return near;
      }
      if (const auto promised = promising()) return promised;
      if (confident()) return std::nullopt;
    }
    if (random_.unit() < 0.5) {
      if (const auto near = beside_best()) return near;
    }
    while (next_shuffled_ < shuffled_.size()) {
      const std::size_t point = shuffled_[next_shuffled_++];
      if (!told_.taken(point)) return point;
    }
    return std::nullopt;
  }

  /// Of the front of the ranking the one that could be fastest, given how little is known about it.
  std::optional<std::size_t> promising() {
    while (next_in_frontier_ < frontier_.size() && told_.taken(frontier_[next_in_frontier_].second))
      ++next_in_frontier_;
    std::optional<std::size_t> out;
    double best = 0;
    std::size_t looked = 0;
    for (std::size_t i = next_in_frontier_; i < frontier_.size() && looked < kFrontier; ++i) {
      const auto& [predicted, point] = frontier_[i];
      if (told_.taken(point)) continue;
      ++looked;
      features_.of(point, row_);
      const double score = predicted - times_.residual_std() * std::min(times_.leverage(row_), 1.0);
      if (out && score >= best) continue;
      out = point;
      best = score;
    }
    return out;
  }

  /// The neighbour of the best that the model likes most.
  std::optional<std::size_t> beside_best() {
    if (!told_.best()) return std::nullopt;
    std::optional<std::size_t> out;
    double best = 0;
    for (const std::size_t point : space_.neighbours(*told_.best())) {
      if (told_.taken(point)) continue;
      features_.of(point, row_);
      const double predicted = times_.predict(row_);
      if (out && predicted >= best) continue;
      out = point;
      best = predicted;
    }
    return out;
  }

  const Space& space_;
  SearchOptions options_;
  Told told_;
  Random random_;
  Features features_;
  Regression times_, failures_;
  std::vector<double> row_;
  std::vector<std::size_t> shuffled_, seeds_;
  std::size_t next_shuffled_ = 0, next_seed_ = 0, next_in_frontier_ = 0;
  std::vector<std::pair<double, std::size_t>> frontier_;
  std::size_t survivors_ = 0, pruned_ = 0, fitted_ = 0, picks_ = 0, since_gain_ = 0;
  bool any_failure_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_guided(const Space& space, const SearchOptions& options) {
  return std::make_unique<Guided>(space, options);
}

}  // namespace rpl::tune
