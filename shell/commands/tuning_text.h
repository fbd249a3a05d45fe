// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/tune/run/tuning.h"
#include "engine/tune/simulate.h"
#include "shell/commands/context.h"
#include "shell/draw/canvas.h"
#include "shell/draw/convergence_text.h"

namespace rpl {

/// What the terminal offers for drawings.
Canvas canvas_for_tuning(const Context& context);

/// A tuning for people: what was found, how the search came to it, which parameters matter, what failed.
std::string tuning_text(const tune::Space& space, const tune::Cache& cache,
                        const tune::SearchOutcome& outcome, const Document& document,
                        const Canvas& canvas);

}  // namespace rpl
