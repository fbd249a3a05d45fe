// SPDX-License-Identifier: MIT
// break, tbreak, watch, delete, enable, disable, info breakpoints.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/replay/elements.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/session/script_host.h"

namespace rpl {
namespace {

struct BreakArgs {
  std::string place;
};

/// "PLACE if CONDITION", both without blanks around them.
std::pair<std::string, std::string> split_condition(const std::string& text) {
  const auto trimmed = [](std::string part) {
    const std::size_t first = part.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : part.substr(first, part.find_last_not_of(' ') - first + 1);
  };
  if (text.starts_with("if ")) return {"", trimmed(text.substr(3))};
  const std::size_t at = text.find(" if ");
  if (at == std::string::npos) return {trimmed(text), ""};
  return {trimmed(text.substr(0, at)), trimmed(text.substr(at + 4))};
}

struct PointRow {
  int number = 0;
  std::string_view type;
  bool enabled = true;
  std::string what = {}, condition = {};
  std::uint64_t hits = 0;
  std::vector<std::string> addresses = {};
};

constexpr BoundColumn kNumber =
    column<&PointRow::number>("number", "for delete, enable and disable").in(Unit::none);
constexpr BoundColumn kWhat = column<&PointRow::what>("what", "the place, or what is watched");
constexpr BoundColumn kCondition =
    column<&PointRow::condition>("condition", "when it stops; null: always").or_null();

constexpr auto kPointFields = bound_to<PointRow>(
    kNumber, column<&PointRow::type>("type", "breakpoint or watchpoint"), kWhat, kCondition,
    column<&PointRow::addresses>("addresses", "in the kernel that is stopped; empty without one"));

/// In the order in which `watch` has always given them.
constexpr auto kWatchFields = bound_to<PointRow>(
    column<&PointRow::type>("type", "breakpoint or watchpoint"), kWhat, kNumber, kCondition,
    column<&PointRow::addresses>("addresses", "in the kernel that is stopped; empty without one"));

constexpr auto kPointColumns = bound_to<PointRow>(
    kNumber, column<&PointRow::type>("type", "breakpoint, temporary or watchpoint"),
    column<&PointRow::enabled>("enabled", "whether it stops"), kWhat, kCondition,
    column<&PointRow::hits>("hits", "how often it stopped something"),
    column<&PointRow::addresses>("addresses", "in the kernel that is stopped").if_room());

Result<debug::Place> place_here(const Debugger& debugger, const std::string& text) {
  if (!text.empty()) return debug::parse_place(text);
  const debug::Session& session = *TRY(needs_stopped(debugger.state));
  const emu::Wave& wave = *TRY(selected_wave(session));
  return debug::Place{.kind = debug::Place::Kind::address,
                      .address = session.program().ops[wave.pc].address};
}

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

template <bool temporary>
Result<Document> add_break(const BreakArgs& args, Debugger debugger) {
  const auto [text, condition] = split_condition(args.place);
  debug::Breakpoint breakpoint{
      .place = TRY(place_here(debugger, text)), .temporary = temporary, .condition = condition};
  Debugging& all = debugging(debugger);
  ScriptHost::Condition compiled;
  if (!condition.empty()) {
    compiled = TRY(debugger.scripts.condition(condition));
  }
  Document out;
  const std::string what = debug::to_string(breakpoint.place);
  const auto addresses = addresses_of(debugger, breakpoint.place, out);
  const int number = all.points.add(std::move(breakpoint));
  if (compiled) all.conditions[number] = std::move(compiled);
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

constexpr double kMostBytes = 1 << 20;

struct WatchArgs {
  std::string what;
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> lane;
};

/// "arg2[10]": an element of a buffer argument.
Result<std::optional<debug::Watched>> element_of(const debug::Session& session,
                                                 std::string_view text) {
  const std::size_t bracket = text.find('[');
  if (!text.starts_with("arg") || bracket == std::string_view::npos || !text.ends_with(']'))
    return std::nullopt;
  const auto argument = whole_number<std::size_t>(text.substr(3, bracket - 3)).value_or(0);
  const auto index =
      whole_number<std::uint64_t>(text.substr(bracket + 1, text.size() - bracket - 2));
  if (!index)
    return fail(Errc::usage, fmt::format("'{}' is not an element", text),
                "arg2[10] is the eleventh of the second argument");
  const bool known = argument >= 1 && argument <= session.buffers().size() &&
                     session.buffers()[argument - 1] != nullptr;
  if (!known)
    return fail(Errc::not_found, fmt::format("argument {} is not a buffer", argument),
                "arguments count from 1; 'object kernel' lists them");
  const auto& buffer = std::get<emu::BufferArgument>(session.launch().arguments[argument - 1]);
  if (*index >= buffer.count)
    return fail(Errc::not_found, fmt::format("argument {} has {} elements", argument, buffer.count),
                "elements count from 0");
  const std::size_t size = size_of(buffer.element);
  return debug::Watched{.address = session.buffers()[argument - 1]->base + *index * size,
                        .bytes = size};
}

Result<debug::Watched> watched_of(const Debugger& debugger, const WatchArgs& args) {
  const debug::Session& session = *TRY(needs_stopped(debugger.state));
  std::string text = args.what;
  // A debugger's own variables are the thing itself, as in GDB; any other variable holds an address.
  const std::string_view bare = std::string_view(text).substr(text.starts_with('$') ? 1 : 0);
  if (auto element = TRY(element_of(session, bare))) return *element;
  if (const auto name = debug::parse_register(bare)) {
    TRY(debug::check_register(session.program(), *name));
    if (name->kind == debug::RegisterName::Kind::pc)
      return fail(Errc::usage, "the pc changes with every instruction", "'stepi' or 'break'");
    debug::Watched watched{
        .space = debug::Watched::Space::registers, .wave = session.selected_wave, .name = *name};
    if (args.lane && name->has_lanes()) watched.lane = static_cast<unsigned>(*args.lane);
    return watched;
  }
  if (text.starts_with('*')) text.erase(0, 1);
  const debug::Address address = TRY(address_of(debugger, text));
  const std::int64_t bytes = args.bytes.value_or(4);
  if (address.space == debug::Address::Space::scratch)
    return fail(Errc::unsupported, "scratch memory cannot be watched",
                "watch the register that is stored there");
  TRY(debug::read(session, address, static_cast<std::uint64_t>(bytes)));
  const bool lds = address.space == debug::Address::Space::lds;
  return debug::Watched{.space = lds ? debug::Watched::Space::lds : debug::Watched::Space::memory,
                        .address = address.offset,
                        .bytes = static_cast<std::uint64_t>(bytes),
                        .wave = session.selected_wave};
}

Result<Document> run_watch(const WatchArgs& args, Debugger debugger) {
  debug::Watchpoint watchpoint{.watched = TRY(watched_of(debugger, args)), .text = args.what};
  if (watchpoint.watched.space == debug::Watched::Space::registers) {
    watchpoint.text += fmt::format(" of wave {} of workgroup {}", watchpoint.watched.wave.wave,
                                   watchpoint.watched.wave.workgroup);
    if (watchpoint.watched.lane)
      watchpoint.text += fmt::format(", lane {}", *watchpoint.watched.lane);
  }
  Document out;
  PointRow row{.type = "watchpoint", .what = watchpoint.text};
  row.number = debugging(debugger).points.add(std::move(watchpoint));
  out.put(kWatchFields, row);
  out.text = fmt::format("Watchpoint {}: {}\n", row.number, row.what);
  out.next = {"continue"};
  return out;
}

struct NumbersArgs {
  std::vector<std::int64_t> numbers;
};

Result<Document> run_delete(const NumbersArgs& args, Debugger debugger) {
  debug::Points& points = debugging(debugger).points;
  if (args.numbers.empty()) points.clear();
  for (const std::int64_t number : args.numbers) TRY(points.remove(static_cast<int>(number)));
  return Document{};
}

template <bool enabled>
Result<Document> set_enabled(const NumbersArgs& args, Debugger debugger) {
  debug::Points& points = debugging(debugger).points;
  std::vector<int> numbers(args.numbers.begin(), args.numbers.end());
  if (args.numbers.empty()) {
    for (const auto& [number, point] : points.breakpoints()) numbers.push_back(number);
    for (const auto& [number, point] : points.watchpoints()) numbers.push_back(number);
  }
  for (const int number : numbers) TRY(points.enable(number, enabled));
  return Document{};
}

Result<Document> info_breakpoints(Debugger debugger) {
  const debug::Points& points = debugging(debugger).points;
  Document out;
  std::map<int, PointRow> rows;
  for (const auto& [number, point] : points.breakpoints()) {
    Document ignored;
    rows[number] = {number,
                    point.temporary ? "temporary" : "breakpoint",
                    point.enabled,
                    debug::to_string(point.place),
                    point.condition,
                    point.hits,
                    addresses_of(debugger, point.place, ignored)};
  }
  for (const auto& [number, point] : points.watchpoints())
    rows[number] = {number, "watchpoint", point.enabled, point.text, {}, point.hits, {}};
  std::vector<PointRow> sorted;
  for (auto& [number, row] : rows) sorted.push_back(std::move(row));
  out.table(kPointColumns, sorted);
  return out;
}

constexpr const char* kPlaces =
    "PLACE is KERNEL (its entry), KERNEL+0x40, FILE:LINE, LINE of the kernel's file, *0xADDRESS as "
    "`disassemble` shows it, or *+0xOFFSET from the "
    "entry; without one it is where the selected wave stands. A line without code means the next "
    "that has some. Lines need a code object "
    "built with -gline-tables-only.";

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
                 .changes_program = true};
}

}  // namespace

