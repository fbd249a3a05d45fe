// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// Reads one value after the other. What goes past the end makes ok() false and gives zeros from then on, so that a
/// parser may check once for many reads.
class DwarfCursor {
 public:
  explicit DwarfCursor(ByteView bytes, std::uint64_t at = 0) : bytes_(bytes), at_(at) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return !ok_ || at_ >= bytes_.size(); }
  [[nodiscard]] std::uint64_t offset() const { return at_; }
  void seek(std::uint64_t at) {
    ok_ = ok_ && at <= bytes_.size();
    at_ = at;
  }
  /// The next `count` bytes, without going past them; none where they are not all there.
  [[nodiscard]] ByteView rest(std::uint64_t count) const {
    return ok_ ? bytes_.part(at_, count).value_or(ByteView()) : ByteView();
  }
  void skip(std::uint64_t count) {
    if (!bytes_.contains(at_, count)) {
      ok_ = false;
    } else {
      at_ += count;
    }
  }

  template <class T>
  T fixed() {
    const auto value = ok_ ? bytes_.read<T>(at_) : std::nullopt;
    ok_ = value.has_value();
    at_ += ok_ ? sizeof(T) : 0;
    return value.value_or(T{});
  }
  std::uint8_t u8() { return fixed<std::uint8_t>(); }

  /// An unsigned integer of 1, 2, 4 or 8 bytes.
  std::uint64_t sized(unsigned bytes) {
    switch (bytes) {
      case 1:
        return u8();
      case 2:
        return fixed<std::uint16_t>();
      case 4:
        return fixed<std::uint32_t>();
      case 8:
        return fixed<std::uint64_t>();
      default:
        ok_ = false;
        return 0;
    }
  }

  /// LEB128; bits beyond 64 are dropped (DWARF 5, 7.6).
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const std::uint8_t byte = u8();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_;) {
      const std::uint8_t byte = u8();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(value);
  }

  std::string_view text() {
    const auto value = ok_ ? bytes_.text(at_) : std::nullopt;
    ok_ = value.has_value();
    if (!ok_) return {};
    at_ += value->size() + 1;
    return *value;
  }

 private:
  ByteView bytes_;
  std::uint64_t at_;
  bool ok_ = true;
};

}  // namespace rpl::isa
