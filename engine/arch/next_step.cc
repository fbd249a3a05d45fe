// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "engine/arch/occupancy.h"

namespace rpl::arch {
namespace {

std::string gain_text(const Occupancy& now, std::uint32_t waves) {
  // Four waves on four SIMDs are said as one a SIMD, because that is how registers are shared out.
  if (waves % now.simds == 0 && now.waves % now.simds == 0) {
    return fmt::format("gives {} waves per SIMD instead of {}", waves / now.simds,
                       now.waves / now.simds);
  }
  return fmt::format("gives {} waves per {} instead of {}", waves,
                     now.compute_units == 2 ? "WGP" : "CU", now.waves);
}

Step step(const Occupancy& now, std::string change, std::string_view condition,
          std::uint32_t waves) {
  Step out;
  out.text = fmt::format("{} {}{}", change, gain_text(now, waves), condition);
  out.change = std::move(change);
  out.waves = waves;
  out.occupancy = static_cast<double>(waves) / now.wave_slots;
  return out;
}

/// The most that a kernel may ask of one resource so that `workgroups` fit; nullopt when no amount helps.
std::optional<std::uint32_t> most_for(const WaveLimits& limits, const Limit& limit,
                                      std::uint32_t workgroups, std::uint32_t waves) {
  const std::uint32_t per_simd = (workgroups * waves + limits.simds - 1) / limits.simds;
  if (workgroups * waves > limits.slots() || per_simd > limits.waves_per_simd) return std::nullopt;
  std::uint32_t share = 0, granule = 1;
  switch (limit.what) {
    case Limiter::vgprs:
      share = limits.vgprs / per_simd;
      granule = limits.vgpr_granule;
      break;
    case Limiter::sgprs:
      share = limits.sgprs / per_simd;
      granule = limits.sgpr_granule;
      break;
    case Limiter::lds:
      share = limits.lds / workgroups;
      granule = limits.lds_granule;
      break;
    case Limiter::wave_slots:
    case Limiter::barriers:
      return std::nullopt;
  }
  share = share / granule * granule;
  return share == 0 ? std::nullopt : std::optional(share);
}

std::string change_text(const Limit& limit, std::uint32_t most) {
  switch (limit.what) {
    case Limiter::vgprs:
      return fmt::format("VGPR {} -> {}", limit.asked, most);
    case Limiter::sgprs:
      return fmt::format("SGPR {} -> {}", limit.asked, most);
    default:
      return fmt::format("LDS {} -> {}", limit.asked, most);
  }
}

/// Less of whatever stands in the way of one more workgroup.
std::optional<Step> less_of_resources(const WaveLimits& limits, const Occupancy& now) {
  const std::uint32_t target = now.workgroups + 1;
  std::string changes;
  for (const Limit& limit : now.limits) {
    if (limit.workgroups >= target) continue;
    const auto most = most_for(limits, limit, target, now.waves_per_workgroup);
    if (!most) return std::nullopt;
    changes += fmt::format("{}{}", changes.empty() ? "" : " and ", change_text(limit, *most));
  }
  if (changes.empty()) return std::nullopt;
  const std::uint32_t waves = target * now.waves_per_workgroup;
  return step(now, std::move(changes), "", waves);
}

/// Another size of workgroup, everything else as it is: small ones fill the gaps that large ones leave, large ones need fewer barriers.
std::optional<Step> other_workgroup(const WaveLimits& limits, const KernelResources& kernel,
                                    const Occupancy& now, std::uint32_t vgprs) {
  std::optional<Step> best;
  for (std::uint32_t size = limits.wave_size; size <= limits.max_workgroup; size *= 2) {
    const std::uint32_t waves_in_one = size / limits.wave_size;
    const auto other = limits_of(limits, kernel, waves_in_one, vgprs);
    const std::uint32_t workgroups = std::ranges::min(other, {}, &Limit::workgroups).workgroups;
    const std::uint32_t waves = workgroups * waves_in_one;
    // Of equals, the one that changes least: larger candidates come later, so keep those below the present size.
    const bool better =
        !best || waves > best->waves || (waves == best->waves && size < kernel.workgroup_size);
    if (waves <= now.waves || !better) continue;
    best = step(now, fmt::format("workgroup {} -> {}", kernel.workgroup_size, size),
                kernel.lds_bytes == 0 ? "" : " if its LDS does not grow", waves);
  }
  return best;
}

}  // namespace

std::vector<Step> next_steps(const WaveLimits& limits, const KernelResources& kernel,
                             const Occupancy& now, std::uint32_t vgprs) {
  std::vector<Step> out;
  if (auto step = less_of_resources(limits, now)) out.push_back(std::move(*step));
  if (auto step = other_workgroup(limits, kernel, now, vgprs)) out.push_back(std::move(*step));
  return out;
}

}  // namespace rpl::arch
