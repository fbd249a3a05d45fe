// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/shared_data.h"

namespace rpl::test {

/// The path of a real recording, for tests that skip without it: see require_recording.
inline std::string recording(const std::string& name) {
  return (testing_support::shared_folder() / name).string();
}

}  // namespace rpl::test

/// Defines `path`, or skips the test when the recordings are not here.
#define RPL_RECORDING_OR_SKIP(path, name)              \
  const std::string path = rpl::test::recording(name); \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here; set RPL_SHARED_DATA"
