// SPDX-License-Identifier: MIT
// How a stop is shown: a few lines for a person, fields for programs.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/replay/elements.h"
#include "shell/commands/debug/debugging.h"
#include "shell/commands/debug/expressions.h"
#include "shell/core/session/context.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/face.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace debug {

constexpr auto kChangedColumns = bound_to<ChangedRegister>(
    column<+[](const ChangedRegister& changed) { return to_string(changed.name); }>(
        "register", "its name in the disassembly"),
    column<+[](const ChangedRegister& changed) {
      return changed.name.has_lanes() ? hex(changed.lanes) : "";
    }>("lanes", "mask of the lanes in which it changed; null for one without lanes")
        .as(rpl::Type::address)
        .or_null());
static Columns<ChangedRegister> bound(const ChangedRegister*) { return kChangedColumns; }

}  // namespace debug
namespace {

using debug::Session, debug::Stop;
using Kind = debug::Stop::Kind;

std::string lanes_text(std::uint64_t exec) {
  return fmt::format("exec 0x{:016x}, {} of {} lanes", exec, std::popcount(exec), emu::kLanes);
}

std::string wave_text(debug::WaveId id) {
  return fmt::format("wave {} of workgroup {}", id.wave, id.workgroup);
}

std::uint32_t dword_at(std::span<const std::byte> bytes, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * index, std::min<std::size_t>(4, bytes.size() - 4 * index));
  return value;
}

/// "lane 3: 0x00000000 -> 0x3f800000 (1)", one line for each dword that changed, the first few of them.
std::string changes_text(const Stop& stop) {
  constexpr std::size_t kShown = 4;
  std::string text;
  std::size_t changed = 0;
  const std::size_t dwords = (stop.after.size() + 3) / 4;
  for (std::size_t i = 0; i < dwords && stop.before.size() == stop.after.size(); ++i) {
    const std::uint32_t before = dword_at(stop.before, i), after = dword_at(stop.after, i);
    if (before == after) continue;
    if (++changed > kShown) continue;
    const std::string where = dwords == 1            ? ""
                              : dwords < emu::kLanes ? fmt::format("dword {}: ", i)
                                                     : fmt::format("lane {}: ", i % emu::kLanes);
    text += fmt::format("  {}{} -> {}\n", where, dword_text(before), dword_text(after));
  }
  if (changed > kShown) text += fmt::format("  {} more\n", changed - kShown);
  return text;
}

std::string numbers_text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return text;
}

/// "standardize<float, 128>", as people say it.
std::string said(const Session& session) {
  return short_kernel(demangled(session.program().kernel));
}

/// The same for the prompt, which leaves room to type: without template arguments, the beginning of a long one.
std::string in_prompt(const Session& session) {
  constexpr std::size_t kMost = 24;
  std::string name = said(session);
  if (const std::size_t arguments = name.find('<'); arguments > 0) name = name.substr(0, arguments);
  return name.size() <= kMost ? name : name.substr(0, kMost - 2) + "..";
}

std::string title(const Debugging& all, const Stop& stop) {
  const std::string kernel = said(*all.session);
  switch (stop.kind) {
    case Kind::entry:
      return fmt::format("{} stands before its first instruction\n", kernel);
    case Kind::breakpoint:
      return fmt::format("Breakpoint {}{}\n", numbers_text(stop.numbers),
                         stop.error ? ": its condition failed: " + stop.error->message : "");
    case Kind::watchpoint: {
      const auto found = all.points.watchpoints().find(stop.numbers.front());
      return fmt::format("Watchpoint {}{}\n", numbers_text(stop.numbers),
                         found == all.points.watchpoints().end() ? "" : ": " + found->second.text) +
             changes_text(stop);
    }
    case Kind::fault:
      return fmt::format("Fault: {}\n", stop.error ? stop.error->message : "");
    case Kind::wave_ended:
      return fmt::format("{} has ended\n", wave_text(stop.wave));
    case Kind::interrupted:
      return "Interrupted\n";
    case Kind::beginning:
      return "There is nothing further back\n";
    case Kind::step:
    case Kind::ended:
      break;
  }
  return "";
}

