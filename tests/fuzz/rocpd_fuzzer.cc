// SPDX-License-Identifier: MIT
// The input is a database file. Both ways of reading it must give the same trace or the same failure.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_difference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const rpl::testing_support::TempDir folder;
  const std::string path = folder.write("input.db", {reinterpret_cast<const char*>(data), size});
  bool decoded = false;
  const std::string difference = rpl::test::decoder_difference(path, decoded);
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n", difference.c_str());
  std::abort();
}
