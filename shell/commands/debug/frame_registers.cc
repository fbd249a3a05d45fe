// SPDX-License-Identifier: MIT
// Registers as the selected frame has them: of a function that called another, what it had in front of that call.
#include <algorithm>

#include "engine/device/expression/variables.h"
#include "shell/commands/debug/expressions.h"

namespace rpl {

using debug::Datum, debug::Session, debug::Watched;
using Base = debug::Type::Base;

const debug::Caller* caller_of(const Debugger& debugger, std::size_t frame) {
  Session* session = debugged(debugger.state);
  if (session == nullptr || session->selected() == nullptr || session->selected()->calls.empty())
    return nullptr;
  const auto frames = standing_frames(*session);
  const std::size_t level = frame < frames.size() ? frames[frame].level : 0;
  if (level == 0) return nullptr;
  const auto& callers = session->callers();
  return level <= callers.size() ? &callers[level - 1] : nullptr;
}

Result<const emu::Wave*> frame_wave(const Debugger& debugger, const Session& session) {
  TRY(selected_wave(session));
  const debug::Caller* caller = caller_of(debugger, debugging(debugger).frame);
  if (caller == nullptr) return selected_wave(session);
  if (caller->wave != nullptr) return caller->wave.get();
  return fail(Errc::not_found, "the registers of this function are not known any more",
              "it called another one too long ago: 'finish' goes back to it");
}

Result<Datum> register_in_frame(const Debugger& debugger, const Session& session,
                                std::string_view text) {
  Debugging& all = debugging(debugger);
  const emu::Wave& wave = *TRY(frame_wave(debugger, session));
  const debug::Caller* caller = caller_of(debugger, all.frame);
  auto [name, type] = TRY(debug::parse_typed_register(text));
  if (name.count == 1 && type.ends_with("64")) ++name.count;
  TRY(debug::check_register(session.program(), name));
  if (name.kind == debug::RegisterName::Kind::pc) {
    const auto frames = standing_frames(session);
    Datum out = code_datum(session, frames[std::min(all.frame, frames.size() - 1)].address);
    out.in_caller = caller != nullptr;
    if (caller != nullptr) return out;
    out.where =
        Watched{.space = Watched::Space::registers, .wave = session.selected_wave, .name = name};
    return out;
  }
  if (name.has_lanes()) all.lane_asked = true;
  if (caller != nullptr && debug::written_since(session.edits(), *caller, name))
    return Datum{.type = {.base = Base::u32, .in_register = true},
                 .text = debug::kNotSaved,
                 .missing = true,
                 .in_caller = true};
  const auto dwords = debug::read_register(session.program(), wave, name, session.selected_lane);
  Datum out;
  if (dwords.size() <= 2) {
    std::uint64_t bits = dwords[0];
    if (dwords.size() > 1) bits |= std::uint64_t{dwords[1]} << 32;
    out = debug::register_datum(bits, static_cast<unsigned>(dwords.size()));
  } else {
    out.type = {.base = Base::u32, .count = dwords.size(), .in_register = true};
    for (const std::uint32_t dword : dwords)
      out.parts.emplace_back("", debug::register_datum(dword, 1));
  }
  out.where =
      Watched{.space = Watched::Space::registers, .wave = session.selected_wave, .name = name};
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

}  // namespace rpl
