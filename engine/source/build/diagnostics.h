// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// One message of a compiler: "a.hip:12:5: error: use of undeclared identifier 'q'".
struct Diagnostic {
  std::string severity;  ///< error, warning, note, "fatal error"
  std::string message;
  std::string file;
  std::int64_t line = 0, column = 0;  ///< 1-based; 0: none
};

/// The messages in what clang or hipcc wrote; source excerpts and everything else are left out.
std::vector<Diagnostic> read_diagnostics(std::string_view text);

}  // namespace rpl