void add_debug_point_commands(Registry& registry) {
  add(registry,
      command(break_command(
                  "break", "Stop kernels on the emulated device at a place.",
                  std::string(
                      "Set it before `kernel run` or `replay`, or while a kernel is stopped. ") +
                      kPlaces +
                      " The CONDITION behind `if` is Lua and sees `wave`, `workgroup`, `lane`, "
                      "`v(3)`, `s(4)`, `f32(v(3))`, `exec`, "
                      "`vcc`, `scc`, `mem.f32(ADDRESS)`: one that looks at the lane, or at vector "
                      "registers, is asked for every active lane, and "
                      "the first for which it holds is selected.",
                  {"b"}, {"break vector_add", "break vector_add+0x10 if lane == 3"}),
              {arg("place", &BreakArgs::place, "where, and `if CONDITION`")
                   .takes_phrase()
                   .completes(Complete::variable)},
              add_break<false>));
  add(registry,
      command(break_command("tbreak", "Stop a kernel at a place once.",
                            std::string("A breakpoint that is removed when it is hit. ") + kPlaces,
                            {"tb"}, {"tbreak vector_add"}),
              {arg("place", &BreakArgs::place, "where, and `if CONDITION`")
                   .takes_phrase()
                   .completes(Complete::variable)},
              add_break<true>));
  add(registry,
      command(break_command("watch", "Stop when a register or memory changes.",
                            "A register is that of the selected wave: v3, v[2:3], s4, exec, vcc, "
                            "scc, m0; `--lane` looks at one lane of it. Memory is "
                            "an element of a buffer argument (arg2[10]), an address "
                            "(*0x7f0000001000) or LDS of the selected workgroup (local#16), with "
                            "`--bytes` of it. The stop is behind the instruction that changed it, "
                            "of whichever wave. Each instruction is looked at, which "
                            "takes several times as long as running to a breakpoint.",
                            {}, {"watch v0"}),
              {arg("what", &WatchArgs::what, "a register, arg2[10], *ADDRESS or local#OFFSET")
                   .required()
                   .takes_phrase()
                   .completes(Complete::variable),
               option("bytes", &WatchArgs::bytes, "of memory; default 4").in(within(1, kMostBytes)),
               option("lane", &WatchArgs::lane, "of a vector register; default: all")
                   .in(within(0, emu::kLanes - 1))},
              run_watch));
  const auto numbers = [&](std::string path, std::string summary, std::string help,
                           Result<Document> (*handler)(const NumbersArgs&, Debugger)) {
    Command definition{.path = path,
                       .does = kReads,
                       .chapter = Class::stepping,
                       .summary = std::move(summary),
                       .help = std::move(help),
                       .examples = {path},
                       .changes_program = true};
    add(registry, command(std::move(definition),
                          {arg("number", &NumbersArgs::numbers,
                               "as `info breakpoints` shows them; default: all")},
                          handler));
  };
  numbers("delete", "Remove breakpoints and watchpoints.",
          "By their numbers; alone it removes all.", run_delete);
  numbers("enable", "Let breakpoints and watchpoints stop again.", "By their numbers; alone all.",
          set_enabled<true>);
  numbers("disable", "Keep breakpoints and watchpoints, but do not stop there.",
          "By their numbers; alone all.", set_enabled<false>);
  add(registry,
      command(
          Command{.path = "info breakpoints",
                  .does = kReads,
                  .chapter = Class::status,
                  .summary = "List breakpoints and watchpoints.",
                  .help =
                      "`addresses` are those in the kernel that is stopped. One that means nothing "
                      "in it waits for another kernel.",
                  .columns = described(kPointColumns),
                  .scalar = "number",
                  .examples = {"info breakpoints"}},
          info_breakpoints));
}

}  // namespace rpl
