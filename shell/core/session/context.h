// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace rpl {

class Displays;
class Events;
class Face;
class Jobs;
class Registry;
class ScriptHost;
class SessionLog;
class Settings;
class UserCommands;
class Values;
class Workspace;
struct DebugState;
struct Monitor;
struct UserRule;

/// The parts that commands work on, wired together; each has a header of its own, and `part<T>()` gives one by its type. Lives as long as the
/// program. A context only holds the parts: a const one gives them all.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Registry& registry() const;
  [[nodiscard]] Settings& settings() const;
  [[nodiscard]] Workspace& workspace() const;
  [[nodiscard]] Values& values() const;
  [[nodiscard]] Events& events() const;
  [[nodiscard]] SessionLog& log() const;
  [[nodiscard]] Jobs& jobs() const;
  [[nodiscard]] Displays& displays() const;
  [[nodiscard]] UserCommands& user_commands() const;
  [[nodiscard]] DebugState& debug() const;
  [[nodiscard]] Monitor& monitor() const;  ///< progress of what runs now
  /// Rules that scripts defined with rpl.rule.
  [[nodiscard]] std::vector<UserRule>& user_rules() const;

  /// Whoever gives lines and reads results now.
  [[nodiscard]] Face& face() const;
  /// `face` goes on where the one before was; it detaches itself before it ends, and the one before is back.
  void attach(Face& face);
  void detach(Face& face);

  [[nodiscard]] ScriptHost& scripts() const;
  void use(std::unique_ptr<ScriptHost> host);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The part of a type: Workspace, Settings, …
template <class Part>
Part& part(Context& context);

}  // namespace rpl
