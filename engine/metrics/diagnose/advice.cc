// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/headroom.h"

namespace rpl::diagnose {
namespace {

using enum Input;
constexpr auto kFrom = Rule::Test::at_least;
constexpr auto kUpTo = Rule::Test::at_most;

constexpr Advice kAdvice[] = {
    {Label::memory_bandwidth, hbm_share, kFrom, 0.6,
     "move fewer bytes: fuse with a neighbour, use a narrower type, keep a tile in LDS",
     "roofline KERNEL"},
    {Label::memory_bandwidth, l2_share, kFrom, 0.6,
     "reuse more in registers and LDS, so that less is asked of L2", "roofline KERNEL"},
    {Label::memory_bandwidth, lds_conflict_rate, kFrom, 0.2,
     "pad or swizzle the LDS layout: bank conflicts take LDS cycles", "roofline KERNEL"},
    {Label::memory_bandwidth, lds_share, kFrom, 0.6,
     "keep more in registers, so that less passes through LDS", "roofline KERNEL"},
    {Label::latency, duration_ns, kUpTo, 10000,
     "do more in a launch: fuse with its neighbours, or put them into a graph", "gaps"},
    {Label::latency, barrier_share, kFrom, 0.2,
     "wait less at barriers: smaller workgroups, or double buffers", "att waits"},
    {Label::latency, lds_conflict_rate, kFrom, 0.2,
     "pad or swizzle the LDS layout: bank conflicts lengthen waits", "att waits"},
    {Label::latency, std::nullopt, kFrom, 0,
     "issue loads earlier and more of them at once: unroll, prefetch, load wider", "att waits"},
    {Label::under_occupied, grid_fill, kUpTo, 0.5,
     "launch more workgroups: smaller ones, split the reduction, or run beside another stream",
     "occupancy KERNEL"},
    {Label::under_occupied, occupancy_limit, kUpTo, 0.25,
     "let more waves in: take the next step of the limiter table", "occupancy KERNEL"},
    {Label::under_occupied, std::nullopt, kFrom, 0,
     "see what lets no more waves in: registers, LDS, the size of the workgroup, or the grid",
     "occupancy KERNEL"},
    {Label::divergence, workgroup_lanes, kUpTo, 0.6,
     "make the workgroup a multiple of the wave size", "occupancy KERNEL"},
    {Label::divergence, std::nullopt, kFrom, 0,
     "let the lanes of a wave take the same way: sort or compact the work, use selects for short "
     "branches",
     "att lines"},
    {Label::compute, mfma_utilization, kUpTo, 0.1,
     "use the matrix units, if the work is a product of matrices", "roofline KERNEL"},
    {Label::compute, std::nullopt, kFrom, 0,
     "do less arithmetic: a narrower type, cheaper functions, hoist what repeats", "att insts"},
    {std::nullopt, gap_share, kFrom, 0.5,
     "close the gap in front of it: launch earlier, wait less on the host, use a graph", "gaps"},
    {Label::insufficient, std::nullopt, kFrom, 0, "record what is missing", "classify KERNEL"},
};

}  // namespace

std::span<const Advice> advice_table() { return kAdvice; }

std::vector<const Advice*> advise(const Diagnosis& diagnosis, const Facts& facts) {
  std::vector<const Advice*> out;
  for (const Advice& advice : kAdvice) {
    if (advice.label && *advice.label != diagnosis.label) continue;
    if (advice.input) {
      const auto value = facts.value(*advice.input);
      if (!value) continue;
      if (advice.test == kFrom ? *value < advice.threshold : *value > advice.threshold) continue;
    }
    out.push_back(&advice);
  }
  return out;
}

}  // namespace rpl::diagnose
