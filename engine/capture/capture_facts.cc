// SPDX-License-Identifier: MIT
#include "engine/capture/capture_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 8> kKindNames = {"",    "pool", "region",   "locked",
                                                        "svm", "vmem", "variable", "kernarg"};
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 4> kPoolFlagNames = {
    {{kPoolKernarg, "kernarg"},
     {kPoolFine, "fine"},
     {kPoolCoarse, "coarse"},
     {kPoolExtendedFine, "extended-fine"}}};

}  // namespace

std::string_view to_string(RegionKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

bool from_text(std::string_view text, RegionKind& kind) {
  const auto found = std::ranges::find(kKindNames, text);
  if (found == kKindNames.end()) return false;
  kind = static_cast<RegionKind>(found - kKindNames.begin());
  return true;
}

std::vector<std::string> pool_flag_names(std::uint32_t flags) {
  std::vector<std::string> out;
  for (const auto& [bit, name] : kPoolFlagNames) {
    if ((flags & bit) != 0) out.emplace_back(name);
  }
  return out;
}

std::uint32_t pool_flag(std::string_view name) {
  const auto found =
      std::ranges::find(kPoolFlagNames, name, &std::pair<std::uint32_t, std::string_view>::second);
  return found == kPoolFlagNames.end() ? 0 : found->first;
}

std::string packet_hex(const RawPacket& packet) {
  std::string out;
  for (const std::byte byte : packet) out += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return out;
}

std::optional<RawPacket> parse_packet(std::string_view hex) {
  RawPacket packet{};
  if (hex.size() != 2 * packet.size()) return std::nullopt;
  for (std::size_t i = 0; i < packet.size(); ++i) {
    constexpr int kHexadecimal = 16;
    const auto value = whole_number<std::uint8_t>(hex.substr(2 * i, 2), kHexadecimal);
    if (!value) return std::nullopt;
    packet[i] = static_cast<std::byte>(*value);
  }
  return packet;
}

}  // namespace rpl
