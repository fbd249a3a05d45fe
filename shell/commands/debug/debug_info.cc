// SPDX-License-Identifier: MIT
// info waves, workgroups, lanes: what the stopped kernel is made of. wave, workgroup, lane: choosing among it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/register_text.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/command/define.h"
#include "shell/core/session/debug_state.h"

namespace rpl {
namespace {

using debug::Session, emu::Wave;

constexpr const char* kAboutIt = "whether commands are about it";
constexpr const char* kNumberInGrid = "linear number in the grid";

struct WaveRow {
  const Session* session = nullptr;
  const Wave* wave = nullptr;

  [[nodiscard]] bool selected() const { return debug::id_of(*wave) == session->selected_wave; }
  [[nodiscard]] std::string_view state() const {
    if (wave->state == Wave::State::at_barrier) return "at barrier";
    if (wave->state == Wave::State::at_grid_barrier) return "at grid barrier";
    if (wave->state == Wave::State::ended) return "ended";
    const Wave* running = session->schedule().running();
    return running != nullptr && debug::id_of(*running) == debug::id_of(*wave) ? "runs next"
                                                                               : "ready";
  }
  /// Null for one that has ended.
  [[nodiscard]] const WaveRow* going() const {
    return wave->state == Wave::State::ended ? nullptr : this;
  }
  [[nodiscard]] std::uint64_t address() const { return session->program().ops[wave->pc].address; }
  [[nodiscard]] std::string pc() const { return hex(address()); }
  [[nodiscard]] int active_lanes() const { return std::popcount(wave->exec()); }
  [[nodiscard]] std::string place() const {
    const std::string place = isa::place_text(session->lines().chain(address()));
    return place.substr(0, place.find(','));
  }
};

constexpr auto kLaunchFields = bound_to<Session>(
    column<&Session::schedule, &debug::Schedule::begun>("begun", "workgroups that have begun"),
    column<&Session::schedule, &debug::Schedule::ended>("ended", "of them, those that have ended"),
    column<&Session::prepared, &emu::Prepared::count>("workgroups", "of the launch"));

constexpr auto kWaveColumns = bound_to<WaveRow>(
    column<&WaveRow::selected>("selected", kAboutIt),
    column<&WaveRow::wave, &Wave::workgroup>("workgroup", kNumberInGrid).in(Unit::none),
    column<&WaveRow::wave, &Wave::id>("wave", "within the workgroup").in(Unit::none),
    column<&WaveRow::state>("state", "runs next, ready, at barrier or ended"),
    column<&WaveRow::going, &WaveRow::pc>("pc", "of the instruction that comes next")
        .as(Type::address),
    column<&WaveRow::going, &WaveRow::active_lanes>("active_lanes", "set in its exec mask")
        .if_room(),
    column<&WaveRow::going, &WaveRow::place>("place", "its source line").or_null().whole());

struct WavesArgs {
  std::vector<std::string> waves;
};

Result<Document> info_waves(const WavesArgs& args, const DebugState& debug) {
  const Session& session = *TRY(needs_debugged(debug));
  std::vector<debug::WaveId> wanted;
  for (const std::string& text : args.waves) {
    // Flags of GDB, as -gid, change nothing.
    if (!text.starts_with('-')) wanted.push_back(TRY(wave_named(session, text)));
  }
  std::vector<WaveRow> rows;
  for (const emu::Workgroup& group : session.schedule().active()) {
    for (const Wave& wave : group.waves) {
      const bool asked =
          wanted.empty() || std::ranges::find(wanted, debug::id_of(wave)) != wanted.end();
      if (asked) rows.push_back({&session, &wave});
    }
  }
  Document out;
  out.put(kLaunchFields, session);
  out.table(kWaveColumns, rows);
  out.heading =
      fmt::format("{} of {} workgroups have begun, {} have ended", session.schedule().begun(),
                  session.prepared().count(), session.schedule().ended());
  out.provenance = Provenance::modelled;
  return out;
}

struct WorkgroupRow {
  const emu::Workgroup* group = nullptr;
  bool selected = false;
};

template <Wave::State state>
std::size_t waves_in(const emu::Workgroup& group) {
  return static_cast<std::size_t>(std::ranges::count(group.waves, state, &Wave::state));
}

template <auto... steps>
consteval BoundColumn of_group(Label name, Label text) {
  return column<&WorkgroupRow::group, steps...>(name, text);
}

constexpr auto kWorkgroupColumns = bound_to<WorkgroupRow>(
    column<&WorkgroupRow::selected>("selected", kAboutIt),
    of_group<&emu::Workgroup::number>("workgroup", kNumberInGrid).in(Unit::none),
    of_group<&emu::Workgroup::id>("id", "its place in the grid"),
    of_group<&emu::Workgroup::waves, &how_many<std::vector<Wave>>>("waves", "it is made of"),
    of_group<&waves_in<Wave::State::at_barrier>>("at_barrier", "waves that wait at a barrier"),
    of_group<&waves_in<Wave::State::at_grid_barrier>>("at_grid_barrier",
                                                      "waves that wait for other workgroups"),
    of_group<&waves_in<Wave::State::ended>>("ended", "waves that have ended"),
    of_group<&emu::Workgroup::lds, &how_many<emu::LdsBytes>>("lds_bytes", "LDS that it holds"));

Result<Document> info_workgroups(const DebugState& debug) {
  const Session& session = *TRY(needs_debugged(debug));
  std::vector<WorkgroupRow> rows;
  for (const emu::Workgroup& group : session.schedule().active())
    rows.push_back({&group, group.number == session.selected_wave.workgroup});
  Document out;
  out.table(kWorkgroupColumns, rows);
  out.provenance = Provenance::modelled;
  return out;
}

/// Where a lane's work-item lies in the grid. Workgroups at the edge of the grid are smaller.
std::optional<emu::Size3> work_item(const Session& session, const emu::Workgroup& group,
                                    std::uint32_t item) {
  const emu::Launch& launch = *session.prepared().launch;
  emu::Size3 size{}, first{};
  for (std::size_t i = 0; i < 3; ++i) {
    first[i] = group.id[i] * launch.workgroup[i];
    size[i] = std::min(launch.workgroup[i], launch.grid[i] - first[i]);
  }
  if (item >= size[0] * size[1] * size[2]) return {};
  return emu::Size3{first[0] + item % size[0], first[1] + item / size[0] % size[1],
                    first[2] + item / (size[0] * size[1])};
}

/// The mask as it lies in the register, lane 0 on the left: "#" active, "." not, "*" the selected lane.
std::string mask_text(std::uint64_t exec, unsigned selected) {
  std::string text;
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    if (lane % 32 == 0) text += fmt::format("{}{:>2} ", lane == 0 ? "" : "\n", lane);
    if (lane % 8 == 0) text += ' ';
    text += (exec >> lane & 1) == 0 ? '.' : lane == selected ? '*' : '#';
  }
  return text;
}

constexpr auto kMaskFields =
    bound_to<Wave>(column<+[](const Wave& wave) { return hex(wave.exec()); }>("exec", "the mask")
                       .as(Type::address),
                   column<+[](const Wave& wave) { return std::popcount(wave.exec()); }>(
                       "active_lanes", "set in it"));

struct LaneRow {
  unsigned lane = 0;
  bool active = false;
  std::optional<emu::Size3> work_item;
  std::string value = {};
  Value number = {};
};

constexpr auto kLaneColumns = bound_to<LaneRow>(
    column<&LaneRow::lane>("lane", "0 to 63").in(Unit::none),
    column<&LaneRow::active>("active", "whether it executes"),
    column<&LaneRow::work_item>("work_item", "in the grid; null for a lane without one"),
    column<&LaneRow::value>("value",
                            "of the register, in hexadecimal, or of the expression in active lanes")
        .or_null(),
    column<&LaneRow::number>("float", "the same as a float, NaN and inf as text"));

struct LanesArgs {
  std::vector<std::string> words;  ///< of a register or an expression
  std::string format;
};

/// What an expression comes to in a lane.
Status add_value(const Debugger& debugger, const std::string& text, const std::string& format,
                 LaneRow& row) {
  const auto datum = datum_in_lane(debugger, text, row.lane);
  // What lies at an address may be there in some lanes alone.
  row.value = shown_text(*debugged(debugger.state), datum);
  if (!datum) return {};
  if (datum->type.is_float() && !datum->missing)
    row.number =
        std::isfinite(datum->real) ? Value(datum->real) : Value(fmt::format("{}", datum->real));
  if (!format.empty() && !datum->missing) row.value = TRY(debug::text_of(*datum, format[0]));
  return {};
}

Result<Document> info_lanes(const LanesArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  const Wave& wave = *TRY(selected_wave(session));
  std::optional<debug::RegisterName> name;
  const std::string text = fmt::format("{}", fmt::join(args.words, " "));
  const auto parsed = debug::parse_register(text);
  const bool expression = !text.empty() && !parsed;
  if (expression) TRY(datum_of(debugger, text));
  if (parsed) {
    name = *parsed;
    TRY(debug::check_register(session.program(), *name));
  }
  const emu::Workgroup* group = nullptr;
  for (const emu::Workgroup& one : session.schedule().active()) {
    if (one.number == wave.workgroup) group = &one;
  }
  std::vector<LaneRow> rows;
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    LaneRow& row =
        rows.emplace_back(LaneRow{lane, (wave.exec() >> lane & 1) != 0,
                                  work_item(session, *group, wave.id * emu::kLanes + lane)});
    if (expression && row.active) TRY(add_value(debugger, text, args.format, row));
    if (!name) continue;
    const std::uint32_t bits = debug::read_register(session.program(), wave, *name, lane)[0];
    row.value = fmt::format("0x{:08x}", bits);
    TRY(format_value(row.value, args.format));
    row.number = float_value(bits);
  }
  Document out;
  out.put(kMaskFields, wave);
  out.table(kLaneColumns, rows);
  out.heading = fmt::format(
      "wave {} of workgroup {}: {} of {} lanes are active (#), lane {} is selected (*)\n{}",
      wave.id, wave.workgroup, std::popcount(wave.exec()), emu::kLanes, session.selected_lane,
      mask_text(wave.exec(), session.selected_lane));
  out.provenance = Provenance::modelled;
  return out;
}

