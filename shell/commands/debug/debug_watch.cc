// SPDX-License-Identifier: MIT
// watch, rwatch, awatch.
#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/replay/elements.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/point_text.h"
#include "shell/core/command/define.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

struct WatchRow {
  std::string_view type;
  std::string what;
  int number = 0;
  std::string condition = {};
  std::vector<std::string> addresses = {};
};
/// In the order in which `watch` has always given them.
constexpr auto kWatchFields = bound_to<WatchRow>(
    column<&WatchRow::type>("type", "breakpoint or watchpoint"),
    column<&WatchRow::what>("what", "the place, or what is watched"),
    column<&WatchRow::number>("number", "for delete, enable and disable").in(Unit::none),
    column<&WatchRow::condition>("condition", "when it stops; null: always").or_null(),
    column<&WatchRow::addresses>("addresses", "in the kernel that is stopped; empty without one"));

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

/// What an expression is about: the first part of it that lies somewhere.
Result<std::optional<debug::Watched>> place_in(const Debugger& debugger,
                                               const debug::Expression& expression) {
  const auto whole = debug::evaluate(expression, scope_of(debugger));
  if (whole && whole->where) return whole->where;
  for (const debug::Expression& part : expression.parts) {
    if (auto found = TRY(place_in(debugger, part))) return found;
  }
  if (!whole && expression.parts.empty()) return Failure(whole.error());
  return std::optional<debug::Watched>();
}

struct Wanted {
  debug::Watched watched;
  std::string condition;  ///< that the expression itself is, as of $v6 > 3
};

Result<Wanted> watched_of(const Debugger& debugger, const WatchArgs& args, std::string text) {
  const debug::Session& session = *TRY(needs_stopped(debugger.state));
  for (const std::string_view option : {"-location ", "-l "}) {
    if (text.starts_with(option)) text.erase(0, option.size());
  }
  // A debugger's own variables are the thing itself, as in GDB; any other variable holds an address.
  const std::string_view bare = std::string_view(text).substr(text.starts_with('$') ? 1 : 0);
  if (auto element = TRY(element_of(session, bare))) return Wanted{*element, ""};
  if (const auto name = debug::parse_register(bare)) {
    TRY(debug::check_register(session.program(), *name));
    if (name->kind == debug::RegisterName::Kind::pc)
      return fail(Errc::usage, "the pc changes with every instruction", "'stepi' or 'break'");
    debug::Watched watched{
        .space = debug::Watched::Space::registers, .wave = session.selected_wave, .name = *name};
    if (args.lane && name->has_lanes()) watched.lane = static_cast<unsigned>(*args.lane);
    return Wanted{watched, ""};
  }
  const auto parsed = debug::parse_expression(text);
  const bool spaced = text.starts_with("local#") || text.starts_with("private_lane#");
  if (parsed && !spaced && !args.bytes) {
    const auto whole = debug::evaluate(*parsed, scope_of(debugger));
    if (whole && whole->where) return Wanted{*whole->where, ""};
    if (whole && whole->in_caller)
      return fail(Errc::unsupported,
                  fmt::format("{} is in a register of a function that called another", text),
                  "'finish' goes back to it; what is in memory is watched in every frame");
    if (whole && whole->missing)
      return fail(Errc::not_found, fmt::format("{} is optimized out here", text),
                  "stop where it is somewhere: 'info locals' says so");
    const bool compares = parsed->kind == debug::Expression::Kind::binary;
    if (!whole && !text.starts_with('*')) return Failure(whole.error());
    if (compares) {
      if (auto inner = TRY(place_in(debugger, *parsed)))
        return Wanted{*inner, whole->type.base == debug::Type::Base::boolean ? text : ""};
    }
  }
  if (text.starts_with('*')) text.erase(0, 1);
  const debug::Address address = TRY(address_of(debugger, text));
  const std::int64_t bytes = args.bytes.value_or(4);
  TRY(debug::read(session, address, static_cast<std::uint64_t>(bytes)));
  using Space = debug::Watched::Space;
  debug::Watched watched{.space = address.space == debug::Address::Space::lds       ? Space::lds
                                  : address.space == debug::Address::Space::scratch ? Space::scratch
                                                                                    : Space::memory,
                         .address = address.offset,
                         .bytes = static_cast<std::uint64_t>(bytes),
                         .wave = session.selected_wave};
  if (watched.space == Space::scratch) watched.lane = session.selected_lane;
  return Wanted{watched, ""};
}

