// SPDX-License-Identifier: MIT
// break, tbreak, delete, clear, enable, disable, condition, ignore, info breakpoints and watchpoints.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/isa/object/function_names.h"
#include "engine/pattern/pattern.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/point_text.h"
#include "shell/core/command/define.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/face.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct BreakArgs {
  std::string place;
};

struct PointRow {
  int number = 0;
  std::string_view type;
  bool enabled = true;
  std::string what = {}, condition = {};
  std::uint64_t hits = 0, ignore = 0;
  std::vector<std::string> addresses = {};
  std::vector<std::string> commands = {};
};

constexpr BoundColumn kNumber =
    column<&PointRow::number>("number", "for delete, enable and disable").in(Unit::none);
constexpr BoundColumn kWhat = column<&PointRow::what>("what", "the place, or what is watched");
constexpr BoundColumn kCondition =
    column<&PointRow::condition>("condition", "when it stops; null: always").or_null();

constexpr auto kPointFields = bound_to<PointRow>(
    kNumber, column<&PointRow::type>("type", "breakpoint or watchpoint"), kWhat, kCondition,
    column<&PointRow::addresses>("addresses", "in the kernel that is stopped; empty without one"));

constexpr auto kPointColumns = bound_to<PointRow>(
    kNumber, column<&PointRow::type>("type", "breakpoint, temporary or watchpoint"),
    column<&PointRow::enabled>("enabled", "whether it stops"), kWhat, kCondition,
    column<&PointRow::hits>("hits", "how often it stopped something, or was ignored"),
    column<&PointRow::addresses>("addresses", "in the kernel that is stopped").if_room(),
    column<&PointRow::ignore>("ignore", "how many hits are still ignored").in(Unit::none).never(),
    column<&PointRow::commands>("commands", "that run behind a stop").never());

/// What a breakpoint means in the launch that is debugged, or a note that it waits.
std::vector<std::string> addresses_of(const Debugger& debugger, const debug::Place& place,
                                      Document& out) {
  std::vector<std::string> list;
  if (const debug::Session* session = stopped(debugger.state)) {
    const auto ops = session->find(place);
    if (!ops)
      out.notes.push_back(fmt::format("{}; it waits for another kernel", ops.error().message));
    for (const std::uint32_t op : ops ? *ops : std::vector<std::uint32_t>())
      list.emplace_back(hex(session->program().ops[op].address));
  }
  return list;
}

struct NewPoint {
  debug::Breakpoint breakpoint;
  ScriptHost::Condition compiled = {};
};

Result<Document> added(const Debugger& debugger, NewPoint point) {
  Debugging& all = debugging(debugger);
  Document out;
  const debug::Place place = point.breakpoint.place;
  const std::string condition = point.breakpoint.condition;
  const bool temporary = point.breakpoint.temporary;
  const std::string what = debug::to_string(place);
  const auto addresses = addresses_of(debugger, place, out);
  const int number = all.points.add(std::move(point.breakpoint));
  debugger.values.set("bpnum", Value(std::int64_t{number}));
  if (point.compiled) all.conditions[number] = std::move(point.compiled);
  out.put(kPointFields, PointRow{.number = number,
                                 .type = "breakpoint",
                                 .what = what,
                                 .condition = condition,
                                 .addresses = addresses});
  std::string at;
  for (const std::string& address : addresses) at += (at.empty() ? ": " : ", ") + address;
  out.text = fmt::format("{} {} at {}{}{}\n", temporary ? "Temporary breakpoint" : "Breakpoint",
                         number, what, at, condition.empty() ? "" : ", if " + condition);
  if (stopped(debugger.state) == nullptr)
    out.next = {"kernel run OBJECT KERNEL --grid N --workgroup N --arg …", "info breakpoints"};
  return out;
}

