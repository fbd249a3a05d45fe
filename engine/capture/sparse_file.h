// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/base/sha256.h"

namespace rpl {

/// What became of bytes that were stored.
struct StoredFile {
  std::uint64_t bytes = 0;  ///< length of the file
  std::uint64_t stored_bytes =
      0;  ///< what takes room: without pages of zeros; 0 for a second name of an equal file
  std::string sha256;  ///< of all its bytes, 64 hex digits; empty when it was not asked for
  bool kept = true;    ///< false: an image after a dispatch that equals the one before; no file
};

/// One new file of a length that is known beforehand. Pages of 4 KiB that are all zeros become holes.
class SparseFile {
 public:
  enum class Hash { yes, no };
  /// Fails with io, naming file and step.
  static Result<SparseFile> create(const std::string& path, std::uint64_t bytes,
                                   Hash hash = Hash::yes);

  /// The next bytes, any number; no copy of them is kept. Fails with io, usage for more than was announced, interrupted.
  Status append(std::span<const std::byte> bytes);
  /// Fails with usage when bytes are missing, or io. Not synchronised with the disk.
  Result<StoredFile> close();
  [[nodiscard]] const std::string& path() const { return path_; }
  /// How many bytes it was given.
  [[nodiscard]] std::uint64_t position() const { return done_; }

 private:
  Status append_block(std::span<const std::byte> block);
  Status put(std::uint64_t at, std::span<const std::byte> bytes);

  std::string path_;
  UniqueFd file_;
  std::uint64_t bytes_ = 0, done_ = 0, stored_ = 0;
  Sha256 hash_;
  bool hashed_ = true;
};

/// "FILE: STEP: No space left on device", as io, not_found, or corrupt for a symbolic link. With what to do about it where that is known.
Failure file_error(const std::string& file, std::string_view step, int error);

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
