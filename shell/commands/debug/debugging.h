// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/debug/examine.h"
#include "engine/device/debug/session.h"
#include "engine/device/expression/datum.h"
#include "engine/isa/variables/variables.h"
#include "shell/core/command/command.h"
#include "shell/core/session/script_host.h"

/// The debugger of the shell: breakpoints, the kernel that is stopped, and how a stop is shown.
namespace rpl {

class Context;
class Displays;
class Face;
class Values;
class Workspace;
struct DebugState;
struct EmulatedRun;

/// A parameter of the stopped kernel: its name in the source, or arg1, arg2, … where that is not known, and where its value lies in the kernarg segment.
struct KernelParameter {
  std::string name;
  debug::Type type = {};
  std::string type_text = {};  ///< as it is declared
  std::uint32_t offset = 0, bytes = 0;
};

/// What the debug information of a launch's code object says about variables, and of where its wave stands.
struct VariablesRead {
  const debug::Session* of = nullptr;
  std::shared_ptr<isa::Variables> variables;
  std::optional<Error> error;                 ///< why it could not be read
  std::optional<std::uint32_t> kernel_entry;  ///< which of its functions is the kernel
  std::vector<std::uint32_t> stood_at;        ///< operations that `frames` are of
  std::vector<isa::VariableFrame> frames;     ///< one for each of standing_frames()
};

/// What was printed and set since a launch began, with its types.
struct KeptValues {
  const debug::Session* of = nullptr;
  std::optional<debug::Datum> last = {};             ///< that was evaluated
  std::map<std::size_t, debug::Datum> printed = {};  ///< by number in the history
  std::map<std::string, debug::Datum> variables = {};
};

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
  std::uint32_t listed_first = 0, listed = 0;       ///< first and last line that `list` showed
  std::string listed_file;                          ///< of them
  std::string listed_against;                       ///< the two profiles that it compared
  std::shared_ptr<const EmulatedRun> previous_run;  ///< before the last one, with its counts
  std::size_t frame =
      0;  ///< selected frame: 0 is where the wave stands, then what that was inlined at
  std::vector<KernelParameter> parameters;  ///< of the kernel of `parameters_of`
  const debug::Session* parameters_of = nullptr;
  VariablesRead variables_read;
  std::string
      written_note;  ///< what to say about the write that an expression just made; "" for nothing
  KeptValues kept;
  std::map<int, std::vector<std::string>> commands;  ///< to run behind a stop, by breakpoint
  std::vector<std::string> waiting;  ///< those of a stop that such a line made, to run next
  bool runs_commands = false;
  std::uint64_t stops = 0;      ///< how often something was shown that stands still
  std::vector<int> stopped_at;  ///< the breakpoints of the last one
  std::function<Result<Document>(bool at_entry)>
      again;  ///< starts what ran last, also after `kill`; empty before
  std::weak_ptr<const void>
      profile_before;                   ///< the last profile at that time: a later one goes before
  std::weak_ptr<const void> listed_of;  ///< the run that it was of; of a stop: nothing
  std::map<std::string, std::vector<std::string>>
      sources;  ///< lines of files; empty for one that was not found
};

/// The parts that the debugger works with. Made of a context, so that whoever holds one may pass it.
struct Debugger {
  Debugger(const Context& context);

  const Context& shell;  ///< that it is of: what outlives a command makes another one of it
  DebugState& state;
  Workspace& workspace;
  Values& values;
  Displays& displays;
  ScriptHost& scripts;
  Face& face;
};

/// Makes expressions, `$v2` and completion know of the debugger.
void use_debugger(const Context& context);
Debugging& debugging(const Debugger& debugger);
/// For completion: see DebugState::names.
std::vector<std::string> debugger_names(const Debugger& debugger, Complete what,
                                        std::string_view typed);
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

/// A command that only shows something of what is debugged; its path is its example.
Command showing_stopped(Label path, Label summary, Label help, std::vector<Column> fields,
                        std::vector<Column> columns, Label scalar, std::vector<Label> aliases = {});
