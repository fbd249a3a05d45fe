// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/silicon/model_points.h"

/// Pairs of kernels that compute the same in two ways, with what is known of the effect.
namespace rpl::silicon {

/// One line of tests/silicon/variants/pairs.txt.
struct Variants {
  std::string name, gpu, program;
  Measured slow, fast;          ///< benchmark and size; times are not used
  std::optional<double> ratio;  ///< of the times, slow by fast; none: only the sign is known
  std::string known,
      source;  ///< "measured", "constant", "documented", "derived", "trace", "unverified"
};

/// Fails with not_found, io, corrupt.
Result<std::vector<Variants>> read_variants(const std::string& path);

/// Both times as the model has them; microseconds.
struct ModelledVariants {
  Variants pair;
  double slow_us = 0, fast_us = 0;

  [[nodiscard]] double ratio() const { return slow_us / fast_us; }
  /// The effect goes the way that is expected; where the figures differ by less than a twentieth, it is none to speak of.
  [[nodiscard]] bool right_sign() const;
  /// The ratio is within a factor of 1.3 of the expected one; true where none is known.
  [[nodiscard]] bool near() const;
};

/// One kernel of a pair.
struct Point {
  std::string gpu, program, benchmark, size;
  auto operator<=>(const Point&) const = default;
};

/// Runs all kernels, `jobs` at a time. `programs.folder` has a folder of the programs for each architecture; `done` gets each kernel as it ends. Fails
/// with the first failure.
Result<std::vector<ModelledVariants>> model_variants(const Programs& programs,
                                                     const std::vector<Variants>& pairs,
                                                     unsigned jobs,
                                                     const std::function<void(const Point&)>& done);

/// How many of them come out as expected.
struct VariantTotals {
  std::size_t pairs = 0, right_sign = 0, with_ratio = 0, near = 0;
};
VariantTotals totals(const std::vector<ModelledVariants>& pairs);

/// Every pair, and the totals.
std::string table(const std::vector<ModelledVariants>& pairs);

}  // namespace rpl::silicon
