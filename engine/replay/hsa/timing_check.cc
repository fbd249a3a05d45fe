// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/timing_check.h"

#include <algorithm>

namespace rpl {
namespace {

/// Of the host's time, which holds the device's and the way there and back.
constexpr double kMoreThanPossible = 1.05;
/// Of a dispatch longer than this the way there and back is a small part, also on a busy machine.
constexpr double kLongNs = 1e8;
constexpr double kTooLittle = 0.5;

}  // namespace

void TimingCheck::add(const HsaSample& sample, ReplaySeries& series) {
  series.device->host_ns.push_back(sample.host_ns);
  if (sample.device_ns) {
    series.raw_ns.push_back(*sample.device_ns);
  } else {
    ++without_time_;
  }
}

void TimingCheck::finish(ReplaySeries& series) const {
  const auto& host = series.device->host_ns;
  if (without_time_ > 0) {
    series.notes.push_back(
        fmt::format("{} of {} iterations have no time: their end is not after their beginning",
                    without_time_, host.size()));
    return;
  }
  std::size_t above = 0, below = 0;
  for (std::size_t i = 0; i < host.size(); ++i) {
    above += series.raw_ns[i] > host[i] * kMoreThanPossible ? 1 : 0;
    below += host[i] > kLongNs && series.raw_ns[i] < host[i] * kTooLittle ? 1 : 0;
  }
  const auto warn = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    series.notes.push_back(
        fmt::format("{} of {} device times are {} by the host's clock: the frequency of time "
                    "stamps ({:.0f} Hz) or the stamps may be wrong",
                    count, host.size(), what, series.device->ticks_per_s));
  };
  warn(above, "longer than possible");
  warn(below, "less than half of what passed");
}

std::uint64_t bytes_to_flush(isa::Arch arch, std::uint64_t told_bytes) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  const std::uint64_t known = arch == isa::Arch::gfx942 ? 256 * kMiB : 8 * kMiB;
  return 2 * std::max(known, told_bytes);
}

}  // namespace rpl
