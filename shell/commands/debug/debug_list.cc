// SPDX-License-Identifier: MIT
// list: source of the kernel that is stopped, or of the last run on the emulated device with what its lines cost.
#include <fmt/format.h>

#include <algorithm>

#include "engine/document/bound.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr std::uint32_t kLines = 10;

struct SourceListArgs {
  std::string place;
};

/// The file that is listed, and the line in the middle of what is shown; 0 for what follows what was shown last.
using ListedPlace = std::pair<std::string, std::uint32_t>;
constexpr auto kFileField =
    bound_to<ListedPlace>(column<&ListedPlace::first>("file", "as the code object names it"));

struct ListedLine {
  std::uint32_t line = 0;
  bool current = false;
  std::string_view text;
  std::optional<std::uint64_t> executed = {}, stall_caused = {};
  std::optional<double> share = {};
  std::string cause = {};
};
constexpr auto kLineColumns = bound_to<ListedLine>(
    column<&ListedLine::line>("line", "its number").in(Unit::none),
    column<&ListedLine::current>("current", "whether the wave is there"),
    column<&ListedLine::executed>("executed",
                                  "times that waves came here; null outside a run, and for lines "
                                  "without code"),
    column<&ListedLine::stall_caused>(
        "stall_caused", "wave-cycles that waves waited because of it, wherever they did, modelled")
        .in(Unit::cycles),
    column<&ListedLine::share>("stall_share", "of all such cycles of the run").in(Unit::share),
    column<&ListedLine::cause>("cause", "of the first finding that names the line").or_null(),
    column<&ListedLine::text>("text", "of the line"));

/// Ten lines around the middle, or those that follow.
Result<std::vector<ListedLine>> lines_around(Debugging& all, const ListedPlace& what,
                                             const std::string& object) {
  const auto& [file, middle] = what;
  const auto& lines = source_lines_of(all, file, object);
  if (lines.empty())
    return fail(Errc::not_found, fmt::format("{} cannot be found", file),
                "put it into the current folder, or beside the code object");
  const std::uint32_t first = middle == 0           ? all.listed + 1
                              : middle > kLines / 2 ? middle - kLines / 2 + 1
                                                    : 1;
  if (first > lines.size())
    return fail(Errc::not_found, fmt::format("{} has {} lines", file, lines.size()),
                "'list 1' begins at the first");
  std::vector<ListedLine> out;
  for (std::uint32_t line = first; line < first + kLines && line <= lines.size(); ++line) {
    out.push_back({.line = line, .text = lines[line - 1]});
    all.listed = line;
  }
  return out;
}

Result<ListedPlace> stopped_place(const Debugger& debugger, const debug::Session& session,
                                  const std::string& text) {
  const emu::Wave& wave = *TRY(selected_wave(session));
  const auto chain = session.lines().chain(session.program().ops[wave.pc].address);
  Debugging& all = debugging(debugger);
  if (text.empty()) {
    if (chain.empty())
      return fail(Errc::not_found, "no source line is known here", "build with -gline-tables-only");
    // The innermost one whose file is there.
    for (const isa::SourcePlace& place : chain) {
      if (source_lines_of(all, place.file, all.path).empty()) continue;
      return std::pair(place.file, all.listed == 0 ? place.line : 0);
    }
    return std::pair(chain.back().file, chain.back().line);
  }
  const debug::Place place = TRY(debug::parse_place(text));
  if (place.kind == debug::Place::Kind::line && !place.name.empty())
    return std::pair(place.name, place.line);
  if (place.kind == debug::Place::Kind::line && !chain.empty())
    return std::pair(chain.front().file, place.line);
  const auto found =
      session.lines().chain(session.program().ops[TRY(session.find(place)).front()].address);
  if (found.empty())
    return fail(Errc::not_found, fmt::format("no source line is known for {}", text),
                "build with -gline-tables-only");
  return std::pair(found.back().file, found.back().line);
}

Result<Document> list_stop(const Debugger& debugger, const debug::Session& session,
                           const std::string& text) {
  const ListedPlace what = TRY(stopped_place(debugger, session, text));
  Debugging& all = debugging(debugger);
  auto rows = TRY(lines_around(all, what, all.path));
  const auto here = session.lines().chain(session.program().ops[session.selected()->pc].address);
  Document out;
  out.put(kFileField, what);
  for (ListedLine& row : rows) {
    row.current = std::ranges::any_of(here, [&](const isa::SourcePlace& place) {
      return place.line == row.line && place.file == what.first;
    });
    out.text += fmt::format("{} {:<5} {}\n", row.current ? "=>" : "  ", row.line, row.text);
  }
  out.table(kLineColumns, rows);
  return out;
}

