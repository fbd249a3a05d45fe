// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/tune/search/space.h"

namespace rpl::tune {

/// Static features of configurations, and nothing else: an ordered parameter gives its place among its values, from −1 to 1, any other a 0 or 1
/// for each value but the first; then 1, those, their squares and their products (degree 2). With more than 24 of the first kind products are left out.
class Features {
 public:
  explicit Features(const Space& space);
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t plain_count() const { return plain_; }
  /// Those of degree 1 of a point; `out` holds plain_count().
  void plain(std::size_t point, std::span<double> out) const;
  /// All; `out` holds count().
  void of(std::size_t point, std::span<double> out) const;

 private:
  struct Term {
    std::size_t a = 0, b = 0;
  };
  const Space* space_;
  std::vector<std::vector<std::vector<double>>> coded_;  ///< by parameter and value
  std::vector<Term> squares_;
  std::size_t plain_ = 0, count_ = 0;
};

/// Ridge regression of log times on features, whose weight of the penalty and confidence come from cross-validation in five folds (observation i is in fold
/// i mod 5). Adding an observation costs count², fitting count³.
class Regression {
 public:
  explicit Regression(std::size_t features);
  void add(std::span<const double> features, double value);
  /// Finds weights for all that was added. Without observations everything is 0.
  void fit();
  [[nodiscard]] std::size_t observations() const { return values_.size(); }
  [[nodiscard]] double predict(std::span<const double> features) const;
  /// How uncertain predict() is beside residual_std(), as a factor of it: sqrt(x' A⁻¹ x).
  [[nodiscard]] double leverage(std::span<const double> features) const;
  /// Of values that the fit had not seen: 1 − Σ error² / Σ (value − mean)². Below 0 where the mean predicts better; none below 5 observations.
  [[nodiscard]] std::optional<double> r2() const { return r2_; }
  /// The same of the values that it was fitted to.
  [[nodiscard]] double training_r2() const { return training_r2_; }
  /// Root mean square of the cross-validated errors; of the training errors below 5 observations.
  [[nodiscard]] double residual_std() const { return residual_std_; }

 private:
  static constexpr std::size_t kFolds = 5;
  struct Sums {
    std::vector<double> xx, xy;  ///< lower triangle row by row of X'X; X'y
  };
  [[nodiscard]] double held_out_error(double penalty, double mean) const;

  std::size_t width_;
  std::array<Sums, kFolds> folds_;
  std::vector<double> rows_, values_;
  std::vector<double> weights_, factor_;
  double mean_ = 0, training_r2_ = 0, residual_std_ = 0;
  std::optional<double> r2_;
};

}  // namespace rpl::tune
