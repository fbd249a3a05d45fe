// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl::att {

/// What a wave does (rocprofiler-sdk, "wave state"): empty, idle, exec, wait, stall. "Idle" of the listing is another thing.
inline constexpr std::size_t kWaveStates = 5;
inline constexpr std::size_t kIdleState = 1, kExecState = 2, kWaitState = 3, kStallState = 4;
std::string_view wave_state_name(std::size_t state);  ///< "IDLE"

/// Wave-cycles by state.
using StateCycles = std::array<std::int64_t, kWaveStates>;

/// wstates<k>.json: how many waves of the traced unit were in state k over time, a step function.
struct StateSteps {
  std::size_t state = 0;
  std::vector<std::int64_t> time;  ///< cycles; engines as recorded, not aligned
  std::vector<std::int32_t> waves;
};

/// Fails with not_found, io, corrupt.
Result<StateSteps> read_state_steps(const std::string& path, std::size_t state);

/// Integral over time: wave-cycles in this state.
std::int64_t cycles_of(const StateSteps& steps);

/// Wave-cycles by state in `bins` equal parts of the time from the first to the last step of all states.
struct StateStrip {
  std::int64_t first = 0, last = 0;
  std::vector<std::array<double, kWaveStates>> bins;
};
StateStrip state_strip(const std::vector<StateSteps>& states, std::size_t bins);
/// The same strip in fewer, wider bins.
StateStrip narrowed(const StateStrip& strip, std::size_t bins);

}  // namespace rpl::att
