// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace rpl::testing_support {

/// What tests of builds and guards give find_compiler(): the program that $RPL_TEST_COMPILER names; "" for the usual one.
inline std::string compiler_under_test() {
  const char* named = std::getenv("RPL_TEST_COMPILER");
  return named == nullptr ? "" : named;
}

}  // namespace rpl::testing_support
