// SPDX-License-Identifier: MIT
// info registers, info all-registers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/device/expression/variables.h"
#include "engine/document/bound.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/register_text.h"
#include "shell/core/command/define.h"
#include "shell/core/session/debug_state.h"

namespace rpl {

/// A dword as a 32-bit float. JSON has no NaN, and here it is what people look for.
Value float_value(std::uint32_t bits) {
  const auto number = std::bit_cast<float>(bits);
  if (std::isnan(number)) return Value("NaN");
  if (std::isinf(number)) return Value(number < 0 ? "-inf" : "inf");
  return Value(static_cast<double>(number));
}

/// The column `value` in a format of GDB.
Status format_value(std::string& value, const std::string& format) {
  if (format.empty() || value.empty()) return {};
  if (format.size() != 1)
    return fail(Errc::usage, fmt::format("'{}' is not a format of registers", format),
                "x d u o t a z f c: info registers/x v3");
  const auto bits = decimal_or_hex(value);
  if (!bits) return {};
  value = TRY(debug::text_of(debug::register_datum(*bits, value.size() > 10 ? 2 : 1), format[0]));
  return {};
}

namespace {

using debug::Session, emu::Wave;

constexpr auto kSelectedFields = bound_to<Session>(
    column<&Session::selected_wave, &debug::WaveId::workgroup>("workgroup", "of the wave")
        .in(Unit::none),
    column<&Session::selected_wave, &debug::WaveId::wave>("wave", "whose registers").in(Unit::none),
    column<&Session::selected_lane>("lane", "the selected one").in(Unit::none));

struct RegisterRow {
  std::string name;
  std::optional<unsigned> lane;
  std::optional<bool> active;
  std::string value;
  std::optional<std::int32_t> integer = {};
  Value number = {};
};

constexpr auto kRegisterColumns = bound_to<RegisterRow>(
    column<&RegisterRow::name>("register", "its name in the disassembly"),
    column<&RegisterRow::lane>("lane", "null for a scalar register").in(Unit::none),
    column<&RegisterRow::active>("active", "whether exec has the lane").if_room(),
    column<&RegisterRow::value>("value", "in hexadecimal"),
    column<&RegisterRow::integer>("integer", "as a signed integer; null for a pair").in(Unit::none),
    column<&RegisterRow::number>("float",
                                 "as a 32-bit float, NaN and inf as text; null for a pair"));

struct RegistersArgs {
  std::vector<std::string> registers;
  std::string format;
};

void add_register(const Session& session, const Wave& wave, const debug::RegisterName& name,
                  std::optional<unsigned> lane, std::vector<RegisterRow>& rows) {
  const auto dwords = debug::read_register(session.program(), wave, name, lane.value_or(0));
  const auto active = lane ? std::optional((wave.exec() >> *lane & 1) != 0) : std::nullopt;
  if (!name.has_lanes() && dwords.size() == 2) {
    const std::uint64_t bits = dwords[0] | std::uint64_t{dwords[1]} << 32;
    rows.push_back({debug::to_string(name), lane, active, fmt::format("0x{:016x}", bits)});
    return;
  }
  for (std::uint32_t i = 0; i < dwords.size(); ++i) {
    const debug::RegisterName one{name.kind, name.number + i, 1};
    rows.push_back({debug::to_string(one), lane, active, fmt::format("0x{:08x}", dwords[i]),
                    static_cast<std::int32_t>(dwords[i]), float_value(dwords[i])});
  }
}

/// What a person wants to see first: the special registers, the scalar ones that hold something, and the selected lane's vector registers.
std::vector<std::string> usual_registers(const Session& session, const Wave& wave) {
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

/// Groups of registers that may be named instead of them.
bool is_group(std::string_view text) {
  return text == "all" || text == "vgpr" || text == "sgpr" || text == "agpr" || text == "vector" ||
         text == "scalar" || text == "general" || text == "system";
}

std::vector<std::string> registers_of_group(const Session& session, std::string_view group) {
  std::vector<std::string> names;
  const isa::Kernel& kernel = *session.prepared().launch->kernel;
  const bool all = group == "all";
  if (all || group == "sgpr" || group == "scalar" || group == "general" || group == "system")
    names = {"exec", "vcc", "scc", "m0", "mode"};
  if (group == "system") return names;
  if (all || group == "sgpr" || group == "scalar" || group == "general") {
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(kernel.sgprs, 102); ++i)
      names.push_back(fmt::format("s{}", i));
  }
  const std::uint32_t vectors = kernel.vgprs - std::min(kernel.vgprs, kernel.agprs);
  if (all || group == "vgpr" || group == "vector" || group == "general") {
    for (std::uint32_t i = 0; i < std::min(vectors, session.program().first_agpr); ++i)
      names.push_back(fmt::format("v{}", i));
  }
  if (all || group == "agpr" || group == "vector") {
    for (std::uint32_t i = 0; i < kernel.agprs; ++i) names.push_back(fmt::format("a{}", i));
  }
  return names;
}

/// As people abbreviate groups: a letter.
std::string_view group_meant(std::string_view text) {
  return text == "v" ? "vgpr" : text == "s" ? "sgpr" : text == "a" ? "agpr" : text;
}

/// Groups are taken apart; none asked for means the usual ones.
Result<std::vector<std::string>> registers_asked(const Session& session, const Wave& wave,
                                                 const std::vector<std::string>& asked) {
  if (asked.empty()) return usual_registers(session, wave);
  std::vector<std::string> names;
  for (const std::string& one : asked) {
    const std::string text(group_meant(one));
    if (!is_group(text)) {
      names.push_back(text);
      continue;
    }
    const auto group = registers_of_group(session, text);
    if (group.empty())
      return fail(
          Errc::not_found,
          fmt::format("{} has no registers of the group {}", session.program().kernel, text),
          "info registers vgpr, info registers sgpr");
    names.insert(names.end(), group.begin(), group.end());
  }
  return names;
}

Result<Document> info_registers(const RegistersArgs& args, Debugger debugger) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  const Wave& wave = *TRY(frame_wave(debugger, session));
  std::vector<RegisterRow> rows;
  const bool all_lanes = !args.registers.empty() && std::ranges::none_of(args.registers, is_group);
  for (const std::string& text : TRY(registers_asked(session, wave, args.registers))) {
    const debug::RegisterName name = TRY(debug::parse_register(text));
    TRY(debug::check_register(session.program(), name));
    if (!name.has_lanes()) {
      add_register(session, wave, name, std::nullopt, rows);
    } else if (!all_lanes) {
      add_register(session, wave, name, session.selected_lane, rows);
    } else {
      for (unsigned lane = 0; lane < emu::kLanes; ++lane)
        add_register(session, wave, name, lane, rows);
    }
  }
  const std::size_t frame = debugging(debugger).frame;
  const bool called = caller_of(debugger, frame) != nullptr;
  for (RegisterRow& row : rows) {
    // Where it goes on, and not where it called.
    if (called && row.name == "pc")
      row.value = fmt::format("0x{:016x}", standing_frames(session)[frame].address);
    TRY(format_value(row.value, args.format));
  }
  Document out;
  out.put(kSelectedFields, session);
  out.table(kRegisterColumns, rows);
  out.heading = fmt::format("wave {} of workgroup {}, lane {}", wave.id, wave.workgroup,
                            session.selected_lane);
  if (called) out.heading += fmt::format(", frame {}: as they were when it called", frame);
  out.provenance = Provenance::modelled;
  return out;
}

Result<Document> info_all_registers(Debugger debugger) {
  return info_registers({{"all"}, {}}, debugger);
}

}  // namespace

