// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/spread.h"

#include <algorithm>
#include <cmath>

namespace rpl {
namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method; converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  constexpr int kMostTerms = 500;
  const auto kept = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), out = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double twice = 2.0 * m;
    const double even = m * (b - m) * x / ((a + twice - 1) * (a + twice));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    out *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + twice) * (a + twice + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    out *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return out;
}

/// std::lgamma writes a global sign, which is a race between threads; Stirling's series is exact to 1e-15 from 10 on (DLMF 5.11.1).
double log_gamma(double x) {
  double shift = 0;
  for (; x < 10; x += 1) shift += std::log(x);
  const double inverse = 1 / x, square = inverse * inverse;
  const double series =
      inverse *
      (1.0 / 12 - square * (1.0 / 360 -
                            square * (1.0 / 1260 -
                                      square * (1.0 / 1680 -
                                                square * (1.0 / 1188 - square * 691.0 / 360360)))));
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + series - shift;
}

/// For few draws: the terms themselves, which is also faster.
double summed_tail(std::size_t draws, std::size_t at_least, double chance) {
  const double odds = chance / (1 - chance);
  double term = 1, out = 0;
  for (std::size_t i = 0; i < draws; ++i) term *= 1 - chance;
  for (std::size_t k = 0; k <= draws; ++k) {
    if (k >= at_least) out += term;
    term *= odds * static_cast<double>(draws - k) / static_cast<double>(k + 1);
  }
  return std::min(out, 1.0);
}

/// Which of n sorted draws counts as the median, from 1: the lower one of two.
std::size_t lower_middle(std::size_t n) { return (n + 1) / 2; }

/// By k: the chance that the (lower) median of n draws from n values is at most the k-th.
void chances(std::size_t n, std::vector<double>& out) {
  if (out.size() == n + 1) return;
  out.resize(n + 1);
  for (std::size_t k = 0; k <= n; ++k)
    out[k] = binomial_tail(n, lower_middle(n), static_cast<double>(k) / static_cast<double>(n));
}

}  // namespace

double binomial_tail(std::size_t draws, std::size_t at_least, double chance) {
  if (at_least == 0 || chance >= 1) return at_least <= draws ? 1 : 0;
  if (at_least > draws || chance <= 0) return 0;
  constexpr std::size_t kFew = 32;
  if (draws <= kFew) return summed_tail(draws, at_least, chance);
  const auto a = static_cast<double>(at_least), b = static_cast<double>(draws - at_least + 1);
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
                                a * std::log(chance) + b * std::log1p(-chance));
  if (chance < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, chance) / a;
  return 1 - front * beta_fraction(b, a, 1 - chance) / b;
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Spread::Spread(const std::vector<std::vector<double>>& by_process) {
  std::size_t count = 0;
  for (const auto& values : by_process) count += values.size();
  points_.reserve(count);
  std::vector<double> medians, chance, sorted;
  medians.reserve(by_process.size());
  const double share = 1 / static_cast<double>(by_process.size());
  for (const auto& values : by_process) {
    const std::size_t n = values.size();
    chances(n, chance);
    sorted.assign(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    medians.push_back(n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2);
    for (std::size_t k = 1; k <= n; ++k) {
      // Seen from above the same chances run backwards.
      points_.push_back({sorted[k - 1], share * (chance[k] - chance[k - 1]),
                         share * (chance[n - k + 1] - chance[n - k])});
    }
  }
  middle_ = median_of(medians);
  std::sort(points_.begin(), points_.end(),
            [](const Point& a, const Point& b) { return a.value < b.value; });
  double below = 0, above = 0;
  for (Point& point : points_) point.below = below += point.below;
  for (std::size_t i = points_.size(); i-- > 0;) points_[i].above = above += points_[i].above;
}

double Spread::lower(double tail, std::size_t processes) const {
  const auto reached = [&](const Point& point) {
    return binomial_tail(processes, lower_middle(processes), point.below) < tail;
  };
  const auto found = std::partition_point(points_.begin(), points_.end(), reached);
  return found == points_.end() ? points_.back().value : found->value;
}

double Spread::upper(double tail, std::size_t processes) const {
  const auto missed = [&](const Point& point) {
    return binomial_tail(processes, lower_middle(processes), point.above) >= tail;
  };
  const auto found = std::partition_point(points_.begin(), points_.end(), missed);
  return found == points_.begin() ? points_.front().value : (found - 1)->value;
}

double Spread::absolute(double share, std::size_t processes) const {
  std::vector<double> sizes;
  sizes.reserve(points_.size());
  for (const Point& point : points_) sizes.push_back(std::abs(point.value));
  std::sort(sizes.begin(), sizes.end());
  const std::size_t middle = lower_middle(processes);
  // The chance to end outside of ±size: below −size or above it, each side as wide as it may be.
  const auto exceeded = [&](double size) {
    const auto low = std::partition_point(points_.begin(), points_.end(),
                                          [&](const Point& p) { return p.value < -size; });
    const auto high = std::partition_point(points_.begin(), points_.end(),
                                           [&](const Point& p) { return p.value <= size; });
    const double below =
        low == points_.begin() ? 0 : binomial_tail(processes, middle, (low - 1)->below);
    const double above = high == points_.end() ? 0 : binomial_tail(processes, middle, high->above);
    return below + above;
  };
  const auto enough = std::partition_point(sizes.begin(), sizes.end(),
                                           [&](double size) { return exceeded(size) > 1 - share; });
  return enough == sizes.end() ? sizes.back() : *enough;
}

}  // namespace rpl
