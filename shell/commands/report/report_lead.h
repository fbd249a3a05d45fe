// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/commands/report/report.h"
#include "shell/core/inputs/loaded.h"

/// What a report begins with.
namespace rpl {

/// What was recorded, how long it took, what limits it: sentences. `summary` is what the command of that name gave.
Result<std::vector<std::string>> lead_of_trace(const Loaded& now, const Document& summary);
/// The same of a thread trace; `summary` is of `att summary`.
std::vector<std::string> lead_of_thread_trace(const Document& summary);
/// What changed, from the result of `compare`.
std::vector<std::string> lead_of_comparison(const Document& compared, const std::string& before);

/// What `findings` says is worth most, and behind it, where those are fewer than three, steps of `advise`. `stats` may be null: no kernel is weighed.
std::vector<ReportThing> things_to_do(const Document& findings, const Document* advice,
                                      const Loaded* now, const TraceStats* stats);
/// The waits of a thread trace that cost most; `waits` is of `att waits`.
std::vector<ReportThing> waits_to_hide(const Document& waits, const std::string& line);

}  // namespace rpl
