// SPDX-License-Identifier: MIT
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "shell/commands/all.h"
#include "shell/core/run/console.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/render/render.h"
#include "tests/support/temp_dir.h"

namespace rpl::testing_support {

/// A shell with all commands in a fresh folder, which is also where its state and configuration are. Its streams are kept as text;
/// lines for `define` come from `input`.
class ShellTest : public testing::Test {
 protected:
  ShellTest() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder.path());
    setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
    setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
    add_all_commands(context.registry());
    context.face().read_from([this](std::string_view) -> std::optional<std::string> {
      if (input.empty()) return std::nullopt;
      std::string line = std::move(input.front());
      input.pop_front();
      return line;
    });
  }
  ~ShellTest() override { std::filesystem::current_path(before_); }

  int run(std::string_view line) {
    out.clear();
    err.clear();
    return console.run(line);
  }
  /// What a line prints, which must succeed.
  std::string shown(std::string_view line) {
    EXPECT_EQ(run(line), 0) << line << "\n" << err;
    return out;
  }
  /// A definition as it is typed.
  int define(std::string_view head, std::deque<std::string> body) {
    input = std::move(body);
    return run(head);
  }
  static Sink into(std::string& text) {
    return [&text](OutputBytes more) {
      text += more.bytes();
      return Status();
    };
  }

  TempDir folder;
  Context context;
  std::string out, err;
  std::deque<std::string> input;
  Console console{context, render, into(out), into(err)};

 private:
  std::filesystem::path before_;
};

}  // namespace rpl::testing_support
