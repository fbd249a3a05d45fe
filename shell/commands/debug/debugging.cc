// SPDX-License-Identifier: MIT
// What the debugger's commands share: launching, conditions, addresses and the values behind $pc and $v3.
#include "shell/commands/debug/debugging.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/session/context.h"
#include "shell/core/session/debug_state.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr const char* kHowToStop =
    "'break KERNEL' and 'kernel run OBJECT KERNEL …' or 'replay CAPTURE', or either with --stop";

/// Evaluates a breakpoint's condition for the wave that is in front of it: for each of its active lanes if it looks at the lane.
Result<debug::Verdict> holds(const Debugger& debugger, int number, const std::string& text) {
  Debugging& all = *debugger.state.debugging;
  auto found = all.conditions.find(number);
  if (found == all.conditions.end())
    found = all.conditions.emplace(number, TRY(condition_of(debugger, text))).first;
  debug::Session& session = *all.session;
  // Names are those of where the wave comes to, whatever frame was selected before.
  all.frame = 0;
  const std::uint64_t exec = session.selected()->exec();
  for (unsigned lane = exec == 0 ? 0 : static_cast<unsigned>(std::countr_zero(exec));
       lane < emu::kLanes; ++lane) {
    if (exec != 0 && (exec >> lane & 1) == 0) continue;
    session.selected_lane = lane;
    all.lane_asked = false;
    const bool holds = TRY(found->second());
    if (holds) return debug::Verdict{true, all.lane_asked ? std::optional(lane) : std::nullopt};
    if (!all.lane_asked || exec == 0) break;
  }
  return debug::Verdict{};
}

Result<std::uint64_t> evaluated_address(const Debugger& debugger, const std::string& text) {
  if (const auto number = decimal_or_hex(text)) return *number;
  auto datum = datum_of(debugger, text);
  const bool whole = datum && (datum->type.count > 0 || datum->type.is_structure());
  if (whole && datum->where && datum->where->space != debug::Watched::Space::registers)
    return debug::flat_address(*datum->where);
  if (datum && (datum->type.is_integer() || datum->type.is_pointer()))
    return static_cast<std::uint64_t>(datum->integer);
  const Document document = TRY(evaluated(debugger, text));
  const Value* value = document.get("value");
  if (value != nullptr && value->as<std::int64_t>())
    return static_cast<std::uint64_t>(*value->as<std::int64_t>());
  const auto* word = value == nullptr ? nullptr : value->as<std::string>();
  if (const auto number = word == nullptr ? std::nullopt : decimal_or_hex(*word)) return *number;
  return fail(Errc::usage, fmt::format("'{}' is not an address", text),
              "0x7f0000001000, $arg1+16, &NAME[3], local#8 or private_lane#4");
}

/// Names the breakpoints that mean nothing in this launch: they wait for another, and nothing else would say so.
std::vector<std::string> pending_breakpoints(const debug::Session& session,
                                             const debug::Points& points) {
  std::vector<std::string> notes;
  for (const auto& [number, breakpoint] : points.breakpoints()) {
    if (!breakpoint.enabled) continue;
    const auto found = session.find(breakpoint.place);
    if (found) continue;
    const Error& why = found.error();
    notes.push_back(fmt::format("breakpoint {} waits for another kernel: {}{}{}", number,
                                why.message, why.hint.empty() ? "" : "; ", why.hint));
  }
  return notes;
}

}  // namespace

Debugger::Debugger(const Context& context)
    : shell(context),
      state(context.debug()),
      workspace(context.workspace()),
      values(context.values()),
      displays(context.displays()),
      scripts(context.scripts()),
      face(context.face()) {}

void use_debugger(const Context& context) { debugging(Debugger(context)); }

Debugging& debugging(const Debugger& debugger) {
  if (!debugger.state.debugging) {
    debugger.state.debugging = std::make_shared<Debugging>();
    // Whoever reads and shows may have changed by then: the parts are taken anew.
    const Context* context = &debugger.shell;
    debugger.values.computed = [context](std::string_view name) {
      return debugger_value(Debugger(*context), name);
    };
    debugger.values.counts_printed = [context] { return stopped(context->debug()) != nullptr; };
    debugger.state.expression = [context](const std::string& text, const std::string& format) {
      return displayed(Debugger(*context), text, format);
    };
    debugger.state.names = [context](Complete what, std::string_view typed) {
      return debugger_names(Debugger(*context), what, typed);
    };
  }
  return *debugger.state.debugging;
}

debug::Session* debugged(const DebugState& state) {
  return state.debugging ? state.debugging->session.get() : nullptr;
}

debug::Session* stopped(const DebugState& state) {
  debug::Session* session = debugged(state);
  return session != nullptr && !session->ended() ? session : nullptr;
}

Result<debug::Session*> needs_debugged(const DebugState& state) {
  if (debug::Session* session = debugged(state)) return session;
  return fail(Errc::not_found, "the program is not being run: no kernel is stopped", kHowToStop);
}

