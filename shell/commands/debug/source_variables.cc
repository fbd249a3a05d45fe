// SPDX-License-Identifier: MIT
#include "shell/commands/debug/source_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "shell/commands/debug/expressions.h"

namespace rpl {
namespace {

using debug::Datum, debug::Session;
using Frames = std::vector<isa::VariableFrame>;

/// Whether the outermost of the frames is the kernel and not a function that it called.
bool is_kernel(const Debugging& all, const isa::VariableFrame& frame) {
  return all.variables_read.kernel_entry && frame.entry == *all.variables_read.kernel_entry;
}

/// A variable by its name, with or without the namespaces around it; those in scope go first.
const isa::SourceVariable* find_variable(const isa::VariableFrame& frame, std::string_view name,
                                         const isa::Variables& variables, std::uint64_t address) {
  const auto of = [&](const std::vector<isa::SourceVariable>& list, bool in_scope) {
    const auto found = std::ranges::find_if(list, [&](const isa::SourceVariable& one) {
      return one.name == name && one.in_scope == in_scope &&
             (in_scope || variables.is_somewhere(one, address));
    });
    return found == list.end() ? nullptr : &*found;
  };
  if (const auto* local = of(frame.locals, true)) return local;
  if (const auto* parameter = of(frame.parameters, true)) return parameter;
  // The blocks of optimized code have gaps, in which what they declare may still be there.
  return of(frame.locals, false);
}

}  // namespace

Result<isa::Variables*> variables_of(const Debugger& debugger, const Session& session) {
  auto& kept = debugging(debugger).variables_read;
  if (kept.of != &session) {
    kept = {};
    kept.of = &session;
    auto read = isa::Variables::read(session.launch().object);
    if (read) {
      kept.variables = std::move(*read);
      const auto frames =
          kept.variables->frames(session.program().ops[session.program().entry].address);
      if (!frames.empty()) kept.kernel_entry = frames.back().entry;
    } else {
      kept.error = read.error();
    }
  }
  if (kept.error) return Failure(*kept.error);
  return kept.variables.get();
}

const Frames& variable_frames(const Debugger& debugger, const Session& session) {
  static const Frames none;
  const auto variables = variables_of(debugger, session);
  const emu::Wave* wave = session.selected();
  if (!variables || (*variables)->empty() || wave == nullptr ||
      wave->pc >= session.program().ops.size())
    return none;
  auto& kept = debugging(debugger).variables_read;
  std::vector<std::uint32_t> stands_at{wave->pc};
  stands_at.insert(stands_at.end(), wave->calls.begin(), wave->calls.end());
  if (kept.stood_at == stands_at) return kept.frames;
  kept.stood_at = std::move(stands_at);
  kept.frames.clear();
  Frames of_level;
  std::size_t first = 0;
  const auto standing = standing_frames(session);
  for (std::size_t i = 0; i < standing.size(); ++i) {
    if (i == 0 || standing[i].level != standing[i - 1].level) {
      of_level = (*variables)->frames(standing[i].asked);
      first = i;
    }
    kept.frames.push_back(i - first < of_level.size() ? std::move(of_level[i - first])
                                                      : isa::VariableFrame());
  }
  return kept.frames;
}

bool is_described(const Debugger& debugger, const Session& session, std::size_t frame) {
  const Frames& frames = variable_frames(debugger, session);
  return frame < frames.size() && frames[frame].entry != 0;
}

Result<Datum> frame_datum(const Debugger& debugger, const Session& session, std::size_t frame,
                          const isa::SourceVariable& variable) {
  Debugging& all = debugging(debugger);
  const Frames& frames = variable_frames(debugger, session);
  const isa::Variables& variables = *TRY(variables_of(debugger, session));
  const isa::VariableFrame none;
  const bool in_frame = frame < frames.size();
  Datum out = TRY(debug::variable_datum(session, variables, in_frame ? frames[frame] : none,
                                        variable, caller_of(debugger, frame), all.lane_asked));
  if (out.missing && variable.is_parameter && in_frame && is_kernel(all, frames[frame])) {
    const auto& parameters = frames[frame].parameters;
    const auto number = static_cast<std::size_t>(&variable - parameters.data());
    const auto passed = parameters_of(debugger, session);
    if (number < parameters.size() && parameters.size() == passed.size())
      return argument_datum(session, passed[number]);
  }
  const isa::SourceType* type = isa::plain_type(variable.type);
  const bool refers =
      type != nullptr && type->kind == isa::SourceType::Kind::reference && !out.missing;
  if (!refers) return out;
  return debug::read_datum(
      scope_of(debugger), out.type.element(),
      {.space = debug::Watched::Space::memory, .address = static_cast<std::uint64_t>(out.integer)});
}

Result<Datum> source_datum(const Debugger& debugger, const Session& session,
                           std::string_view name) {
  const Frames& frames = variable_frames(debugger, session);
  const std::size_t first = std::min(debugging(debugger).frame, frames.size());
  const auto standing = frames.empty() ? std::vector<StandingFrame>() : standing_frames(session);
  for (std::size_t i = first; i < frames.size(); ++i) {
    // What a function was inlined into is around it; what called it is not.
    if (i > first && standing[i].level != standing[first].level) break;
    const isa::Variables& variables = *TRY(variables_of(debugger, session));
    const auto* found = find_variable(frames[i], name, variables, standing[i].asked);
    if (found != nullptr) return frame_datum(debugger, session, i, *found);
  }
  return fail(Errc::not_found, fmt::format("no variable '{}' here", name), "info locals");
}

Result<Datum> global_datum(const Debugger& debugger, const Session& session,
                           std::string_view name) {
  isa::Variables& variables = *TRY(variables_of(debugger, session));
  const std::size_t scope = name.rfind("::");
  const std::string_view bare = scope == std::string_view::npos ? name : name.substr(scope + 2);
  for (const isa::SourceVariable& variable : variables.globals()) {
    if (variable.name == bare) return frame_datum(debugger, session, ~std::size_t{0}, variable);
  }
  if (const auto one = variables.enumerator(name)) {
    Datum out{.type = debug::type_of(one->first)};
    out.integer = one->second;
    return out;
  }
  return fail(Errc::not_found, fmt::format("no variable '{}' here", name), "info locals");
}

Result<debug::Type> source_type(const Debugger& debugger, std::string_view name) {
  const Session* session = debugged(debugger.state);
  const auto variables =
      session == nullptr ? Result<isa::Variables*>(nullptr) : variables_of(debugger, *session);
  const isa::SourceType* named =
      variables && *variables != nullptr ? (*variables)->type(name) : nullptr;
  if (named != nullptr) return debug::type_of(named);
  return fail(Errc::not_found, fmt::format("no type '{}' here", name),
              "types of C, and those that debug information made with -g names");
}

bool is_variable_name(const Debugger& debugger, const Session& session, std::string_view name,
                      const debug::Place* place) {
  const auto variables = variables_of(debugger, session);
  if (!variables || !(*variables)->names(name)) return false;
  const auto ops = place == nullptr
                       ? Result<std::vector<std::uint32_t>>(std::vector<std::uint32_t>())
                       : session.find(*place);
  if (!ops || ops->empty()) return true;
  const isa::Variables& known = **variables;
  return std::ranges::any_of(*ops, [&](std::uint32_t op) {
    const std::uint64_t address = session.program().ops[op].address;
    const auto frames = (*variables)->frames(address);
    return std::ranges::any_of(frames, [&](const isa::VariableFrame& frame) {
      return find_variable(frame, name, known, address) != nullptr;
    });
  });
}

std::vector<std::string> variable_names(const Debugger& debugger, const Session& session) {
  std::set<std::string> out;
  for (const isa::VariableFrame& frame : variable_frames(debugger, session)) {
    for (const auto* list : {&frame.locals, &frame.parameters}) {
      for (const isa::SourceVariable& variable : *list) {
        if (variable.in_scope) out.insert(variable.name);
      }
    }
  }
  return {out.begin(), out.end()};
}

Result<Datum> datum_in_lane(const Debugger& debugger, const std::string& text, unsigned lane) {
  Session& session = *TRY(needs_stopped(debugger.state));
  const unsigned before = std::exchange(session.selected_lane, lane);
  auto out = datum_of(debugger, text);
  session.selected_lane = before;
  return out;
}

Result<Datum> datum_of_lanes(const Debugger& debugger, const std::string& text) {
  const Session& session = *TRY(needs_stopped(debugger.state));
  const std::uint64_t exec = TRY(frame_wave(debugger, session))->exec();
  Datum out{.type = {.base = debug::Type::Base::structure, .count = emu::kLanes}};
  for (unsigned lane = 0; lane < emu::kLanes; ++lane) {
    Datum value{.type = {.base = debug::Type::Base::text}, .text = "-", .variable = "lane"};
    if ((exec >> lane & 1) != 0) value = TRY(datum_in_lane(debugger, text, lane));
    out.parts.emplace_back("", std::move(value));
  }
  return out;
}

std::string shown_text(const Session& session, const Result<Datum>& datum) {
  if (!datum) return fmt::format("<{}>", datum.error().message);
  Datum value = *datum;
  if (value.type.is_pointer() && !value.missing && value.text.empty())
    value.text = debug::symbol_of(
        session, {debug::Address::Space::global, static_cast<std::uint64_t>(value.integer)});
  return debug::text_of(value).value_or("?");
}

std::vector<std::string> locals_of(const Debugger& debugger, const Session& session,
                                   std::size_t frame) {
  std::vector<std::string> out;
  const Frames& frames = variable_frames(debugger, session);
  if (frame >= frames.size()) return out;
  for (const isa::SourceVariable& one : frames[frame].locals) {
    if (one.in_scope)
      out.push_back(fmt::format("{} = {}", one.name,
                                shown_text(session, frame_datum(debugger, session, frame, one))));
  }
  return out;
}

std::string parameters_text(const Debugger& debugger, const Session& session, std::size_t frame) {
  const Frames& frames = variable_frames(debugger, session);
  if (frame >= frames.size()) return "";
  std::string text;
  for (const isa::SourceVariable& parameter : frames[frame].parameters) {
    const auto value = frame_datum(debugger, session, frame, parameter);
    const bool whole = value && (value->type.count > 0 || value->type.is_structure());
    const std::string shown =
        !value                     ? "?"
        : whole && !value->missing ? "..."
        : value->type.is_pointer() && !value->missing
            ? fmt::format("0x{:x}", static_cast<std::uint64_t>(value->integer))
            : debug::text_of(*value).value_or("?");
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", parameter.name, shown);
  }
  return text;
}

}  // namespace rpl
