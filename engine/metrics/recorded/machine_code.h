// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/device/findings/finding.h"

namespace rpl::findings {

/// An instruction as a listing has it.
struct ListedInstruction {
  std::uint64_t address = 0;
  std::string text;    ///< "global_load_dword v1, v[2:3], off"
  std::string source;  ///< "file:line …"; "" where no line table says
  /// What the trace says that it held waves up, a share of their time; 0: not recorded.
  double stall = 0;
  /// And that waves were held up because of it, wherever they waited: see charge_waits().
  double caused = 0;
};

/// Charges what waits stalled to what they waited for: the counters are followed backwards from each wait, through the loop around it first; the youngest access that had to come
/// back is the one that was waited for. What a barrier holds up cannot be told from a listing and stays with it. `code` is sorted by address; `gfxip` 9 to 12.
void charge_waits(std::vector<ListedInstruction>& code, int gfxip);

/// What the instructions of one kernel show alone: scratch, pieces of one line loaded one by one, division and wide arithmetic in loops, barriers in loops, waits for all
/// loads in loops that load, and what was waited for. Nothing is priced: how often each runs was not recorded. Empty where nothing shows. Branches are understood as AMD's scalar instructions write
/// them, with an offset in words or a target address.
std::vector<Finding> find_in_code(std::span<const ListedInstruction> code);

}  // namespace rpl::findings
