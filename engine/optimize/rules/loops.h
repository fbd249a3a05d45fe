// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/source/text/declarations.h"

namespace rpl {

enum class LoopKind { for_loop, while_loop, do_loop };

/// One loop of a function body; all positions are token indices.
struct SourceLoop {
  LoopKind kind = LoopKind::for_loop;
  std::size_t keyword = 0;
  std::size_t head_begin = 0;  ///< behind the parenthesis of the head
  std::size_t head_end = 0;    ///< the closing one
  std::size_t body_begin = 0;
  std::size_t body_end = 0;
  bool innermost = true;
  std::size_t early_exit =
      0;  ///< the first `break`, `return` or `goto` that leaves this loop; 0: none
  std::vector<std::size_t> pragmas;  ///< the directives directly before the keyword
};

struct LoopsFound {
  std::vector<SourceLoop> loops;  ///< in the order of their keywords
  bool too_deep = false;          ///< statements are nested too deeply to be read
};

/// The loops of a kernel's body, those of lambdas in it included, those that macros hide not.
LoopsFound find_loops(const SourceText& source, const SourceKernel& kernel);

}  // namespace rpl
