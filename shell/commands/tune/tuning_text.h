// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/document/document.h"
#include "engine/tune/run/tuning.h"
#include "engine/tune/search/simulate.h"
#include "shell/core/terminal/canvas.h"
#include "shell/render/pictures/convergence_text.h"

namespace rpl {

class Context;

/// What the terminal offers for drawings.
Canvas canvas_for_tuning(const Context& context);

/// A tuning for people: what was found, how the search came to it, which parameters matter, what failed.
std::string tuning_text(const tune::Space& space, const tune::Cache& cache,
                        const tune::SearchOutcome& outcome, const Document& document,
                        const Canvas& canvas);

}  // namespace rpl
