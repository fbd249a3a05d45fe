// SPDX-License-Identifier: MIT
#pragma once

#include "engine/replay/hsa/hsa_calls.h"
#include "engine/replay/hsa/page_ranges.h"
#include "engine/replay/series.h"

/// A captured dispatch on a GPU, in this process.
namespace rpl {

/// Why memory could not be placed; empty when it could.
struct Placement {
  std::vector<PageRange> ranges;         ///< all that the capture needs
  std::vector<PlaceConflict> conflicts;  ///< those that cannot be had

  [[nodiscard]] bool exact() const { return conflicts.empty(); }
};

/// What takes one dispatch alone, for require_one_dispatch().
inline constexpr std::string_view kReplayOnGpu = "a replay on a GPU";

/// Runs a plan through the runtime's functions. `steering` holds the ranges of page_ranges() with kHostPage since before the runtime was
/// loaded. Order: the runtime, all addresses, memory, code, arguments, queue; everything is given back in the end, also after an error.
/// Fails with denied when memory cannot lie where it lay; `placement` then says why. Fails otherwise as HsaCalls, find_device() and
/// HsaQueue::run() do, and as require_one_dispatch().
Result<ReplaySeries> replay_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering,
                                   Placement& placement, HsaCalls::Stage stage = {});

/// Takes the addresses and gives them back: fills `placement`, fails for anything but conflicts.
Status reserve_on_hsa(const hsa::Api& api, const ReplayPlan& plan, Steering& steering,
                      Placement& placement, HsaCalls::Stage stage = {});

/// "argument 1 (4096 bytes at 0x7f0000000000): 0x7f0000000000-0x7f0000001000 libc.so.6".
std::string conflict_text(const Capture& capture, const std::vector<PageRange>& ranges,
                          const PlaceConflict& conflict);

}  // namespace rpl
