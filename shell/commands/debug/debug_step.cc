// SPDX-License-Identifier: MIT
// stepi, nexti, until, reverse-stepi, reverse-continue, kill; step, next, finish and continue call stepped() first.
#include "shell/commands/debug/debug_step.h"

#include "shell/core/command/define.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct CountArgs {
  std::int64_t count = 1;
};

Result<std::uint64_t> count_of(const CountArgs& args) {
  if (args.count >= 1) return static_cast<std::uint64_t>(args.count);
  return fail(Errc::usage, "the count is 1 or more");
}

Result<Document> run_stepi(Context& context, const CountArgs& args) {
  debug::Session& session = *TRY(needs_stopped(context.debug()));
  return stop_document(context, session.step_instructions(TRY(count_of(args))));
}

Result<Document> run_nexti(Context& context, const CountArgs& args) {
  debug::Session& session = *TRY(needs_stopped(context.debug()));
  return stop_document(context, session.step_instructions(TRY(count_of(args)), true));
}

Result<Document> run_reverse_stepi(Context& context, const CountArgs& args) {
  debug::Session& session = *TRY(needs_debugged(context.debug()));
  return stop_document(context, session.step_back(TRY(count_of(args))));
}

Result<Document> run_reverse_continue(Context& context) {
  debug::Session& session = *TRY(needs_debugged(context.debug()));
  return stop_document(context, session.run_back());
}

struct UntilArgs {
  std::string place;
};

Result<Document> run_until(Context& context, const UntilArgs& args) {
  debug::Session& session = *TRY(needs_stopped(context.debug()));
  if (args.place.empty()) return stop_document(context, session.until_later_line());
  const auto ops = TRY(session.find(TRY(debug::parse_place(args.place))));
  return stop_document(context, session.until(ops));
}

Result<Document> run_kill(Context& context) {
  TRY(needs_debugged(context.debug()));
  Debugging& all = debugging(context);
  if (stopped(context.debug())) context.workspace().stepping.clear();
  all.session.reset();
  return Document{};
}

Command kernel_stepping(Label path, Label summary, Label help, std::vector<Label> aliases) {
  return Command{.path = path,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .fields = stop_fields(),
                 .scalar = "pc",
                 .aliases = std::move(aliases),
                 .examples = {path},
                 .repeatable = true,
                 .changes_program = true};
}

}  // namespace

std::optional<Document> stepped(Context& context, KernelStep step) {
  debug::Session* session = stopped(context.debug());
  if (session == nullptr) return std::nullopt;
  switch (step) {
    case KernelStep::line:
      return stop_document(context, session->step_line(false));
    case KernelStep::next_line:
      return stop_document(context, session->step_line(true));
    case KernelStep::finish:
      return stop_document(context, session->finish());
    case KernelStep::go_on:
      break;
  }
  return stop_document(context, session->run());
}

void add_debug_step_commands(Registry& registry) {
  const auto count = [] { return arg("count", &CountArgs::count, "how many instructions"); };
  add(registry, command(kernel_stepping("stepi", "Step the selected wave by one instruction.",
                                        "Other waves run as far as it needs them to: to a barrier "
                                        "that it waits at, or to their end when its turn has not "
                                        "come. COUNT steps more.",
                                        {"si"}),
                        {count()}, run_stepi));
  add(registry,
      command(kernel_stepping("nexti", "Step the selected wave by one instruction, over calls.",
                              "As `stepi`, but what s_swappc_b64 calls counts as one.", {"ni"}),
              {count()}, run_nexti));
  add(registry,
      command(kernel_stepping("until", "Run the selected wave to a later line, out of a loop.",
                              "With a place, to that place, as `break` names it: the other waves "
                              "do not stop there.",
                              {"advance"}),
              {arg("place", &UntilArgs::place, "where to stop: FILE:LINE, *0xADDRESS")},
              run_until));
  add(registry,
      command(kernel_stepping("reverse-stepi",
                              "Go back to before the last instruction of the selected wave.",
                              "The launch is executed again from the last state that was kept, "
                              "which takes a fraction of a second however long it "
                              "ran. Going forward again gives the same. COUNT steps more.",
                              {"rsi"}),
              {count()}, run_reverse_stepi));
  add(registry,
      command(kernel_stepping("reverse-continue",
                              "Go back to the last breakpoint or change of what is watched.",
                              "A watchpoint stops before the change. Also after the kernel has "
                              "ended. Without a stop to go back to it ends before the "
                              "first instruction.",
                              {"rc"}),
              run_reverse_continue));
  add(registry,
      command(
          Command{
              .path = "kill",
              .chapter = Class::stepping,
              .summary = "Give up the kernel that is stopped.",
              .help = "`step` and `continue` are about the optimization again. Breakpoints stay.",
              .examples = {"kill"},
              .changes_program = true},
          run_kill));
}

}  // namespace rpl
