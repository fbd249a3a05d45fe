// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

/// What commands with one argument bind it to.
struct FileArgs {
  std::string file;
};

struct LineArgs {
  std::string line;
};

}  // namespace rpl
