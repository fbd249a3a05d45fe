// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// The lines typed at the prompt, oldest first, one to a line in a file that only its owner may read (0600). Lines are
/// appended as they are typed, so that a killed program loses none and several may share the file.
class HistoryFile {
 public:
  explicit HistoryFile(std::string path) : path_(std::move(path)) {}
  /// `history` in state_folder().
  static HistoryFile standard();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Empty when there is no file yet.
  [[nodiscard]] Result<std::vector<std::string>> load() const;
  /// Creates file and folder when absent.
  Status append(std::string_view line) const;
  /// Keeps the last `size` lines once there are a quarter more; replaces the file in one step.
  Status trim(std::size_t size) const;

 private:
  std::string path_;
};

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
