// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

class Face;
class Registry;

/// Runs lines as if typed. `define` and `document` take their bodies from the same lines. Stops behind the first line that fails, that is interrupted, or that quits;
/// gives the exit status of the last line that ran.
int run_lines(Face& face, const std::vector<std::string>& lines);

/// The same, with the number (from 1) of the last line that was read: where it stopped.
struct LinesRun {
  int status = 0;
  std::size_t last_line = 0;
};
LinesRun run_numbered_lines(Face& face, const std::vector<std::string>& lines);

/// Reads from where commands come from now up to the line `end`, nested definitions included whole. `what` names the
/// definition in the error for an end that is missing.
Result<std::vector<std::string>> read_body(Face& face, const Registry& registry,
                                           std::string_view what);

}  // namespace rpl
