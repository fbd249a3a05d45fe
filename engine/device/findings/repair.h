// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/device/findings/finding.h"

namespace rpl::findings {

/// What a cause must be worth to be told.
inline constexpr double kWorthTelling = 0.02;
/// A repair costs instructions of its own and saves others, and other mechanisms take a part of what one gives free: what it saves lies this far around the difference.
inline constexpr double kAround = 0.12;

/// Of what an ideal saves, the part that a repair does: least where something takes the place of what is left out, most where more goes with it; and how far it lies around.
struct Repair {
  double least = 1, most = 1, around = kAround;
  double usual = 0;  ///< among other causes it counts with this for `least`; 0: with `least`
};
Repair repair_of(Cause cause);
/// Of divergence: where lanes go different ways, a sorted order or selections; where they leave a loop one after the other, new pieces for those that are done, or sorted ones.
Repair repair_of_branches();
Repair repair_of_left_loops();
/// Of loads that lanes share, of which each loads a window: the LDS, which is read as often.
Repair repair_of_shared_loads();

/// What is saved when a repair takes more with it than its ideal does; shares of the time.
struct Beside {
  double most = 0;        ///< at the most; 0: no more than the ideal
  double least = 0;       ///< at the least; 0: as the ideal alone tells
  bool is_other = false;  ///< the work is divided in another way, which is known less well
  std::optional<Repair> repair = {};  ///< in place of the usual one
};

/// Of one cause, that is worth so much: what costs little cannot be uncertain by more than it costs.
Worth worth_of(const Repair& usual, double worth, const Beside& beside = {});

/// The remedy for exact divisions of floats, which are told with transcendental functions. `place`: a line or an instruction.
std::string remedy_of_divisions(std::string_view place);

}  // namespace rpl::findings