/// Without a place: around the line that most waits are because of, then what follows.
Result<ListedPlace> run_place(const Debugging& all, const EmulatedRun& run, const RunCosts& costs,
                              const std::string& text) {
  const isa::SourcePlace worst = costs.worst();
  if (worst.line == 0)
    return fail(Errc::not_found, fmt::format("the code of {} has no line table", run.kernel),
                "build it with --flag=-gline-tables-only, which leaves the code as it is");
  if (text.empty()) return std::pair(worst.file, all.listed == 0 ? worst.line : 0);
  const debug::Place place = TRY(debug::parse_place(text));
  if (place.kind == debug::Place::Kind::line)
    return std::pair(place.name.empty() ? worst.file : place.name, place.line);
  if (place.name != run.kernel)
    return fail(Errc::not_found, fmt::format("the last run was of {}", run.kernel),
                "list FILE:LINE, list LINE, or list alone for its worst line");
  return std::pair(worst.file, worst.line);
}

Result<Document> list_run(const Debugger& debugger, const EmulatedRun& run,
                          const std::string& text) {
  const RunCosts costs = TRY(RunCosts::of(run));
  Debugging& all = debugging(debugger);
  const auto object = debugger.workspace.objects.find(run.of);
  const ListedPlace what = TRY(run_place(all, run, costs, text));
  auto rows = TRY(lines_around(all, what, object ? object->path : std::string()));
  Document out;
  out.put(kFileField, what);
  constexpr double kPercent = 100;
  out.text = fmt::format("  {:<5} {:>12} {:>7}\n", "line", "executed", "stall %");
  for (ListedLine& row : rows) {
    const PlaceCost* cost = costs.at(what.first, row.line);
    if (cost == nullptr) {
      out.text += fmt::format("  {:<5} {:>20} {}\n", row.line, "", row.text);
      continue;
    }
    row.executed = cost->executed;
    row.stall_caused = cost->stall_caused;
    row.share = cost->share;
    row.cause = cost->cause;
    out.text += fmt::format("  {:<5} {:>12} {:>7.1f} {}{}\n", row.line,
                            format_count(cost->executed), cost->share * kPercent, row.text,
                            row.cause.empty() ? "" : "   <- " + row.cause);
  }
  out.table(kLineColumns, rows);
  out.provenance = Provenance::modelled;
  out.next = {"findings run", "disassemble", "kernel counts --by line"};
  return out;
}

Result<Document> run_list(const SourceListArgs& args, Debugger debugger) {
  if (const debug::Session* session = stopped(debugger.state))
    return list_stop(debugger, *session, args.place);
  const auto& run = debugger.workspace.last_run;
  if (run == nullptr || !run->executed.modelled || !run->executed.program)
    return Failure(needs_stopped(debugger.state).error());
  Debugging& all = debugging(debugger);
  if (all.listed_of.lock() != run) all.listed = 0;
  all.listed_of = run;
  return list_run(debugger, *run, args.place);
}

}  // namespace

void add_debug_list_commands(Registry& registry) {
  Command listing{
      .path = "list",
      .does = kReads,
      .chapter = Class::data,
      .summary = "Show source around where the wave stands, or the last run's.",
      .help =
          "Again: the lines that follow. With a place, FILE:LINE, LINE or KERNEL, the "
          "lines around it. `=>` marks the line, and those that it "
          "was inlined at. The file is looked for as it is named, in the current "
          "folder and beside the code object.\n\n"
          "While no kernel is stopped it shows the last modelled `kernel run`, around the line "
          "that "
          "most waits are because of: how often waves came to each line, its share of all "
          "cycles that waves waited, charged to the instruction that they waited for, and the "
          "first "
          "of its `findings`.",
      .fields = described(kFileField),
      .columns = described(kLineColumns),
      .scalar = "line",
      .aliases = {"l"},
      .examples = {"list"},
      .repeatable = true};
  add(registry,
      command(std::move(listing),
              {arg("place", &SourceListArgs::place, "FILE:LINE, LINE or KERNEL")}, run_list));
}

}  // namespace rpl