/// The registers that changed, as many as fit on two lines.
std::string changed_text(const Session& session, const emu::Wave& wave) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(session.changed().size(), kShown); ++i) {
    const debug::RegisterName& name = session.changed()[i].name;
    const auto dwords = debug::read_register(session.program(), wave, name, session.selected_lane);
    std::string value = dword_text(dwords[0]);
    if (dwords.size() == 2)
      value = fmt::format("0x{:016x}", dwords[0] | std::uint64_t{dwords[1]} << 32);
    if (dwords.size() > 2) value = "…";
    if (name.kind == debug::RegisterName::Kind::scc) value = fmt::format("{}", dwords[0]);
    text += fmt::format("{}{}{} = {}", text.empty() ? "" : "; ", debug::to_string(name),
                        name.has_lanes() ? fmt::format("[{}]", session.selected_lane) : "", value);
  }
  if (session.changed().size() > kShown)
    text += fmt::format("; {} more", session.changed().size() - kShown);
  return text.empty() ? text : "changed: " + text + "\n";
}

/// The innermost line that is the user's own.
std::string source_text(Debugging& all, const std::vector<isa::SourcePlace>& chain) {
  for (const isa::SourcePlace& place : chain) {
    const auto& lines = source_lines_of(all, place.file, all.path);
    if (place.line == 0 || place.line > lines.size()) continue;
    return fmt::format("{:<6}{}\n", place.line, lines[place.line - 1]);
  }
  return "";
}

/// One line where it fits, else one for each function.
std::string place_lines(std::string place) {
  constexpr std::size_t kWidth = 79;
  constexpr std::string_view kInlined = ", inlined at ";
  if (place.empty()) return place;
  for (std::size_t at = place.find(kInlined); place.size() > kWidth && at != std::string::npos;
       at = place.find(kInlined, at))
    place.replace(at, kInlined.size(), "\n  inlined at ");
  return place + "\n";
}

std::uint64_t entry_of(const Session& session) {
  return session.program().ops[session.program().entry].address;
}

/// Whether it is code of a function that the kernel calls.
bool is_called(const Session& session, std::uint64_t address) {
  const isa::Symbol* symbol = session.launch().object->function_at(address);
  return symbol != nullptr && symbol->address != entry_of(session);
}

/// "+0x40": how far the wave is from the kernel's entry; in a function that it called "deep+0x4".
std::string offset_text(const Session& session, std::uint64_t address) {
  if (is_called(session, address)) return code_symbol(session, address);
  const std::uint64_t entry = entry_of(session);
  return address >= entry ? fmt::format("+0x{:x}", address - entry)
                          : fmt::format("-0x{:x}", entry - address);
}

/// The first elements of each buffer after the launch.
std::string ended_text(const Session& session) {
  constexpr std::uint64_t kShown = 4;
  std::string text =
      fmt::format("{} ran to its end: {} wave-instructions\n", said(session), session.time());
  for (std::size_t i = 0; i < session.buffers().size(); ++i) {
    const emu::Region* region = session.buffers()[i];
    const auto* buffer = std::get_if<emu::BufferArgument>(&session.launch().arguments[i]);
    if (region == nullptr || buffer == nullptr) continue;
    text +=
        fmt::format("  argument {} {} x {}: ", i + 1, to_string(buffer->element), buffer->count);
    for (std::uint64_t at = 0; at < std::min(buffer->count, kShown); ++at)
      text +=
          fmt::format("{}{}", at == 0 ? "" : ", ",
                      element_text(buffer->element, region->host + at * size_of(buffer->element)));
    text += buffer->count > kShown ? ", …\n" : "\n";
  }
  return text;
}

struct StandingWave {
  const emu::Wave* wave = nullptr;
  unsigned lane = 0;
  std::uint64_t pc = 0, exec = 0;
  std::string place, instruction;

  [[nodiscard]] int active_lanes() const { return std::popcount(exec); }
};

// The values of a stop and their descriptions come in different orders.
constexpr auto kStopFields = bound_to<Stop>(
    column<&Stop::kind>("stop",
                        "why the kernel stands still: entry, step, breakpoint, watchpoint, fault, "
                        "wave ended, ended, interrupted, beginning"),
    column<&Stop::numbers>("points",
                           "numbers of the breakpoints or the watchpoint that stopped it"));
