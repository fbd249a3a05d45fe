// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace rpl {

/// Lines from a descriptor that is not a terminal. A Ctrl-C ends the wait for more.
class InputLines {
 public:
  explicit InputLines(int descriptor) : descriptor_(descriptor) {}

  /// Without its end; nullopt at the end of input, or when interrupted.
  std::optional<std::string> next();

 private:
  bool fill();

  int descriptor_;
  std::string buffer_;
  std::size_t at_ = 0;
};

}  // namespace rpl