// Registers as the selected frame has them: of a function that called another, what it had in front of that call.

const debug::Caller* caller_of(const Debugger& debugger, std::size_t frame) {
  debug::Session* session = debugged(debugger.state);
  if (session == nullptr || session->selected() == nullptr || session->selected()->calls.empty())
    return nullptr;
  const auto frames = standing_frames(*session);
  const std::size_t level = frame < frames.size() ? frames[frame].level : 0;
  if (level == 0) return nullptr;
  const auto& callers = session->callers();
  return level <= callers.size() ? &callers[level - 1] : nullptr;
}

Result<const emu::Wave*> frame_wave(const Debugger& debugger, const debug::Session& session) {
  TRY(selected_wave(session));
  const debug::Caller* caller = caller_of(debugger, debugging(debugger).frame);
  if (caller == nullptr) return selected_wave(session);
  if (caller->wave != nullptr) return caller->wave.get();
  return fail(Errc::not_found, "the registers of this function are not known any more",
              "it called another one too long ago: 'finish' goes back to it");
}

Result<debug::Datum> register_in_frame(const Debugger& debugger, const debug::Session& session,
                                       std::string_view text) {
  Debugging& all = debugging(debugger);
  const emu::Wave& wave = *TRY(frame_wave(debugger, session));
  const debug::Caller* caller = caller_of(debugger, all.frame);
  auto [name, type] = TRY(debug::parse_typed_register(text));
  if (name.count == 1 && type.ends_with("64")) ++name.count;
  TRY(debug::check_register(session.program(), name));
  if (name.kind == debug::RegisterName::Kind::pc) {
    const auto frames = standing_frames(session);
    debug::Datum out = code_datum(session, frames[std::min(all.frame, frames.size() - 1)].address);
    out.in_caller = caller != nullptr;
    if (caller != nullptr) return out;
    out.where = debug::Watched{
        .space = debug::Watched::Space::registers, .wave = session.selected_wave, .name = name};
    return out;
  }
  if (name.has_lanes()) all.lane_asked = true;
  if (caller != nullptr && debug::written_since(session.edits(), *caller, name))
    return debug::Datum{.type = {.base = debug::Type::Base::u32, .in_register = true},
                        .text = debug::kNotSaved,
                        .missing = true,
                        .in_caller = true};
  const auto dwords = debug::read_register(session.program(), wave, name, session.selected_lane);
  debug::Datum out;
  if (dwords.size() <= 2) {
    std::uint64_t bits = dwords[0];
    if (dwords.size() > 1) bits |= std::uint64_t{dwords[1]} << 32;
    out = debug::register_datum(bits, static_cast<unsigned>(dwords.size()));
  } else {
    out.type = {.base = debug::Type::Base::u32, .count = dwords.size(), .in_register = true};
    for (const std::uint32_t dword : dwords)
      out.parts.emplace_back("", debug::register_datum(dword, 1));
  }
  out.where = debug::Watched{
      .space = debug::Watched::Space::registers, .wave = session.selected_wave, .name = name};
  if (name.has_lanes()) out.where->lane = session.selected_lane;
  if (caller != nullptr) out.where.reset();
  out.in_caller = caller != nullptr;
  if (type.empty()) return out;
  const auto where = out.where;
  const debug::Type wanted = TRY(debug::parse_type(type));
  out = debug::datum_of(wanted, debug::bytes_of(out, out.type));
  out.where = where;
  out.in_caller = caller != nullptr;
  return out;
}

