// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/timing_check.h"

#include <algorithm>

#include "engine/arch/catalogue.h"

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
  const arch::Catalogue& catalogue = arch::Catalogue::builtin();
  const std::string name(isa::to_string(arch));
  arch::Gpu gpu;
  catalogue.apply({name, std::string(catalogue.usual_product(name))}, arch::Origin::file, gpu);
  const auto bytes = [&](std::string_view key) {
    return static_cast<std::uint64_t>(gpu.number(key).value_or(0));
  };
  return 2 * std::max({bytes("mall_bytes"), bytes("l2_bytes"), told_bytes});
}

}  // namespace rpl
