// SPDX-License-Identifier: MIT
// silicon_run PROGRAMS EMULATED_HIP MEASURED.csv OUT.csv [--records DIR] [--arch FILE] [--only BENCHMARK] [--seconds N] [--jobs N] [--large]:
// models every measured point. tests/silicon/run builds the programs and calls it.
#include <cstdio>
#include <cstring>
#include <fstream>

#include "engine/base/numbers.h"
#include "tests/silicon/model_points.h"

int main(int count, char** arguments) {
  using namespace rpl;
  constexpr int kOptions = 5;
  if (count < kOptions) {
    std::fprintf(stderr, "usage: %s PROGRAMS EMULATED_HIP MEASURED.csv OUT.csv [OPTION...]\n",
                 arguments[0]);
    return 2;
  }
  silicon::Programs programs{.folder = arguments[1], .emulated_hip = arguments[2]};
  std::string only;
  unsigned jobs = 1;
  bool large = false;
  for (int i = kOptions; i < count; ++i) {
    const std::string_view option = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : "";
    if (option == "--large") {
      large = true;
      continue;
    }
    if (option == "--records") programs.records = value;
    if (option == "--arch") programs.arch_file = value;
    if (option == "--only") only = value;
    if (option == "--seconds")
      programs.most = std::chrono::seconds(whole_number<unsigned>(value).value_or(1));
    if (option == "--jobs") jobs = whole_number<unsigned>(value).value_or(1);
    ++i;
  }
  auto measured = silicon::read_measured(arguments[3]);
  if (!measured) {
    std::fprintf(stderr, "error: %s\n", measured.error().message.c_str());
    return 1;
  }
  std::erase_if(*measured, [&](const silicon::Measured& point) {
    return (!only.empty() && point.benchmark != only) || (!large && is_large(point));
  });
  std::ofstream out(arguments[4]);
  std::size_t ended = 0;
  const auto done = [&](const silicon::Measured& point, double time) {
    if (time > 0) out << point.benchmark << ',' << point.size << ',' << time << std::endl;
    std::fprintf(stderr, "%zu of %zu: %s %s %s\n", ++ended, measured->size(),
                 point.benchmark.c_str(), point.size.c_str(),
                 time > 0 ? "" : "took too long, left out");
  };
  const auto modelled = silicon::model_points(programs, *measured, jobs, done);
  if (modelled) return 0;
  std::fprintf(stderr, "error: %s\n", modelled.error().message.c_str());
  return 1;
}
