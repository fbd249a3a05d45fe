// SPDX-License-Identifier: MIT
// list: source of the kernel that is stopped, of the last run on the emulated device or of a thread trace, with what its lines cost.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/att/analyse/lines.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/debugging.h"
#include "shell/commands/debug/list_against.h"
#include "shell/commands/debug/list_columns.h"
#include "shell/commands/debug/point_text.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/inputs/run_costs.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct SourceListArgs {
  std::string place;
  std::vector<std::string> columns = {};
  std::int64_t lines = 0;  ///< 0: as many as `listsize` says
  std::string against = {};
};

/// The file that is listed, and which of its lines.
struct ListedPlace {
  std::string file;
  std::uint32_t middle =
      0;  ///< in the middle of what is shown; 0 for what follows what was shown last
  std::uint32_t first = 0,
                last = 0;  ///< these lines; 0 for as many as usual from or up to the other
  bool before = false;     ///< what stands in front of what was shown last
};
constexpr auto kFileField =
    bound_to<ListedPlace>(column<&ListedPlace::file>("file", "as the code object names it"));

/// First and last line of what is asked for, `usual` lines where it does not say how many.
std::pair<std::uint32_t, std::uint32_t> range_of(const Debugging& all, const ListedPlace& what,
                                                 std::uint32_t usual) {
  if (what.first != 0) return {what.first, what.last != 0 ? what.last : what.first + usual - 1};
  if (what.last != 0) return {what.last > usual ? what.last - usual + 1 : 1, what.last};
  if (what.before) {
    const std::uint32_t last = all.listed_first > 1 ? all.listed_first - 1 : 0;
    return {last > usual ? last - usual + 1 : 1, last};
  }
  const std::uint32_t first = what.middle == 0          ? all.listed + 1
                              : what.middle > usual / 2 ? what.middle - usual / 2 + 1
                                                        : 1;
  return {first, first + usual - 1};
}

/// As many lines as usual around the middle, those that follow or stand before, or the ones that are named.
Result<std::vector<ListedLine>> lines_around(Debugging& all, const ListedPlace& what,
                                             const std::string& object, std::uint32_t usual) {
  const auto& lines = source_lines_of(all, what.file, object);
  if (lines.empty())
    return fail(Errc::not_found, fmt::format("{} cannot be found", what.file),
                "put it into the current folder, or beside the code object");
  const auto [first, last] = range_of(all, what, usual);
  if (what.before && last == 0)
    return fail(Errc::not_found, "already at the start of the file", "'list' goes on behind it");
  if (first > lines.size())
    return fail(Errc::not_found, fmt::format("{} has {} lines", what.file, lines.size()),
                "'list 1' begins at the first");
  std::vector<ListedLine> out;
  all.listed_first = first;
  all.listed_file = what.file;
  for (std::uint32_t line = first; line <= last && line <= lines.size(); ++line) {
    out.push_back({.line = line, .text = lines[line - 1]});
    all.listed = line;
  }
  return out;
}

/// The innermost file around the wave that is to be found: a header of the system is none that people mean.
std::string usual_file(Debugging& all, const std::vector<isa::SourcePlace>& chain) {
  for (std::size_t i = std::min(all.frame, chain.size()); i < chain.size(); ++i) {
    if (!source_lines_of(all, chain[i].file, all.path).empty()) return chain[i].file;
  }
  return chain.empty() ? "" : chain.back().file;
}

