// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/result.h"

namespace rpl {

/// One kept build: what came out, and what the compiler said about it.
struct CachedBuild {
  std::string object;    ///< the file's bytes
  std::string messages;  ///< of the compiler; whoever keeps it makes paths neutral
  bool twice = false;    ///< it came out equal when it was built again
};

/// Builds by content, one file each, in a folder that several processes may use at once: a file appears complete or not at all, and carries the hash of
/// all that is in it. What does not match its hash is removed and counts as absent; a folder that others may write is not used.
class BuildCache {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

  explicit BuildCache(std::string folder, std::uint64_t most_bytes = kMostBytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// `key`: 64 hex digits. None: absent, damaged or not readable.
  [[nodiscard]] std::optional<CachedBuild> find(const std::string& key) const;
  /// Keeps it, then removes what was unused longest until all are at most `most_bytes`. Fails with io, or denied for a folder of others.
  Status keep(const std::string& key, const CachedBuild& build) const;
  /// Makes the folder where it is absent, for files beside the builds; they count as such when room is made. Fails as keep() does.
  Status make_place() const;

 private:
  [[nodiscard]] std::string path_of(const std::string& key) const {
    return folder_ + "/" + key + ".build";
  }
  void make_room() const;

  std::string folder_;
  std::uint64_t most_bytes_;
};

}  // namespace rpl
