// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/att/read/thread_trace.h"
#include "engine/att/read/wave_facts.h"

namespace rpl::att {

/// Gives the rows of a listing that was read from the CSV file their line numbers, by which wave files name instructions. `by_line` is what the wave
/// files add up to. A function takes consecutive numbers; where they begin follows from its costs, which must be equal in every row. Returns
/// "" when all functions that ran were found and no cost is left over, else why not; then `code` is as it was.
std::string number_rows(CodeTable& code, const std::vector<Cost>& by_line);

/// Reads all wave files and does the same for a whole trace.
std::string join_waves_to_csv(ThreadTrace& trace);

}  // namespace rpl::att
