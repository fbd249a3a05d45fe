// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/trace/bytes/unpacker.h"

namespace rpl {

/// Bytes read from front to back or by offset: a file that is never written to, or text in memory (tests, fuzzing).
/// A file that shrinks while it is read gives fewer bytes, never a crash; that is why it is not mapped.
class ByteSource {
 public:
  /// Opens `path` read-only, as it is. Fails with not_found or io.
  static Result<ByteSource> open(const std::string& path);
  /// The same; what gzip or zstd packed is given unpacked, from front to back and without a temporary file. Offsets are those of the
  /// text, and going back begins at the front again.
  static Result<ByteSource> open_unpacked(const std::string& path, const UnpackLimits& limits = {});
  /// `text` must outlive the source; `name` stands in messages.
  static ByteSource from_memory(std::string name, std::string_view text);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&& other) noexcept;
  ~ByteSource();

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Size in bytes when it was opened; of the packed file where it is one.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// How much of size() stands for the first `offset` bytes of the text, for progress.
  [[nodiscard]] std::uint64_t used(std::uint64_t offset) const;
  [[nodiscard]] Packing packing() const { return packing_; }
  /// Whether the end of the packed file is missing; known once the end of the text was reached.
  [[nodiscard]] bool cut_short() const;
  /// Fills `into` from `offset` on; returns how many bytes there were, less than asked only at the end.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  ByteSource(std::string name, int fd, std::string_view text, std::uint64_t size)
      : name_(std::move(name)), fd_(fd), text_(text), size_(size) {}

  std::string name_;
  int fd_ = -1;
  std::string_view text_;
  std::uint64_t size_ = 0;
  Packing packing_ = Packing::none;
  std::unique_ptr<Unpacker> unpacker_;  ///< where it is packed
};

}  // namespace rpl
