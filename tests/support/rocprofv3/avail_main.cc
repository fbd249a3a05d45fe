// SPDX-License-Identifier: MIT
// A stand-in for rocprofv3-avail: says whether counters fit one pass, as that of rocprofiler-sdk 1.0.0 was seen to.
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
  std::string names;
  for (std::size_t i = 1; i < words.size(); ++i) names += (i == 1 ? "" : " ") + words[i];
  if (fit == rpl::stand_in::Fit::fits) {
    std::printf("Following input counters can be collected together on GPU:0 %s\n", names.c_str());
    return 0;
  }
  if (fit == rpl::stand_in::Fit::unknown) {
    std::fprintf(stderr, "Fatal error: Invalid counter name\n");
  } else {
    std::fprintf(stderr, "Fatal error: %s not collected on agent gfx942\n", names.c_str());
  }
  return 1;
}
