// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

/// Times of a real GPU beside modelled ones of the same benchmarks.
namespace rpl::silicon {

/// One measured point; microseconds.
struct Measured {
  std::string benchmark, size;
  double mean_us = 0, min_us = 0;
};

/// A table with the columns benchmark, size, runs, mean_ms, min_ms, max_ms; lines that begin with # are comments. Fails with not_found, io, corrupt.
Result<std::vector<Measured>> read_measured(const std::string& path);

/// Modelled microseconds by benchmark and size.
using Modelled = std::map<std::pair<std::string, std::string>, double>;

/// Lines "benchmark,size,microseconds"; comments as above. Fails with not_found, io, corrupt.
Result<Modelled> read_modelled(const std::string& path);

/// A point that has both.
struct Pair {
  std::string benchmark, size;
  double real_us = 0, mean_us = 0, modelled_us = 0;

  [[nodiscard]] double ratio() const { return modelled_us / real_us; }
  /// |modelled - real| / real.
  [[nodiscard]] double error() const { return std::abs(modelled_us - real_us) / real_us; }
};

/// Those of `measured` that were modelled, in its order. Real is the shortest of the measured runs, the steadier figure.
std::vector<Pair> paired(const std::vector<Measured>& measured, const Modelled& modelled);

/// Errors of some points; shares, not percent.
struct Summary {
  std::size_t points = 0;
  double weighted = 0;  ///< sum of |modelled - real| over sum of real
  double bias = 0;      ///< the same with its sign
  double mean = 0, median = 0, worst = 0;
};
Summary summarize(std::span<const Pair> pairs);

/// By benchmark, in the order of the points.
std::vector<std::pair<std::string, std::vector<Pair>>> by_family(const std::vector<Pair>& pairs);

/// Of pairs of points of one family whose real times differ by more than a tenth, the share that the model puts in the same order; 1 without any.
double share_in_order(const std::vector<Pair>& pairs);

/// The table: every point where `points`, each family, and the sums. Real times in microseconds, the shortest and the mean; ratios are modelled by the
/// shortest.
std::string table(const std::vector<Pair>& pairs, bool points);

}  // namespace rpl::silicon
