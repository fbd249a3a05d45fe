// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/capture/capture_facts.h"

namespace rpl::intercept {

/// A range of memory that the device can reach, as the application asked for it.
struct KnownRange {
  std::uint64_t base = 0;  ///< device address
  std::uint64_t bytes = 0;
  RegionKind kind = RegionKind::pool;
  std::uint32_t flags = 0;  ///< of its pool: hsa::kPoolKernarg …; 0 for unknown
  std::uint64_t source =
      0;  ///< what freeing it names: the host's pointer of locked memory, else `base`
};

/// Every range that exists at the moment, unbounded in number. Calls from any thread.
class MemoryLog {
 public:
  /// Takes the place of what it overlaps: the runtime gave that address out again, so the older range is gone.
  void add(KnownRange range);
  /// What a free of `source` ends; nothing for a range that is not known.
  void remove(std::uint64_t source);
  /// All that begins in [base, base + bytes): an unmap may cover several mappings.
  void remove_within(std::uint64_t base, std::uint64_t bytes);
  /// The range that holds `address`.
  [[nodiscard]] std::optional<KnownRange> find(std::uint64_t address) const;
  /// A copy of all, by address.
  [[nodiscard]] std::vector<KnownRange> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, KnownRange> ranges_;  ///< by base
};

/// The same ranges at one moment, to be searched often and without a lock.
class RangeIndex {
 public:
  explicit RangeIndex(std::vector<KnownRange> ranges) : ranges_(std::move(ranges)) {}
  [[nodiscard]] const KnownRange* find(std::uint64_t address) const;
  [[nodiscard]] const std::vector<KnownRange>& all() const { return ranges_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  std::vector<KnownRange> ranges_;  ///< ascending, without overlaps
};

}  // namespace rpl::intercept
