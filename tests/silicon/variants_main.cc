// SPDX-License-Identifier: MIT
// silicon_variants PROGRAMS EMULATED_HIP PAIRS.txt [--records DIR] [--arch FILE] [--only WORD] [--jobs N]: models both kernels of every pair and puts the
// ratio of their times beside the expected one. tests/silicon/run --variants builds the programs and calls it.
#include <cstdio>

#include "engine/base/numbers.h"
#include "tests/silicon/variants.h"

int main(int count, char** arguments) {
  using namespace rpl;
  constexpr int kOptions = 4;
  if (count < kOptions) {
    std::fprintf(stderr, "usage: %s PROGRAMS EMULATED_HIP PAIRS.txt [OPTION...]\n", arguments[0]);
    return 2;
  }
  silicon::Programs programs{.folder = arguments[1], .emulated_hip = arguments[2]};
  std::string only;
  unsigned jobs = 1;
  for (int i = kOptions; i < count; i += 2) {
    const std::string_view option = arguments[i], value = i + 1 < count ? arguments[i + 1] : "";
    if (option == "--records") {
      programs.records = value;
    } else if (option == "--arch") {
      programs.arch_file = value;
    } else if (option == "--only") {
      only = value;
    } else if (option == "--jobs") {
      jobs = whole_number<unsigned>(value).value_or(1);
    } else {
      std::fprintf(
          stderr,
          "error: pairs of variants take no %s; there are --records, --arch, --only and --jobs\n",
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
  return 0;
}
