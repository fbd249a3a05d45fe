// SPDX-License-Identifier: MIT
#include "engine/capture/wish.h"

#include <charconv>

namespace rpl {

std::optional<std::array<std::uint32_t, 3>> parse_grid(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::uint32_t& size : out) {
    const std::string_view item = text.substr(0, text.find(','));
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), size);
    if (error != std::errc() || end != item.data() + item.size() || size == 0) return std::nullopt;
    if (item.size() == text.size()) return out;
    text.remove_prefix(item.size() + 1);
  }
  return std::nullopt;
}

}  // namespace rpl
