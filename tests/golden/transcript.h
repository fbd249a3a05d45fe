// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl::golden {

/// Whose command a line of a transcript is.
enum class Speaker {
  command_line,  ///< `$ ARGS`: `rpl ARGS`, as a POSIX shell reads it
  prompt,        ///< `(rpl) COMMAND`: neighbouring ones run in one session
  host,          ///< `! COMMAND`: a shell command, to look at files
};

/// What a command printed and how it ended.
struct Answer {
  std::string out;
  std::string err;
  int status = 0;
};

struct Step {
  std::vector<std::string> comments;  ///< the `#` lines before it, as they stand
  Speaker speaker = Speaker::command_line;
  std::string command;
  Answer answer;
};

/// `# needs NAME: PROGRAM` (a path, or a name among the programs under test; one of those is the value of NAME in the environment where NAME
/// begins with RPL_), `# fixture NAME: ARGS` (rpl-generate), `# shared NAME: PATH` (real data), `# example NAME: PATH`,
/// `# kept NAME: PATH` (a copy of what lies in tests/fixtures), `# file NAME:` with `#| ` lines.
struct Fixture {
  enum class Kind { generated, shared, example, kept, text, program };
  Kind kind = Kind::generated;
  std::string name;
  std::string
      recipe;  ///< arguments, path below the shared data or the examples, or the text itself
};

struct Transcript {
  std::vector<Step> steps;
  std::vector<std::string> trailing_comments;
};

/// Never fails: any text is a transcript, though perhaps not the one that was meant.
Transcript parse(std::string_view text);

/// The one spelling of a transcript; parse(render(t)) is t.
std::string render(const Transcript& transcript);

/// The fixtures that the comments ask for. Fails with usage on a malformed request.
Result<std::vector<Fixture>> fixtures(const Transcript& transcript);

}  // namespace rpl::golden
