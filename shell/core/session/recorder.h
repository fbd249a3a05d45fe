// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

namespace rpl {

/// Writes what is typed into a .rpl file that `source` replays. A line is written when it has run, at once, so that a killed
/// program leaves a usable file; a line that failed is left as a comment.
class Recorder {
 public:
  /// Fails with denied when one is being written or the file exists, io when it cannot be created.
  Status start(const std::string& path, std::string_view version);
  /// How many lines were written; usage when nothing is being recorded.
  Result<std::uint64_t> stop();
  [[nodiscard]] bool on() const { return file_.get() >= 0; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// A line was read: a command, or a line of a definition's body.
  void read(std::string_view line);
  /// The lines read since the last call have run with this exit status. Fails with io when the file cannot be written; recording is then over.
  Status ran(int exit);

 private:
  Status write(std::string_view text);

  UniqueFd file_;
  std::string path_;
  std::vector<std::string> lines_;
  std::uint64_t written_ = 0;
};

}  // namespace rpl