/// The line that a place names: FILE:LINE, LINE, FUNCTION, *0xADDRESS.
Result<ListedPlace> listed_place(const Debugger& debugger, const debug::Session& session,
                                 const std::vector<isa::SourcePlace>& chain,
                                 const std::string& text) {
  Debugging& all = debugging(debugger);
  debug::Place place = TRY(place_here(debugger, text));
  // Where it is written, and not where its body begins.
  place.at_entry = true;
  if (place.kind == debug::Place::Kind::line && !place.name.empty())
    return ListedPlace{.file = place.name, .middle = place.line};
  if (place.kind == debug::Place::Kind::line && !chain.empty())
    return ListedPlace{.file = all.listed_file.empty() ? usual_file(all, chain) : all.listed_file,
                       .middle = place.line};
  const auto found =
      session.lines().chain(session.program().ops[TRY(session.find(place)).front()].address);
  if (found.empty())
    return fail(Errc::not_found, fmt::format("no source line is known for {}", text),
                "build with -gline-tables-only");
  const bool kernel =
      place.kind == debug::Place::Kind::kernel &&
      (place.name.empty() || isa::names_function(place.name, session.program().kernel));
  const isa::SourcePlace* at = kernel ? &found.back() : &found.front();
  // What was inlined from a header of the system is shown where it was called.
  for (std::size_t i = 0; !kernel && i < found.size(); ++i) {
    if (source_lines_of(all, found[i].file, all.path).empty()) continue;
    at = &found[i];
    break;
  }
  return ListedPlace{.file = at->file, .middle = at->line};
}

/// "A,B", "A,", ",B", with A and B as listed_place() takes them.
Result<ListedPlace> listed_range(const Debugger& debugger, const debug::Session& session,
                                 const std::vector<isa::SourcePlace>& chain,
                                 const std::string& text, std::size_t comma) {
  const auto side = [&](std::string part) -> Result<std::optional<ListedPlace>> {
    while (part.starts_with(' ')) part.erase(0, 1);
    while (part.ends_with(' ')) part.pop_back();
    if (part.empty()) return std::optional<ListedPlace>();
    return std::optional(TRY(listed_place(debugger, session, chain, part)));
  };
  const auto first = TRY(side(text.substr(0, comma)));
  auto last = TRY(side(text.substr(comma + 1)));
  if (!first && !last) return fail(Errc::usage, "a range has a first or a last line", "list 5,12");
  ListedPlace out{.file = first ? first->file : last->file};
  if (first) out.first = first->middle;
  if (last) out.last = last->middle;
  if (out.last != 0 && out.last < out.first)
    return fail(Errc::usage, fmt::format("line {} stands before line {}", out.last, out.first),
                "list 5,12");
  return out;
}

Result<ListedPlace> stopped_place(const Debugger& debugger, const debug::Session& session,
                                  const std::string& text) {
  TRY(selected_wave(session));
  std::vector<isa::SourcePlace> chain;
  for (StandingFrame& frame : standing_frames(session)) {
    if (!frame.place.file.empty()) chain.push_back(std::move(frame.place));
  }
  Debugging& all = debugging(debugger);
  const bool goes_on = text.empty() || text == "+" || text == "-";
  if (!goes_on) {
    const std::size_t comma = comma_in(text);
    return comma == std::string_view::npos ? listed_place(debugger, session, chain, text)
                                           : listed_range(debugger, session, chain, text, comma);
  }
  if (chain.empty())
    return fail(Errc::not_found, "no source line is known here", "build with -gline-tables-only");
  if (all.listed != 0)
    return ListedPlace{.file = all.listed_file.empty() ? usual_file(all, chain) : all.listed_file,
                       .before = text == "-"};
  // The innermost one whose file is there.
  const std::string file = usual_file(all, chain);
  for (std::size_t i = std::min(all.frame, chain.size() - 1); i < chain.size(); ++i) {
    if (chain[i].file != file) continue;
    if (text == "-") {
      all.listed_first = chain[i].line > 5 ? chain[i].line - 4 : 1;
      return ListedPlace{.file = file, .before = true};
    }
    return ListedPlace{.file = file, .middle = chain[i].line};
  }
  return ListedPlace{.file = chain.back().file, .middle = chain.back().line};
}

