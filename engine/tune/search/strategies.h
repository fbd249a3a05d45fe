// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/tune/search/search.h"

namespace rpl::tune {

/// By a name that strategy_names() has. The default configuration is never asked for: Search does, and tells.
std::unique_ptr<Strategy> make_strategy(const Space& space, const SearchOptions& options);

std::unique_ptr<Strategy> make_guided(const Space& space, const SearchOptions& options);
std::unique_ptr<Strategy> make_phases(const Space& space, const SearchOptions& options);
std::unique_ptr<Strategy> make_local(const Space& space, const SearchOptions& options);
/// All points in an order: shuffled (`random`) or as they are (`exhaustive`).
std::unique_ptr<Strategy> make_ordered(const Space& space, const SearchOptions& options);

/// What was asked for and told, kept by strategies.
class Told {
 public:
  explicit Told(const Space& space) : taken_(space.size(), false) { take(space.default_point()); }
  [[nodiscard]] bool taken(std::size_t point) const { return taken_[point]; }
  void take(std::size_t point) {
    if (!taken_[point]) ++count_;
    taken_[point] = true;
  }
  [[nodiscard]] std::size_t left() const { return taken_.size() - count_; }
  /// Whether it is the fastest so far.
  bool tell(std::size_t point, std::optional<double> time_ns) {
    if (!time_ns || (best_ && *time_ns >= best_time_)) return false;
    best_ = point;
    best_time_ = *time_ns;
    return true;
  }
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }
  [[nodiscard]] double best_time() const { return best_time_; }

 private:
  std::vector<bool> taken_;
  std::size_t count_ = 0;
  std::optional<std::size_t> best_;
  double best_time_ = 0;
};

}  // namespace rpl::tune