void add_debug_register_commands(Registry& registry) {
  Command registers = showing_stopped(
      "info registers", "Show registers of the selected wave.",
      "Alone: exec, vcc, scc and m0, the scalar registers that are not zero, and the vector "
      "registers in the selected lane. A "
      "vector register that is named, v3 or v[2:3], is shown in every lane; `vgpr`, `sgpr`, `agpr` "
      "and `all` are groups. `info registers/x` and the other letters of GDB choose the format.",
      described(kSelectedFields), described(kRegisterColumns), "value");
  registers.suffix_option = "format";
  registers.suffix_letters = "xduotazfc";
  add(registry, command(std::move(registers),
                        {arg("register", &RegistersArgs::registers,
                             "v3, v[2:3], s4, s[4:5], vcc, exec, …, or vgpr, sgpr, agpr, all")
                             .completes(Complete::reg),
                         option("format", &RegistersArgs::format,
                                "x d u o t a z f c; on a line behind a slash")},
                        info_registers));
  add(registry,
      command(showing_stopped(
                  "info all-registers", "Show all registers of the selected wave.",
                  "Scalar ones, and vector registers in the selected lane: `info registers all`.",
                  described(kSelectedFields), described(kRegisterColumns), "value"),
              info_all_registers));
}

}  // namespace rpl
