// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

/// Which bytes mean something where JSON is walked over byte by byte (RFC 8259).
namespace rpl::json_bytes {

using Set = std::array<bool, 256>;

constexpr Set set_of(std::string_view all) {
  Set out{};
  for (const char c : all) out[static_cast<unsigned char>(c)] = true;
  return out;
}
constexpr bool among(const Set& set, char c) { return set[static_cast<unsigned char>(c)]; }

inline constexpr Set kSpace = set_of(" \t\r\n");
inline constexpr Set kStructure = set_of("{}[]\"");
/// What may not stand in a number, true, false or null.
inline constexpr Set kScalarEnd = set_of(" \t\r\n,]}:{[\"");
/// Also of NaN and Infinity, which are no JSON, but Python and C++ write them.
inline constexpr Set kScalarBegin = set_of("-0123456789tfnNIi");

}  // namespace rpl::json_bytes
