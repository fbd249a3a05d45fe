// SPDX-License-Identifier: MIT
#include "engine/device/cycle/spread_work.h"

#include <algorithm>
#include <memory>

namespace rpl::cycle {

void fill_rounds(const Parameters& p, LaunchRecord& out) {
  const auto units = static_cast<std::uint32_t>(out.by_unit.size());
  if (units == 0 || out.kept.empty()) return;
  const std::uint32_t of_unit = (out.workgroups + units - 1) / units;
  const std::uint32_t wanted =
      detailed_workgroups(of_unit, resident_workgroups(p, out.waves, out.vgprs, out.lds_bytes));
  const std::size_t kept = out.kept.size();
  for (std::size_t i = kept; i < wanted; ++i) {
    auto& copy = out.kept.emplace_back();
    for (const auto& wave : out.kept[i % kept]) copy.push_back(std::make_unique<WaveStream>(*wave));
  }
}

void level(LaunchRecord& out) {
  std::uint64_t work = 0;
  for (const LaunchRecord::Equal& some : out.by_workgroup)
    work += some.workgroups * some.instructions;
  if (work > 0 && out.workgroups > 0)
    out.by_workgroup = {{.workgroups = out.workgroups, .instructions = work / out.workgroups}};
  std::uint64_t units = 0;
  for (const std::uint64_t one : out.by_unit) units += one;
  if (!out.by_unit.empty()) std::ranges::fill(out.by_unit, units / out.by_unit.size());
  std::uint64_t steps = 0, waves = 0, executed = 0;
  const WaveStream* longest = nullptr;
  for (const auto& workgroup : out.kept) {
    for (const auto& wave : workgroup) {
      steps += wave->steps.size();
      executed += wave->executed;
      ++waves;
      if (longest == nullptr || wave->steps.size() > longest->steps.size()) longest = wave.get();
    }
  }
  if (steps == 0) return;
  const std::uint64_t mean = steps / waves;
  WaveStream copy = *longest;
  const Step last = copy.steps.back();
  copy.steps.resize(std::min<std::size_t>(copy.steps.size(), std::max<std::uint64_t>(mean, 1)));
  copy.steps.back() = last;
  copy.executed = std::max<std::uint64_t>(copy.steps.size(), executed / waves);
  for (auto& workgroup : out.kept) {
    for (auto& wave : workgroup) {
      const std::uint64_t own = wave->steps.size();
      if ((own > mean ? own - mean : mean - own) * 8 > mean) *wave = copy;
    }
  }
}

}  // namespace rpl::cycle
