// SPDX-License-Identifier: MIT
// tutorial: the whole loop on a small program, each step typed by the reader and checked; or typed by the program, for CI.
#include "shell/commands/session/tutorial.h"

#include <fmt/format.h>

#include "engine/base/monitor.h"
#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"

namespace rpl {
namespace {

struct TutorialArgs {
  std::string action;
};

struct Place {
  std::size_t steps = 0, done = 0;
  const TutorialStep* step = nullptr;  ///< nullptr at the end
  std::string line;

  [[nodiscard]] bool ended() const { return step == nullptr; }
};

constexpr auto kPlaceFields = bound_to<Place>(
    column<&Place::steps>("steps", "how many there are"),
    column<&Place::done>("done", "how many lie behind"),
    column<&Place::ended>("ended", "whether all do"),
    column<&Place::step, &TutorialStep::id>("step", "the one that is next"),
    column<&Place::step, &TutorialStep::title>("title", "what it is about"),
    column<&Place::line>("line", "what to type").or_null(),
    column<+[](const Place& /*any*/) { return kTutorialFolder; }>("folder", "where it works"));

Document told(Context& context, const Tour& tour, std::string text) {
  const auto steps = tutorial_steps();
  Document out;
  out.put(kPlaceFields, Place{steps.size(), tour.at(), tour.ended() ? nullptr : &steps[tour.at()],
                              tour.line(context)});
  out.text = std::move(text);
  return out;
}

Status say(Face& face, const std::string& text) {
  return text.empty() ? Status() : face.write(text);
}

/// Types the line of the step where the tour is; what follows from that. Fails with what the line fails with, or with verification_failed when it did not do what
/// the step is about.
Result<std::string> type_step(Context& context, Tour& tour) {
  const TutorialStep& step = tutorial_steps()[tour.at()];
  const std::string line = tour.line(context);
  TRY(say(context.face(), fmt::format("(rpl) {}\n", line)));
  const Document result = TRY(context.face().evaluate_line(line));
  TRY(context.face().show(result));
  const Command* command = context.registry().find(step.commands.front());
  if (command == nullptr)
    return fail(Errc::internal, fmt::format("there is no command {}", step.commands.front()));
  const std::size_t before = tour.at();
  const std::string answer = TRY(tour.seen(context, *command, result.exit_code));
  if (tour.at() == before)
    return fail(Errc::verification_failed,
                fmt::format("step {} of the tutorial: {}", before + 1, step.missing),
                "tutorial back goes a step back");
  return answer;
}

/// The tour of a person, which sees what is typed.
class TourWatcher final : public LineWatcher {
 public:
  TourWatcher(Context& context, Tour joined) : tour(std::move(joined)), context_(context) {}
  void ended(const Command& command, int status) override {
    auto answer = tour.seen(context_, command, status);
    const Status said =
        say(context_.face(), answer ? *answer : fmt::format("error: {}\n", answer.error().message));
    if (!said && context_.monitor().note) context_.monitor().note(said.error().message);
  }

  Tour tour;

 private:
  Context& context_;
};

Result<Document> type_all(Context& context, Tour& tour) {
  if (!tour.ended()) TRY(say(context.face(), tour.words(context)));
  while (!tour.ended()) TRY(say(context.face(), TRY(type_step(context, tour))));
  return told(context, tour, "Every step did what it is about.\n");
}

Result<Document> run_tutorial(const TutorialArgs& args, Context& context) {
  if (args.action == "leave") {
    context.face().watch(nullptr);
    Document out;
    out.text = "The tutorial no longer looks on; `tutorial` goes on where you were.\n";
    return out;
  }
  auto watcher = std::dynamic_pointer_cast<TourWatcher>(context.face().watcher());
  if (!watcher) watcher = std::make_shared<TourWatcher>(context, TRY(Tour::join(context)));
  Tour& tour = watcher->tour;
  if (args.action == "all") return type_all(context, tour);
  context.face().watch(watcher);
  if (args.action == "do") {
    if (tour.ended()) return told(context, tour, tour.words(context));
    return told(context, tour, TRY(type_step(context, tour)));
  }
  if (args.action == "back") TRY(tour.back(context));
  if (args.action == "skip") TRY(tour.skip());
  if (args.action == "restart") TRY(tour.restart(context));
  return told(context, tour, tour.words(context));
}

}  // namespace

void add_tutorial_command(Registry& registry) {
  add(registry,
      command(
          Command{.path = "tutorial",
                  .chapter = Class::support,
                  .summary = "Learn the program by using it, step by step.",
                  .help =
                      "A tour of fourteen steps on a small program, without a GPU. Each step says "
                      "what to type and why, looks at what you type, and goes on when it is done; "
                      "everything else may be typed in between. It works in the folder "
                      "rpl-tutorial below the current one, and goes on where it was left. `do` "
                      "types the line of the step for you, `all` those of all steps that are left "
                      "(and ends with an error when one does not do what it is for), `back` goes "
                      "back one step and removes what that step made, `skip` goes on without it, "
                      "`restart` goes back to the first, `leave` ends the looking on.",
                  .fields = described(kPlaceFields),
                  .scalar = "done",
                  .examples = {"tutorial"}},
          {arg("action", &TutorialArgs::action, "nothing: shows the step that is next")
               .one_of({"do", "all", "back", "skip", "restart", "leave"})},
          run_tutorial));
}

}  // namespace rpl
