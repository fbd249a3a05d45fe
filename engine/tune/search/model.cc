// SPDX-License-Identifier: MIT
#include "engine/tune/search/model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rpl::tune {
namespace {

constexpr std::size_t kMostForProducts = 24, kMostForPenalties = 64;

std::size_t triangle(std::size_t row) { return row * (row + 1) / 2; }

/// Cholesky factor (lower triangle, row by row) of `a`; what is no longer positive counts as very small, which a penalty rules out anyway.
void factorise(std::vector<double>& a, std::size_t n) {
  constexpr double kLeast = 1e-12;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = &a[triangle(i)];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = &a[triangle(j)];
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      row[j] = i == j ? std::sqrt(std::max(sum, kLeast)) : sum / other[j];
    }
  }
}

void forward(const std::vector<double>& factor, std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* row = &factor[triangle(i)];
    double sum = x[i];
    for (std::size_t k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
}

void backward(const std::vector<double>& factor, std::span<double> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    x[i] /= factor[triangle(i) + i];
    for (std::size_t k = 0; k < i; ++k) x[k] -= factor[triangle(i) + k] * x[i];
  }
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Features::Features(const Space& space) : space_(&space) {
  for (const Parameter& parameter : space.parameters()) {
    const std::size_t values = parameter.values.size();
    std::vector<std::vector<double>> codes(values);
    const std::size_t first = plain_;
    if (values > 1 && parameter.ordered()) {
      for (std::size_t v = 0; v < values; ++v) {
        const double here = *parameter.values[v].number();
        const auto below = std::ranges::count_if(
            parameter.values, [&](const Value& other) { return *other.number() < here; });
        codes[v] = {2 * static_cast<double>(below) / static_cast<double>(values - 1) - 1};
      }
      plain_ += 1;
      if (values > 2) squares_.push_back({first, first});
    } else if (values > 1) {
      for (std::size_t v = 0; v < values; ++v) {
        codes[v].assign(values - 1, 0.0);
        if (v > 0) codes[v][v - 1] = 1;
      }
      plain_ += values - 1;
    }
    // Products of what belongs to one parameter say nothing new.
    for (std::size_t a = 0; a < first; ++a) {
      for (std::size_t b = first; b < plain_; ++b) squares_.push_back({a, b});
    }
    coded_.push_back(std::move(codes));
  }
  if (plain_ > kMostForProducts)
    std::erase_if(squares_, [](const Term& term) { return term.a != term.b; });
  count_ = 1 + plain_ + squares_.size();
}

void Features::plain(std::size_t point, std::span<double> out) const {
  const auto at = space_->places(point);
  std::size_t next = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (const double code : coded_[i][at[i]]) out[next++] = code;
  }
}

void Features::of(std::size_t point, std::span<double> out) const {
  out[0] = 1;
  plain(point, out.subspan(1, plain_));
  for (std::size_t i = 0; i < squares_.size(); ++i)
    out[1 + plain_ + i] = out[1 + squares_[i].a] * out[1 + squares_[i].b];
}

Regression::Regression(std::size_t features) : width_(features), weights_(features, 0.0) {
  for (Sums& sums : folds_) {
    sums.xx.assign(triangle(width_), 0.0);
    sums.xy.assign(width_, 0.0);
  }
}

void Regression::add(std::span<const double> features, double value) {
  Sums& sums = folds_[values_.size() % kFolds];
  for (std::size_t i = 0; i < width_; ++i) {
    double* row = &sums.xx[triangle(i)];
    for (std::size_t j = 0; j <= i; ++j) row[j] += features[i] * features[j];
    sums.xy[i] += features[i] * value;
  }
  rows_.insert(rows_.end(), features.begin(), features.end());
  values_.push_back(value);
}

double Regression::held_out_error(double penalty, double mean) const {
  double error = 0;
  std::vector<double> a(triangle(width_)), x(width_);
  for (std::size_t held = 0; held < kFolds; ++held) {
    std::ranges::fill(a, 0.0);
    std::ranges::fill(x, 0.0);
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
      if (fold == held) continue;
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += folds_[fold].xx[i];
      // The feature that is always 1 counts the observations: X'(y − mean) follows from the sums.
      for (std::size_t i = 0; i < width_; ++i)
        x[i] += folds_[fold].xy[i] - mean * folds_[fold].xx[triangle(i)];
    }
    for (std::size_t i = 0; i < width_; ++i) a[triangle(i) + i] += i == 0 ? 1e-9 : penalty;
    factorise(a, width_);
    forward(a, x);
    backward(a, x);
    for (std::size_t i = held; i < values_.size(); i += kFolds) {
      const double off = values_[i] - mean - dot({&rows_[i * width_], width_}, x);
      error += off * off;
    }
  }
  return error;
}

void Regression::fit() {
  const std::size_t n = values_.size();
  if (n == 0) return;
  mean_ = 0;
  for (const double value : values_) mean_ += value / static_cast<double>(n);
  double spread = 0;
  for (const double value : values_) spread += (value - mean_) * (value - mean_);
  double penalty = 0.1;
  r2_.reset();
  double held_out = 0;
  if (n >= kFolds) {
    held_out = std::numeric_limits<double>::infinity();
    const bool wide = width_ > kMostForPenalties;
    for (const double candidate : {0.1, 0.001, 0.01, 1.0, 10.0}) {
      if (wide && candidate != 0.1) break;
      const double error = held_out_error(candidate, mean_);
      if (error < held_out) {
        held_out = error;
        penalty = candidate;
      }
    }
    // Times that do not differ are predicted perfectly.
    r2_ = spread > 0 ? 1 - held_out / spread : 1.0;
  }
  factor_.assign(triangle(width_), 0.0);
  std::ranges::fill(weights_, 0.0);
  for (const Sums& sums : folds_) {
    for (std::size_t i = 0; i < factor_.size(); ++i) factor_[i] += sums.xx[i];
    for (std::size_t i = 0; i < width_; ++i)
      weights_[i] += sums.xy[i] - mean_ * sums.xx[triangle(i)];
  }
  for (std::size_t i = 0; i < width_; ++i) factor_[triangle(i) + i] += i == 0 ? 1e-9 : penalty;
  factorise(factor_, width_);
  forward(factor_, weights_);
  backward(factor_, weights_);
  double error = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = values_[i] - predict({&rows_[i * width_], width_});
    error += off * off;
  }
  training_r2_ = spread > 0 ? 1 - error / spread : 1.0;
  residual_std_ = std::sqrt((r2_ ? held_out : error) / static_cast<double>(n));
}

double Regression::predict(std::span<const double> features) const {
  return mean_ + dot(features, weights_);
}

double Regression::leverage(std::span<const double> features) const {
  if (factor_.empty()) return 1;
  std::vector<double> x(features.begin(), features.end());
  forward(factor_, x);
  return std::sqrt(dot(x, x));
}

}  // namespace rpl::tune
