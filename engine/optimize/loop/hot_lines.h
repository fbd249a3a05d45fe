// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/optimize/model/prompt.h"

namespace rpl {

/// The hottest lines of a kernel's source by a thread trace or PC samples, for a prompt: the most expensive first, each with its share and with what stalled its waves, under one
/// fact that says what was traced. `source` is the text as it is now, of a file named `file`: a line of the trace whose text does not stand there any more, or in more than one place
/// and not on the same line, is left out, as are those of other files. A trace without a copy of the source gives nothing.
std::vector<llm::PromptFact> hot_lines(const att::ThreadTrace& trace, std::string_view source,
                                       std::string_view file, std::size_t most = 5);

}  // namespace rpl
