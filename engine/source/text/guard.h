// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// One violated rule. The names of rules are stable and listed in docs/guards.md.
struct GuardReason {
  std::string rule;      ///< "header", "directive", …
  std::string message;   ///< one sentence without a final period
  std::size_t line = 0;  ///< 1-based, in the response or the edited file; 0: of no line
};

struct GuardVerdict {
  bool accept = false;
  std::vector<GuardReason> reasons;  ///< every violated rule, by line; empty when accepted
  std::string patched;               ///< the whole source with the new body; empty when rejected
  /// What the text alone cannot tell, when accepted: "NAME: what remains to be shown (the layer that shows it)".
  std::vector<std::string> open;
};

/// Judges the answer of a language model: Markdown with exactly one fenced block that defines `kernel` of `source` again,
/// with the same header. Only the text between the braces is taken over, so that nothing else of the file can change.
/// `kernel` is read as find_kernel() does; the errors are those of find_target(): they say that the question is wrong, not the answer.
Result<GuardVerdict> check_response(std::string_view source, std::string_view kernel,
                                    std::string_view response);

/// Judges a whole edited file: outside the body of `kernel` it must equal `source` byte by byte; the body must obey the same
/// rules. Errors as above.
Result<GuardVerdict> check_edit(std::string_view source, std::string_view kernel,
                                std::string_view edited_source);

}  // namespace rpl
