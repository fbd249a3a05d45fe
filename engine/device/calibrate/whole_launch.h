// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/att/read/thread_trace.h"
#include "engine/device/cycle/parameters.h"

/// What a recorded thread trace says of its launch as a whole. Traces have no addresses, but waves of all compute units: how many there were, and on how
/// many units, says where most loads must come from and how many share it.
namespace rpl::calibrate {

struct WholeLaunch {
  double bytes =
      0;  ///< that the waves of the device ask for, as if no two asked for the same: the most that the launch can touch
  double busy_share = 1;  ///< of the compute units that get waves
};

/// `bytes`: what the `waves` traced waves asked for. The shader engines that were not traced are taken to do as the traced ones. Nothing when the recording
/// does not say how many engines or waves there are.
std::optional<WholeLaunch> whole_launch_of(const att::ThreadTrace& trace, std::uint64_t bytes,
                                           std::uint64_t waves);

/// Where loads are taken to come from.
enum class LoadSource : std::uint8_t { l2, mall, memory };
std::string_view to_string(LoadSource source);  ///< "L2", "Infinity Cache", "memory"

/// The innermost level that holds what the launch touches; the L2 where that is not known, or the GPU has no cycle.assumed.mall.
LoadSource load_source(const std::optional<WholeLaunch>& launch, const cycle::Parameters& p);

/// The parameters with the latency and the share of the bandwidth that loads and stores without addresses have at that level: latency as in the
/// files; the busy compute units share the bandwidth evenly.
cycle::Parameters with_load_source(cycle::Parameters p, const std::optional<WholeLaunch>& launch);

}  // namespace rpl::calibrate
