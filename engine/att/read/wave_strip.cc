// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_strip.h"

#include <algorithm>

namespace rpl::att {
namespace {

/// Narrow enough that no screen shows where they begin.
constexpr std::size_t kNarrowBins = 4800;
/// Pieces of one wave that are kept; the rest of a longer one is missing from the picture, not from any number.
constexpr std::size_t kMostPieces = std::size_t{1} << 20;

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

void WaveStrip::restart() {
  runs_.clear();
  pieces_.clear();
}

void WaveStrip::rebuilt(std::size_t state, std::int64_t from, std::int64_t to) {
  if (to > from && pieces_.size() < kMostPieces) pieces_.push_back({state, from, to});
}

void WaveStrip::run(std::int64_t state, std::int64_t from, std::int64_t cycles) {
  if (state <= 0 || state >= static_cast<std::int64_t>(kWaveStates) || runs_.size() >= kMostPieces)
    return;
  runs_.push_back({static_cast<std::size_t>(state), from, from + cycles});
}

void WaveStrip::add(const std::vector<Piece>& pieces, StateStrip& into) const {
  const double width =
      static_cast<double>(into.last - into.first) / static_cast<double>(into.bins.size());
  for (const Piece& piece : pieces) {
    const std::int64_t from = std::clamp(piece.from, into.first, into.last),
                       to = std::clamp(piece.to, into.first, into.last);
    spread_over_bins(static_cast<double>(from - into.first), static_cast<double>(to - into.first),
                     width, into.bins.size(), [&](std::size_t bin, double length) {
                       into.bins[bin][piece.state] += length;
                     });
  }
}

void WaveStrip::commit(std::int64_t from, std::int64_t to) {
  add(runs_, recorded_);
  // The wave's whole life stands under EXEC until from_instructions() takes the rest from it.
  pieces_.push_back({kExecState, from, to});
  add(pieces_, rebuilt_);
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
