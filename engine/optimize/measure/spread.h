// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace rpl {

/// P(X ≥ at_least) for X binomial with `draws` trials of chance `chance`, by the incomplete beta function (DLMF 8.17.5, 8.17.22).
double binomial_tail(std::size_t draws, std::size_t at_least, double chance);

/// The hierarchical bootstrap of a median of medians, without drawing anything.
///
/// The bootstrap draws P processes with replacement, within each drawn one its n values with replacement, and takes the median of
/// the medians. The median of n draws from n sorted values is at most the k-th exactly when at least (n+1)/2 draws are among the first k, which
/// is a binomial probability (J. S. Maritz, R. G. Jarrett: A note on estimating the variance of the sample median, JASA 73, 1978). The same
/// holds for processes: their medians are draws from the mixture of these distributions. So the distribution that infinitely many resamples would
/// give is known in closed form, at the cost of sorting. Even numbers have two middle values: limits take the outer one, which errs to the side
/// of a wider interval.
class Spread {
 public:
  /// At least one process, each with at least one value.
  explicit Spread(const std::vector<std::vector<double>>& by_process);

  /// Median over processes of the medians within each.
  [[nodiscard]] double middle() const { return middle_; }
  /// What a share `tail` of sessions of `processes` processes stay below (above), when they draw from the processes at hand.
  [[nodiscard]] double lower(double tail, std::size_t processes) const;
  [[nodiscard]] double upper(double tail, std::size_t processes) const;
  /// What the absolute value of a share `share` of such sessions does not exceed.
  [[nodiscard]] double absolute(double share, std::size_t processes) const;

 private:
  struct Point {
    double value;
    double
        below;  ///< chance that the median of a process drawn is at most this value, when two middle ones count as the lower
    double above;  ///< at least this value, when they count as the upper
  };
  std::vector<Point> points_;  ///< by value
  double middle_ = 0;
};

/// Of at least one value; rearranges them. Of an even number the mean of the two in the middle.
double median_of(std::vector<double>& values);

}  // namespace rpl
