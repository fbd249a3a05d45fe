// SPDX-License-Identifier: MIT
// Where the reader of the tutorial is, and what a line that was typed means for that.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "shell/commands/session/tutorial.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnded = "end";

std::string in_folder(std::string_view name) { return (fs::path(kTutorialFolder) / name).string(); }

/// The index of the step that was next when it was kept; nullopt for a name that is none.
std::optional<std::size_t> step_of(std::string_view id) {
  const auto steps = tutorial_steps();
  if (id == kEnded) return steps.size();
  const auto found = std::ranges::find(steps, id, &TutorialStep::id);
  if (found == steps.end()) return std::nullopt;
  return static_cast<std::size_t>(found - steps.begin());
}

/// A folder of this name that the tutorial did not make stays as it is.
Result<std::size_t> kept_progress() {
  std::error_code ignored;
  if (!fs::exists(kTutorialFolder, ignored)) return std::size_t{0};
  const auto text = read_text_file(in_folder("progress"));
  const auto at = text ? step_of(text->substr(0, text->find('\n'))) : std::nullopt;
  if (at) return *at;
  return fail(Errc::denied,
              fmt::format("the folder {} exists and is not this tutorial's", kTutorialFolder),
              "begin in another folder: !mkdir tour, and rpl there");
}

/// The loop works on one kernel at a time: somebody's work must not give way to a lesson.
Status free_session(SessionLog& log) {
  const auto store = TRY(kept_proposals(log));
  if (!store) return {};
  const auto current = store->current();
  if (!current) return {};
  const std::string ours = fs::absolute(kTutorialFolder).lexically_normal().string();
  if (current->source.starts_with(ours + "/")) return {};
  return fail(Errc::denied, fmt::format("the session of this folder works on {}", current->source),
              "begin the tutorial in another folder: !mkdir tour, and rpl there");
}

Status remove_product(const TutorialStep& step) {
  if (step.product.empty()) return {};
  std::error_code failed;
  fs::remove_all(in_folder(step.product), failed);
  if (failed)
    return fail(Errc::io,
                fmt::format("cannot remove {}: {}", in_folder(step.product), failed.message()));
  return {};
}

}  // namespace

Result<Tour> Tour::join(const Inputs& inputs, SessionLog& log, Face& face) {
  TRY(free_session(log));
  Tour tour(inputs, log, face, TRY(kept_progress()));
  std::error_code ignored;
  TRY(make_folder(std::string(kTutorialFolder)));
  if (const std::string source = in_folder("norms.hip"); !fs::exists(source, ignored))
    TRY(write_file(source, tutorial_program()));
  TRY(tour.keep());
  TRY(tour.open_recordings_again());
  return tour;
}

std::string Tour::filled_in(std::string_view text) const {
  return with_outcomes(log_, inputs_.workspace, text);
}

Status Tour::open_recordings_again() {
  for (const std::string_view name : {"{before}", "{after}"}) {
    const std::string database = filled_in(name);
    if (database.ends_with(".db")) TRY(open_in_passing(inputs_, database));
  }
  return {};
}

Status Tour::take_back(const TutorialStep& step) {
  if (step.is_approval && step.there(log_)) TRY(face_.evaluate_line(filled_in("revert {best}")));
  return remove_product(step);
}

Status Tour::keep() const {
  const std::string_view id = ended() ? kEnded : tutorial_steps()[at_].id;
  return write_file(in_folder("progress"), fmt::format("{}\n", id));
}

std::string Tour::line() const {
  return ended() ? std::string() : filled_in(tutorial_steps()[at_].line);
}

std::string Tour::words() const {
  if (ended()) return std::string(tutorial_end());
  const TutorialStep& step = tutorial_steps()[at_];
  return fmt::format("[{} of {}] {}\n{}\n\n  {}\n", at_ + 1, tutorial_steps().size(), step.title,
                     step.text, line());
}

Result<std::string> Tour::seen(const Command& command, int status) {
  if (ended()) return std::string();
  const TutorialStep& step = tutorial_steps()[at_];
  if (std::ranges::find(step.commands, std::string_view(command.path)) == step.commands.end())
    return std::string();
  if (status != 0)
    return fmt::format("Not yet: that did not end well. `tutorial` shows the step again.\n");
  if (step.there != nullptr && !step.there(log_))
    return fmt::format("Not yet: {}. `tutorial` shows the step again.\n", step.missing);
  ++at_;
  TRY(keep());
  return "\n" + words();
}

Status Tour::skip() {
  if (ended()) return fail(Errc::not_found, "the tutorial is at its end", "tutorial restart");
  ++at_;
  return keep();
}

Status Tour::back() {
  if (at_ == 0) return fail(Errc::not_found, "this is the first step", "tutorial shows it");
  TRY(take_back(tutorial_steps()[at_ - 1]));
  --at_;
  return keep();
}

Status Tour::restart() {
  while (at_ > 0) TRY(back());
  return write_file(in_folder("norms.hip"), tutorial_program());
}

}  // namespace rpl
