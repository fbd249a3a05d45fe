// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// Which files of which content a person has allowed to run on their own: a project's init files. Remembered by absolute path
/// and SHA-256 of the content, one a line, in a file that only its owner may read; a changed file asks again.
class TrustStore {
 public:
  explicit TrustStore(std::string path) : path_(std::move(path)) {}
  /// `trusted` in state_folder().
  static TrustStore standard();

  [[nodiscard]] bool trusts(const std::string& file, std::string_view content) const;
  Status trust(const std::string& file, std::string_view content) const;

 private:
  std::string path_;
};

/// The init files that a project folder may have, in the order in which they run.
std::vector<std::string> project_init_files();

}  // namespace rpl
