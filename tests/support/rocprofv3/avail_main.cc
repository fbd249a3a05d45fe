// SPDX-License-Identifier: MIT
// A stand-in for rocprofv3-avail: says whether counters fit one pass.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/rocprofv3/counter_limits.h"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || words.front() != "pmc-check") {
    std::fprintf(stderr, "usage: rocprofv3-avail pmc-check COUNTER...\n");
    return 2;
  }
  std::vector<std::string> which;
  const auto fit = rpl::stand_in::fit_of({words.begin() + 1, words.end()}, which);
  if (fit == rpl::stand_in::Fit::fits) return 0;
  std::printf(
      "%s:", fit == rpl::stand_in::Fit::unknown ? "not available" : "cannot be collected together");
  for (const std::string& name : which) std::printf(" %s", name.c_str());
  std::printf("\n");
  return 1;
}
