// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rpl::testing_support {

/// Where real recordings are: RPL_SHARED_DATA, else ../shared/data beside the source tree. It may not exist.
std::filesystem::path shared_folder();

/// The path of a real recording there; "" when it is not there, in which case a test skips:
/// `if (path.empty()) GTEST_SKIP() << kNoSharedData;`.
std::string shared_data(std::string_view name);

inline constexpr std::string_view kNoSharedData =
    "the shared recordings are absent; set RPL_SHARED_DATA";

}  // namespace rpl::testing_support
