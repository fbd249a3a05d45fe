// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/graph/steps.h"
#include "shell/core/inputs/loaded.h"

/// The steps of a loop in a recording, for steps and summary.
namespace rpl {

/// The steps of the current trace. Fails as find_steps() does.
Result<LoopSteps> steps_of(const Inputs& inputs, const Loaded& loaded);

/// Of the steps after the loop has warmed up: the share of their time in which nothing ran; nullopt without steps.
std::optional<double> idle_share(const LoopSteps& steps);

/// What repeats and how evenly, where the device idles within the steps and outside of them: some lines of `width` columns; "" where nothing repeats and
/// nothing idles.
std::string steps_text(const Graph& graph, const LoopSteps& steps, std::size_t width);

}  // namespace rpl
