// SPDX-License-Identifier: MIT
// stepi, nexti, until, advance, jump, the commands that go back, kill; step, next, finish and continue call stepped() first.
#include <fmt/format.h>

#include "shell/commands/debug/expressions.h"
#include "shell/core/command/define.h"
#include "shell/core/session/face.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using debug::Stop;

struct CountArgs {
  std::uint64_t count = 1;
};

/// The same move so often, unless something else stops it.
template <class Move>
Stop repeated(std::uint64_t count, Move move) {
  Stop stop = move();
  while (--count > 0 && stop.kind == Stop::Kind::step) stop = move();
  return stop;
}

template <bool over_calls>
Result<Document> run_stepi(const CountArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_stopped(debugger.state));
  return stop_document(debugger, session.step_instructions(args.count, over_calls));
}

Result<Document> run_reverse_stepi(const CountArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger, session.step_back(args.count));
}

template <bool over>
Result<Document> run_reverse_step(const CountArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger,
                       repeated(args.count, [&] { return session.step_line_back(over); }));
}

Result<Document> run_reverse_finish(Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger, session.finish_back());
}

Result<Document> run_reverse_continue(Debugger debugger) {
  debug::Session& session = *TRY(needs_debugged(debugger.state));
  return stop_document(debugger, session.run_back());
}

struct PlaceArgs {
  std::string place;
};

Result<Document> run_until(const PlaceArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_stopped(debugger.state));
  if (args.place.empty()) return stop_document(debugger, session.until_later_line());
  const auto ops = TRY(session.find(TRY(place_here(debugger, args.place))));
  return stop_document(debugger, session.until(ops));
}

/// The selected wave goes on elsewhere: what lies between is not executed.
Result<Document> run_jump(const PlaceArgs& args, Debugger debugger) {
  debug::Session& session = *TRY(needs_stopped(debugger.state));
  TRY(selected_wave(session));
  const auto ops = TRY(session.find(TRY(place_here(debugger, args.place))));
  if (ops.size() > 1)
    return fail(Errc::ambiguous, fmt::format("{} is at {} places", args.place, ops.size()),
                "'info line " + args.place + "' lists them; jump *0xADDRESS");
  const std::uint64_t address = session.program().ops[ops.front()].address;
  TRY(datum_of(debugger, fmt::format("$pc = 0x{:x}", address)));
  Document out = stop_document(debugger, session.run());
  out.notes.insert(out.notes.begin(), fmt::format("wave {} of workgroup {} went on at 0x{:x}",
                                                  session.selected_wave.wave,
                                                  session.selected_wave.workgroup, address));
  return out;
}

Result<Document> run_kill(Debugger debugger) {
  TRY(needs_debugged(debugger.state));
  Debugging& all = debugging(debugger);
  if (stopped(debugger.state)) debugger.workspace.stepping.clear();
  all.parameters_of = nullptr;
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

std::optional<Document> stepped(const Debugger& debugger, KernelStep step, std::int64_t count) {
  debug::Session* session = stopped(debugger.state);
  if (session == nullptr) return std::nullopt;
  const auto times = static_cast<std::uint64_t>(count);
  switch (step) {
    case KernelStep::line:
      return stop_document(debugger, repeated(times, [&] { return session->step_line(false); }));
    case KernelStep::next_line:
      return stop_document(debugger, repeated(times, [&] { return session->step_line(true); }));
    case KernelStep::finish:
      return stop_document(debugger, session->finish());
    case KernelStep::go_on:
      break;
  }
  // As GDB: the breakpoint where the kernel stands is passed so often.
  if (count > 1) {
    Debugging& all = debugging(debugger);
    for (const int number : all.stopped_at)
      static_cast<void>(all.points.set_ignore(number, times - 1).has_value());
  }
  return stop_document(debugger, session->run());
}

void add_debug_step_commands(Registry& registry) {
  const auto count = [](Label what) {
    return arg("count", &CountArgs::count, what).in(at_least(1));
  };
  constexpr const char* kInstructions = "how many instructions";
  constexpr const char* kLines = "how many lines";
  add(registry, command(kernel_stepping("stepi", "Step the selected wave by one instruction.",
                                        "Other waves run as far as it needs them to: to a barrier "
                                        "that it waits at, or to their end when its turn has not "
                                        "come. COUNT steps more.",
                                        {"si"}),
                        {count(kInstructions)}, run_stepi<false>));
  add(registry,
      command(kernel_stepping("nexti", "Step the selected wave by one instruction, over calls.",
                              "As `stepi`, but what s_swappc_b64 calls counts as one.", {"ni"}),
              {count(kInstructions)}, run_stepi<true>));
  const auto place = [] {
    return arg("place", &PlaceArgs::place, "where to stop: FILE:LINE, FUNCTION, *0xADDRESS")
        .takes_phrase()
        .completes(Complete::place);
  };
  add(registry,
      command(kernel_stepping("until", "Run the selected wave to a later line, out of a loop.",
                              "With a place, to that place, as `break` names it: the other waves "
                              "do not stop there.",
                              {}),
              {place()}, run_until));
  add(registry, command(kernel_stepping("advance", "Run the selected wave to a place.",
                                        "As `until PLACE`: the other waves do not stop there.", {}),
                        {place()}, run_until));
  Command jump = kernel_stepping(
      "jump", "Let the selected wave go on at another place.",
      "What lies between is not executed, and registers stay as they are: `set $pc = …` and "
      "`continue`. Going back to before it takes it back.",
      {});
  jump.examples = {"jump *+0x10"};
  add(registry, command(std::move(jump), {place().required()}, run_jump));
  add(registry,
      command(kernel_stepping("reverse-stepi",
                              "Go back to before the last instruction of the selected wave.",
                              "The launch is executed again from the last state that was kept, "
                              "which takes a fraction of a second however long it "
                              "ran. Going forward again gives the same. COUNT steps more.",
                              {"rsi", "reverse-nexti", "rni"}),
              {count(kInstructions)}, run_reverse_stepi));
  add(registry,
      command(kernel_stepping("reverse-step", "Go back to the beginning of the line before.",
                              "Of the selected wave, also of a function that was inlined. COUNT "
                              "lines more.",
                              {"rs"}),
              {count(kLines)}, run_reverse_step<false>));
  add(registry, command(kernel_stepping(
                            "reverse-next", "Go back to the line before, over inlined functions.",
                            "As `reverse-step`, but to a line of the same function or of one that "
                            "it was inlined in.",
                            {"rn"}),
                        {count(kLines)}, run_reverse_step<true>));
  add(registry,
      command(kernel_stepping("reverse-finish", "Go back to before the inlined function began.",
                              "The selected wave goes back to where it came into the inlined "
                              "function that it is in; in none, to its beginning.",
                              {}),
              run_reverse_finish));
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
          Command{.path = "kill",
                  .does = kReads,
                  .chapter = Class::stepping,
                  .summary = "Give up the kernel that is stopped.",
                  .help =
                      "`step` and `continue` are about the optimization again. Breakpoints stay, "
                      "and `run` starts the launch again.",
                  .examples = {"kill"},
                  .changes_program = true},
          run_kill));
}

}  // namespace rpl