Result<debug::Session*> needs_stopped(const DebugState& state) {
  debug::Session* session = TRY(needs_debugged(state));
  if (!session->ended()) return session;
  return fail(Errc::not_found, fmt::format("{} has ended", session->program().kernel),
              "'reverse-continue' and 'reverse-stepi' go back; 'kernel run' starts over");
}

Result<const emu::Wave*> selected_wave(const debug::Session& session) {
  if (const emu::Wave* wave = session.selected()) return wave;
  return fail(Errc::not_found,
              fmt::format("wave {} of workgroup {} is not in flight", session.selected_wave.wave,
                          session.selected_wave.workgroup),
              "'info waves' lists those that are");
}

Result<Document> start_debugging(const Debugger& debugger, emu::KernelRun run,
                                 const std::string& of, const std::string& path, bool at_entry,
                                 std::function<void(const debug::Session&, Document&)> at_end) {
  Debugging& all = debugging(debugger);
  all.profile_before = debugger.workspace.last_profile;
  all.again = [context = &debugger.shell, run, of, path, at_end](bool entry) {
    return start_debugging(Debugger(*context), run, of, path, entry, at_end);
  };
  auto session = TRY(debug::Session::start(std::move(run), all.points));
  all.session = std::move(session);
  all.of = of;
  all.path = path;
  all.at_end = std::move(at_end);
  all.sources.clear();
  all.listed = 0;
  all.frame = 0;
  all.parameters_of = nullptr;
  all.variables_read = {};
  all.session->condition = [context = &debugger.shell](int number, const std::string& text) {
    return holds(Debugger(*context), number, text);
  };
  // A temporary one is gone once it has stopped the kernel.
  const std::vector<std::string> pending = pending_breakpoints(*all.session, all.points);
  const debug::Stop at_start{.kind = debug::Stop::Kind::entry, .wave = all.session->selected_wave};
  Document out = stop_document(debugger, at_entry ? at_start : all.session->run(true));
  out.notes.insert(out.notes.begin(), pending.begin(), pending.end());
  return out;
}

const std::vector<std::string>& source_lines_of(Debugging& debugging, const std::string& file,
                                                const std::string& object) {
  const auto [found, fresh] = debugging.sources.try_emplace(file);
  if (!fresh) return found->second;
  namespace fs = std::filesystem;
  // Headers of the compiler and of ROCm belong to no kernel.
  for (const char* system : {"/usr/", "/opt/rocm"}) {
    if (file.starts_with(system)) return found->second;
  }
  const fs::path name = fs::path(file).filename();
  for (const fs::path& place : {fs::path(file), name, fs::path(object).parent_path() / name,
                                fs::path(object).parent_path().parent_path() / name}) {
    std::error_code ignored;
    if (!fs::is_regular_file(place, ignored)) continue;
    const auto text = read_text_file(place.string());
    if (!text) continue;
    for (std::size_t at = 0; at < text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      found->second.push_back(text->substr(at, end - at));
      at = end + 1;
    }
    break;
  }
  return found->second;
}

Result<debug::Address> address_of(const Debugger& debugger, const std::string& typed) {
  // Flat addresses as rocgdb writes them.
  std::string text = typed;
  for (const std::string_view flat : {"global#", "generic#"}) {
    if (text.starts_with(flat)) text.erase(0, flat.size());
  }
  for (const auto& [prefix, space] : {std::pair{"local#", debug::Address::Space::lds},
                                      {"private_lane#", debug::Address::Space::scratch}}) {
    if (!text.starts_with(prefix)) continue;
    const std::uint64_t address =
        TRY(evaluated_address(debugger, text.substr(std::string_view(prefix).size())));
    return debug::Address{space, address};
  }
  const std::uint64_t address = TRY(evaluated_address(debugger, text));
  const debug::Session* session = debugged(debugger.state);
  if (session == nullptr) return debug::Address{debug::Address::Space::global, address};
  // A flat address may mean LDS or private memory.
  return debug::address_at(
      debug::placed(*session, {.space = debug::Watched::Space::memory, .address = address}));
}

std::optional<Value> debugger_value(const Debugger& debugger, std::string_view name) {
  if (!debug::is_kernel_name(name)) return std::nullopt;
  const auto datum = scope_of(debugger).variable(fmt::format("${}", name));
  if (!datum || datum->type.count > 0) return std::nullopt;
  if (datum->type.is_float()) return Value(datum->real);
  return Value(datum->integer);
}

std::string dword_text(std::uint32_t value) {
  constexpr double kLeast = 1e-6, kMost = 1e9;
  const double number = static_cast<double>(std::bit_cast<float>(value));
  const double size = number < 0 ? -number : number;
  std::string text = fmt::format("0x{:08x}", value);
  if (number != number || (size >= kLeast && size < kMost))
    text += fmt::format(" ({:.6g})", number);
  return text;
}

Command showing_stopped(Label path, Label summary, Label help, std::vector<Column> fields,
                        std::vector<Column> columns, Label scalar, std::vector<Label> aliases) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::status,
                 .summary = summary,
                 .help = help,
                 .fields = std::move(fields),
                 .columns = std::move(columns),
                 .scalar = scalar,
                 .aliases = std::move(aliases),
                 .examples = {path}};
}

}  // namespace rpl
