// SPDX-License-Identifier: MIT
// Strategies without a model: in an order, and along neighbours.
#include "engine/tune/search/strategies.h"

#include <algorithm>

#include "engine/tune/search/random.h"

namespace rpl::tune {
namespace {

class Ordered : public Strategy {
 public:
  Ordered(const Space& space, std::vector<std::size_t> order)
      : told_(space), order_(std::move(order)) {}
  std::vector<std::size_t> ask(std::size_t most) override {
    std::vector<std::size_t> out;
    for (; next_ < order_.size() && out.size() < most; ++next_) {
      if (!told_.taken(order_[next_])) out.push_back(order_[next_]);
    }
    return out;
  }
  void tell(std::size_t point, std::optional<double> /*time_ns*/) override { told_.take(point); }

 private:
  Told told_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
};

/// Goes to a neighbour that is faster until there is none, then starts again somewhere else.
class Local : public Strategy {
 public:
  Local(const Space& space, const SearchOptions& options)
      : space_(space),
        told_(space),
        random_(options.seed),
        starts_(space.sample(space.size(), options.seed)) {}

  std::vector<std::size_t> ask(std::size_t most) override {
    std::vector<std::size_t> out;
    while (out.size() < most && !neighbours_.empty()) {
      const std::size_t point = neighbours_.back();
      neighbours_.pop_back();
      if (!told_.taken(point)) out.push_back(point);
      told_.take(point);
    }
    if (!out.empty()) return out;
    for (; next_ < starts_.size(); ++next_) {
      if (told_.taken(starts_[next_])) continue;
      told_.take(starts_[next_]);
      here_time_.reset();
      return {starts_[next_]};
    }
    return {};
  }

  void tell(std::size_t point, std::optional<double> time_ns) override {
    if (!time_ns || (here_time_ && *time_ns >= *here_time_)) return;
    here_time_ = time_ns;
    neighbours_ = space_.neighbours(point);
    for (std::size_t i = neighbours_.size(); i > 1; --i)
      std::swap(neighbours_[i - 1], neighbours_[random_.below(i)]);
  }

 private:
  const Space& space_;
  Told told_;
  Random random_;
  std::vector<std::size_t> starts_;
  std::size_t next_ = 0;
  std::vector<std::size_t> neighbours_;
  std::optional<double> here_time_;
};

}  // namespace

std::unique_ptr<Strategy> make_local(const Space& space, const SearchOptions& options) {
  return std::make_unique<Local>(space, options);
}

std::unique_ptr<Strategy> make_ordered(const Space& space, const SearchOptions& options) {
  if (options.strategy == "random")
    return std::make_unique<Ordered>(space, space.sample(space.size(), options.seed));
  std::vector<std::size_t> order(space.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  return std::make_unique<Ordered>(space, std::move(order));
}

std::unique_ptr<Strategy> make_strategy(const Space& space, const SearchOptions& options) {
  if (options.strategy == "guided") return make_guided(space, options);
  if (options.strategy == "phases") return make_phases(space, options);
  if (options.strategy == "local") return make_local(space, options);
  return make_ordered(space, options);
}

}  // namespace rpl::tune
