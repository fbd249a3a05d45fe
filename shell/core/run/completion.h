// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/session/inputs.h"

namespace rpl {

class Registry;
class SessionLog;
struct DebugState;

/// What words are completed from. Made of a context, so that whoever holds one may pass it.
struct Vocabulary : Inputs {
  Vocabulary(const Context& context);

  const Registry& registry;
  const DebugState& debug;
  SessionLog& log;
};

/// A line up to the cursor: whole words, unquoted, and the one that is being typed.
struct Typed {
  std::vector<std::string> words;
  std::string current;
  std::size_t start = 0;  ///< of `current` in the line, behind an opening quote
  bool after_pipe = false;
};

/// As split_line does, but for lines that are not finished: an open quote is no error. `offset` is where `text` begins in its line.
Typed split_typed(std::string_view text, std::size_t offset);

/// What may stand where the cursor is.
struct Completions {
  std::size_t start =
      0;  ///< where in the line the text begins that a candidate replaces: behind an opening quote
  std::vector<std::string> candidates;  ///< sorted, unquoted, each beginning with that text
};

/// Completes the part of `line` before `cursor`: command words level by level, options, choices, settings, kernels, trace ids,
/// files, `$variables`. Waits for the current trace when kernel names are wanted; Ctrl-C ends the wait.
Completions complete(const Vocabulary& known, std::string_view line, std::size_t cursor);

/// Files and folders (with a final slash) whose path begins with `typed`; hidden ones only when asked for.
std::vector<std::string> complete_path(std::string_view typed);

}  // namespace rpl
