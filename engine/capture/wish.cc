// SPDX-License-Identifier: MIT
#include "engine/capture/wish.h"

#include "engine/base/numbers.h"

namespace rpl {

std::optional<std::array<std::uint32_t, 3>> parse_grid(std::string_view text) {
  std::array<std::uint32_t, 3> out{1, 1, 1};
  for (std::uint32_t& size : out) {
    const std::string_view item = text.substr(0, text.find(','));
    size = whole_number<std::uint32_t>(item).value_or(0);
    if (size == 0) return std::nullopt;
    if (item.size() == text.size()) return out;
    text.remove_prefix(item.size() + 1);
  }
  return std::nullopt;
}

}  // namespace rpl
