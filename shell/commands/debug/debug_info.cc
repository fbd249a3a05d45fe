// SPDX-License-Identifier: MIT
// info waves, workgroups, registers, lanes: what the stopped kernel is made of. wave, workgroup, lane: choosing among it.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "engine/base/numbers.h"
#include "shell/commands/debug/debugging.h"
#include "shell/core/command/define.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

using emu::Wave;

std::string_view state_of(const debug::Session& session, const Wave& wave) {
  if (wave.state == Wave::State::at_barrier) return "at barrier";
  if (wave.state == Wave::State::ended) return "ended";
  const Wave* running = session.schedule().running();
  return running != nullptr && debug::id_of(*running) == debug::id_of(wave) ? "runs next" : "ready";
}

Value place_of_wave(const debug::Session& session, const Wave& wave) {
  const std::string place =
      isa::place_text(session.lines().chain(session.program().ops[wave.pc].address));
  return place.empty() ? Value() : Value(place.substr(0, place.find(',')));
}

Result<Document> info_waves(Context& context) {
  const debug::Session& session = *TRY(needs_debugged(context.debug()));
  Document out;
  out.set("begun", Value(session.schedule().begun()));
  out.set("ended", Value(session.schedule().ended()));
  out.set("workgroups", Value(session.prepared().count()));
  for (const emu::Workgroup& group : session.schedule().active()) {
    for (const Wave& wave : group.waves) {
      const bool ended = wave.state == Wave::State::ended;
      out.rows.push_back({Value(debug::id_of(wave) == session.selected_wave), Value(wave.workgroup),
                          Value(wave.id), Value(state_of(session, wave)),
                          ended ? Value() : Value(hex(session.program().ops[wave.pc].address)),
                          ended ? Value() : Value(std::popcount(wave.exec())),
                          ended ? Value() : place_of_wave(session, wave)});
    }
  }
  out.heading =
      fmt::format("{} of {} workgroups have begun, {} have ended", session.schedule().begun(),
                  session.prepared().count(), session.schedule().ended());
  out.provenance = Provenance::modelled;
  return out;
}

Result<Document> info_workgroups(Context& context) {
  const debug::Session& session = *TRY(needs_debugged(context.debug()));
  Document out;
  for (const emu::Workgroup& group : session.schedule().active()) {
    std::uint32_t waiting = 0, ended = 0;
    for (const Wave& wave : group.waves) {
      waiting += wave.state == Wave::State::at_barrier ? 1 : 0;
      ended += wave.state == Wave::State::ended ? 1 : 0;
    }
    out.rows.push_back({Value(group.number == session.selected_wave.workgroup), Value(group.number),
                        Value(List{Value(group.id[0]), Value(group.id[1]), Value(group.id[2])}),
                        Value(std::uint64_t{group.waves.size()}), Value(waiting), Value(ended),
                        Value(std::uint64_t{group.lds.size()})});
  }
  out.provenance = Provenance::modelled;
  return out;
}

struct RegistersArgs {
  std::vector<std::string> registers;
};

/// JSON has no NaN, and here it is what people look for.
Value float_value(float number) {
  if (std::isnan(number)) return Value("NaN");
  if (std::isinf(number)) return Value(number < 0 ? "-inf" : "inf");
  return Value(static_cast<double>(number));
}

void add_register(const debug::Session& session, const Wave& wave, const debug::RegisterName& name,
                  std::optional<unsigned> lane, Document& out) {
  const auto dwords = debug::read_register(session.program(), wave, name, lane.value_or(0));
  const bool pair = !name.has_lanes() && dwords.size() == 2;
  for (std::uint32_t i = 0; i < (pair ? 1 : dwords.size()); ++i) {
    debug::RegisterName one = name;
    if (!pair) {
      one.number = name.number + i;
      one.count = 1;
    }
    const std::uint64_t bits = pair ? dwords[0] | std::uint64_t{dwords[1]} << 32 : dwords[i];
    float number = 0;
    std::memcpy(&number, &dwords[i], sizeof(number));
    out.rows.push_back(
        {Value(debug::to_string(one)), lane ? Value(*lane) : Value(),
         lane ? Value((wave.exec() >> *lane & 1) != 0) : Value(),
         Value(pair ? fmt::format("0x{:016x}", bits) : fmt::format("0x{:08x}", bits)),
         pair ? Value() : Value(std::int64_t{static_cast<std::int32_t>(bits)}),
         pair ? Value() : float_value(number)});
  }
}

/// What a person wants to see first: the special registers, the scalar ones that hold something, and the selected lane's vector registers.
std::vector<std::string> usual_registers(const debug::Session& session, const Wave& wave) {
  std::vector<std::string> names{"exec", "vcc", "scc", "m0"};
  const isa::Kernel& kernel = *session.prepared().launch->kernel;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(kernel.sgprs, 102); ++i) {
    if (wave.sgprs[i] != 0) names.push_back(fmt::format("s{}", i));
  }
  for (std::uint32_t i = 0;
       i < kernel.vgprs - std::min(kernel.vgprs, kernel.agprs) && i < session.program().first_agpr;
       ++i)
    names.push_back(fmt::format("v{}", i));
  return names;
}

