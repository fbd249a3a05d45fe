// SPDX-License-Identifier: MIT
// tutorial: the whole loop on a small program, each step typed by the reader and checked; or typed by the program, for CI.
#include "shell/commands/session/tutorial.h"
#include "engine/base/encode.h"

#include <fmt/format.h>

#include "engine/base/monitor.h"
#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
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

Document told(const Tour& tour, std::string text) {
  const auto steps = tutorial_steps();
  Document out;
  out.put(kPlaceFields,
          Place{steps.size(), tour.at(), tour.ended() ? nullptr : &steps[tour.at()], tour.line()});
  out.text = std::move(text);
  return out;
}

Status say(Face& face, const std::string& text) {
  return text.empty() ? Status() : face.write(terminal_text(text));
}

/// Types the line of the step where the tour is; what follows from that. Fails with what the line fails with, or with verification_failed when it did not do what
/// the step is about.
Result<std::string> type_step(Tour& tour, Face& face, const Registry& registry) {
  const TutorialStep& step = tutorial_steps()[tour.at()];
  const std::string line = tour.line();
  TRY(say(face, fmt::format("(rpl) {}\n", line)));
  const Document result = TRY(face.evaluate_line(line));
  TRY(face.show(result));
  const Command* command = registry.find(step.commands.front());
  if (command == nullptr)
    return fail(Errc::internal, fmt::format("there is no command {}", step.commands.front()));
  const std::size_t before = tour.at();
  const std::string answer = TRY(tour.seen(*command, result.exit_code));
  if (tour.at() == before)
    return fail(Errc::verification_failed,
                fmt::format("step {} of the tutorial: {}", before + 1, step.missing),
                "tutorial back goes a step back");
  return answer;
}

/// The tour of a person, which sees what is typed.
class TourWatcher final : public LineWatcher {
 public:
  TourWatcher(Tour joined, Face& face, const Monitor& monitor)
      : tour(std::move(joined)), face_(face), monitor_(monitor) {}
  void ended(const Command& command, int status) override {
    auto answer = tour.seen(command, status);
    const Status said =
        say(face_, answer ? *answer : fmt::format("error: {}\n", answer.error().message));
    if (!said && monitor_.note) monitor_.note(said.error().message);
  }

  Tour tour;

 private:
  Face& face_;
  const Monitor& monitor_;
};

Result<Document> type_all(Tour& tour, Face& face, const Registry& registry) {
  if (!tour.ended()) TRY(say(face, tour.words()));
  while (!tour.ended()) TRY(say(face, TRY(type_step(tour, face, registry))));
  return told(tour, "Every step did what it is about.\n");
}

Result<Document> run_tutorial(const TutorialArgs& args, Inputs inputs, SessionLog& log, Face& face,
                              Registry& registry) {
  if (args.action == "leave") {
    face.watch(nullptr);
    Document out;
    out.text = "The tutorial no longer looks on; `tutorial` goes on where you were.\n";
    return out;
  }
  auto watcher = std::dynamic_pointer_cast<TourWatcher>(face.watcher());
  if (!watcher)
    watcher =
        std::make_shared<TourWatcher>(TRY(Tour::join(inputs, log, face)), face, inputs.monitor);
  Tour& tour = watcher->tour;
  if (args.action == "all") return type_all(tour, face, registry);
  face.watch(watcher);
  if (args.action == "do") {
    if (tour.ended()) return told(tour, tour.words());
    return told(tour, TRY(type_step(tour, face, registry)));
  }
  if (args.action == "back") TRY(tour.back());
  if (args.action == "skip") TRY(tour.skip());
  if (args.action == "restart") TRY(tour.restart());
  return told(tour, tour.words());
}

}  // namespace

void add_tutorial_command(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "tutorial",
              .does = {Capability::read, Capability::session, Capability::write, Capability::run},
              .chapter = Class::support,
              .summary = "Learn the program by using it, step by step.",
              .help = "A tour of fourteen steps on a small program, without a GPU. Each step says "
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