constexpr auto kKernelField = bound_to<Session>(
    column<&Session::program, &emu::Program::kernel>("kernel", "its name in the code object")
        .as(Type::kernel));
constexpr auto kWaveFields = bound_to<StandingWave>(
    column<&StandingWave::wave, &emu::Wave::workgroup>(
        "workgroup", "of the selected wave: its linear number in the grid")
        .in(Unit::none),
    column<&StandingWave::wave, &emu::Wave::id>("wave", "the selected wave, within its workgroup")
        .in(Unit::none),
    column<&StandingWave::lane>("lane", "the selected lane, 0 to 63").in(Unit::none),
    column<&StandingWave::pc>(
        "pc", "of the instruction that comes next, relative to where the code object is loaded")
        .as(Type::address),
    column<&StandingWave::place>("place", "its source line, and what that was inlined at")
        .or_null(),
    column<&StandingWave::instruction>("instruction", "that comes next"),
    column<&StandingWave::exec>("exec", "the mask of active lanes").as(Type::address),
    column<&StandingWave::active_lanes>("active_lanes", "set in it"));
constexpr auto kTimeField = bound_to<Session>(
    column<&Session::time>("executed", "wave-instructions since the launch began"));
constexpr auto kChangedField = bound_to<Session>(
    column<&Session::changed>("changed",
                              "registers of the wave that are not as they were when it stood still "
                              "before: name and mask of lanes"));
constexpr auto kEditsField =
    bound_to<Session>(column<&Session::edits, &how_many<std::vector<debug::Edit>>>(
        "edits",
        "writes of yours to registers and memory before this moment; not there without any"));
constexpr auto kFaultField = bound_to<Stop>(column<+[](const Stop& stop) {
  return stop.kind == Kind::fault && stop.error ? std::optional(stop.error->message) : std::nullopt;
}>("fault", "what went wrong; null unless it did"));

/// What a person wrote before this moment: what is seen here is not what the kernel does by itself.
std::string edits_text(const Session& session, Document& out) {
  if (session.edits().empty()) return "";
  constexpr std::size_t kShown = 3;
  std::string text;
  const auto& edits = session.edits();
  for (std::size_t i = edits.size() - std::min(edits.size(), kShown); i < edits.size(); ++i)
    text += fmt::format("{}{} at {}", text.empty() ? "" : "; ", edits[i].text, edits[i].time);
  out.put(kEditsField, session);
  const std::string more = edits.size() > kShown ? fmt::format(" (of {})", edits.size()) : "";
  return fmt::format("written by you: {}{}\n", text, more);
}

void show_wave(const Debugger& debugger, Debugging& all, const emu::Wave& wave, Document& out) {
  const Session& session = *all.session;
  const emu::Op& op = session.program().ops[wave.pc];
  const auto chain = session.lines().chain(op.address);
  const StandingWave standing{&wave,
                              session.selected_lane,
                              op.address,
                              wave.exec(),
                              isa::place_text(chain),
                              isa::disassemble(session.program().arch, *op.instruction)};
  const std::string offset = offset_text(session, op.address);
  out.put(kWaveFields, standing);
  out.put(kChangedField, session);
  using enum emu::Wave::State;
  const std::string_view waits = wave.state == at_barrier        ? ", waits at a barrier"
                                 : wave.state == at_grid_barrier ? ", waits for other workgroups"
                                                                 : "";
  out.text +=
      fmt::format("{}, lane {}{}, {} wave-instructions so far\n", wave_text(debug::id_of(wave)),
                  session.selected_lane, waits, session.time());
  out.text += place_lines(standing.place);
  out.text += source_text(all, chain);
  out.text += fmt::format("=> 0x{:x} <{}>  {}\n{}\n", op.address, offset, standing.instruction,
                          lanes_text(wave.exec()));
  out.text += changed_text(session, wave);
  out.text += edits_text(session, out);
  mark_place(debugger);
}

/// The console does this at the prompt.
void show_displays(const Debugger& debugger, Document& out) {
  if (debugger.displays.all().empty()) return;
  const auto shown = debugger.displays.evaluate(debugger.state, debugger.scripts);
  if (shown) out.text += shown->text;
}

}  // namespace