struct WaveArgs {
  std::string wave;
};

}  // namespace

Result<debug::WaveId> wave_named(const Session& session, std::string_view text) {
  debug::WaveId id{session.selected_wave.workgroup, 0};
  const std::size_t colon = text.find(':');
  const auto number = [](std::string_view digits, std::uint32_t& value) {
    const auto parsed = whole_number<std::uint32_t>(digits);
    value = parsed.value_or(0);
    return parsed.has_value();
  };
  const bool parsed =
      (colon == std::string_view::npos || number(text.substr(0, colon), id.workgroup)) &&
      number(colon == std::string_view::npos ? text : text.substr(colon + 1), id.wave);
  if (!parsed)
    return fail(Errc::usage, fmt::format("'{}' is not a wave", text),
                "a number within the workgroup, or WORKGROUP:WAVE");
  return id;
}

namespace {

/// What stands still is shown as after a stop, for another wave or lane.
Document shown_again(const Debugger& debugger) {
  return stop_document(
      debugger, {.kind = debug::Stop::Kind::step, .wave = debugged(debugger.state)->selected_wave});
}

Result<Document> select_wave(const WaveArgs& args, Debugger debugger) {
  Session& session = *TRY(needs_stopped(debugger.state));
  if (args.wave.empty()) return shown_again(debugger);
  const debug::WaveId id = TRY(wave_named(session, args.wave));
  const Wave* wave = session.wave(id);
  if (wave == nullptr) {
    return fail(Errc::not_found,
                fmt::format("wave {} of workgroup {} is not in flight", id.wave, id.workgroup),
                "'info waves' lists those that are");
  }
  if (wave->state == Wave::State::ended)
    return fail(Errc::not_found,
                fmt::format("wave {} of workgroup {} has ended", id.wave, id.workgroup),
                "'reverse-continue' goes back");
  session.select(id);
  return shown_again(debugger);
}

struct NumberArgs {
  std::optional<std::int64_t> number;
};

Result<Document> select_workgroup(const NumberArgs& args, Debugger debugger) {
  if (!args.number) return select_wave({}, debugger);
  return select_wave({fmt::format("{}:0", *args.number)}, debugger);
}

Result<Document> select_lane(const NumberArgs& args, Debugger debugger) {
  Session& session = *TRY(needs_stopped(debugger.state));
  if (args.number) session.selected_lane = static_cast<unsigned>(*args.number);
  Document out = shown_again(debugger);
  const Wave& wave = *TRY(selected_wave(session));
  if ((wave.exec() >> session.selected_lane & 1) == 0)
    out.notes.push_back(fmt::format("lane {} is not active", session.selected_lane));
  return out;
}

Command choosing(std::string path, std::string summary, std::string help, std::string example) {
  return Command{.path = std::move(path),
                 .does = kReads,
                 .chapter = Class::stepping,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = stop_fields(),
                 .scalar = "pc",
                 .examples = {std::move(example)},
                 .changes_program = true};
}

Command about_waves(std::string path, std::string summary, std::string help,
                    std::vector<Column> fields, std::vector<Column> columns, std::string scalar,
                    std::vector<Label> aliases = {}) {
  const std::string example = path;
  return Command{.path = std::move(path),
                 .does = kReads,
                 .chapter = Class::status,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = std::move(fields),
                 .columns = std::move(columns),
                 .scalar = std::move(scalar),
                 .aliases = std::move(aliases),
                 .examples = {example}};
}

}  // namespace