template <bool temporary>
Result<Document> add_break(const BreakArgs& args, Debugger debugger, const Settings& settings) {
  const PointText text = split_point(args.place);
  NewPoint point{.breakpoint = {.place = TRY(place_here(debugger, text.place)),
                                .temporary = temporary,
                                .condition = text.condition}};
  name_file(debugger, point.breakpoint.place);
  if (settings.text("breakpoint pending") != "on")
    TRY(check_known(debugger, point.breakpoint.place));
  if (!text.condition.empty())
    point.compiled = TRY(condition_of(debugger, text.condition, &point.breakpoint.place));
  return added(debugger, std::move(point));
}

/// A breakpoint at every function whose name matches.
Result<Document> add_breaks(const BreakArgs& args, Debugger debugger) {
  const KnownNames known = known_names(debugger);
  if (!known.any) return fail(Errc::not_found, "no code object is open", "'file OBJECT' opens one");
  const Pattern wanted = TRY(Pattern::of(args.place));
  std::vector<std::string> names;
  for (const std::string& name : known.functions) {
    const std::string text = isa::function_text(name);
    const bool fresh = std::ranges::find(names, text) == names.end();
    if (fresh && wanted.in(text)) names.push_back(text);
  }
  if (names.empty())
    return fail(Errc::not_found, fmt::format("no function matches '{}'", args.place),
                "'info functions' lists them");
  Document out;
  for (const std::string& name : names) {
    Document one = TRY(added(debugger, {.breakpoint = {.place = {.name = name}}}));
    out.text += one.text;
    out.notes.insert(out.notes.end(), one.notes.begin(), one.notes.end());
  }
  return out;
}

struct NumbersArgs {
  std::vector<std::string> numbers;
};

void forget(Debugging& all, int number) {
  all.conditions.erase(number);
  all.commands.erase(number);
}

Result<Document> run_delete(const NumbersArgs& args, Debugger debugger, const Settings& settings) {
  Debugging& all = debugging(debugger);
  debug::Points& points = all.points;
  if (args.numbers.empty()) {
    const bool any = !points.breakpoints().empty() || !points.watchpoints().empty();
    const bool asks = any && settings.on("confirm");
    if (asks && !debugger.face.confirm("Delete all breakpoints and watchpoints?", true))
      return Document{};
    points.clear();
    all.conditions.clear();
    all.commands.clear();
  }
  for (const int number : TRY(numbers_of(args.numbers))) {
    TRY(points.remove(number));
    forget(all, number);
  }
  return Document{};
}

/// Those at a place.
Result<Document> run_clear(const BreakArgs& args, Debugger debugger) {
  const debug::Place place = TRY(place_here(debugger, args.place));
  Debugging& all = debugging(debugger);
  const debug::Session* session = stopped(debugger.state);
  std::vector<std::uint32_t> ops;
  if (session != nullptr) ops = session->find(place).value_or(std::vector<std::uint32_t>());
  std::vector<int> numbers;
  for (const auto& [number, point] : all.points.breakpoints()) {
    bool same = debug::to_string(point.place) == debug::to_string(place);
    if (!same && session != nullptr) {
      const auto own = session->find(point.place).value_or(std::vector<std::uint32_t>());
      same = std::ranges::any_of(
          own, [&](std::uint32_t op) { return std::ranges::find(ops, op) != ops.end(); });
    }
    if (same) numbers.push_back(number);
  }
  if (numbers.empty())
    return fail(Errc::not_found, fmt::format("no breakpoint at {}", debug::to_string(place)),
                "info breakpoints");
  Document out;
  for (const int number : numbers) {
    TRY(all.points.remove(number));
    forget(all, number);
    out.text += fmt::format("{}{}", out.text.empty() ? "Deleted breakpoint " : " ", number);
  }
  out.text += "\n";
  return out;
}

Status for_each_point(const Debugger& debugger, const std::vector<std::string>& texts,
                      const std::function<Status(debug::Points&, int)>& change) {
  debug::Points& points = debugging(debugger).points;
  std::vector<int> numbers = TRY(numbers_of(texts));
  if (texts.empty()) {
    for (const auto& [number, point] : points.breakpoints()) numbers.push_back(number);
    for (const auto& [number, point] : points.watchpoints()) numbers.push_back(number);
  }
  for (const int number : numbers) TRY(change(points, number));
  return {};
}

