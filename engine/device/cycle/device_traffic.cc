// SPDX-License-Identifier: MIT
#include "engine/device/cycle/device_traffic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "engine/device/cycle/line_masks.h"

namespace rpl::cycle {
namespace {

constexpr std::uint64_t kFollowed = std::uint64_t{1}
                                    << 13;            ///< lines until every second set is given up
constexpr std::uint64_t kApart = 0x9E3779B97F4A7C15;  ///< spreads numbers
constexpr std::uint64_t kMostSkipped = 63;            ///< the smallest cache has as many sets
constexpr std::uint64_t kNone = ~std::uint64_t{0};    ///< bits of which every hash has one

}  // namespace

FirstTouch TrafficCounts::first_touch(std::size_t operation) const {
  const Row& row = rows[operation];
  FirstTouch out;
  if (row.first > 0) out.in_l2 = static_cast<double>(row.in_l2) / static_cast<double>(row.first);
  out.in_mall = row.stores ? write_mall_share()
                : row.beyond > 0
                    ? static_cast<double>(row.in_mall) / static_cast<double>(row.beyond)
                    : read_mall_share();
  return out;
}

DeviceTraffic::DeviceTraffic(const Parameters& p, std::uint32_t active, std::size_t operations,
                             std::shared_ptr<MemoryState> state)
    : own_(
          std::clamp<std::uint64_t>(p.l2_bytes * p.xcds / active,
                                    std::uint64_t{p.l1_line} * 16 * (kMostSkipped + 1), p.l2_bytes),
          p.l1_line),
      state_(state != nullptr ? std::move(state) : std::make_shared<MemoryState>(p)),
      warm_(state_->kernels > 0),
      written_back_before_(state_->written_back()),
      window_lines_(p.l2_bytes * p.xcds / p.l1_line),
      active_(std::max(1U, active)),
      l2_channels_(p.l2_channel > 0 ? p.l2_channels : 0) {
  const auto line_bits = static_cast<unsigned>(std::countr_zero(std::bit_floor(p.l1_line)));
  constexpr unsigned kChannelBits = 8;  // 256 bytes each
  block_shift_ = MemoryState::kBlockBits - line_bits;
  channel_shift_ = kChannelBits - line_bits;
  ++state_->kernels;
  counts_.rows.resize(operations);
  counts_.line = p.l1_line;
  l2_round_.resize(state_->l2.size() * kPhases * l2_channels_);
  seen_in_round_.resize(state_->l2.size() * kSeen);
}

// Of long launches most lines are left out: they are told from the others together, many at once.
void DeviceTraffic::touch(std::uint32_t operation, std::span<const std::uint64_t> lines,
                          std::uint32_t workgroup, bool store) {
  wave_lines_ += lines.size();
  const Touch touched{operation, workgroup, store};
  constexpr std::size_t kFew = 8;
  while (!lines.empty()) {
    const auto some = lines.first(std::min<std::size_t>(lines.size(), kMaskedLines));
    lines = lines.subspan(some.size());
    if (skipped_ == 0 || some.size() <= kFew) {
      for (const std::uint64_t line : some) touch(touched, line);
      continue;
    }
    std::array<std::uint64_t, kMaskedLines> padded;
    if (some.size() < kMaskedLines) {
      std::ranges::copy(some, padded.begin());
      std::fill(padded.begin() + static_cast<std::ptrdiff_t>(some.size()), padded.end(), some[0]);
    }
    std::uint64_t wanted =
        lines_wanted(some.size() < kMaskedLines ? padded.data() : some.data(),
                     {.line_bits = skipped_,
                      .block_bits = state_->has_mall() ? MemoryState::kOneOf - 1 : kNone,
                      .block_shift = block_shift_});
    if (some.size() < kMaskedLines) wanted &= (std::uint64_t{1} << some.size()) - 1;
    for (; wanted != 0; wanted &= wanted - 1)
      touch(touched, some[static_cast<std::size_t>(std::countr_zero(wanted))]);
  }
}

// Most accesses stay where the one before them was, or pass on to the next.
void DeviceTraffic::touch(const Touch& touched, std::uint64_t line) {
  if (line >> block_shift_ != block_number_) {
    block_number_ = line >> block_shift_;
    block_ = block_of(block_number_);
  }
  bool in_mall = false;
  if (block_ != nullptr) {
    const std::uint64_t bit = std::uint64_t{1} << (line & ((std::uint64_t{1} << block_shift_) - 1));
    in_mall = (block_->lines & bit) != 0;
    block_->lines |= bit;
    if (touched.store) block_->dirty |= bit;
  }
  const std::uint64_t hash = line_hash(line);
  if ((hash & skipped_) != 0) return;
  Touch touch = touched;
  touch.in_mall = in_mall;
  follow(touch, line, hash);
}

void DeviceTraffic::end_window() {
  counts_.busiest_channel += *std::ranges::max_element(channels_);
  channels_.fill(0);
  window_ = 0;
}

bool DeviceTraffic::others_have(std::size_t xcd, std::uint64_t line, std::uint64_t hash) {
  for (std::size_t other = 0; other < state_->l2.size(); ++other) {
    if (other != xcd && state_->l2[other].has(line, hash)) return true;
  }
  return false;
}

void DeviceTraffic::follow(const Touch& touch, std::uint64_t line, std::uint64_t hash) {
  const bool again = own_.touch(line ^ (touch.workgroup + 1) * kApart, hash);
  std::vector<TagCache>& l2 = state_->l2;
  const std::size_t xcd = touch.workgroup % l2.size();
  // What a kernel writes leaves the L2 once at least, at its end, whether the line was there before or not.
  const bool in_l2 =
      touch.store ? l2[xcd].write(line, hash, state_->kernels) : l2[xcd].touch(line, hash);
  for (std::size_t other = 0; touch.store && other < l2.size(); ++other) {
    if (other != xcd) l2[other].forget(line, hash);
  }
  TrafficCounts::Row& row = counts_.rows[touch.operation];
  row.all += weight_;
  row.stores = touch.store;
  if (!in_l2) {
    row.missing += weight_;
    (touch.store ? counts_.written_lines : counts_.read_lines) += weight_;
    channels_[(line >> channel_shift_) % kChannels] += weight_;
    window_ += weight_;
    if (!touch.store && others_have(xcd, line, hash)) row.elsewhere += weight_;
    if (window_ >= window_lines_) end_window();
    if (block_ != nullptr && !touch.store) {
      row.beyond += weight_;
      counts_.reads_looked_up += weight_;
      if (touch.in_mall) {
        row.in_mall += weight_;
        counts_.reads_in_mall += weight_;
      }
    }
  }
  if (!again) {
    if (!touch.store && l2.size() > 1) note_die(touch, line, hash);
    if (l2_channels_ != 0) count_l2_channel(touch.workgroup, line);
    row.first += weight_;
    if (in_l2) row.in_l2 += weight_;
  }
  if (++followed_ % kFollowed != 0 || skipped_ >= kMostSkipped) return;
  skipped_ = 2 * skipped_ + 1;
  weight_ *= 2;
  sharers_.forget(skipped_);
}

void DeviceTraffic::note_die(const Touch& touch, std::uint64_t line, std::uint64_t hash) {
  last_workgroup_ = std::max(last_workgroup_, touch.workgroup);
  LineSharers::Sharers& one = sharers_.of(line, hash, touch.operation, touch.workgroup);
  one.last = touch.workgroup;
  one.dies |= 1U << touch.workgroup % state_->l2.size();
}

// By operation, of the dies beyond the first that load a line: those that need not, were each die given workgroups that follow each other. What all of them read,
// or any of them in no order, every die has to load, wherever they run.
std::vector<double> DeviceTraffic::placeable() const {
  const auto dies = static_cast<std::uint32_t>(state_->l2.size());
  const std::uint32_t of_die = last_workgroup_ / dies + 1;
  std::vector<double> beyond(counts_.rows.size()), saved(counts_.rows.size());
  sharers_.each([&](const LineSharers::Sharers& one) {
    const auto now = static_cast<std::uint32_t>(std::popcount(one.dies));
    const std::uint32_t then = one.last / of_die - one.first / of_die + 1;
    beyond[one.operation] += now - 1;
    saved[one.operation] += now > then ? now - then : 0;
  });
  for (std::size_t i = 0; i < saved.size(); ++i)
    saved[i] = beyond[i] > 0 ? saved[i] / beyond[i] : 0;
  return saved;
}

// Workgroups are dealt out to units in turn: those of a round run at the same time.
void DeviceTraffic::count_l2_channel(std::uint32_t workgroup, std::uint64_t line) {
  if (workgroup / active_ != round_) {
    counts_.busiest_l2_channel += busiest_of_round();
    std::ranges::fill(l2_round_, 0);
    round_ = workgroup / active_;
  }
  const std::size_t die = workgroup % state_->l2.size(),
                    phase = wave_lines_ / kPhaseLines % kPhases;
  // A line that many workgroups ask for stands for itself alone: in a sample it would weigh as much as all that were left out.
  std::uint64_t& seen = seen_in_round_[die * kSeen + line_hash(line) % kSeen];
  const std::uint64_t mark = line * kApart + round_ + 1;
  const std::uint64_t lines = seen == mark ? 1 : weight_;
  seen = mark;
  l2_round_[(die * kPhases + phase) * l2_channels_ + (line >> channel_shift_) % l2_channels_] +=
      static_cast<std::uint32_t>(lines);
}

// What chance alone does to a sample counts as even.
std::uint64_t DeviceTraffic::busiest_of_round() const {
  constexpr double kChance = 3;
  double sum = 0;
  for (auto at = l2_round_.begin(); at != l2_round_.end(); at += l2_channels_) {
    const double most = *std::max_element(at, at + l2_channels_),
                 even = std::accumulate(at, at + l2_channels_, 0.0) / l2_channels_;
    const bool by_chance = most <= even + kChance * std::sqrt(even * static_cast<double>(weight_));
    sum += by_chance ? even : most;
  }
  return static_cast<std::uint64_t>(sum / static_cast<double>(state_->l2.size()));
}

void DeviceTraffic::touch_atomic(std::span<const std::uint64_t> addresses) {
  constexpr unsigned kLineBits = 6;
  if (hot_.empty()) hot_.resize(kBuckets);
  counts_.atomic_lanes += addresses.size();
  std::array<std::uint64_t, 64> lanes;
  const std::span sorted(lanes.data(), std::min(lanes.size(), addresses.size()));
  std::copy_n(addresses.begin(), sorted.size(), lanes.begin());
  std::ranges::sort(sorted);
  std::uint64_t requests = 0, same = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    same = i > 0 && sorted[i] == sorted[i - 1] ? same + 1 : 1;
    requests = std::max(requests, same);
    if (i + 1 < sorted.size() && sorted[i + 1] >> kLineBits == sorted[i] >> kLineBits) continue;
    hot_[line_hash(sorted[i] >> kLineBits) % kBuckets] += requests;
    requests = 0;
  }
}

TrafficCounts DeviceTraffic::counts() const {
  TrafficCounts out = counts_;
  out.written_back = state_->has_mall()
                         ? (state_->written_back() - written_back_before_) * MemoryState::kOneOf
                         : out.written_lines;
  out.busiest_channel += *std::ranges::max_element(channels_);
  out.busiest_l2_channel += busiest_of_round();
  const std::vector<double> placeable = this->placeable();
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    TrafficCounts::Row& row = out.rows[i];
    row.elsewhere = static_cast<std::uint64_t>(static_cast<double>(row.elsewhere) * placeable[i]);
  }
  if (!hot_.empty()) out.hottest_line = *std::ranges::max_element(hot_);
  // Of a small launch no block may have been followed; what it reads was written or read just before, if anything was.
  if (out.reads_looked_up == 0 && warm_ && state_->has_mall())
    out.reads_looked_up = out.reads_in_mall = 1;
  return out;
}

}  // namespace rpl::cycle
