// SPDX-License-Identifier: MIT
#pragma once

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"

namespace rpl {

/// A new compressed file that is written piece by piece. Without finish() it is removed.
class ZstdWriter {
 public:
  /// Fails with denied when the file exists, io.
  static Result<ZstdWriter> create(const std::string& path);
  ZstdWriter(ZstdWriter&& other) noexcept = default;
  ~ZstdWriter();

  Status write(std::span<const std::byte> bytes);
  /// Ends the frame and synchronises the file with the disk. Returns its bytes.
  Result<std::uint64_t> finish();

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  ZstdWriter() = default;
  Status push(std::span<const std::byte> bytes, ZSTD_EndDirective how);

  std::string path_;
  UniqueFd file_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::vector<std::byte> out_;
  std::uint64_t bytes_ = 0;
};

/// A compressed file, read piece by piece.
class ZstdReader {
 public:
  /// Fails with not_found, io.
  static Result<ZstdReader> open(const std::string& path);

  /// Fills all of `bytes`. Fails with corrupt at the end of the file and for what is not compressed so, io, interrupted.
  Status read(std::span<std::byte> bytes);

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::string path_;
  UniqueFd file_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::vector<std::byte> in_;
  std::size_t at_ = 0, end_ = 0;  ///< of in_
};

}  // namespace rpl