template <bool enabled>
Result<Document> set_enabled(const NumbersArgs& args, Debugger debugger) {
  TRY(for_each_point(debugger, args.numbers, [](debug::Points& points, int number) {
    return points.enable(number, enabled);
  }));
  return Document{};
}

Result<Document> enable_for(const NumbersArgs& args, const Debugger& debugger,
                            std::uint64_t stops) {
  TRY(for_each_point(debugger, args.numbers, [stops](debug::Points& points, int number) -> Status {
    TRY(points.enable(number, true));
    return points.disable_after(number, stops);
  }));
  return Document{};
}

Result<Document> enable_for_once(const NumbersArgs& args, Debugger debugger) {
  return enable_for(args, debugger, 1);
}

/// `enable count 2 3`: the first number is how often.
Result<Document> enable_for_count(const NumbersArgs& args, Debugger debugger) {
  const auto count =
      args.numbers.empty() ? std::nullopt : whole_number<std::uint64_t>(args.numbers.front());
  if (!count || *count == 0)
    return fail(Errc::usage, "'enable count' needs a count and numbers of breakpoints",
                "enable count 2");
  return enable_for({{args.numbers.begin() + 1, args.numbers.end()}}, debugger, *count);
}

/// As tbreak: gone once it has stopped something.
Result<Document> enable_to_delete(const NumbersArgs& args, Debugger debugger) {
  TRY(for_each_point(debugger, args.numbers, [](debug::Points& points, int number) -> Status {
    TRY(points.enable(number, true));
    return points.make_temporary(number);
  }));
  return Document{};
}

struct ConditionArgs {
  std::int64_t number = 0;
  std::string condition;
};

Result<Document> run_condition(const ConditionArgs& args, Debugger debugger) {
  Debugging& all = debugging(debugger);
  const auto number = static_cast<int>(args.number);
  std::string_view text = args.condition;
  if (text.starts_with("if ")) text.remove_prefix(3);
  if (text.starts_with("-force"))
    return fail(
        Errc::unsupported, "a condition is checked where its breakpoint is",
        "'condition 1 lane == 3'; a name that only a later stop has: 'break PLACE if …' there");
  ScriptHost::Condition compiled;
  const auto point = all.points.breakpoints().find(number);
  const debug::Place* place =
      point == all.points.breakpoints().end() ? nullptr : &point->second.place;
  if (!text.empty()) compiled = TRY(condition_of(debugger, std::string(text), place));
  TRY(all.points.set_condition(number, std::string(text)));
  all.conditions.erase(number);
  if (compiled) all.conditions[number] = std::move(compiled);
  Document out;
  out.text = text.empty() ? fmt::format("Breakpoint {} now unconditional.\n", number)
                          : fmt::format("Breakpoint {} stops only if {}\n", number, text);
  return out;
}

struct IgnoreArgs {
  std::int64_t number = 0, count = 0;
};

Result<Document> run_ignore(const IgnoreArgs& args, Debugger debugger) {
  const auto number = static_cast<int>(args.number);
  TRY(debugging(debugger).points.set_ignore(number, static_cast<std::uint64_t>(args.count)));
  Document out;
  out.text =
      args.count == 0 ? fmt::format("Will stop next time breakpoint {} is reached.\n", number)
      : args.count == 1
          ? fmt::format("Will ignore next crossing of breakpoint {}.\n", number)
          : fmt::format("Will ignore next {} crossings of breakpoint {}.\n", args.count, number);
  return out;
}

std::string_view type_of(const debug::Watchpoint& point) {
  return point.kind == debug::WatchedFor::change ? "watchpoint"
         : point.kind == debug::WatchedFor::read ? "read watchpoint"
                                                 : "access watchpoint";
}