void add_debug_info_commands(Registry& registry) {
  add(registry,
      command(
          about_waves("info waves", "List the waves of the stopped kernel that are in flight.",
                      "Workgroups begin in order; waves of those that have not begun, or have "
                      "ended, are not listed. `wave N` selects one.",
                      described(kLaunchFields), described(kWaveColumns), "begun", {"info threads"}),
          {arg("wave", &WavesArgs::waves, "these alone: 2, or 5:2; default: all")
               .completes(Complete::wave)},
          info_waves));
  add(registry, command(about_waves("info workgroups",
                                    "List the workgroups of the stopped kernel that are in flight.",
                                    "`workgroup N` selects one.", {}, described(kWorkgroupColumns),
                                    "workgroup"),
                        info_workgroups));
  Command lanes =
      about_waves("info lanes", "Show the exec mask of the selected wave, lane by lane.",
                  "The mask is drawn with lane 0 on the left. With a register also what it holds "
                  "in each lane, with an expression what that comes to "
                  "in each lane that executes.",
                  described(kMaskFields), described(kLaneColumns), "active_lanes");
  lanes.suffix_option = "format";
  lanes.suffix_letters = "xduotazfc";
  add(registry,
      command(std::move(lanes),
              {arg("register", &LanesArgs::words, "v3, or an expression: shown for each lane")
                   .completes(Complete::variable),
               option("format", &LanesArgs::format, "x d u o t a z f c; on a line behind a slash")},
              info_lanes));
  add(registry,
      command(
          choosing(
              "wave", "Select a wave of the stopped kernel.",
              "Within the selected workgroup, or WORKGROUP:WAVE. Alone it shows the selected one.",
              "wave 0"),
          {arg("wave", &WaveArgs::wave, "2, or 5:2").completes(Complete::wave)}, select_wave));
  Command thread = choosing("thread", "Select a wave of the stopped kernel, as GDB's threads.",
                            "What GDB calls a thread is a wave here: the same as `wave`. `thread "
                            "apply` runs a line for several.",
                            "thread 0");
  add(registry,
      command(std::move(thread),
              {arg("wave", &WaveArgs::wave, "2, or 5:2").completes(Complete::wave)}, select_wave));
  add(registry,
      command(choosing("workgroup", "Select a workgroup of the stopped kernel.",
                       "By its linear number; its first wave is selected.", "workgroup 0"),
              {arg("number", &NumberArgs::number, "its number in the grid").in(at_least(0))},
              select_workgroup));
  add(registry, command(choosing("lane", "Select a lane of the selected wave.",
                                 "Registers and conditions are shown for it.", "lane 3"),
                        {arg("number", &NumberArgs::number, "its number in the wave")
                             .in(within(0, emu::kLanes - 1))
                             .completes(Complete::lane)},
                        select_lane));
}

}  // namespace rpl
