// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shell/core/command/command.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/state.h"

namespace rpl {

class Context;
class Trace;

/// One open trace as scripts hold it. All handles into a trace share one of these; `trace` is dropped when the trace is closed.
struct TraceShare {
  std::string id;
  std::shared_ptr<const Trace> trace;
  std::map<std::string, std::shared_ptr<const Document>> results =
      {};  ///< of commands without arguments
};
using TracePtr = std::shared_ptr<TraceShare>;

/// What bound functions work with: the context of the shell and the interpreter.
class LuaHost final : public ScriptHost {
 public:
  explicit LuaHost(Context& context) : context_(context) {}

  static LuaHost& of(lua_State* thread) { return *static_cast<LuaHost*>(State::owner_of(thread)); }

  Result<Document> run_file(const std::string& path,
                            const std::vector<std::string>& arguments) override;
  Result<Document> load_file(const std::string& path) override;
  Result<Document> load_text(const std::string& path, const std::string& text) override;
  Result<Document> evaluate(const std::string& text) override;
  Result<Document> evaluate_expression(const std::string& text) override;
  Result<Condition> condition(const std::string& text) override;
  Result<Predicate> predicate(const std::string& text) override;
  Result<std::pair<Value, Predicate>> space_of(const std::string& path) override;
  [[nodiscard]] std::vector<ScriptFunction> functions() const override;

  [[nodiscard]] Context& context() { return context_; }
  /// The interpreter, made on first use.
  State& state();
  [[nodiscard]] const std::vector<std::string>& arguments() const { return arguments_; }

  /// The open trace of that id, or of the current one when empty; waits until it is read.
  Result<TracePtr> share(const std::string& id);
  /// The trace behind a handle; fails when it was closed since.
  Result<const Trace*> live(TraceShare& share);

  /// Opens and reads recordings as one trace, which becomes current; listeners may veto it.
  Result<OpenTrace*> open(const std::vector<std::string>& paths);
  Status close(const std::string& id);
  /// Ends the script and then the program; to be called by bound functions.
  void exit(lua_State* thread, int code);

  /// Runs a command; a failure of `before_command` listeners vetoes it.
  Result<Document> run(const Command& command, const Arguments& arguments);
  /// The same with trace `id` as the current one; selection and current trace are as before afterwards.
  Result<Document> run_on(const std::string& id, const Command& command,
                          const Arguments& arguments);

  /// Makes a result of the values from index `first` to the top.
  using Converter = std::function<Result<Document>(lua_State* thread, int first)>;
  /// Calls the function below `arguments` values on the stack and converts what it gave, protected throughout. When
  /// rpl.exit ended it, the outermost call gives the exit's document.
  Result<Document> call_loaded(int arguments, const Converter& convert);

 private:
  Result<Document> start(const std::string& path, const std::vector<std::string>& arguments,
                         bool run_command);
  /// `called` is its name in messages.
  Result<Document> start_text(const std::string& path, std::string text,
                              const std::vector<std::string>& arguments, bool run_command,
                              const std::string& called);
  Result<Document> run_with_texts(const std::string& command,
                                  const std::vector<std::string>& texts);
  /// Calls it with the configuration, if there is one.
  Result<bool> holds(const Ref& function, const Record* configuration);
  Predicate predicate_of(Ref function);
  Document exit_document();
  Result<Document> take_results(int first, const Converter& convert);

  Context& context_;
  std::unique_ptr<State> state_;
  std::map<std::string, std::weak_ptr<TraceShare>> shares_;
  std::vector<std::string> arguments_;
  std::optional<int> exit_code_;  ///< set while rpl.exit unwinds
  bool in_listener_ = false;
};

}  // namespace rpl
