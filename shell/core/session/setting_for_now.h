// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"

namespace rpl {

/// A setting that holds for one command: its value is put back at the end.
class SettingForNow {
 public:
  SettingForNow(Settings& settings, std::string name)
      : settings_(settings), name_(std::move(name)), before_(settings.get(name_)) {}
  ~SettingForNow() {
    const auto restored = settings_.set(name_, before_);
    (void)restored;  // it was valid before
  }
  SettingForNow(const SettingForNow&) = delete;
  SettingForNow& operator=(const SettingForNow&) = delete;
  Status set(const Value& value) { return settings_.set(name_, value); }

 private:
  Settings& settings_;
  std::string name_;
  Value before_;
};

/// `--check-cmd` of one command; without it the setting stands.
class CheckForNow {
 public:
  CheckForNow(Settings& settings, const std::string& command)
      : setting_(settings, "optimize check-cmd") {
    if (!command.empty()) taken_ = setting_.set(Value(command));
  }
  [[nodiscard]] const Status& status() const { return taken_; }

 private:
  SettingForNow setting_;
  Status taken_;
};

/// The option that gives it. `what`: what it checks, to which the default is added.
template <class Args>
Bound check_param(const std::string& what = "your own check of what was verified") {
  return option("check-cmd", &Args::check_command, what + "; default: `set optimize check-cmd`")
      .named("CMD")
      .needs({Capability::run})
      .takes_phrase();
}

/// `--seed` of one command; 0: the setting stands.
class SeedForNow {
 public:
  SeedForNow(Settings& settings, std::int64_t seed) : setting_(settings, "optimize seed") {
    if (seed != 0) taken_ = setting_.set(Value(seed));
  }
  [[nodiscard]] const Status& status() const { return taken_; }

 private:
  SettingForNow setting_;
  Status taken_;
};

/// The option that gives it.
template <class Args>
Bound seed_param() {
  return option("seed", &Args::seed,
                "what verification draws inputs with, to repeat one; the evidence names it; "
                "default: `set optimize seed`, else a secret one");
}

}  // namespace rpl
