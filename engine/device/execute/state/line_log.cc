// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/line_log.h"

namespace rpl::emu {

void LineLog::begin(std::uint64_t skipped) {
  for (auto& wave : waves_) wave.clear();
  skipped_ = skipped;
  size_ = 0;
  full_ = false;
}

void LineLog::make_room(std::uint32_t wave) { waves_.resize(wave + std::size_t{1}); }

void LineLog::thin_out() {
  if (skipped_ >= kMostSkipped) {
    full_ = true;
    return;
  }
  skipped_ = 2 * skipped_ + 1;
  size_ = 0;
  for (auto& wave : waves_) {
    std::erase_if(
        wave, [&](const Touch& touch) { return (cycle::line_hash(touch.line) & skipped_) != 0; });
    size_ += wave.size();
  }
  if (size_ > kMost) thin_out();
}

}  // namespace rpl::emu
