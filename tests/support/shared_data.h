// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace rpl::testing_support {

/// The path of a real recording below RPL_SHARED_DATA (default: ../shared/data beside the source tree); "" when it is not
/// there, in which case a test skips: `if (path.empty()) GTEST_SKIP() << kNoSharedData;`.
inline std::string shared_data(std::string_view name) {
  const char* folder = std::getenv("RPL_SHARED_DATA");
  const std::filesystem::path root =
      folder != nullptr ? std::filesystem::path(folder)
                        : std::filesystem::path(__FILE__).parent_path() / "../../../shared/data";
  const std::filesystem::path path = (root / name).lexically_normal();
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? path.string() : std::string();
}

inline constexpr std::string_view kNoSharedData =
    "the shared recordings are absent; set RPL_SHARED_DATA";

}  // namespace rpl::testing_support