/// Where the selected wave stands, and what that was inlined at.
void mark_lines(const debug::Session& session, const ListedPlace& what,
                std::vector<ListedLine>& rows) {
  const auto here = session.lines().chain(session.program().ops[session.selected()->pc].address);
  for (ListedLine& row : rows) {
    row.current = std::ranges::any_of(here, [&](const isa::SourcePlace& place) {
      return place.line == row.line && same_file(place.file, what.file);
    });
  }
}

Result<Document> list_stop(const Debugger& debugger, const debug::Session& session,
                           const std::string& text, std::uint32_t usual) {
  const ListedPlace what = TRY(stopped_place(debugger, session, text));
  Debugging& all = debugging(debugger);
  auto rows = TRY(lines_around(all, what, all.path, usual));
  mark_lines(session, what, rows);
  Document out;
  out.put(kFileField, what);
  for (const ListedLine& row : rows)
    out.text += fmt::format("{} {:<5} {}\n", row.current ? "=>" : "  ", row.line, row.text);
  out.table(kLineColumns, rows);
  return out;
}

/// Without a place: around the worst line, then what follows.
Result<ListedPlace> measured_place(const Debugging& all, const isa::SourcePlace& worst,
                                   const std::string& kernel, std::string_view told,
                                   const std::string& text) {
  if (text.empty() || text == "+")
    return ListedPlace{.file = worst.file, .middle = all.listed == 0 ? worst.line : 0};
  if (text == "-") return ListedPlace{.file = worst.file, .before = true};
  const std::size_t comma = comma_in(text);
  const debug::Place place = TRY(debug::parse_place(text.substr(0, comma)));
  const std::string file = place.name.empty() ? worst.file : place.name;
  if (place.kind == debug::Place::Kind::line && comma != std::string::npos) {
    const std::string tail = text.substr(comma + 1);
    const debug::Place last = tail.empty() ? debug::Place{} : TRY(debug::parse_place(tail));
    return ListedPlace{.file = file, .first = place.line, .last = last.line};
  }
  if (place.kind == debug::Place::Kind::line)
    return ListedPlace{.file = file, .middle = place.line};
  if (!isa::names_function(place.name, kernel))
    return fail(Errc::not_found, fmt::format("{} {}", told, kernel),
                "list FILE:LINE, list LINE, or list alone for its worst line");
  return ListedPlace{.file = worst.file, .middle = worst.line};
}

Result<ListedPlace> run_place(const Debugging& all, const EmulatedRun& run, const RunCosts& costs,
                              const std::string& text) {
  const isa::SourcePlace worst = costs.worst();
  if (worst.line == 0)
    return fail(Errc::not_found, fmt::format("the code of {} has no line table", run.kernel),
                "build it with --flag=-gline-tables-only, which leaves the code as it is");
  // A function is shown where it is written, also one that was inlined.
  const auto named = text.empty() ? Result<debug::Place>(debug::Place{}) : debug::parse_place(text);
  const auto lines = run.object->source_lines();
  if (named && lines && named->kind == debug::Place::Kind::kernel && !named->name.empty()) {
    const isa::SourcePlace first = first_line_of(*run.object, *lines, named->name);
    if (first.line != 0) return ListedPlace{.file = first.file, .middle = first.line};
  }
  return measured_place(all, worst, run.kernel, "the last run was of", text);
}

