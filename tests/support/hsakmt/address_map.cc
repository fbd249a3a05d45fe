// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/address_map.h"

#include <sys/mman.h>

namespace rpl::hsakmt {
namespace {

constexpr std::uint64_t kPageBytes = emu::PageArea::kPage;

std::uint64_t page_of(std::uint64_t address) { return address & ~(kPageBytes - 1); }

// All pages that a range touches.
std::uint64_t bytes_of_pages(std::uint64_t base, std::uint64_t bytes) {
  return emu::round_up_to(base + bytes, kPageBytes) - page_of(base);
}

}  // namespace

Pages::~Pages() { ::munmap(reinterpret_cast<void*>(base_), bytes_); }

std::byte* DeviceView::at(std::uint64_t address, std::uint64_t bytes) const {
  const emu::Region* region = memory.find(address);
  if (region == nullptr || !region->contains(address, bytes)) return nullptr;
  return region->host + (address - region->base);
}

std::uint64_t AddressMap::allocate(std::uint64_t bytes, std::uint32_t node, std::uint32_t flags,
                                   std::uint64_t at, std::uint64_t alignment) {
  if (bytes == 0 || bytes % kPageBytes != 0 || at % kPageBytes != 0 || node > kDeviceNode) return 0;
  const std::lock_guard lock(mutex_);
  if (node == kDeviceNode && bytes > device_left_) return 0;
  std::uint64_t base = at;
  if (at == 0) {
    base = areas_[node].map(bytes, alignment);
  } else if (!emu::map_pages_at(at, bytes)) {
    base = 0;
  }
  if (base == 0) return 0;
  const std::uint64_t counted = node == kDeviceNode ? bytes : 0;
  device_left_ -= counted;
  Range range;
  range.base = range.device_base = base;
  range.bytes = bytes;
  range.node = node;
  range.flags = flags;
  allocated_[base] = {range, reinterpret_cast<std::byte*>(base),
                      std::make_shared<Pages>(base, bytes), counted};
  return base;
}

bool AddressMap::adopt(std::uint64_t base, std::uint64_t bytes, std::uint32_t node) {
  const std::lock_guard lock(mutex_);
  if (node == kDeviceNode && bytes > device_left_) return false;
  if (!insert(base, bytes, reinterpret_cast<std::byte*>(base), node, nullptr)) return false;
  if (node == kDeviceNode) device_left_ -= allocated_[base].counted = bytes;
  return true;
}

bool AddressMap::bind(std::uint64_t base, std::uint64_t bytes, std::byte* host, std::uint32_t node,
                      std::shared_ptr<const void> pages) {
  const std::lock_guard lock(mutex_);
  return insert(base, bytes, host, node, std::move(pages));
}

bool AddressMap::insert(std::uint64_t base, std::uint64_t bytes, std::byte* host,
                        std::uint32_t node, std::shared_ptr<const void> pages) {
  if (bytes == 0 || bytes % kPageBytes != 0 || base % kPageBytes != 0 || node > kDeviceNode ||
      base + bytes < base)
    return false;
  const auto after = allocated_.lower_bound(base);
  if (after != allocated_.end() && after->first - base < bytes) return false;
  if (after != allocated_.begin() &&
      base - std::prev(after)->first < std::prev(after)->second.range.bytes)
    return false;
  Range range;
  range.base = range.device_base = base;
  range.bytes = bytes;
  range.node = node;
  allocated_[base] = {range, host, std::move(pages), 0};
  return true;
}

AddressMap::Outcome AddressMap::free(std::uint64_t base) {
  const std::lock_guard lock(mutex_);
  const auto found = allocated_.find(base);
  if (found == allocated_.end()) return Outcome::invalid;
  device_left_ += found->second.counted;
  allocated_.erase(found);
  view_.reset();
  return Outcome::done;
}

AddressMap::Outcome AddressMap::enroll(std::uint64_t base, std::uint64_t bytes,
                                       std::uint32_t flags) {
  if (base == 0 || bytes == 0 || base + bytes < base) return Outcome::invalid;
  const std::lock_guard lock(mutex_);
  if (const auto known = last_registered(base, bytes); known != registered_.end()) {
    ++known->second.range.registrations;
    return Outcome::done;
  }
  Range range;
  range.kind = Range::Kind::registered;
  range.base = base;
  range.bytes = bytes;
  range.device_base = next_alias_ + (base - page_of(base));
  range.flags = flags;
  next_alias_ += bytes_of_pages(base, bytes) + emu::Memory::kGuardBytes;
  registered_.emplace(base, Held{range, nullptr, nullptr, 0});
  return Outcome::done;
}

AddressMap::Outcome AddressMap::withdraw(std::uint64_t base) {
  const std::lock_guard lock(mutex_);
  const auto found = last_registered(base, 0);
  if (found == registered_.end()) return Outcome::not_registered;
  if (--found->second.range.registrations > 0) return Outcome::done;
  registered_.erase(found);
  view_.reset();
  return Outcome::done;
}

std::multimap<std::uint64_t, AddressMap::Held>::iterator AddressMap::last_registered(
    std::uint64_t base, std::uint64_t bytes) {
  const auto [first, end] = registered_.equal_range(base);
  auto found = registered_.end();
  for (auto it = first; it != end; ++it) {
    if (bytes == 0 || it->second.range.bytes == bytes) found = it;
  }
  return found;
}

AddressMap::Held* AddressMap::holder(std::uint64_t address) {
  if (const auto after = allocated_.upper_bound(address); after != allocated_.begin()) {
    Held& held = std::prev(after)->second;
    if (address - held.range.base < held.range.bytes) return &held;
  }
  for (auto it = registered_.rbegin(); it != registered_.rend(); ++it) {
    const Range& range = it->second.range;
    if (address - range.base < range.bytes || address - range.device_base < range.bytes)
      return &it->second;
  }
  return nullptr;
}

AddressMap::Outcome AddressMap::map(std::uint64_t base, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto registered = last_registered(base, bytes);
  Held* held = registered != registered_.end() ? &registered->second : holder(base);
  if (held == nullptr || bytes > held->range.bytes - (base - held->range.base))
    return Outcome::invalid;
  if (!held->range.mapped) view_.reset();
  held->range.mapped = true;
  return Outcome::done;
}

AddressMap::Outcome AddressMap::unmap(std::uint64_t base) {
  const std::lock_guard lock(mutex_);
  const auto registered = last_registered(base, 0);
  Held* held = registered != registered_.end() ? &registered->second : holder(base);
  if (held == nullptr) return Outcome::invalid;
  held->range.mapped = false;
  view_.reset();
  return Outcome::done;
}

AddressMap::Outcome AddressMap::set_user_data(std::uint64_t address, void* data) {
  const std::lock_guard lock(mutex_);
  Held* held = holder(address);
  if (held == nullptr) return Outcome::invalid;
  held->range.user_data = data;
  return Outcome::done;
}

std::optional<Range> AddressMap::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Held* held = const_cast<AddressMap*>(this)->holder(address);
  if (held == nullptr) return std::nullopt;
  return held->range;
}

std::shared_ptr<const DeviceView> AddressMap::view() const {
  const std::lock_guard lock(mutex_);
  if (view_) return view_;
  auto view = std::make_shared<DeviceView>();
  // Nothing overlaps, so that nothing is refused.
  for (const auto& [base, held] : allocated_) {
    if (!held.range.mapped) continue;
    (void)view->memory.adopt(
        base, held.range.bytes, held.host,
        held.range.node == kHostNode ? "host allocation" : "device allocation");
    view->kept.push_back(held.pages);
  }
  for (const auto& [base, held] : registered_) {
    if (!held.range.mapped) continue;
    (void)view->memory.adopt(page_of(held.range.device_base),
                             bytes_of_pages(base, held.range.bytes),
                             reinterpret_cast<std::byte*>(page_of(base)), "registered host memory");
  }
  view->memory.on_message = message_;
  return view_ = std::move(view);
}

void AddressMap::on_message(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  message_ = std::move(call);
  view_.reset();
}

}  // namespace rpl::hsakmt
