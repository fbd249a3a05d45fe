// SPDX-License-Identifier: MIT
// info line: which instructions a source line became. run: the debugged launch again, or the last profile.
#include <fmt/format.h>

#include <filesystem>

#include "engine/document/bound.h"
#include "shell/commands/debug/debugging.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/command/define.h"
#include "shell/core/command/line.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct LineArgs {
  std::string place;
};

struct RangeRow {
  std::optional<std::uint32_t> line = {};
  std::optional<std::string> file = {};
  std::uint64_t begin = 0, end = 0;
  std::uint32_t instructions = 0;
  std::optional<std::string> place = {};
  std::string instruction;
};

constexpr auto kRangeColumns = bound_to<RangeRow>(
    column<&RangeRow::line>("line", "its number; null where none is known").in(Unit::none),
    column<&RangeRow::file>("file", "as the code object names it").never(),
    column<&RangeRow::begin>("begin", "the first of its instructions there").as(Type::address),
    column<&RangeRow::end>("end", "behind the last one").as(Type::address),
    column<&RangeRow::instructions>("instructions", "between them").if_room(),
    column<&RangeRow::place>("place", "line, column and function of the first").whole(),
    column<&RangeRow::instruction>("instruction", "the first").if_room());

/// The place without what it was inlined at: "normalize.hip:8:12 in sum_of".
std::string innermost(const std::vector<isa::SourcePlace>& chain) {
  const std::string place = isa::place_text(chain);
  return place.substr(0, place.find(','));
}

bool same_line(const std::vector<isa::SourcePlace>& a, const std::vector<isa::SourcePlace>& b) {
  return !a.empty() && !b.empty() && a.front().line == b.front().line &&
         a.front().file == b.front().file && a.size() == b.size();
}

/// The instructions around `op` that are of its line without a gap.
RangeRow range_at(const debug::Session& session, std::uint32_t op) {
  const auto& ops = session.program().ops;
  const auto chain = session.lines().chain(ops[op].address);
  const auto belongs = [&](std::uint32_t other) {
    return ops[other].instruction != nullptr &&
           same_line(session.lines().chain(ops[other].address), chain);
  };
  std::uint32_t first = op, last = op;
  while (first > 0 && belongs(first - 1)) --first;
  while (last + 1 < ops.size() && belongs(last + 1)) ++last;
  RangeRow row{.begin = ops[first].address,
               .end = ops[last].address + ops[last].instruction->bytes,
               .instructions = last - first + 1,
               .instruction = isa::disassemble(session.program().arch, *ops[first].instruction)};
  if (!chain.empty()) row.place = innermost(chain);
  if (!chain.empty() && chain.front().line != 0) {
    row.line = chain.front().line;
    row.file = chain.front().file;
  }
  return row;
}

Result<Document> info_line(const LineArgs& args, Debugger debugger) {
  const bool of_trace = debugged(debugger.state) == nullptr && !args.place.empty() &&
                        !debugger.workspace.thread_traces.all().empty();
  if (of_trace)
    return fail(Errc::usage, "the program is not being run: no kernel is stopped",
                fmt::format("of the thread trace: att insts --line {}", args.place));
  const debug::Session& session = *TRY(needs_debugged(debugger.state));
  Document out;
  out.provenance = Provenance::modelled;
  out.next = {"list", "disassemble"};
  if (args.place.empty()) {
    out.table(kRangeColumns, std::vector{range_at(session, TRY(selected_wave(session))->pc)});
    return out;
  }
  debug::Place place = TRY(place_here(debugger, args.place));
  place.at_entry = true;
  const auto ops = TRY(session.find(place));
  std::vector<RangeRow> rows;
  for (const std::uint32_t op : ops) rows.push_back(range_at(session, op));
  out.table(kRangeColumns, rows);
  const auto found = rows.front().line;
  if (place.kind == debug::Place::Kind::line && found && *found != place.line)
    out.notes.push_back(fmt::format(
        "line {} has no code of its own; the next one that has is line {}", place.line, *found));
  return out;
}

struct RunArgs {
  bool stop = false;
  std::string arguments;           ///< for the program, on one line
  std::vector<std::string> words;  ///< the same behind `--`
};

/// What the program is given: nothing for what it had.
Result<std::vector<std::string>> arguments_of(const RunArgs& args) {
  std::vector<std::string> out;
  const Line line = TRY(split_line(args.arguments));
  if (!line.pipe.empty())
    return fail(Errc::usage, "a pipe is not an argument of a program",
                "run -- ARGS takes every word as it is");
  for (const Word& word : line.words) out.push_back(word.text);
  out.insert(out.end(), args.words.begin(), args.words.end());
  return out;
}