/// `standing`: where a kernel of the same code is stopped.
Result<Document> list_run(const Debugger& debugger, const EmulatedRun& run,
                          const SourceListArgs& args, std::uint32_t usual,
                          const debug::Session* standing = nullptr) {
  const RunCosts costs = TRY(RunCosts::of(run));
  Debugging& all = debugging(debugger);
  const auto object = debugger.workspace.objects.find(run.of);
  const ListedPlace what = TRY(standing != nullptr ? stopped_place(debugger, *standing, args.place)
                                                   : run_place(all, run, costs, args.place));
  const bool timed = run.executed.modelled.has_value();
  const bool chosen = !args.columns.empty() || !timed;
  const ListColumns columns =
      args.columns.empty() && !timed
          ? TRY(ListColumns::of({"executed", "lanes", "transactions"}, ListSource::counted))
          : TRY(ListColumns::of(args.columns, timed ? ListSource::run : ListSource::counted));
  auto rows = TRY(lines_around(all, what, object ? object->path : std::string(), usual));
  if (standing != nullptr) mark_lines(*standing, what, rows);
  Document out;
  out.put(kFileField, what);
  constexpr double kPercent = 100;
  out.text = chosen ? columns.header()
                    : fmt::format("  {:<5} {:>12} {:>7}\n", "line", "executed", "stall %");
  for (ListedLine& row : rows) {
    const PlaceCost* cost = costs.at(what.file, row.line);
    if (cost != nullptr) fill_row(*cost, costs, timed, row);
    if (chosen) {
      out.text += columns.line(row);
    } else if (cost == nullptr) {
      out.text += fmt::format("  {:<5} {:>20} {}\n", row.line, "", row.text);
    } else {
      out.text += fmt::format("  {:<5} {:>12} {:>7.1f} {}{}\n", row.line,
                              format_count(cost->executed), cost->share * kPercent, row.text,
                              row.cause.empty() ? "" : "   <- " + row.cause);
    }
  }
  out.table(kLineColumns, rows);
  out.provenance = Provenance::modelled;
  out.next = {"findings run", "disassemble", "kernel counts --by line"};
  if (!timed) out.next = {"kernel counts --by line", "kernel run … --modelled"};
  return out;
}

/// The source as it was when the trace was recorded, which goes before a file of today.
void take_sources(Debugging& all, const att::ThreadTrace& trace, const std::string& file) {
  const auto text = trace.source_text(file);
  if (!text) return;
  all.sources[file] = split_lines(*text);
}

/// Lines of a thread trace in the order of the file; what was inlined counts for the line that it was inlined at, too.
Result<Document> list_trace(const Debugger& debugger, const AttEntry& entry,
                            const SourceListArgs& args, std::uint32_t usual) {
  const att::ThreadTrace& trace = *entry->value->trace;
  const auto lines = att::lines_of(trace.code, att::Inlining::all);
  const auto own = att::lines_of(trace.code, att::Inlining::caller);
  if (own.empty() || own.front().place.file.empty())
    return fail(
        Errc::not_found, "the trace names no source lines",
        "build with -gline-tables-only and record it again; 'att insts' shows instructions");
  isa::SourcePlace worst{.file = own.front().place.file,
                         .line = static_cast<std::uint32_t>(own.front().place.line),
                         .function = {}};
  Debugging& all = debugging(debugger);
  ListedPlace what = TRY(measured_place(all, worst, trace.kernel(), "the trace is of", args.place));
  TraceHeat heat(trace.code, own);
  std::map<std::uint32_t, att::LineCost> costs;
  for (const att::LineCost& line : lines) {
    if (!same_file(line.place.file, what.file)) continue;
    what.file = line.place.file;
    att::LineCost& sum = costs[static_cast<std::uint32_t>(line.place.line)];
    sum.cost += line.cost;
    sum.samples.issued += line.samples.issued;
    sum.samples.stalled += line.samples.stalled;
    sum.rows.insert(sum.rows.end(), line.rows.begin(), line.rows.end());
  }
  take_sources(all, trace, what.file);
  auto rows = TRY(lines_around(all, what, entry->path, usual));
  Document out;
  out.put(kFileField, what);
  const bool chosen = !args.columns.empty();
  const ListColumns columns = TRY(
      ListColumns::of(args.columns, trace.code.timed ? ListSource::trace : ListSource::samples));
  out.text = chosen ? columns.header() : heat.header();
  for (ListedLine& row : rows) {
    const auto found = costs.find(row.line);
    const std::string usual_text = found == costs.end()
                                       ? fmt::format("  {:<5} {:>29} {}\n", row.line, "", row.text)
                                       : heat.line(found->second, row);
    out.text += chosen ? columns.line(row) : usual_text;
  }
  out.table(kLineColumns, rows);
  out.provenance = Provenance::recorded;
  out.next = {"att waits", "att insts", "att lines"};
  return out;
}

