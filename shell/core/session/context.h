// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/optimize/rules/catalogue.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/events.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/keeping.h"
#include "shell/core/session/recorder.h"
#include "shell/core/session/shelf.h"
#include "shell/core/session/user_commands.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

struct Capture;
struct Debugging;
struct EmulatedRun;
struct OpenThreadTrace;
class Tour;
struct ProfileRunArgs;
namespace tune {
class Space;
}
namespace diagnose {
struct ProfileDocument;
}
namespace isa {
class CodeObject;
}

/// The settings `arch …`; hardware.h tells what they do.
void add_hardware_settings(Settings& settings);
/// The settings `counters …`; counter_files.h tells what they do.
void add_counter_settings(Settings& settings);
/// The settings `llm …`: which language model is asked; docs/language-models.md tells what they do.
void add_model_settings(Settings& settings);
/// The settings `slurm …`; `target slurm` tells what they do.
void add_slurm_settings(Settings& settings);

/// The settings `mcp …`; approval.h tells what they do.
void add_agent_settings(Settings& settings);

/// The scripting language behind the commands that need it; implemented by shell/lua.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;
  /// Runs a file; `arguments` become rpl.args. The document is what the script returned, empty for nothing.
  virtual Result<Document> run_file(const std::string& path,
                                    const std::vector<std::string>& arguments) = 0;
  /// The same for what the file defines: a command that it returns is added, but not run.
  virtual Result<Document> load_file(const std::string& path) = 0;
  /// The same as load_file for a text that was read from `path` before.
  virtual Result<Document> load_text(const std::string& path, const std::string& text) = 0;
  /// Runs statements, or evaluates an expression when `text` is one. `$name` stands for a convenience variable.
  virtual Result<Document> evaluate(const std::string& text) = 0;
  /// Evaluates an expression; statements are an error.
  virtual Result<Document> evaluate_expression(const std::string& text) = 0;
  /// An expression as a condition, compiled once: it sees the wave that is stopped (rpl.debug) under short names. Fails with script for
  /// what is no expression.
  using Condition = std::function<Result<bool>()>;
  virtual Result<Condition> condition(const std::string& text) = 0;
  /// An expression over `p`, a record, compiled once. Fails with script.
  using Predicate = std::function<Result<bool>(const Record&)>;
  virtual Result<Predicate> predicate(const std::string& text) = 0;
  /// The table that a file returns, without its `where`, and that one where it is a function; else an empty one.
  virtual Result<std::pair<Value, Predicate>> space_of(const std::string& path) = 0;
};

class Context;
/// The scripting language; missing_capability in a build without one.
Result<ScriptHost*> scripting(const Context& context);

/// Everything a handler may work on. Lives as long as the program; handlers get it by reference and keep nothing of it.
class Context {
 public:
  Registry registry;
  Settings settings;
  Workspace workspace;
  Shelf<Capture> captures{"c"};
  Shelf<isa::CodeObject> objects{"o"};
  Shelf<OpenThreadTrace> thread_traces{"att"};
  Shelf<diagnose::ProfileDocument> profiles{"prof"};
  std::shared_ptr<const EmulatedRun> last_run;  ///< of `kernel run`; null before the first
  std::shared_ptr<Debugging>
      debugging;  ///< breakpoints and the kernel that is stopped; see debugging.h
  std::shared_ptr<const ProfileRunArgs>
      last_profile;                          ///< of `profile`, for `run`; null before the first
  std::shared_ptr<const tune::Space> space;  ///< of `space load` and `space define`; null before
  Values values;
  Events events;
  std::vector<UserRule> user_rules;  ///< that scripts defined with rpl.rule
  Terminal terminal;                 ///< of stdout
  UserCommands user_commands;
  Recorder recorder;
  Displays displays;
  Keeper keeper;
  Jobs jobs;  ///< lines that run in the background
  std::vector<std::string>
      program;  ///< this program and the options that its shells have in common, for jobs; empty in tests of handlers
  Monitor monitor;           ///< progress of what runs now
  bool interactive = false;  ///< a person sits at the prompt
  bool quit = false;         ///< set by `quit`; the loop ends after this line
  std::string stepping;      ///< what `step` would do, for the prompt: "p5:build"; "" for nothing
  int exit_code = 0;         ///< of the last command, and of the program at its end
  std::shared_ptr<Session> session;  ///< null until something is worth keeping
  std::unique_ptr<ScriptHost> scripts;
  /// Runs one line as if typed and shows its result; returns its exit status. Set by the console.
  std::function<int(std::string_view line)> run_line;
  /// Runs one line and returns its result instead of showing it.
  std::function<Result<Document>(std::string_view line)> evaluate_line;
  /// Writes text of a script (print, rpl.ui.print) to where results go, or to stderr while results are for programs. Set by the console.
  std::function<Status(std::string_view text)> write;
  /// Shows a result at once, before the command that made it has ended.
  std::function<Status(const Document& document)> show;
  /// The next line of where commands come from now (prompt, file, body of a user-defined command); nullopt at its end. Empty: nowhere.
  std::function<std::optional<std::string>(std::string_view prompt)> read_line;
  std::shared_ptr<Tour> tour;  ///< the tutorial that looks on; null outside of one
  /// Called with each line that was typed when its result was shown, and its exit status. Empty: nobody looks on.
  std::function<void(const Command& command, int status)> on_ended;
  /// Asks the person a yes/no question; false when nobody is there.
  std::function<bool(std::string_view question)> ask;

  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

}  // namespace rpl
