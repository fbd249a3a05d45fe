// SPDX-License-Identifier: MIT
#include "engine/att/wave_strip.h"

#include <algorithm>

#include "engine/att/category.h"
#include "engine/att/strip.h"

namespace rpl::att {
namespace {

/// Narrow enough that no screen shows where they begin.
constexpr std::size_t kNarrowBins = 4800;
/// Shares of one wave that are kept; the rest of a longer one is missing from the picture, not from any number.
constexpr std::size_t kMostShares = std::size_t{1} << 20;

}  // namespace

std::optional<WaveSpan> span_of(const std::vector<WaveFile>& waves) {
  if (waves.empty()) return std::nullopt;
  WaveSpan span{waves.front().begin, waves.front().end};
  for (const WaveFile& wave : waves) {
    span.first = std::min(span.first, wave.begin);
    span.last = std::max(span.last, wave.end);
  }
  return span.last > span.first ? std::optional(span) : std::nullopt;
}

WaveStrip::WaveStrip(WaveSpan span) {
  recorded_.first = rebuilt_.first = span.first;
  recorded_.last = rebuilt_.last = span.last;
  recorded_.bins.resize(kNarrowBins);
  rebuilt_.bins.resize(kNarrowBins);
}

void WaveStrip::restart(const WaveHead& head) {
  head_ = head;
  began_ = false;
  busy_until_ = head.begin;
  runs_ = {std::move(runs_.all), {}};
  pieces_ = {std::move(pieces_.all), {}};
  runs_.all.clear();
  pieces_.all.clear();
}

void WaveStrip::instructions(std::span<const WaveInstruction> some) {
  for (const WaveInstruction& now : some) {
    const auto latency = static_cast<std::int64_t>(std::max(now.duration, now.stall));
    const bool message = now.category == static_cast<std::int32_t>(Category::message);
    const bool internal = now.category == static_cast<std::int32_t>(Category::immed);
    if (pieces_.all.size() >= kMostShares) return;
    if (!began_) add({kIdleState, head_.begin, now.time}, pieces_);
    began_ = true;
    if (message || (internal && now.stall > 0)) {
      add({kWaitState, now.time, now.time + latency}, pieces_);
    } else if (!internal && now.stall > 0) {
      add({kStallState, now.time, now.time + static_cast<std::int64_t>(now.stall)}, pieces_);
    }
    busy_until_ = std::max(busy_until_, now.time + latency);
  }
}

void WaveStrip::run(std::int64_t state, std::int64_t from, std::int64_t cycles) {
  if (state <= 0 || state >= static_cast<std::int64_t>(kWaveStates) ||
      runs_.all.size() >= kMostShares)
    return;
  add({static_cast<std::size_t>(state), from, from + cycles}, runs_);
}

void WaveStrip::add(const Piece& piece, Shares& into) const {
  const std::int64_t first = recorded_.first, last = recorded_.last;
  const double width = static_cast<double>(last - first) / static_cast<double>(kNarrowBins);
  const auto begin = static_cast<double>(std::clamp(piece.from, first, last) - first),
             end = static_cast<double>(std::clamp(piece.to, first, last) - first);
  std::size_t& at = into.last[piece.state];
  spread_over_bins(begin, end, width, kNarrowBins, [&](std::size_t bin, double cycles) {
    if (at != 0 && into.all[at - 1].bin == bin) {
      into.all[at - 1].cycles += cycles;
      return;
    }
    into.all.push_back({piece.state, bin, cycles});
    at = into.all.size();
  });
}

void WaveStrip::pour(const Shares& shares, StateStrip& into) {
  for (const Share& share : shares.all) into.bins[share.bin][share.state] += share.cycles;
}

void WaveStrip::commit() {
  pour(runs_, recorded_);
  // The wave's whole life stands under EXEC until from_instructions() takes the rest from it.
  add({kExecState, head_.begin, head_.end}, pieces_);
  if (busy_until_ < head_.end) add({kIdleState, busy_until_, head_.end}, pieces_);
  pour(pieces_, rebuilt_);
}

void WaveStrip::merge(const WaveStrip& other) {
  for (std::size_t bin = 0; bin < kNarrowBins; ++bin) {
    for (std::size_t state = 0; state < kWaveStates; ++state) {
      recorded_.bins[bin][state] += other.recorded_.bins[bin][state];
      rebuilt_.bins[bin][state] += other.rebuilt_.bins[bin][state];
    }
  }
}

StateStrip WaveStrip::from_instructions() const {
  StateStrip strip = rebuilt_;
  for (auto& bin : strip.bins)
    bin[kExecState] =
        std::max(bin[kExecState] - bin[kIdleState] - bin[kWaitState] - bin[kStallState], 0.0);
  return strip;
}

}  // namespace rpl::att
