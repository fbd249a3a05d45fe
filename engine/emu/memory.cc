// SPDX-License-Identifier: MIT
#include "engine/emu/memory.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

Region& Memory::allocate(std::uint64_t bytes, std::string name) {
  const std::uint64_t address = next_;
  return insert(address, bytes, std::move(name));
}

Result<Region*> Memory::allocate_at(std::uint64_t address, std::uint64_t bytes, std::string name) {
  for (const auto& held : held_) {
    const Region& other = held->region;
    if (address < other.base + other.size && other.base < address + bytes) {
      return fail(Errc::denied, fmt::format("0x{:x} is already taken by {}", address, other.name));
    }
  }
  return &insert(address, bytes, std::move(name));
}

Region& Memory::insert(std::uint64_t address, std::uint64_t bytes, std::string name) {
  auto held = std::make_unique<Held>();
  held->bytes = std::make_unique<std::byte[]>(bytes);
  held->region = {
      .base = address, .size = bytes, .host = held->bytes.get(), .name = std::move(name)};
  Region& region = held->region;
  const auto after =
      std::ranges::find_if(held_, [&](const auto& other) { return other->region.base > address; });
  held_.insert(after, std::move(held));
  next_ = std::max(next_, round_up(address + bytes, kPage) + kGuardBytes);
  return region;
}

const Region* Memory::find(std::uint64_t address) const {
  const auto after = std::upper_bound(
      held_.begin(), held_.end(), address,
      [](std::uint64_t value, const auto& held) { return value < held->region.base; });
  if (after == held_.begin()) return nullptr;
  const Region& region = (*std::prev(after))->region;
  return region.contains(address, 1) ? &region : nullptr;
}

std::string Memory::describe(std::uint64_t address) const {
  const Region* nearest = nullptr;
  for (const auto& held : held_) {
    if (held->region.base <= address || nearest == nullptr) nearest = &held->region;
  }
  if (nearest == nullptr) return "there is no memory at all";
  const std::string place =
      fmt::format("{} ({} bytes at 0x{:x})", nearest->name, nearest->size, nearest->base);
  if (address < nearest->base)
    return fmt::format("{} bytes before {}", nearest->base - address, place);
  const std::uint64_t offset = address - nearest->base;
  if (offset < nearest->size) return fmt::format("byte {} of {}", offset, place);
  return fmt::format("{} bytes past the end of {}", offset - nearest->size, place);
}

std::vector<const Region*> Memory::regions() const {
  std::vector<const Region*> result;
  for (const auto& held : held_) result.push_back(&held->region);
  return result;
}

}  // namespace rpl::emu
