// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace rpl::isa {

/// `count` bits of `word` from bit `first` on.
constexpr std::uint32_t bits(std::uint32_t word, unsigned first, unsigned count) {
  return word >> first & ((1U << count) - 1);
}
constexpr bool bit(std::uint32_t word, unsigned index) { return bits(word, index, 1) != 0; }

/// Foreign bytes, read only within bounds. Little-endian like the formats it serves. Borrows the bytes.
class ByteView {
 public:
  ByteView() = default;
  explicit ByteView(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  /// The value at `offset`, or nothing when it does not lie wholly inside.
  template <class T>
  [[nodiscard]] std::optional<T> read(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  [[nodiscard]] bool contains(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  /// The part [offset, offset + size), or nothing when it does not lie wholly inside.
  [[nodiscard]] std::optional<ByteView> part(std::uint64_t offset, std::uint64_t size) const {
    if (!contains(offset, size)) return std::nullopt;
    return ByteView(
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
  }

  /// The characters from `offset` up to a zero byte, or nothing when no zero byte follows.
  [[nodiscard]] std::optional<std::string_view> text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return std::nullopt;
    const char* begin = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const std::size_t longest = bytes_.size() - static_cast<std::size_t>(offset);
    const void* end = std::memchr(begin, 0, longest);
    if (end == nullptr) return std::nullopt;
    return std::string_view(begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin));
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace rpl::isa
