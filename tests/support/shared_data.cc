// SPDX-License-Identifier: MIT
#include "tests/support/shared_data.h"

#include <cstdlib>

namespace rpl::testing_support {

std::filesystem::path shared_folder() {
  const char* folder = std::getenv("RPL_SHARED_DATA");
  // From the build, because a compiler's cache may make the names of source files relative.
  return folder != nullptr ? folder : RPL_SHARED_DEFAULT;
}

std::string shared_data(std::string_view name) {
  const std::filesystem::path path = (shared_folder() / name).lexically_normal();
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? path.string() : std::string();
}

}  // namespace rpl::testing_support
