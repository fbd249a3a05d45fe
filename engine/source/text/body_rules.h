// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/source/text/declarations.h"
#include "engine/source/text/guard.h"

namespace rpl {

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

}  // namespace rpl
