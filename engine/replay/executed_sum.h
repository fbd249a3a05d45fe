// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "engine/device/execute/launch/launch.h"

namespace rpl {

/// Adds a later dispatch of the same run to `sum`: counts, modelled cycles and times, and races, which then name their own program. The class of the modelled time is
/// that of the longest dispatch (`longest_ns` keeps its time); bandwidths that are shared are averages over the time. What belongs to one program stays that of the
/// first dispatch: by_instruction, path, program, trace, record, and the launch. `object`: of the later one, kept by its races.
void add_dispatch(emu::Executed& sum, emu::Executed later,
                  const std::shared_ptr<const isa::CodeObject>& object, double& longest_ns);

}  // namespace rpl
