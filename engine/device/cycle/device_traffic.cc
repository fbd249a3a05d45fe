// SPDX-License-Identifier: MIT
#include "engine/device/cycle/device_traffic.h"

namespace rpl::cycle {
namespace {

constexpr std::uint64_t kFollowed = std::uint64_t{1}
                                    << 13;  ///< lines until every second set is given up
constexpr std::uint64_t kMostSkipped = 63;  ///< the smallest cache has as many sets

}  // namespace

DeviceTraffic::DeviceTraffic(const Parameters& p, std::uint32_t active, std::size_t operations)
    : line_(p.l1_line),
      own_(
          std::clamp<std::uint64_t>(p.l2_bytes * p.xcds / active,
                                    std::uint64_t{p.l1_line} * 16 * (kMostSkipped + 1), p.l2_bytes),
          p.l1_line),
      rows_(operations) {
  for (std::uint32_t i = 0; i < p.xcds; ++i) l2_.emplace_back(p.l2_bytes, p.l1_line);
  if (p.mall_bytes > 0) mall_.emplace_back(p.mall_bytes, p.l1_line);
}

void DeviceTraffic::follow(std::uint32_t operation, std::uint64_t line, std::uint64_t hash,
                           std::uint32_t workgroup, bool store) {
  constexpr std::uint64_t kApart = 0x9E3779B97F4A7C15;
  const bool again = own_.touch(line ^ (workgroup + 1) * kApart, hash);
  const bool in_l2 = l2_[workgroup % l2_.size()].touch(line, hash);
  bool in_mall = false;
  if (!in_l2) {
    in_mall = !mall_.empty() && mall_.front().touch(line, hash);
    (store ? written_lines_ : read_lines_) += weight_;
    if (!in_mall) memory_lines_ += weight_;
  }
  Row& row = rows_[operation];
  row.all += weight_;
  if (!in_l2) row.missing += weight_;
  if (!again) {
    row.first += weight_;
    if (in_l2) row.in_l2 += weight_;
    if (in_mall) row.in_mall += weight_;
  }
  if (++followed_ % kFollowed != 0 || skipped_ >= kMostSkipped) return;
  skipped_ = 2 * skipped_ + 1;
  weight_ *= 2;
}

std::vector<FirstTouch> DeviceTraffic::first_touches() const {
  std::vector<FirstTouch> out(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (row.first == 0) continue;
    out[i].in_l2 = static_cast<double>(row.in_l2) / static_cast<double>(row.first);
    const std::uint64_t beyond = row.first - row.in_l2;
    if (beyond > 0) out[i].in_mall = static_cast<double>(row.in_mall) / static_cast<double>(beyond);
  }
  return out;
}

}  // namespace rpl::cycle