/// Source of an open code object, while nothing ran.
Result<Document> list_object(const Debugger& debugger, const ObjectEntry& entry,
                             const std::string& text, std::uint32_t usual) {
  const isa::SourceLines lines = TRY(entry->value->source_lines());
  const auto named = debug::parse_place(text);
  const bool function = named && named->kind == debug::Place::Kind::kernel && !named->name.empty();
  const isa::SourcePlace first =
      first_line_of(*entry->value, lines, function ? named->name : std::string());
  if (first.line == 0)
    return fail(Errc::not_found,
                function ? fmt::format("no function '{}' with lines in {}", text, entry->path)
                         : fmt::format("{} has no line table", entry->path),
                function ? "'info functions' lists them"
                         : "build with -gline-tables-only, which leaves the code as it is");
  Debugging& all = debugging(debugger);
  ListedPlace what{.file = first.file, .middle = first.line};
  if (!function) what = TRY(measured_place(all, first, "", "", text));
  for (const std::string& file : lines.files()) {
    if (same_file(file, what.file)) what.file = file;
  }
  auto rows = TRY(lines_around(all, what, entry->path, usual));
  Document out;
  out.put(kFileField, what);
  for (const ListedLine& row : rows) out.text += fmt::format("   {:<5} {}\n", row.line, row.text);
  out.table(kLineColumns, rows);
  out.provenance = Provenance::recorded;
  out.next = {"info functions", "break FUNCTION", "kernel run " + entry->id};
  return out;
}

/// The source once, and beside each line what it cost in both profiles.
Result<Document> list_against(const Debugger& debugger, const Inputs& inputs,
                              const SourceListArgs& args, std::uint32_t usual) {
  Debugging& all = debugging(debugger);
  const ComparedSources both = TRY(compared_sources(debugger, inputs, args.against, args.columns));
  const isa::SourcePlace worst = both.most_changed();
  const std::string which = both.before.id + " " + both.after.id + " " + both.figure();
  const bool goes_on = all.listed_against == which;
  if (!goes_on) all.listed = all.listed_first = 0;
  all.listed_against = which;
  ListedPlace what =
      TRY(measured_place(all, worst, both.after.kernel, "the profile is of", args.place));
  what.file = both.file_named(what.file);
  const auto [first, last] = range_of(all, what, usual);
  all.listed_first = first;
  all.listed = last;
  all.listed_file = what.file;
  Document out = TRY(both.document(what.file, first, last));
  out.put(kFileField, what);
  return out;
}

Result<Document> run_list(const SourceListArgs& args, Debugger debugger, Inputs inputs,
                          const Settings& settings) {
  const auto usual =
      static_cast<std::uint32_t>(args.lines > 0 ? args.lines : settings.integer("listsize"));
  if (!args.against.empty()) return list_against(debugger, inputs, args, usual);
  debugging(debugger).listed_against.clear();
  const auto& run = debugger.workspace.last_run;
  Debugging& all = debugging(debugger);
  const bool counted =
      run != nullptr && run->mode != emu::Mode::functional && run->executed.program;
  if (const debug::Session* session = stopped(debugger.state)) {
    const bool chosen = !args.columns.empty();
    // The debugger counts nothing; a run of the same code did.
    if (chosen && counted && run->of == all.of)
      return list_run(debugger, *run, args, usual, session);
    if (chosen)
      return fail(Errc::not_found, "a kernel that is stopped has no costs",
                  "'kernel run' of the same code object, without breakpoints, counts them");
    return list_stop(debugger, *session, args.place, usual);
  }
  const AttEntry trace = debugger.workspace.thread_traces.current();
  const ObjectEntry object = debugger.workspace.objects.current();
  if (!counted && trace == nullptr && object == nullptr)
    return Failure(needs_stopped(debugger.state).error());
  if (!counted && trace == nullptr) {
    if (!args.columns.empty())
      return fail(Errc::not_found, "nothing has been counted: no run, and no thread trace",
                  "kernel run, att open");
    const std::shared_ptr<const void> of = object;
    if (all.listed_of.lock() != of) all.listed = 0;
    all.listed_of = of;
    return list_object(debugger, object, args.place, usual);
  }
  if (!counted) {
    const std::shared_ptr<const void> of = trace;
    if (all.listed_of.lock() != of) all.listed = 0;
    all.listed_of = of;
    return list_trace(debugger, trace, args, usual);
  }
  if (all.listed_of.lock() != run) all.listed = 0;
  all.listed_of = run;
  return list_run(debugger, *run, args, usual);
}

}  // namespace

