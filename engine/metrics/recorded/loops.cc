// SPDX-License-Identifier: MIT
#include "engine/metrics/recorded/loops.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace rpl::findings {
namespace {

using Code = std::span<const ListedInstruction>;

std::optional<std::size_t> at_address(Code code, std::uint64_t address) {
  const auto found = std::ranges::lower_bound(code, address, {}, &ListedInstruction::address);
  if (found == code.end() || found->address != address) return std::nullopt;
  return static_cast<std::size_t>(found - code.begin());
}

/// Where a branch leads: an offset in words from the instruction behind it, or an address.
std::optional<std::size_t> target_of(Code code, std::size_t i) {
  const std::string_view text = code[i].text;
  if (!text.starts_with("s_branch") && !text.starts_with("s_cbranch")) return std::nullopt;
  const std::size_t space = text.find_last_of(" ,");
  if (space == std::string_view::npos) return std::nullopt;
  std::string_view word = text.substr(space + 1);
  int base = 10;
  if (word.starts_with("0x")) {
    word.remove_prefix(2);
    base = 16;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  constexpr std::int64_t kSigned = 0x8000, kWrap = 0x10000;
  constexpr std::uint64_t kWord = 4;
  if (base == 16 && number >= kWrap) return at_address(code, static_cast<std::uint64_t>(number));
  if (number >= kSigned) number -= kWrap;
  const std::uint64_t next = code[i].address + kWord;
  return at_address(code, next + static_cast<std::uint64_t>(number) * kWord);
}

}  // namespace

Loops::Loops(Code code) {
  end_.assign(code.size(), kNone);
  begin_.assign(code.size(), kNone);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto target = target_of(code, i);
    if (!target || *target > i) continue;
    begin_[i] = *target;
    // The innermost loop is the one that ends first.
    for (std::size_t k = *target; k <= i; ++k) {
      if (end_[k] == kNone) end_[k] = i;
    }
  }
}

}  // namespace rpl::findings
