// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "engine/base/result.h"

namespace rpl {

/// A private folder below the temporary one, removed with all that is in it at the end of its object.
class ScratchFolder {
 public:
  /// Named rpl-WHAT-XXXXXX. Fails with io.
  static Result<ScratchFolder> make(std::string_view what);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace rpl
