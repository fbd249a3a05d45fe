// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// What the JSON files of a capture say that its other files are, so that an archive is held to it before anything large is written.
class AnnouncedFiles {
 public:
  /// Before the JSON files are known: little is taken on trust.
  AnnouncedFiles() = default;
  /// `head` is empty when there is no capture.json; then sizes of memory alone are known. Fails as read_documents() does.
  static Result<AnnouncedFiles> of(std::string_view head, std::string_view dispatch,
                                   std::string_view regions);

  /// Whether the JSON files are known.
  [[nodiscard]] bool known() const { return known_; }
  /// Of all files together, equal ones once.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  /// Takes the next file of an archive. Fails with corrupt for one that was not announced or has another size, limit for too much that was not
  /// announced.
  Status take(const std::string& name, std::uint64_t bytes);

 private:
  bool known_ = false, complete_ = false;
  std::uint64_t bytes_ = 0, others_ = 0, other_bytes_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> sizes_;
};

}  // namespace rpl
