// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rpl {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
 public:
  enum class Code {
    fastest,   ///< the processor's own instructions where it has them (about 2 GB/s), else portable
    portable,  ///< plain C++
  };
  explicit Sha256(Code code = Code::fastest);

  void add(std::span<const std::byte> bytes);
  /// Of all that was added, as 64 lower-case hex digits. Nothing can be added afterwards.
  [[nodiscard]] std::string hex();
  /// Whether this processor has instructions for it.
  static bool has_instructions();

 private:
  static constexpr std::size_t kBlockBytes = 64;

  void add_blocks(const unsigned char* blocks, std::size_t count);

  std::array<std::uint32_t, 8> state_;
  std::array<unsigned char, kBlockBytes>
      rest_{};  ///< the first `bytes_ % kBlockBytes` are not yet in the state
  std::uint64_t bytes_ = 0;
  bool instructions_ = false;
};

/// SHA-256 of `bytes`, as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace rpl
