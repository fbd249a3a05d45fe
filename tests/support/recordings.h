// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace rpl::test {

/// The path of a real recording, for tests that skip without it: see require_recording.
inline std::string recording(const std::string& name) {
  const char* shared = std::getenv("RPL_SHARED_DATA");
  const std::filesystem::path root =
      shared != nullptr ? shared : std::filesystem::path(RPL_SOURCE_DIR) / "../shared/data";
  return (root / name).string();
}

}  // namespace rpl::test

/// Defines `path`, or skips the test when the recordings are not here.
#define RPL_RECORDING_OR_SKIP(path, name)              \
  const std::string path = rpl::test::recording(name); \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here; set RPL_SHARED_DATA"
