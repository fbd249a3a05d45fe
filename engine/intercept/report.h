// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl::intercept {

/// What the tool saw in one process, as it writes it for the one who started the program.
struct Report {
  std::int64_t pid = 0;
  std::string runtime =
      {};  ///< "ROCm 5.2 (root 1/48, core 1/1016, amd_ext 1/400)"; empty when the tool was not installed
  std::string agent = {};   ///< that the chosen dispatch ran on, "gfx942"
  std::string kernel = {};  ///< mangled, of the dispatch that was chosen; empty for none
  std::string folder = {};  ///< of the complete capture; empty for none
  std::string failure =
      {};  ///< why there is no capture; empty when none was begun, or it is complete
  std::uint64_t matches = 0;       ///< dispatches that the wish names
  std::uint64_t memory_bytes = 0;  ///< of the capture
  std::uint64_t tracked_bytes =
      0;  ///< of all memory that is known: the most that a capture takes; after a capture, what was known then
  std::map<std::string, std::uint64_t> dispatches = {};  ///< by mangled name
};

std::string report_json(const Report& report);
/// Fails with corrupt.
Result<Report> parse_report(std::string_view text);

}  // namespace rpl::intercept
