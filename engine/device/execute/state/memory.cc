// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::emu {
namespace {

constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

Memory::Memory(std::uint64_t first_address) : next_(first_address) {}

Region& Memory::allocate(std::uint64_t bytes, std::string name) {
  return own(next_, bytes, std::move(name));
}

Status Memory::check_free(std::uint64_t address, std::uint64_t bytes) const {
  for (const auto& held : held_) {
    const Region& other = held->region;
    if (address < other.base + other.size && other.base < address + bytes) {
      return fail(Errc::denied, fmt::format("0x{:x} is already taken by {}", address, other.name));
    }
  }
  return {};
}

Result<Region*> Memory::allocate_at(std::uint64_t address, std::uint64_t bytes, std::string name) {
  TRY(check_free(address, bytes));
  return &own(address, bytes, std::move(name));
}

Result<Region*> Memory::adopt(std::uint64_t address, std::uint64_t bytes, std::byte* host,
                              std::string name) {
  TRY(check_free(address, bytes));
  return &insert({.base = address, .size = bytes, .host = host, .name = std::move(name)}, {});
}

Region& Memory::own(std::uint64_t address, std::uint64_t bytes, std::string name) {
  HostBytes held(bytes);
  std::byte* host = held.get();
  Region& region = insert({.base = address, .size = bytes, .host = host, .name = std::move(name)},
                          std::move(held));
  next_ = std::max(next_, round_up(address + bytes, kPage) + kGuardBytes);
  return region;
}

Region& Memory::insert(Region region, HostBytes bytes) {
  const auto after = std::ranges::upper_bound(held_, region.base, {},
                                              [](const auto& other) { return other->region.base; });
  return (*held_.insert(after, std::make_unique<Held>(Held{std::move(region), std::move(bytes)})))
      ->region;
}

bool Memory::release(std::uint64_t address) {
  const auto found = std::ranges::lower_bound(held_, address, {},
                                              [](const auto& held) { return held->region.base; });
  if (found == held_.end() || (*found)->region.base != address) return false;
  const Region& region = (*found)->region;
  const bool last = (*found)->bytes.get() != nullptr &&
                    round_up(address + region.size, kPage) + kGuardBytes == next_;
  held_.erase(found);
  if (last) next_ = address;
  return true;
}

const Region* Memory::find(std::uint64_t address) const {
  const Region* found = held_at(address);
  if (found != nullptr || !on_unknown) return found;
  on_unknown(address);
  return held_at(address);
}

const Region* Memory::held_at(std::uint64_t address) const {
  const auto after = std::upper_bound(
      held_.begin(), held_.end(), address,
      [](std::uint64_t value, const auto& held) { return value < held->region.base; });
  if (after == held_.begin()) return nullptr;
  const Region& region = (*std::prev(after))->region;
  return region.contains(address, 1) ? &region : nullptr;
}

std::string Memory::describe(std::uint64_t address) const {
  if (name_unknown && held_at(address) == nullptr) {
    if (std::string name = name_unknown(address); !name.empty()) return name;
  }
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