Result<Document> listed_points(const Debugger& debugger, bool watchpoints_only,
                               const std::vector<std::string>& numbers) {
  const std::vector<int> wanted = TRY(numbers_of(numbers));
  const Debugging& all = debugging(debugger);
  const debug::Points& points = all.points;
  Document out;
  std::map<int, PointRow> rows;
  for (const auto& [number, point] : points.breakpoints()) {
    if (watchpoints_only) break;
    Document ignored;
    rows[number] = {number,          point.temporary ? "temporary" : "breakpoint",
                    point.enabled,   debug::to_string(point.place),
                    point.condition, point.hits,
                    point.ignore,    addresses_of(debugger, point.place, ignored)};
  }
  for (const auto& [number, point] : points.watchpoints())
    rows[number] = {number,          type_of(point), point.enabled, point.text,
                    point.condition, point.hits,     point.ignore,  {}};
  for (const int number : wanted) {
    if (!rows.contains(number))
      return fail(Errc::not_found, fmt::format("no breakpoint or watchpoint {}", number),
                  "info breakpoints");
  }
  std::vector<PointRow> sorted;
  for (auto& [number, row] : rows) {
    if (!wanted.empty() && std::ranges::find(wanted, number) == wanted.end()) continue;
    const auto lines = all.commands.find(number);
    if (lines != all.commands.end()) row.commands = lines->second;
    sorted.push_back(std::move(row));
    const auto one = points.breakpoints().find(number);
    const std::uint64_t left = one == points.breakpoints().end() ? 0 : one->second.stops_left;
    if (left > 0)
      out.notes.push_back(fmt::format("breakpoint {} is disabled after {} more stop{}", number,
                                      left, left == 1 ? "" : "s"));
    for (const std::string& line : sorted.back().commands)
      out.notes.push_back(fmt::format("breakpoint {} runs: {}", number, line));
    if (sorted.back().ignore > 0)
      out.notes.push_back(
          fmt::format("breakpoint {} ignores its next {} hits", number, sorted.back().ignore));
  }
  out.table(kPointColumns, sorted);
  return out;
}

Result<Document> info_breakpoints(const NumbersArgs& args, Debugger debugger) {
  return listed_points(debugger, false, args.numbers);
}
Result<Document> info_watchpoints(const NumbersArgs& args, Debugger debugger) {
  return listed_points(debugger, true, args.numbers);
}

constexpr const char* kPlaces =
    "PLACE is KERNEL or another FUNCTION, also one that was inlined, by its name, with template "
    "arguments and namespaces or without, KERNEL+0x40, FILE:LINE, FILE:FUNCTION, LINE of the "
    "kernel's file, +2 lines on, *0xADDRESS as "
    "`disassemble` shows it, or *+0xOFFSET from the "
    "entry; without one it is where the selected wave stands. A line without code means the next "
    "that has some. Lines need a code object "
    "built with -gline-tables-only. What no open code object has is refused, unless `set "
    "breakpoint pending on`.";

Command break_command(Label path, Label summary, Label help, std::vector<Label> aliases,
                      std::vector<Label> examples) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .fields = described(kPointFields),
                 .scalar = "number",
                 .aliases = std::move(aliases),
                 .examples = std::move(examples),
                 .keeps_place = true,
                 .changes_program = true};
}

Command about_points(Label path, Label summary, Label help, std::vector<Label> aliases,
                     Label example) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .aliases = std::move(aliases),
                 .examples = {example},
                 .keeps_place = true,
                 .changes_program = true};
}

}  // namespace

