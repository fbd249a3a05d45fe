// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "shell/core/command/command.h"
#include "shell/core/session/inputs.h"

namespace rpl {

class Face;
class SessionLog;
class Workspace;

/// Where the tutorial works: a folder of its own below the current one, with a program, what is made of it, and how far the reader is.
inline constexpr std::string_view kTutorialFolder = "rpl-tutorial";

/// The program that the tutorial makes faster: examples/tutorial/norms.hip, which is in this program so that it needs no file beside itself.
std::string_view tutorial_program();

/// One thing that the reader types.
struct TutorialStep {
  std::string_view id;  ///< kept as the progress
  std::string_view title;
  std::string_view text;  ///< why, in lines of at most 78 columns
  std::string_view
      line;  ///< what to type; {best}, {before} and {after} stand for what earlier steps gave
  std::array<std::string_view, 3>
      commands;  ///< paths of the commands that do it; "" where there are fewer
  bool (*there)(SessionLog& log) =
      nullptr;  ///< whether what it is about exists now; null: that the command ended well says it
  std::string_view missing = {};  ///< what to say while it does not
  std::string_view product =
      {};  ///< file or folder below kTutorialFolder that going back removes; "" for none
  bool is_approval = false;  ///< going back takes a written proposal back
};

std::span<const TutorialStep> tutorial_steps();
/// What is said behind the last one.
std::string_view tutorial_end();

/// `text` with {best}, {before} and {after} replaced. What is not there yet stays as it is.
std::string with_outcomes(SessionLog& log, const Workspace& workspace, std::string_view text);

/// A reader on the way through the steps. Lives in the face while the tutorial looks on.
class Tour {
 public:
  /// Begins, or goes on where the folder says that the reader was. Makes the folder and the program; opens what earlier steps recorded. Fails with
  /// denied when the folder is somebody else's or the session works on something else.
  static Result<Tour> join(const Inputs& inputs, SessionLog& log, Face& face);

  /// Looks at a line that ended, and says what follows from it: "" for a line that has nothing to do with the step.
  Result<std::string> seen(const Command& command, int status);
  /// The step that is next: title, text, and what to type.
  [[nodiscard]] std::string words() const;
  /// What to type, with names filled in; "" at the end.
  [[nodiscard]] std::string line() const;
  [[nodiscard]] bool ended() const { return at_ >= tutorial_steps().size(); }
  [[nodiscard]] std::size_t at() const { return at_; }  ///< from 0
  /// One step back, or to the first: what the steps made is removed, so that it can be made again. Approved changes are reverted.
  Status back();
  Status restart();
  Status skip();

 private:
  Tour(const Inputs& inputs, SessionLog& log, Face& face, std::size_t at)
      : inputs_(inputs), log_(log), face_(face), at_(at) {}
  [[nodiscard]] std::string filled_in(std::string_view text) const;
  /// Opens what a shell that was left had open.
  Status open_recordings_again();
  Status take_back(const TutorialStep& step);
  Status keep() const;

  Inputs inputs_;
  SessionLog& log_;
  Face& face_;
  std::size_t at_ = 0;
};

}  // namespace rpl
