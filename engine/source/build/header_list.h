// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// The headers that clang read of a source, and what tells that one of them is another file by now: size, inode, times of content and of state. Asking
/// that takes less than a millisecond, the preprocessor a hundred.
class HeaderList {
 public:
  /// Of absolute paths, as the files are now. None: one is absent, or changed at `read_ns` of the system's clock or later, so that clang may have read
  /// something else.
  static std::optional<HeaderList> of(std::vector<std::string> paths, std::int64_t read_ns);
  /// What keep() wrote. None: absent, or not as it was written.
  static std::optional<HeaderList> kept(const std::string& file);
  /// Fails as write_file() does.
  [[nodiscard]] Status keep(const std::string& file) const;

  /// Whether each of them is what it was.
  [[nodiscard]] bool unchanged() const;
  /// Whether `folder`, were it searched for headers, could have one in the place of any of these: it holds something with the name of a part of their
  /// paths, or any header. Also of a folder that cannot be looked into.
  [[nodiscard]] bool may_be_hidden_by(const std::string& folder) const;

  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  [[nodiscard]] const std::string& text() const { return text_; }  ///< for hashes

 private:
  std::vector<std::string> paths_;
  std::string text_;
};

/// The same of lines with `#include <NAME>` or `#include "NAME"`, of which nobody has looked for the files yet.
bool may_hold(const std::string& folder, const std::string& includes);

/// Now, by the clock that stamps files.
std::int64_t file_clock_ns();

}  // namespace rpl
