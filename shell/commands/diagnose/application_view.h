// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/device/findings/finding.h"
#include "shell/core/inputs/loaded.h"

/// What is found of the whole application in the current trace, for findings, advise and summary.
namespace rpl {

/// Nothing for a recording without times, or of counters alone. Fails as find_in_application() does.
Result<std::optional<findings::Findings>> application_findings(const Inputs& inputs,
                                                               const Loaded& loaded);

/// "launch-bound, 30 to 60 % of the span: k7f3a2c, 96 launches".
std::string application_line(const findings::Finding& found);

/// The command that says more about it; "" for none.
std::string next_for(const findings::Finding& found, const Trace& trace);

}  // namespace rpl
