// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// What a file is packed with, told by its first bytes (RFC 1952 §2.3.1, RFC 8878 §3.1.1).
enum class Packing { none, gzip, zstd };
Packing packing_of(std::string_view first);
/// The command that unpacks `path` beside it.
std::string unpack_command(Packing packing, const std::string& path);

/// How much may come out of a packed file before it is refused: a few kilobytes can stand for terabytes.
struct UnpackLimits {
  std::uint64_t most_bytes = std::uint64_t{256} << 30;
  std::uint64_t most_ratio = 1000;                     ///< bytes out for each byte of the file
  std::uint64_t free_bytes = std::uint64_t{64} << 20;  ///< below it no ratio is asked for
};

/// Unpacks one file from front to back, in memory of fixed size. Several gzip members or zstd frames one after the other are one
/// text, as gunzip and zstd have it.
class Unpacker {
 public:
  /// `fd` stays the caller's and is read with pread; `name` stands in messages; `file_bytes` is the size of the packed file.
  static Result<Unpacker> make(std::string name, int fd, Packing packing, std::uint64_t file_bytes,
                               const UnpackLimits& limits = {});
  Unpacker(Unpacker&& other) noexcept;
  Unpacker& operator=(Unpacker&& other) noexcept;
  ~Unpacker();

  /// Fills `into`; less only at the end. Fails with corrupt, naming the byte of the packed file; with limit beyond one,
  /// naming it; io; or interrupted.
  Result<std::size_t> read(std::span<char> into);
  /// Begins again at the front.
  Status rewind();
  /// Bytes that came out so far.
  [[nodiscard]] std::uint64_t position() const;
  /// Bytes of the packed file that were used so far.
  [[nodiscard]] std::uint64_t used() const;
  /// Whether the file ended before its packed stream did; known once read() gave less than was asked for.
  [[nodiscard]] bool cut_short() const;

 private:
  struct State;
  explicit Unpacker(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace rpl
