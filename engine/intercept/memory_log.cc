// SPDX-License-Identifier: MIT
#include "engine/intercept/memory_log.h"

#include <algorithm>

namespace rpl::intercept {

void MemoryLog::add(KnownRange range) {
  if (range.bytes == 0 || range.base == 0 || range.base + range.bytes < range.base) return;
  const std::scoped_lock lock(mutex_);
  auto at = ranges_.upper_bound(range.base);
  if (at != ranges_.begin()) {
    const auto before = std::prev(at);
    if (before->second.base + before->second.bytes > range.base) at = before;
  }
  while (at != ranges_.end() && at->first < range.base + range.bytes) at = ranges_.erase(at);
  ranges_.emplace(range.base, range);
}

void MemoryLog::remove(std::uint64_t source) {
  const std::scoped_lock lock(mutex_);
  const auto exact = ranges_.find(source);
  if (exact != ranges_.end() && exact->second.source == source) {
    ranges_.erase(exact);
    return;
  }
  std::erase_if(ranges_, [source](const auto& entry) { return entry.second.source == source; });
}

void MemoryLog::remove_within(std::uint64_t base, std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  ranges_.erase(ranges_.lower_bound(base), ranges_.lower_bound(base + bytes));
}

std::optional<KnownRange> MemoryLog::find(std::uint64_t address) const {
  const std::scoped_lock lock(mutex_);
  auto at = ranges_.upper_bound(address);
  if (at == ranges_.begin()) return std::nullopt;
  --at;
  if (address - at->first >= at->second.bytes) return std::nullopt;
  return at->second;
}

std::vector<KnownRange> MemoryLog::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<KnownRange> out;
  out.reserve(ranges_.size());
  for (const auto& [base, range] : ranges_) out.push_back(range);
  return out;
}

const KnownRange* RangeIndex::find(std::uint64_t address) const {
  // Most words of a buffer are no addresses at all.
  if (ranges_.empty() || address < ranges_.front().base ||
      address >= ranges_.back().base + ranges_.back().bytes)
    return nullptr;
  auto at = std::ranges::upper_bound(ranges_, address, {}, &KnownRange::base);
  if (at == ranges_.begin()) return nullptr;
  --at;
  return address - at->base < at->bytes ? &*at : nullptr;
}

std::uint64_t RangeIndex::bytes() const {
  std::uint64_t sum = 0;
  for (const KnownRange& range : ranges_) sum += range.bytes;
  return sum;
}

}  // namespace rpl::intercept
