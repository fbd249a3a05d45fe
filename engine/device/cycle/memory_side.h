// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/cycle/cache.h"
#include "engine/device/cycle/operation.h"

namespace rpl::cycle {

/// What the rest of the device does for the lines that a compute unit touches for the first time, by operation: the share that other workgroups
/// have brought to the L2, and the share of the others that is in the Infinity Cache.
struct FirstTouch {
  double in_l2 = 0, in_mall = 0;
};

/// What one compute unit's memory side saw.
struct MemoryCounts {
  std::uint64_t l1_lookups = 0, l1_misses = 0, scalar_misses = 0, l2_hits = 0, l2_misses = 0,
                mall_hits = 0;
};

/// Lines that loads asked the compute unit's own caches for, the vector L1 or the scalar cache, and those that were there.
struct UnitLookups {
  std::uint64_t lookups = 0, hits = 0;
};

/// The caches behind a compute unit: its own L1 and scalar cache, and its part of what the device shares: the bandwidth of L2, Infinity Cache and
/// memory divided by the compute units that work, and L2 space. Completion times in cycles.
class MemorySide {
 public:
  /// `active`: compute units of the device that work at the same time. `first` is by operation; empty: nothing is there yet.
  MemorySide(const Parameters& parameters, std::uint32_t active, std::vector<FirstTouch> first);

  /// When the lines of a vector load are there; the unit asked for them from cycle `from` on.
  double load(std::uint32_t operation, std::span<const std::uint64_t> lines, double from);
  /// When the L2 has taken the lines of a store or atomic, `bytes` of each. The L1 writes through.
  double store(std::uint32_t operation, std::span<const std::uint64_t> lines, double from,
               double bytes);
  double scalar(std::uint32_t operation, std::span<const std::uint64_t> lines, double from);

  [[nodiscard]] const MemoryCounts& counts() const { return counts_; }
  /// Cycles that the unit's parts of the bandwidths were taken up.
  struct Busy {
    double l2 = 0, mall = 0, memory = 0;
  };
  [[nodiscard]] const Busy& busy() const { return busy_; }
  /// By operation, as far as they loaded anything.
  [[nodiscard]] const std::vector<UnitLookups>& lookups() const { return lookups_; }

 private:
  struct Debt {
    double l2 = 0, mall = 0;
  };
  bool look_up(std::uint32_t operation, UnitCache& cache, std::uint64_t line);
  double beyond_l1(std::uint32_t operation, std::uint64_t line, double from, double bytes,
                   bool store);

  const Parameters& p_;
  std::vector<FirstTouch> first_;
  std::vector<Debt> debts_;  ///< what is left of the shares: every so many lines one hits
  UnitCache l1_, scalar_;
  TagCache l2_;
  double l2_share_, mall_share_, hbm_share_;  ///< bytes a cycle
  double l2_free_ = 0, mall_free_ = 0, hbm_free_ = 0;
  Busy busy_;
  MemoryCounts counts_;
  std::vector<UnitLookups> lookups_;
};

}  // namespace rpl::cycle
