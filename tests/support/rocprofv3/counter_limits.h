// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rpl::stand_in {

enum class Fit { fits, too_many, unknown };

/// Whether a GPU counts these in one pass: how many each block counts at once (the limits of gfx9 that aqlprofile states), by the names' beginnings.
/// Written again, so that the planner is not tested against itself. `which`: the counters of the block that is full, or those that are unknown.
Fit fit_of(const std::vector<std::string>& counters, std::vector<std::string>& which);

}  // namespace rpl::stand_in