/// The profile with other arguments for its program, whose name alone is kept of what it was.
Result<ProfileRunArgs> with_arguments(ProfileRunArgs profile,
                                      const std::vector<std::string>& arguments) {
  std::string program = profile.command;
  std::error_code ignored;
  if (!profile.program.empty()) {
    program = profile.program.front();
  } else if (!std::filesystem::exists(program, ignored)) {
    program = TRY(split_line(profile.command)).words.at(0).text;
  }
  profile.command.clear();
  profile.program = {program};
  profile.program.insert(profile.program.end(), arguments.begin(), arguments.end());
  return profile;
}

Result<Document> run_again(const RunArgs& args, Debugger debugger, Profiler profiler) {
  Debugging& all = debugging(debugger);
  const bool debugs = static_cast<bool>(all.again);
  const std::vector<std::string> arguments = TRY(arguments_of(args));
  const bool killed = debugs && all.session == nullptr;
  const bool profiled_since = all.profile_before.lock() != debugger.workspace.last_profile;
  if ((!debugs || (killed && (!arguments.empty() || profiled_since))) &&
      debugger.workspace.last_profile != nullptr) {
    if (!arguments.empty())
      debugger.workspace.last_profile = std::make_shared<const ProfileRunArgs>(
          TRY(with_arguments(*debugger.workspace.last_profile, arguments)));
    return repeat_profile(profiler);
  }
  if (debugs && !arguments.empty()) {
    return fail(Errc::usage, "a kernel is being debugged, and a launch has its arguments already",
                "'kernel run OBJECT KERNEL … --arg …' launches it with others; kill, then run ARGS "
                "repeats the last profile with these");
  }
  if (!debugs) {
    return fail(Errc::not_found, "nothing has run that could run again",
                "'profile -- ./app', or 'break KERNEL' and 'kernel run OBJECT KERNEL …'");
  }
  // What starts it is replaced by what it starts.
  const auto again = all.again;
  return again(args.stop);
}

/// To the kernel's first line, or its first instruction: the same here, where nothing stands before.
Result<Document> run_start(Debugger debugger) {
  const auto again = debugging(debugger).again;
  if (again) return again(true);
  return fail(Errc::not_found, "nothing has run that could be started",
              "'kernel run OBJECT KERNEL --grid N --workgroup N --arg … --stop', or 'replay "
              "CAPTURE --stop'");
}

}  // namespace

void add_debug_line_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "info line",
                  .does = kReads,
                  .chapter = Class::stepping,
                  .summary = "Show which instructions a source line became.",
                  .help =
                      "Of the line where the selected wave stands, or of a place as `break` names "
                      "it: FILE:LINE, LINE, KERNEL or *0xADDRESS. One row for each function "
                      "that the line was inlined in: the instructions from `begin` up to `end` "
                      "that are of it without a gap.",
                  .columns = described(kRangeColumns),
                  .scalar = "begin",
                  .examples = {"info line"}},
          {arg("place", &LineArgs::place, "FILE:LINE, LINE, FUNCTION or *0xADDRESS")
               .takes_phrase()
               .completes(Complete::place)},
          info_line));
  add(registry,
      command(
          Command{
              .path = "start",
              .does = {Capability::read, Capability::session, Capability::run},
              .chapter = Class::stepping,
              .summary = "Start the kernel that was debugged last, and stop at its beginning.",
              .help =
                  "The same launch, also after `kill`: `run --stop`. The first launch is that of "
                  "`kernel run OBJECT KERNEL … --stop`.",
              .fields = stop_fields(),
              .scalar = "pc",
              .aliases = {"starti"},
              .examples = {"start"},
              .changes_program = true},
          run_start));
  add(registry,
      command(
          Command{.path = "run",
                  .does = {Capability::read, Capability::session, Capability::run},
                  .chapter = Class::stepping,
                  .summary = "Run the debugged kernel, or the last profile, from its beginning.",
                  .help =
                      "The kernel that is being debugged: the same launch with its buffers as "
                      "they were at first, to the first breakpoint or to its end; "
                      "also after it has ended, faulted or was given up by `kill`. Breakpoints "
                      "and watchpoints stay. "
                      "With `--stop` it stops before the first instruction. A `kernel run` that "
                      "no breakpoint stopped is run again likewise. "
                      "While none is debugged, the last `profile` is done again, into the next "
                      "folder of the session: `run ARGS` gives its program these "
                      "arguments in place of those it had, and the next `run` keeps them. "
                      "Behind `--` every word is the program's.",
                  .fields = stop_fields(),
                  .scalar = "pc",
                  .examples = {"run"},
                  .changes_program = true},
          {arg("arguments", &RunArgs::arguments, "for the profiled program; default: those it had")
               .takes_phrase(),
           rest("words", &RunArgs::words, "the same, every word as it is"),
           flag("stop", &RunArgs::stop, "stop before the first instruction")},
          run_again));
}

}  // namespace rpl