Result<Document> info_registers(Context& context, const RegistersArgs& args) {
  const debug::Session& session = *TRY(needs_stopped(context.debug()));
  const Wave& wave = *TRY(selected_wave(session));
  Document out;
  out.set("workgroup", Value(wave.workgroup));
  out.set("wave", Value(wave.id));
  out.set("lane", Value(session.selected_lane));
  const bool all_lanes = !args.registers.empty();
  for (const std::string& text : all_lanes ? args.registers : usual_registers(session, wave)) {
    const debug::RegisterName name = TRY(debug::parse_register(text));
    TRY(debug::check_register(session.program(), name));
    if (!name.has_lanes()) {
      add_register(session, wave, name, std::nullopt, out);
    } else if (!all_lanes) {
      add_register(session, wave, name, session.selected_lane, out);
    } else {
      for (unsigned lane = 0; lane < emu::kLanes; ++lane)
        add_register(session, wave, name, lane, out);
    }
  }
  out.heading = fmt::format("wave {} of workgroup {}, lane {}", wave.id, wave.workgroup,
                            session.selected_lane);
  out.provenance = Provenance::modelled;
  return out;
}

/// Where a lane's work-item lies in the grid. Workgroups at the edge of the grid are smaller.
Value work_item(const debug::Session& session, const emu::Workgroup& group, std::uint32_t item) {
  const emu::Launch& launch = *session.prepared().launch;
  emu::Size3 size{}, first{};
  for (std::size_t i = 0; i < 3; ++i) {
    first[i] = group.id[i] * launch.workgroup[i];
    size[i] = std::min(launch.workgroup[i], launch.grid[i] - first[i]);
  }
  if (item >= size[0] * size[1] * size[2]) return {};
  return Value(List{Value(first[0] + item % size[0]), Value(first[1] + item / size[0] % size[1]),
                    Value(first[2] + item / (size[0] * size[1]))});
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

struct LanesArgs {
  std::string reg;
};

Result<Document> info_lanes(Context& context, const LanesArgs& args) {
  const debug::Session& session = *TRY(needs_stopped(context.debug()));
  const Wave& wave = *TRY(selected_wave(session));
  std::optional<debug::RegisterName> name;
  if (!args.reg.empty()) {
    name = TRY(debug::parse_register(args.reg));
    TRY(debug::check_register(session.program(), *name));
  }
  const emu::Workgroup* group = nullptr;
  for (const emu::Workgroup& one : session.schedule().active()) {
    if (one.number == wave.workgroup) group = &one;
  }
  Document out;
  out.set("exec", Value(hex(wave.exec())));
  out.set("active_lanes", Value(std::popcount(wave.exec())));
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    Row row{Value(lane), Value((wave.exec() >> lane & 1) != 0),
            work_item(session, *group, wave.id * emu::kLanes + lane), Value(), Value()};
    if (name) {
      const std::uint32_t bits = debug::read_register(session.program(), wave, *name, lane)[0];
      float number = 0;
      std::memcpy(&number, &bits, sizeof(number));
      row[3] = Value(fmt::format("0x{:08x}", bits));
      row[4] = float_value(number);
    }
    out.rows.push_back(std::move(row));
  }
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

/// "2" in the selected workgroup, or "5:2".
Result<debug::WaveId> wave_of(const debug::Session& session, std::string_view text) {
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

/// What stands still is shown as after a stop, for another wave or lane.
Document shown_again(Context& context) {
  return stop_document(
      context, {.kind = debug::Stop::Kind::step, .wave = debugged(context.debug())->selected_wave});
}

Result<Document> select_wave(Context& context, const WaveArgs& args) {
  debug::Session& session = *TRY(needs_stopped(context.debug()));
  if (args.wave.empty()) return shown_again(context);
  const debug::WaveId id = TRY(wave_of(session, args.wave));
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
  return shown_again(context);
}

struct NumberArgs {
  std::optional<std::int64_t> number;
};

Result<Document> select_workgroup(Context& context, const NumberArgs& args) {
  if (!args.number) return select_wave(context, {});
  return select_wave(context, {fmt::format("{}:0", *args.number)});
}

Result<Document> select_lane(Context& context, const NumberArgs& args) {
  debug::Session& session = *TRY(needs_stopped(context.debug()));
  if (args.number && (*args.number < 0 || *args.number >= std::int64_t{emu::kLanes}))
    return fail(Errc::usage, "lanes are 0 to 63");
  if (args.number) session.selected_lane = static_cast<unsigned>(*args.number);
  Document out = shown_again(context);
  const Wave& wave = *TRY(selected_wave(session));
  if ((wave.exec() >> session.selected_lane & 1) == 0)
    out.notes.push_back(fmt::format("lane {} is not active", session.selected_lane));
  return out;
}

Command choosing(std::string path, std::string summary, std::string help, std::string example) {
  return Command{.path = std::move(path),
                 .chapter = Class::stepping,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = stop_fields(),
                 .scalar = "pc",
                 .examples = {std::move(example)},
                 .changes_program = true};
}

Command about_waves(std::string path, std::string summary, std::string help,
                    std::vector<Column> fields, std::vector<Column> columns, std::string scalar) {
  const std::string example = path;
  return Command{.path = std::move(path),
                 .chapter = Class::status,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .fields = std::move(fields),
                 .columns = std::move(columns),
                 .scalar = std::move(scalar),
                 .examples = {example}};
}

const Column kSelected{"selected", Type::boolean, Unit::none, "whether commands are about it"};

}  // namespace

void add_debug_info_commands(Registry& registry) {
  add(registry,
      command(
          about_waves("info waves", "List the waves of the stopped kernel that are in flight.",
                      "Workgroups begin in order; waves of those that have not begun, or have "
                      "ended, are not listed. `wave N` selects one.",
                      {{"begun", Type::integer, Unit::count, "workgroups that have begun"},
                       {"ended", Type::integer, Unit::count, "of them, those that have ended"},
                       {"workgroups", Type::integer, Unit::count, "of the launch"}},
                      {kSelected,
                       {"workgroup", Type::integer, Unit::none, "linear number in the grid"},
                       {"wave", Type::integer, Unit::none, "within the workgroup"},
                       {"state", Type::string, Unit::none, "runs next, ready, at barrier or ended"},
                       {"pc", Type::address, Unit::none, "of the instruction that comes next"},
                       {"active_lanes", Type::integer, Unit::count, "set in its exec mask"},
                       {"place", Type::string, Unit::none, "its source line", InText::if_room}},
                      "begun"),
          info_waves));
  add(registry,
      command(
          about_waves("info workgroups",
                      "List the workgroups of the stopped kernel that are in flight.",
                      "`workgroup N` selects one.", {},
                      {kSelected,
                       {"workgroup", Type::integer, Unit::none, "linear number in the grid"},
                       {"id", Type::dim3, Unit::none, "its place in the grid"},
                       {"waves", Type::integer, Unit::count, "it is made of"},
                       {"at_barrier", Type::integer, Unit::count, "waves that wait at a barrier"},
                       {"ended", Type::integer, Unit::count, "waves that have ended"},
                       {"lds_bytes", Type::integer, Unit::bytes, "LDS that it holds"}},
                      "workgroup"),
          info_workgroups));
  Command registers = about_waves(
      "info registers", "Show registers of the selected wave.",
      "Alone: exec, vcc, scc and m0, the scalar registers that are not zero, and the vector "
      "registers in the selected lane. A "
      "vector register that is named, v3 or v[2:3], is shown in every lane.",
      {{"workgroup", Type::integer, Unit::none, "of the wave"},
       {"wave", Type::integer, Unit::none, "whose registers"},
       {"lane", Type::integer, Unit::none, "the selected one"}},
      {{"register", Type::string, Unit::none, "its name in the disassembly"},
       {"lane", Type::integer, Unit::none, "null for a scalar register"},
       {"active", Type::boolean, Unit::none, "whether exec has the lane", InText::if_room},
       {"value", Type::string, Unit::none, "in hexadecimal"},
       {"integer", Type::integer, Unit::none, "as a signed integer; null for a pair"},
       {"float", Type::any, Unit::none, "as a 32-bit float, NaN and inf as text; null for a pair"}},
      "value");
  add(registry,
      command(std::move(registers),
              {arg("register", &RegistersArgs::registers, "v3, v[2:3], s4, s[4:5], vcc, exec, …")},
              info_registers));
  Command lanes = about_waves(
      "info lanes", "Show the exec mask of the selected wave, lane by lane.",
      "The mask is drawn with lane 0 on the left. With a register also what it holds in each lane.",
      {{"exec", Type::address, Unit::none, "the mask"},
       {"active_lanes", Type::integer, Unit::count, "set in it"}},
      {{"lane", Type::integer, Unit::none, "0 to 63"},
       {"active", Type::boolean, Unit::none, "whether it executes"},
       {"work_item", Type::dim3, Unit::none, "in the grid; null for a lane without one"},
       {"value", Type::string, Unit::none, "of the register, in hexadecimal; null without one"},
       {"float", Type::any, Unit::none, "the same as a 32-bit float, NaN and inf as text"}},
      "active_lanes");
  add(registry, command(std::move(lanes),
                        {arg("register", &LanesArgs::reg, "v3: shown for each lane")}, info_lanes));
  add(registry,
      command(
          choosing(
              "wave", "Select a wave of the stopped kernel.",
              "Within the selected workgroup, or WORKGROUP:WAVE. Alone it shows the selected one.",
              "wave 0"),
          {arg("wave", &WaveArgs::wave, "2, or 5:2")}, select_wave));
  add(registry,
      command(choosing("workgroup", "Select a workgroup of the stopped kernel.",
                       "By its linear number; its first wave is selected.", "workgroup 0"),
              {arg("number", &NumberArgs::number, "its number in the grid")}, select_workgroup));
  add(registry, command(choosing("lane", "Select a lane of the selected wave.",
                                 "Registers and conditions are shown for it.", "lane 3"),
                        {arg("number", &NumberArgs::number, "0 to 63")}, select_lane));
}

}  // namespace rpl