template <debug::WatchedFor kind>
Result<Document> run_watch(const WatchArgs& args, Debugger debugger) {
  const PointText text = split_point(args.what);
  const Wanted wanted = TRY(watched_of(debugger, args, text.place));
  const bool in_register = wanted.watched.space == debug::Watched::Space::registers;
  if (kind != debug::WatchedFor::change &&
      (in_register || wanted.watched.space == debug::Watched::Space::scratch))
    return fail(Errc::unsupported, "reads of registers and of scratch memory are not seen",
                "'watch' stops at their changes; rwatch and awatch are for buffers and LDS");
  debug::Watchpoint watchpoint{.watched = wanted.watched, .text = text.place, .kind = kind};
  for (const std::string_view option : {"-location ", "-l "}) {
    if (watchpoint.text.starts_with(option)) watchpoint.text.erase(0, option.size());
  }
  watchpoint.condition = wanted.condition.empty() ? text.condition
                         : text.condition.empty()
                             ? wanted.condition
                             : fmt::format("({}) && ({})", wanted.condition, text.condition);
  ScriptHost::Condition compiled;
  if (!watchpoint.condition.empty()) compiled = TRY(condition_of(debugger, watchpoint.condition));
  if (in_register && wanted.condition.empty()) {
    watchpoint.text += fmt::format(" of wave {} of workgroup {}", watchpoint.watched.wave.wave,
                                   watchpoint.watched.wave.workgroup);
    if (watchpoint.watched.lane)
      watchpoint.text += fmt::format(", lane {}", *watchpoint.watched.lane);
  }
  const std::string_view title = kind == debug::WatchedFor::change ? "Watchpoint"
                                 : kind == debug::WatchedFor::read ? "Read watchpoint"
                                                                   : "Access watchpoint";
  Document out;
  WatchRow row{.type = "watchpoint", .what = watchpoint.text, .condition = watchpoint.condition};
  Debugging& all = debugging(debugger);
  row.number = all.points.add(std::move(watchpoint));
  debugger.values.set("bpnum", Value(std::int64_t{row.number}));
  if (compiled) all.conditions[row.number] = std::move(compiled);
  out.put(kWatchFields, row);
  out.text = fmt::format("{} {}: {}{}\n", title, row.number, row.what,
                         row.condition.empty() ? "" : ", if " + row.condition);
  out.next = {"continue"};
  return out;
}

Command watching(Label path, Label summary, Label help) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::stepping,
                 .summary = summary,
                 .help = help,
                 .fields = described(kWatchFields),
                 .scalar = "number",
                 .examples = {path == "watch" ? "watch v0" : path + " arg1[0]"},
                 .keeps_place = true,
                 .changes_program = true};
}

std::vector<Bound> params() {
  std::vector<Bound> all;
  all.push_back(arg("what", &WatchArgs::what,
                    "a register, arg2[10], NAME[10], *ADDRESS or local#OFFSET, and `if CONDITION`")
                    .required()
                    .takes_phrase()
                    .completes(Complete::variable));
  all.push_back(
      option("bytes", &WatchArgs::bytes, "of memory; default 4").in(within(1, kMostBytes)));
  all.push_back(option("lane", &WatchArgs::lane, "of a vector register; default: all")
                    .in(within(0, emu::kLanes - 1)));
  return all;
}

}  // namespace

void add_debug_watch_commands(Registry& registry) {
  using enum debug::WatchedFor;
  add(registry,
      command(
          watching(
              "watch", "Stop when a register or memory changes.",
              "A register is that of the selected wave: v3, v[2:3], s4, exec, vcc, "
              "scc, m0; `--lane` looks at one lane of it. Memory is "
              "an element of a buffer argument (arg2[10], out[10]), an address "
              "(*0x7f0000001000), LDS of the selected workgroup (local#16), or scratch memory of "
              "the selected lane (private_lane#4), with "
              "`--bytes` of it. A comparison (`watch $v6 > 3`) stops at changes that make it "
              "hold, and what follows `if` is a condition as of `break`. The stop is behind the "
              "instruction that changed it, "
              "of whichever wave. Each instruction is looked at, which "
              "takes several times as long as running to a breakpoint."),
          params(), run_watch<change>));
  add(registry,
      command(watching("rwatch", "Stop when memory is read.",
                       "As `watch`, of buffers and LDS: behind the load, of whichever wave."),
              params(), run_watch<read>));
  add(registry,
      command(
          watching("awatch", "Stop when memory is read or written.",
                   "As `watch`, of buffers and LDS: behind the load or store, of whichever wave."),
          params(), run_watch<access>));
}

}  // namespace rpl
