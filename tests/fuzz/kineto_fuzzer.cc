// SPDX-License-Identifier: MIT
#include "tests/fuzz/recording.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return rpl::test::read_input("a.pt.trace.json", data, size);
}