void add_debug_list_commands(Registry& registry) {
  Command listing{
      .path = "list",
      .does = kReads,
      .chapter = Class::data,
      .summary = "Show source around where the wave stands, or the last run's.",
      .help =
          "Again: the lines that follow; `list -`: those before. With a place, FILE:LINE, LINE, "
          "FUNCTION or *0xADDRESS, the lines around it, with two, `list 5,12`, those lines; "
          "`set listsize N` says how many. `=>` marks the line, and those that it was inlined "
          "at. The file is looked for as it is named, in the current folder and beside the code "
          "object.\n\n"
          "While no kernel is stopped it shows the last modelled or counted `kernel run`, "
          "around the line that most waits are because of: how often waves came to each line, "
          "its share of all cycles that waves waited, charged to the instruction that they "
          "waited for, and the first of its `findings`. Without a run it shows the thread trace "
          "that is current, from the copy of the source in it: how often instructions of each "
          "line were executed, their share of all cycles of the waves, and how much of that "
          "they were stalled; what was inlined at a line counts there, too. Without either it "
          "is the source of the open code object.\n\n"
          "`--columns` chooses what stands beside the lines, several separated by commas: times "
          "executed or sampled; the share of all cycles; of all stall, together and because of "
          "memory, LDS (with scalar memory), barriers, arithmetic (math) and others; the share "
          "of a line's own cycles that was stalled; active lanes; lines of memory touched, of "
          "the least possible (transactions); cycles of LDS bank conflicts; accesses of scratch "
          "memory (spills); findings. While a kernel is stopped they are of the last run of the "
          "same code.\n\n"
          "`--against BEFORE` puts two profiles beside the source: BEFORE is a thread trace or PC "
          "samples, and "
          "what is current the later one, or `run`, the kernel run before the last. Each line has "
          "its figure before, after, and the change; `-` marks lines that only the earlier source "
          "has, `+` those of the later one. The figure is one of `--columns`: cycles per wave of "
          "thread traces, stall of modelled runs in cycles per wave, else times executed. It "
          "begins around the line that changed most; `--lines 100` shows more of it.",
      .fields = described({kFileField, kComparedFields}),
      .columns = described(kLineColumns),
      .scalar = "line",
      .aliases = {"l"},
      .examples = {"list", "list --against ATT_AFTER"},
      .repeatable = true};
  add(registry, command(std::move(listing),
                        {arg("place", &SourceListArgs::place,
                             "FILE:LINE, LINE, FUNCTION, *0xADDRESS, FIRST,LAST, + or -")
                             .takes_phrase()
                             .completes(Complete::place),
                         option("columns", &SourceListArgs::columns,
                                "beside the lines: NAME,NAME of the run, thread trace or samples")
                             .one_of(list_column_names()),
                         option("against", &SourceListArgs::against,
                                "an earlier profile: a thread trace, or `run`, the last but one")
                             .named("BEFORE")
                             .completes(Complete::file),
                         option("lines", &SourceListArgs::lines, "how many; default: set listsize")
                             .in(within(0, 100'000))
                             .named("N")},
                        run_list));
}

}  // namespace rpl