/// What every command that moves the stopped kernel returns.
const std::vector<Column>& stop_fields();
/// Makes the prompt say where the selected wave stands.
void mark_place(const Debugger& debugger);
/// Adds those that are not there already.
void add_stop_fields(std::vector<Column>& fields);
/// Shows where it stopped, and makes the prompt say so.
Document stop_document(const Debugger& debugger, const debug::Stop& stop);

/// How far a command moves the kernel that is stopped.
enum class KernelStep { line, next_line, finish, go_on };

/// Does so, when a kernel is stopped; nothing otherwise, and the command is about the optimization.
std::optional<Document> stepped(const Debugger& debugger, KernelStep step, std::int64_t count = 1);

/// The inline chain of where the selected wave stands, while a kernel is stopped: `backtrace`, and `frame`, `up`, `down` by the number of the frame to
/// go to. Nothing while none is stopped.
/// `most` frames, from the outermost one where it is negative, all where it is 0; `full` with their variables.
std::optional<Result<Document>> stopped_backtrace(const Debugger& debugger, std::int64_t most,
                                                  bool full);
std::optional<Result<Document>> stopped_frame(const Debugger& debugger,
                                              std::optional<std::int64_t> number);
std::optional<Result<Document>> stopped_frame_by(const Debugger& debugger, std::int64_t steps);
/// What `frame` returns of it, and `backtrace` as the list `frames`.
const std::vector<Column>& stopped_frame_fields();
/// A frame of the selected wave: a function that was inlined, one that was called, or the kernel.
struct StandingFrame {
  std::uint64_t address = 0;  ///< of the instruction that comes next there
  std::uint64_t asked =
      0;  ///< that lines and variables are looked up for: of a caller, that of the call
  std::size_t level = 0;  ///< 0 where the wave stands, then the callers, innermost first
  isa::SourcePlace place = {};
  bool inlined = false,
       called = false;  ///< how it is in the frame that follows; neither for the kernel
};
/// Innermost first; empty while no wave is selected.
std::vector<StandingFrame> standing_frames(const debug::Session& session);
/// The function that called, which a frame is of; null for the function where the wave stands. See debug::Session::callers().
const debug::Caller* caller_of(const Debugger& debugger, std::size_t frame);
/// The registers of the selected frame: the selected wave, or what it was in front of the call. Fails with not_found where that is not known.
Result<const emu::Wave*> frame_wave(const Debugger& debugger, const debug::Session& session);
/// The place in the selected frame; nothing where no line is known.
std::optional<isa::SourcePlace> selected_place(const Debugger& debugger);

/// The wave that "2" names in the selected workgroup, or "5:2"; it need not be in flight. Fails with usage.
Result<debug::WaveId> wave_named(const debug::Session& session, std::string_view text);

/// The operations that `break` stops at, as a person names a place: also +2, and an empty one for where the wave stands.
Result<debug::Place> place_here(const Debugger& debugger, const std::string& text);

/// The lines of a source file: as it is named, in the current folder, or beside the code object at `object`. Empty when it is nowhere, and for
/// the headers of the system.
const std::vector<std::string>& source_lines_of(Debugging& debugging, const std::string& file,
                                                const std::string& object);

/// An address as people write it: 0x7f0000001000, $arg1+16, local#8, private_lane#4, or an expression of Lua.
Result<debug::Address> address_of(const Debugger& debugger, const std::string& text);

/// $pc, $exec, $v3, $s4, $v3_f32, $arg1, …; nothing for other names, or when nothing is stopped.
std::optional<Value> debugger_value(const Debugger& debugger, std::string_view name);

/// What `display/FORMAT` shows: a value as `print`, or memory and instructions as `x`, which a count, a size, or the letter i means.
Result<Document> displayed(const Debugger& debugger, const std::string& text,
                           const std::string& format);

/// "0x3f800000 (1)": a dword with what it is as a float, where that is a usual number.
std::string dword_text(std::uint32_t value);

}  // namespace rpl
