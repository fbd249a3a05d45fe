// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace rpl::isa {

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& out, const T& value) {
  const auto* data = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), data, data + sizeof(T));
}

inline void append_text(Bytes& out, std::string_view text) {
  for (const char c : text) out.push_back(static_cast<std::byte>(c));
}

/// An uncompressed offload bundle, written as clang-offload-bundler does: each entry at a multiple of 4096.
inline Bytes bundle_of(const std::vector<std::pair<std::string_view, Bytes>>& entries) {
  constexpr std::uint64_t kAlign = 4096;
  Bytes out;
  append_text(out, "__CLANG_OFFLOAD_BUNDLE__");
  append(out, std::uint64_t{entries.size()});
  std::uint64_t at = kAlign;
  for (const auto& [triple, code] : entries) {
    append(out, at);
    append(out, std::uint64_t{code.size()});
    append(out, std::uint64_t{triple.size()});
    append_text(out, triple);
    at = (at + code.size() + kAlign - 1) / kAlign * kAlign;
  }
  for (const auto& [triple, code] : entries) {
    out.resize((out.size() + kAlign - 1) / kAlign * kAlign);
    out.insert(out.end(), code.begin(), code.end());
  }
  return out;
}

}  // namespace rpl::isa
