// SPDX-License-Identifier: MIT
#include "engine/device/cycle/memory_side.h"

namespace rpl::cycle {
namespace {

constexpr double kRequestBytes = 64;  ///< of scalar loads

/// The bandwidth of the whole device for one of `active` units, but no more than the path of a unit can carry.
double share_of(double device, std::uint32_t active, double unit) {
  return std::min(device / active, unit);
}

}  // namespace

MemorySide::MemorySide(const Parameters& p, std::uint32_t active, std::vector<FirstTouch> first)
    : p_(p),
      first_(std::move(first)),
      debts_(first_.size()),
      l1_(p.l1_bytes, p.l1_line),
      scalar_(p.scalar_cache_bytes, p.l1_line),
      l2_(std::clamp<std::uint64_t>(p.l2_bytes * p.xcds / active, p.l1_bytes, p.l2_bytes),
          p.l1_line),
      l2_share_(share_of(p.l2_bandwidth, active, p.fill_bandwidth)),
      mall_share_(p.mall_bytes == 0 ? 1 : share_of(p.mall_bandwidth, active, p.fill_bandwidth)),
      hbm_share_(share_of(p.hbm_bandwidth, active, p.fill_bandwidth)) {}

double MemorySide::beyond_l1(std::uint32_t operation, std::uint64_t line, double from, double bytes,
                             bool store) {
  // A channel of the L2 takes a request of 64 bytes of a store in the time in which it gives 128 bytes to a load.
  const double in_l2 = (store ? 2 : 1) * bytes / l2_share_;
  l2_free_ = std::max(l2_free_, from) + in_l2;
  busy_.l2 += in_l2;
  bool hit = l2_.touch(line);
  bool in_mall = false;
  if (!hit && operation < first_.size()) {
    Debt& debt = debts_[operation];
    debt.l2 += first_[operation].in_l2;
    hit = debt.l2 >= 1;
    if (hit) debt.l2 -= 1;
    if (!hit) debt.mall += first_[operation].in_mall;
    in_mall = !hit && debt.mall >= 1;
    if (in_mall) debt.mall -= 1;
  }
  if (hit) {
    ++counts_.l2_hits;
    return l2_free_ + (store ? p_.store_latency : p_.l2_latency);
  }
  ++counts_.l2_misses;
  const double cost = store ? p_.write_cost * bytes : bytes;
  if (p_.mall_bytes > 0) {
    mall_free_ = std::max(mall_free_, l2_free_) + cost / mall_share_;
    busy_.mall += cost / mall_share_;
    if (in_mall) {
      ++counts_.mall_hits;
      return mall_free_ + (store ? p_.store_latency : p_.mall_latency);
    }
  }
  hbm_free_ = std::max(hbm_free_, std::max(l2_free_, mall_free_)) + cost / hbm_share_;
  busy_.memory += cost / hbm_share_;
  // The L2 writes back: a store is done when the L2 has it, once the memory can take what the L2 gives away for it.
  return hbm_free_ + (store ? p_.store_latency : p_.hbm_latency);
}

bool MemorySide::look_up(std::uint32_t operation, UnitCache& cache, std::uint64_t line) {
  if (operation >= lookups_.size()) lookups_.resize(operation + std::size_t{1});
  UnitLookups& row = lookups_[operation];
  const bool hit = cache.touch(line);
  ++row.lookups;
  if (hit) ++row.hits;
  return hit;
}

double MemorySide::load(std::uint32_t operation, std::span<const std::uint64_t> lines,
                        double from) {
  double done = from;
  for (const std::uint64_t line : lines) {
    ++counts_.l1_lookups;
    if (look_up(operation, l1_, line)) {
      done = std::max(done, from + p_.l1_latency);
      continue;
    }
    ++counts_.l1_misses;
    done = std::max(done, beyond_l1(operation, line, from, p_.l1_line, false));
  }
  return done;
}

double MemorySide::store(std::uint32_t operation, std::span<const std::uint64_t> lines, double from,
                         double bytes) {
  double done = from;
  for (const std::uint64_t line : lines)
    done = std::max(done, beyond_l1(operation, line, from, bytes, true));
  return done;
}

double MemorySide::scalar(std::uint32_t operation, std::span<const std::uint64_t> lines,
                          double from) {
  double done = from;
  for (const std::uint64_t line : lines) {
    if (look_up(operation, scalar_, line)) {
      done = std::max(done, from + p_.scalar_latency);
      continue;
    }
    ++counts_.scalar_misses;
    done = std::max(done, beyond_l1(operation, line, from, kRequestBytes, false));
  }
  return done;
}

}  // namespace rpl::cycle
