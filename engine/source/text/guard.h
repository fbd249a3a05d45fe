// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/source/text/declarations.h"

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

/// A fenced code block of a Markdown text (CommonMark 0.31, section 4.5).
struct FencedBlock {
  std::string info;  ///< the info string without blanks around it
  std::string
      text;  ///< its lines, each ended by "\n"; the indentation of the opening fence is taken off
  std::size_t line = 1;  ///< of the opening fence; the text begins on the next one
  bool closed = true;    ///< false: the text ended inside the block

  /// Whether the first word of `info` names C++ or HIP, or there is none: cpp, c++17, CXX, cc, c, h, hpp, hip, cuda, cu.
  [[nodiscard]] bool is_cpp() const;
};

/// The blocks in their order. A fence is three or more backticks or tildes at the begin of a line, indented by at most three
/// blanks; only one of the same character and at least the same length closes it.
std::vector<FencedBlock> fenced_blocks(std::string_view markdown);

/// A body with the text it stands in.
struct BodyInText {
  const SourceText& text;
  const SourceKernel& kernel;
};

/// What a body may not hold unless the original held it: see docs/guards.md. `declared` are the declarations of the original
/// file; `before_line` is added to the lines of `candidate`. In the order of the rules.
std::vector<GuardReason> check_body_rules(const BodyInText& original,
                                          const SourceDeclarations& declared,
                                          const BodyInText& candidate, std::size_t before_line);

/// Why a directive may not stand beside a kernel or in its body; "" when it may: `#pragma unroll`, `nounroll`, `clang loop`.
std::string refused_directive(const SourceToken& token);

/// Types of less precision than float that `candidate` names and `original` does not.
std::vector<std::string> narrower_types(const BodyInText& original, const BodyInText& candidate);

struct HiddenText {
  std::size_t offset = 0;
  std::string_view what;  ///< one sentence; "" when there is none
};

/// The first thing in `text` that looks different from what it is: marks that change the direction of text (Unicode TR 9:
/// U+202A to U+202E, U+2066 to U+2069), a trigraph, a carriage return without line feed.
HiddenText find_hidden_text(std::string_view text);

/// The tokens of a body that declare one of `names` again: a variable, a lambda, a type, a parameter. Judged by the words
/// around them: `auto helper = …`, `float helper;`, `struct helper {`, never `x * helper(y)`.
std::vector<std::size_t> declarations_of(const BodyInText& body,
                                         const std::set<std::string_view>& names);

/// The names among `names` that the body declares.
std::set<std::string_view> declared_names(const BodyInText& body,
                                          const std::set<std::string_view>& names);

}  // namespace rpl
