// SPDX-License-Identifier: MIT
// rpl-generate-att: writes a decoded thread trace of a kernel that never ran.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/generate_att.h"

int main(int argc, char** argv) {
  rpl::testing_support::AttSpec spec;
  std::string folder;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto number = [&] {
      return static_cast<std::uint32_t>(i + 1 < argc ? std::atoi(argv[++i]) : 0);
    };
    if (word == "--engines")
      spec.engines = number();
    else if (word == "--waves")
      spec.waves_per_simd = number();
    else if (word == "--iterations")
      spec.iterations = number();
    else if (word == "--seed")
      spec.seed = number();
    else if (word == "--prefetch")
      spec.prefetch = true;
    else if (word == "--indented")
      spec.indented = true;
    else
      folder = word;
  }
  if (folder.empty()) {
    std::fprintf(stderr,
                 "rpl-generate-att DIR [--engines N --waves N --iterations N --seed N --prefetch "
                 "--indented]\n");
    return 2;
  }
  std::printf("%llu bytes of wave files\n",
              static_cast<unsigned long long>(rpl::testing_support::write_att(folder, spec)));
  return 0;
}
