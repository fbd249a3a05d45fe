// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/debug/examine.h"
#include "engine/device/debug/session.h"
#include "shell/core/session/script_host.h"

/// The debugger of the shell: breakpoints, the kernel that is stopped, and how a stop is shown.
namespace rpl {

class Context;
class Displays;
class Face;
class Values;
class Workspace;
struct DebugState;

struct Debugging {
  debug::Points points;
  std::unique_ptr<debug::Session>
      session;           ///< of the last launch that was debugged; null before the first
  std::string of, path;  ///< id and path of its code object
  std::function<void(const debug::Session&, Document&)>
      at_end;  ///< adds to what is said when it has ended; may be empty
  bool lane_asked =
      false;  ///< set by scripts that look at the selected lane or at what depends on it
  std::map<int, ScriptHost::Condition> conditions;  ///< of breakpoints, compiled
  debug::ExamineFormat format;                      ///< that `x` used last
  debug::Address next_address;                      ///< behind what `x` showed last
  std::uint32_t listed = 0;                         ///< last line that `list` showed
  std::weak_ptr<const void> listed_of;              ///< the run that it was of; of a stop: nothing
  std::map<std::string, std::vector<std::string>>
      sources;  ///< lines of files; empty for one that was not found
};

/// The parts that the debugger works with. Made of a context, so that whoever holds one may pass it.
struct Debugger {
  Debugger(const Context& context);

  DebugState& state;
  Workspace& workspace;
  Values& values;
  Displays& displays;
  ScriptHost& scripts;
  Face& face;
};

Debugging& debugging(const Debugger& debugger);
/// The launch that was debugged last, also when it has ended; null when there was none.
debug::Session* debugged(const DebugState& state);
/// The launch that stands still and can go on; null for none.
debug::Session* stopped(const DebugState& state);
/// The same, or how to get one.
Result<debug::Session*> needs_debugged(const DebugState& state);
Result<debug::Session*> needs_stopped(const DebugState& state);
/// Its selected wave, or not_found.
Result<const emu::Wave*> selected_wave(const debug::Session& session);

/// Launches a kernel under the debugger: to the first breakpoint, or to its first instruction with `at_entry`. It replaces the one before.
/// `at_end`: see Debugging.
Result<Document> start_debugging(const Debugger& debugger, emu::KernelRun run,
                                 const std::string& of, const std::string& path, bool at_entry,
                                 std::function<void(const debug::Session&, Document&)> at_end = {});

/// What every command that moves the stopped kernel returns.
const std::vector<Column>& stop_fields();
/// Adds those that are not there already.
void add_stop_fields(std::vector<Column>& fields);
/// Shows where it stopped, and makes the prompt say so.
Document stop_document(const Debugger& debugger, const debug::Stop& stop);

/// How far a command moves the kernel that is stopped.
enum class KernelStep { line, next_line, finish, go_on };

/// Does so, when a kernel is stopped; nothing otherwise, and the command is about the optimization.
std::optional<Document> stepped(const Debugger& debugger, KernelStep step);

/// The lines of a source file: as it is named, in the current folder, or beside the code object at `object`. Empty when it is nowhere, and for
/// the headers of the system.
const std::vector<std::string>& source_lines_of(Debugging& debugging, const std::string& file,
                                                const std::string& object);

/// An address as people write it: 0x7f0000001000, $arg1+16, local#8, private_lane#4, or an expression of Lua.
Result<debug::Address> address_of(const Debugger& debugger, const std::string& text);

/// $pc, $exec, $v3, $s4, $v3_f32, $arg1, …; nothing for other names, or when nothing is stopped.
std::optional<Value> debugger_value(const Debugger& debugger, std::string_view name);

/// "0x3f800000 (1)": a dword with what it is as a float, where that is a usual number.
std::string dword_text(std::uint32_t value);

}  // namespace rpl
