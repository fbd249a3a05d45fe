// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/policy.h"
#include "engine/document/document.h"

namespace rpl {

/// A function that scripts can call, as they spell it, and what it does.
struct ScriptFunction {
  std::string name;
  Capabilities does, may;
};

/// The scripting language behind the commands that need it; implemented by shell/lua. In a build without one all fail with missing_capability.
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
  /// what is not an expression.
  using Condition = std::function<Result<bool>()>;
  virtual Result<Condition> condition(const std::string& text) = 0;
  /// An expression over `p`, a record, compiled once. Fails with script.
  using Predicate = std::function<Result<bool>(const Record&)>;
  virtual Result<Predicate> predicate(const std::string& text) = 0;
  /// The table that a file returns, without its `where`, and that one where it is a function; else an empty one.
  virtual Result<std::pair<Value, Predicate>> space_of(const std::string& path) = 0;
  /// All functions of the interface and those of the language that reach the host, by name.
  [[nodiscard]] virtual std::vector<ScriptFunction> functions() const { return {}; }
  /// Succeeds where there is a language.
  [[nodiscard]] virtual Status available() const { return {}; }
};

/// A host without a language.
std::unique_ptr<ScriptHost> no_scripts();

}  // namespace rpl
