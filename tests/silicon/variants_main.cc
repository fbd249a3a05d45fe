// SPDX-License-Identifier: MIT
// silicon_variants PROGRAMS EMULATED_HIP PAIRS.txt [--records DIR] [--arch FILE] [--only WORD] [--jobs N] [--residuals FILE]: models both kernels of every pair and puts the
// ratio of their times beside the expected one. FILE, with --records, gets what bands of ratios are found from (silicon_bands): the source, the classes of
// both kernels, log (expected / modelled), for pairs with a figure that gave no constant. tests/silicon/run --variants builds the programs and calls it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "engine/base/numbers.h"
#include "tests/silicon/bands.h"
#include "tests/silicon/variants.h"

namespace {

using namespace rpl;

Result<std::string> class_of(const silicon::Programs& programs, const silicon::Variants& pair,
                             const silicon::Measured& one) {
  const auto parameters = TRY(cycle::builtin_parameters(pair.gpu));
  const auto found = TRY(silicon::class_of_point(
      fmt::format("{}/{}/{}_{}", programs.records, pair.gpu, one.benchmark, one.size),
      *parameters));
  return std::string(found ? to_string(*found) : "mixed");
}

Status write_residuals(const silicon::Programs& programs,
                       const std::vector<silicon::ModelledVariants>& pairs,
                       const std::string& path) {
  std::ofstream out(path);
  for (const silicon::ModelledVariants& one : pairs) {
    if (!one.pair.ratio || one.pair.known == "constant") continue;
    // Whoever measured them measured them alike.
    std::string source = one.pair.source.substr(0, one.pair.source.find(':'));
    std::ranges::replace(source, ',', ' ');
    out << fmt::format("{},{},{},{}\n", source, TRY(class_of(programs, one.pair, one.pair.slow)),
                       TRY(class_of(programs, one.pair, one.pair.fast)),
                       std::log(*one.pair.ratio / one.ratio()));
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kOptions = 4;
  if (count < kOptions) {
    std::fprintf(stderr, "usage: %s PROGRAMS EMULATED_HIP PAIRS.txt [OPTION...]\n", arguments[0]);
    return 2;
  }
  silicon::Programs programs{.folder = arguments[1], .emulated_hip = arguments[2]};
  std::string only, residuals;
  unsigned jobs = 1;
  for (int i = kOptions; i < count; i += 2) {
    const std::string_view option = arguments[i], value = i + 1 < count ? arguments[i + 1] : "";
    if (option == "--records") {
      programs.records = value;
    } else if (option == "--arch") {
      programs.arch_file = value;
    } else if (option == "--only") {
      only = value;
    } else if (option == "--residuals") {
      residuals = value;
    } else if (option == "--jobs") {
      jobs = whole_number<unsigned>(value).value_or(1);
    } else {
      std::fprintf(stderr,
                   "error: pairs of variants take no %s; there are --records, --arch, --only, "
                   "--residuals and "
                   "--jobs\n",
                   arguments[i]);
      return 2;
    }
  }
  auto pairs = silicon::read_variants(arguments[3]);
  if (!pairs) {
    std::fprintf(stderr, "error: %s\n", pairs.error().message.c_str());
    return 1;
  }
  std::erase_if(*pairs, [&](const silicon::Variants& pair) {
    return pair.name.find(only) == std::string::npos;
  });
  std::size_t ended = 0;
  const auto done = [&](const silicon::Point& point) {
    std::fprintf(stderr, "%zu: %s %s %s\n", ++ended, point.gpu.c_str(), point.benchmark.c_str(),
                 point.size.c_str());
  };
  const auto modelled = silicon::model_variants(programs, *pairs, jobs, done);
  if (!modelled) {
    std::fprintf(stderr, "error: %s\n", modelled.error().message.c_str());
    return 1;
  }
  std::fputs(silicon::table(*modelled).c_str(), stdout);
  if (residuals.empty()) return 0;
  const Status written = write_residuals(programs, *modelled, residuals);
  if (written) return 0;
  std::fprintf(stderr, "error: %s\n", written.error().message.c_str());
  return 1;
}
