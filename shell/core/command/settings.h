// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/core/command/command.h"

namespace rpl {

/// One thing that `set`, `show`, an init file and Lua can change. Declared once; help, completion and checking follow.
struct Setting {
  Param param;  ///< name ("history size"), type, choices, default, help
  std::function<Status(const Value&)> check;  ///< further conditions; may be empty
  /// What a value comes to here, a sentence for `show`; may be empty.
  std::function<std::string(const Value&)> comes_to = {};
  Capabilities needs = {};  ///< what changing it needs: what it names is run, or trusted
  bool secret = false;      ///< its value is kept in no log and no history
};

/// All settings and their values. Names may have several words: "history size".
class Settings {
 public:
  void add(Setting setting);
  /// Its type is that of `initial`; null: a text that may be unset.
  void add(Label name, Value initial, Label help, std::function<Status(const Value&)> check = {});
  /// A number in `range`.
  void add(Label name, Value initial, Range range, Label help);
  /// Says what changing a setting needs.
  void guard(std::string_view name, Capabilities needs);
  /// Says that its value may hold a secret.
  void keep_secret(std::string_view name);
  /// A line as logs and histories keep it: `set NAME …` for a setting that is secret.
  [[nodiscard]] std::string without_secret(std::string_view line) const;
  /// A text that is one of `choices`.
  void add(Label name, const char* initial, std::vector<Label> choices, Label help);
  /// Checks (text is parsed) and stores; the error names the setting and what it takes. Fails with denied where the session may not change it.
  Status set(std::string_view name, const Value& value);

  [[nodiscard]] const Value& get(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] bool on(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;

  /// The setting that the first words name (unique prefixes allowed) and how many words it took.
  [[nodiscard]] Result<std::pair<const Setting*, std::size_t>> resolve(
      std::span<const std::string> words) const;
  [[nodiscard]] const std::map<std::string, Setting, std::less<>>& all() const { return settings_; }

 private:
  std::map<std::string, Setting, std::less<>> settings_;
  std::map<std::string, Value, std::less<>> values_;
};

/// The settings that every build has; each is used by some part of the shell.
void add_core_settings(Settings& settings);
/// `arch …`; shell/core/inputs/hardware.h tells what they do.
void add_hardware_settings(Settings& settings);
/// `counters …`; counter_files.h tells what they do.
void add_counter_settings(Settings& settings);
/// `llm …`: which language model is asked; docs/language-models.md tells what they do.
void add_model_settings(Settings& settings);
/// `slurm …`; `target slurm` tells what they do.
void add_slurm_settings(Settings& settings);
/// The setting `target`; targets.h tells what it does.
void add_target_settings(Settings& settings);
/// `mcp …`; approval.h tells what they do.
void add_agent_settings(Settings& settings);

}  // namespace rpl
