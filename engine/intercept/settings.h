// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/base/result.h"
#include "engine/capture/wish.h"
#include "engine/intercept/freeze.h"

namespace rpl::intercept {

/// What the tool is told through the environment of the process that it is loaded into. `capture run --target local` sets these:
///
///     RPL_CAPTURE_KERNEL      which kernels; nothing: none
///     RPL_CAPTURE_DISPATCH    which of their dispatches, from 1
///     RPL_CAPTURE_GRID        only dispatches of this grid, in work-items: "1024,1,1"; "1024" is the same
///     RPL_CAPTURE_LONGER_US   only dispatches of a kernel and grid whose last run took at least this long
///     RPL_CAPTURE_FOLDER      the capture's folder
///     RPL_CAPTURE_SCOPE       "reachable" or "all"
///     RPL_CAPTURE_LIMIT       most bytes of memory; 0: no limit
///     RPL_CAPTURE_DRAIN_MS, RPL_CAPTURE_DISPATCH_MS   how long the waits may last
///     RPL_CAPTURE_REPORTS     a folder: each process writes PID.json there
///     RPL_CAPTURE_CONTROL     a folder for a socket of each process, through which rpl can ask and tell while the program runs
struct Settings {
  CaptureWish wish;
  Patience patience;
  std::string reports, control;

  /// Whether the tool has anything to do.
  [[nodiscard]] bool wanted() const { return !wish.kernel.empty() || !control.empty(); }
};

/// `variable` returns null for what is not set. Fails with usage, naming the variable.
Result<Settings> settings_from(const std::function<const char*(const char*)>& variable);

}  // namespace rpl::intercept
