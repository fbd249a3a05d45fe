// SPDX-License-Identifier: MIT
// stepi, nexti, until, reverse-stepi, reverse-continue, kill; step, next, finish and continue call stepped() first.
#include "shell/commands/debug/debugging.h"

#include "shell/core/command/define.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct CountArgs {
  std::uint64_t count = 1;
};

template <bool over_calls>
Result<Document> run_stepi(const CountArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_stopped(debugger.state));
  return stop_document(debugger, session.step_instructions(args.count, over_calls));
}

Result<Document> run_reverse_stepi(const CountArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger, session.step_back(args.count));
}

Result<Document> run_reverse_continue(Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger, session.run_back());
}

struct UntilArgs {
  std::string place;
};

Result<Document> run_until(const UntilArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_stopped(debugger.state));
  if (args.place.empty()) return stop_document(debugger, session.until_later_line());
  const auto ops = TRY(session.find(TRY(debug::parse_place(args.place))));
  return stop_document(debugger, session.until(ops));
}

Result<Document> run_kill(Debugger debugger) {
  TRY(needs_debugged(debugger.state));
  Debugging& all = debugging(debugger);
  if (stopped(debugger.state)) debugger.workspace.stepping.clear();
  all.session.reset();
  return Document{};
}

Command kernel_stepping(Label path, Label summary, Label help, std::vector<Label> aliases) {
  return Command{.path = path,
                 .does = kReads,
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

std::optional<Document> stepped(const Debugger& debugger, KernelStep step) {
  debug::Session* session = stopped(debugger.state);
  if (session == nullptr) return std::nullopt;
  switch (step) {
    case KernelStep::line:
      return stop_document(debugger, session->step_line(false));
    case KernelStep::next_line:
      return stop_document(debugger, session->step_line(true));
    case KernelStep::finish:
      return stop_document(debugger, session->finish());
    case KernelStep::go_on:
      break;
  }
  return stop_document(debugger, session->run());
}

void add_debug_step_commands(Registry& registry) {
  const auto count = [] {
    return arg("count", &CountArgs::count, "how many instructions").in(at_least(1));
  };
  add(registry, command(kernel_stepping("stepi", "Step the selected wave by one instruction.",
                                        "Other waves run as far as it needs them to: to a barrier "
                                        "that it waits at, or to their end when its turn has not "
                                        "come. COUNT steps more.",
                                        {"si"}),
                        {count()}, run_stepi<false>));
  add(registry,
      command(kernel_stepping("nexti", "Step the selected wave by one instruction, over calls.",
                              "As `stepi`, but what s_swappc_b64 calls counts as one.", {"ni"}),
              {count()}, run_stepi<true>));
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
              .does = kReads,
              .chapter = Class::stepping,
              .summary = "Give up the kernel that is stopped.",
              .help = "`step` and `continue` are about the optimization again. Breakpoints stay.",
              .examples = {"kill"},
              .changes_program = true},
          run_kill));
}

}  // namespace rpl
