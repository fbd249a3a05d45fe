// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

/// Protobuf's wire format (protobuf.dev/programming-guides/encoding), as much as writing takes. Each function appends one field of `number` to a message.
namespace rpl::protobuf {

inline void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7U;
  }
  out += static_cast<char>(value);
}

inline void append_tag(std::string& out, std::uint32_t number, std::uint32_t wire_type) {
  append_varint(out, std::uint64_t{number} << 3U | wire_type);
}

/// uint32, uint64, bool, an enumeration, or an int64 that is not negative.
inline void append_uint(std::string& out, std::uint32_t number, std::uint64_t value) {
  append_tag(out, number, 0);
  append_varint(out, value);
}

inline void append_fixed64(std::string& out, std::uint32_t number, std::uint64_t value) {
  append_tag(out, number, 1);
  for (unsigned byte = 0; byte < 8; ++byte) out += static_cast<char>(value >> (8 * byte));
}

inline void append_double(std::string& out, std::uint32_t number, double value) {
  append_fixed64(out, number, std::bit_cast<std::uint64_t>(value));
}

/// A string, bytes, or a message that was put together before.
inline void append_bytes(std::string& out, std::uint32_t number, std::string_view value) {
  append_tag(out, number, 2);
  append_varint(out, value.size());
  out += value;
}

}  // namespace rpl::protobuf