void mark_place(const Debugger& debugger) {
  const Session* session = stopped(debugger.state);
  const emu::Wave* wave = session == nullptr ? nullptr : session->selected();
  if (wave == nullptr) return;
  const std::uint64_t address = session->program().ops[wave->pc].address;
  debugger.workspace.stepping = fmt::format("{} {}{}", debugging(debugger).of,
                                            is_called(*session, address) ? "" : in_prompt(*session),
                                            offset_text(*session, address));
}

const std::vector<Column>& stop_fields() {
  static const auto fields = described({kStopFields, kKernelField, kWaveFields, kTimeField,
                                        kChangedField, kEditsField, kFaultField});
  return fields;
}

void add_stop_fields(std::vector<Column>& fields) {
  for (const Column& field : stop_fields()) {
    if (std::ranges::find(fields, field.name, &Column::name) == fields.end())
      fields.push_back(field);
  }
}

namespace {

/// The commands of what stopped it; `silent` in front is taken off.
std::vector<std::string> commands_of(const Debugging& all, const Stop& stop, bool& silent) {
  std::vector<std::string> lines;
  for (const int number : stop.numbers) {
    const auto found = all.commands.find(number);
    if (found == all.commands.end()) continue;
    for (const std::string& line : found->second) {
      const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
      if (line.substr(first) == "silent") {
        silent = true;
      } else {
        lines.push_back(line);
      }
    }
  }
  return lines;
}

/// Runs them one by one; what follows a line that let the kernel go on does not run, but the commands of where it stopped then do.
Document run_commands(const Debugger& debugger, std::vector<std::string> lines, Document out,
                      bool silent) {
  Debugging& all = debugging(debugger);
  if (all.runs_commands) {
    all.waiting = std::move(lines);
    return silent ? Document{} : std::move(out);
  }
  Document last;
  if (!silent && !debugger.face.show(out)) return last;
  all.runs_commands = true;
  while (!lines.empty() && !debugger.face.leaving()) {
    const std::uint64_t before = all.stops;
    all.waiting.clear();
    for (const std::string& line : lines) {
      last.exit_code = debugger.face.run_line(line);
      if (last.exit_code != 0 || all.stops != before || interrupt::pending()) break;
    }
    lines = std::exchange(all.waiting, {});
  }
  all.runs_commands = false;
  // Everything was shown: the tables that commands like `continue` may have are none of this.
  last.text = "\n";
  return last;
}

}  // namespace

Document stop_document(const Debugger& debugger, const Stop& stop) {
  Debugging& all = debugging(debugger);
  const Session& session = *all.session;
  Document out;
  out.put(kStopFields, stop);
  out.put(kKernelField, session);
  out.put(kTimeField, session);
  out.put(kFaultField, stop);
  out.provenance = Provenance::modelled;
  out.text = title(all, stop);
  all.listed = 0;
  all.frame = 0;
  const emu::Wave* wave = session.selected();
  if (stop.kind == Kind::ended || session.ended()) {
    out.text += ended_text(session);
    debugger.workspace.stepping.clear();
    out.next = {"x/8wf $arg1", "reverse-continue"};
    if (all.at_end && !session.fault()) all.at_end(session, out);
  } else if (wave != nullptr) {
    show_wave(debugger, all, *wave, out);
    out.next = {"stepi", "step", "info registers", "info lanes", "continue"};
  }
  ++all.stops;
  all.stopped_at = stop.kind == Kind::breakpoint || stop.kind == Kind::watchpoint
                       ? stop.numbers
                       : std::vector<int>();
  debugger.face.add_displays([&] { show_displays(debugger, out); });
  bool silent = false;
  auto lines = commands_of(all, stop, silent);
  // A person who stopped it goes on working; what reads commands from a file stops as well.
  if (stop.kind == Kind::interrupted) debugger.face.resume_after_interrupt();
  // GDB's hook-stop, of which a stop of its own lines has none, nor has the end.
  const auto& defined = debugger.shell.user_commands().all();
  const auto hook = defined.find("hook-stop");
  if (hook != defined.end() && !all.runs_commands && !session.ended())
    lines.insert(lines.begin(), hook->second.begin(), hook->second.end());
  if (lines.empty() && !silent) return out;
  return run_commands(debugger, std::move(lines), std::move(out), silent);
}

}  // namespace rpl
