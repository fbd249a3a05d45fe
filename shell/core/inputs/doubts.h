// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/doubts.h"
#include "shell/core/inputs/loaded.h"

/// What makes answers about the current trace less sure, and by how much.
namespace rpl {

/// Kept with the open trace. Fails as graph_of() does.
Result<std::shared_ptr<const std::vector<Doubt>>> doubts_of(const Inputs& inputs,
                                                            const Loaded& loaded);

/// For a result that uses times of the trace: which doubts there are. nullopt where there are none.
std::optional<std::string> doubt_note(const std::vector<Doubt>& doubts);

/// What the confidence in a cause of a kernel is multiplied by: three quarters for each kind of doubt that concerns kernels.
double trust_in_kernels(const std::vector<Doubt>& doubts);

}  // namespace rpl
