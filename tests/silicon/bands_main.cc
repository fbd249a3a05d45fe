// SPDX-License-Identifier: MIT
// silicon_bands MEASURED.csv MODELLED.csv RECORDS VARIANTS.csv: how far modelled times are off by class, the bands that follow, and how those of other families hold one
// that took no part. MODELLED.csv: of silicon_run, or each family with the constants that the others choose (silicon_fit --left-out).
// VARIANTS.csv: of silicon_variants --residuals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/silicon/bands.h"

namespace {

using namespace rpl;

Result<std::vector<silicon::Residual>> residuals_of(const std::vector<silicon::Pair>& pairs,
                                                    const std::string& records) {
  const cycle::Parameters* parameters = TRY(cycle::builtin_parameters("MI300A"));
  std::vector<silicon::Residual> out;
  for (const silicon::Pair& pair : pairs) {
    const auto time_class = TRY(silicon::class_of_point(
        fmt::format("{}/{}_{}", records, pair.benchmark, pair.size), *parameters));
    if (time_class)
      out.push_back(
          {pair.benchmark, *time_class, std::log(pair.real_us / pair.modelled_us), pair.real_us});
  }
  return out;
}

/// How far a usual run is from the shortest, which counts as the real time: the median over all points.
double spread_of(std::vector<silicon::Measured> measured) {
  if (measured.empty()) return 0;
  const auto spread = [](const silicon::Measured& one) { return one.mean_us / one.min_us - 1; };
  std::ranges::sort(measured, {}, spread);
  return spread(measured[measured.size() / 2]);
}

Status print_bands(char** arguments) {
  const auto measured = TRY(silicon::read_measured(arguments[1]));
  const auto modelled = TRY(silicon::read_modelled(arguments[2]));
  const auto points = TRY(residuals_of(silicon::paired(measured, modelled), arguments[3]));
  std::fputs(silicon::time_bands(points, spread_of(measured)).c_str(), stdout);
  const auto ratios = TRY(silicon::read_variant_residuals(arguments[4]));
  std::fputs(silicon::ratio_bands(ratios).c_str(), stdout);
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kArguments = 5;
  if (count < kArguments) {
    std::fprintf(stderr, "usage: %s MEASURED.csv MODELLED.csv RECORDS VARIANTS.csv\n",
                 arguments[0]);
    return 2;
  }
  const auto printed = print_bands(arguments);
  if (printed) return 0;
  std::fprintf(stderr, "error: %s\n", printed.error().message.c_str());
  return 1;
}