void add_debug_point_commands(Registry& registry) {
  const auto place = [](Label what) {
    return arg("place", &BreakArgs::place, what).takes_phrase().completes(Complete::place);
  };
  constexpr const char* kWhere = "where, and `if CONDITION`";
  add(registry,
      command(break_command(
                  "break", "Stop kernels on the emulated device at a place.",
                  std::string(
                      "Set it before `kernel run` or `replay`, or while a kernel is stopped. ") +
                      kPlaces +
                      " The CONDITION behind `if` is an expression as of `print`, and sees `wave`, "
                      "`workgroup`, `lane`, registers as $v3 or v(3), parameters of the kernel, "
                      "`threadIdx.x`, `mem.f32(ADDRESS)`: one that looks at the lane, or at vector "
                      "registers, is asked for every active lane, and "
                      "the first for which it holds is selected. `thread N` in front of it stops "
                      "wave N alone.",
                  {"b", "hbreak"}, {"break vector_add", "break vector_add+0x10 if lane == 3"}),
              {place(kWhere)}, add_break<false>));
  add(registry,
      command(break_command("tbreak", "Stop a kernel at a place once.",
                            std::string("A breakpoint that is removed when it is hit. ") + kPlaces,
                            {"tb", "thbreak"}, {"tbreak vector_add"}),
              {place(kWhere)}, add_break<true>));
  add(registry,
      command(about_points("rbreak", "Stop kernels at every function whose name matches.",
                           "A regular expression over the kernels and inlined functions of "
                           "the open code objects.",
                           {}, "rbreak ^norm"),
              {place("a regular expression").required()}, add_breaks));
  const auto numbers = [&](Label path, Label summary, Label help, std::vector<Label> aliases,
                           auto handler, Label example) {
    add(registry, command(about_points(path, summary, help, std::move(aliases), example),
                          {arg("number", &NumbersArgs::numbers,
                               "as `info breakpoints` shows them, or 2-4; default: all")
                               .completes(Complete::point)},
                          handler));
  };
  numbers("delete", "Remove breakpoints and watchpoints.",
          "By their numbers; alone it removes all, and asks at a terminal.", {"delete breakpoints"},
          run_delete, "delete");
  numbers("enable", "Let breakpoints and watchpoints stop again.", "By their numbers; alone all.",
          {"enable breakpoints"}, set_enabled<true>, "enable");
  numbers("disable", "Keep breakpoints and watchpoints, but do not stop there.",
          "By their numbers; alone all.", {"disable breakpoints"}, set_enabled<false>, "disable");
  numbers("enable once", "Let breakpoints stop once, and disable them then.",
          "`enable delete` removes them then.", {}, enable_for_once, "enable once");
  numbers("enable count", "Let breakpoints stop so many times, and disable them then.",
          "The count stands before the numbers: enable count 2 1.", {}, enable_for_count,
          "enable count 2");
  numbers("enable delete", "Let breakpoints stop once, and remove them then.",
          "As those of `tbreak`, which are gone once they have stopped a kernel.", {},
          enable_to_delete, "enable delete");
  add(registry, command(about_points("clear", "Remove the breakpoints at a place.",
                                     std::string("Those that stop there. ") + kPlaces, {},
                                     "clear vector_add"),
                        {place("where; default: where the selected wave stands")}, run_clear));
  add(registry,
      command(about_points("condition", "Give a breakpoint another condition, or none.",
                           "As behind `if` of `break`; without one it stops always.", {},
                           "condition 1 lane == 3"),
              {arg("number", &ConditionArgs::number, "of the breakpoint or watchpoint")
                   .required()
                   .completes(Complete::point),
               arg("condition", &ConditionArgs::condition, "an expression; none: stop always")
                   .takes_phrase()
                   .completes(Complete::variable)},
              run_condition));
  add(registry,
      command(about_points("ignore", "Let a breakpoint pass so many times.",
                           "Its next COUNT hits count, but do not stop.", {}, "ignore 1 5"),
              {arg("number", &IgnoreArgs::number, "of the breakpoint or watchpoint")
                   .required()
                   .completes(Complete::point),
               arg("count", &IgnoreArgs::count, "how many hits").required().in(at_least(0))},
              run_ignore));
  const auto listing = [&](Label path, Label summary, auto handler) {
    add(registry,
        command(
            Command{
                .path = path,
                .does = kReads,
                .chapter = Class::status,
                .summary = summary,
                .help =
                    "`addresses` are those in the kernel that is stopped. One that means nothing "
                    "in it waits for another kernel.",
                .columns = described(kPointColumns),
                .scalar = "number",
                .examples = {path}},
            {arg("number", &NumbersArgs::numbers, "of those to list, or 2-4; default: all")
                 .completes(Complete::point)},
            handler));
  };
  listing("info breakpoints", "List breakpoints and watchpoints.", info_breakpoints);
  listing("info watchpoints", "List watchpoints.", info_watchpoints);
}

}  // namespace rpl
