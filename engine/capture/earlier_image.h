// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/capture/sparse_file.h"

namespace rpl {

/// The image of a region from before its dispatch, as it was stored: what comes later is compared with it, so that only an image that differs is
/// written.
class EarlierImage {
 public:
  /// Fails with io.
  static Result<EarlierImage> open(const std::string& path);

  /// How many of `bytes`, which come next, are the same here, in blocks of 256 KiB; all of them, or those before the first block that differs. Fails with
  /// io, interrupted.
  Result<std::size_t> same(std::span<const std::byte> bytes);
  /// How many were the same so far.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// Appends these to the file of the later image.
  Status copy_to(SparseFile& later) const;

 private:
  Status read(std::uint64_t at, std::span<std::byte> bytes) const;

  std::string path_;
  UniqueFd file_;
  std::uint64_t position_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace rpl
