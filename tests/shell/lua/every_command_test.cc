// SPDX-License-Identifier: MIT
// Every command of the registry gives the same result at the prompt, on a command line and as a Lua function.
#include <map>
#include <regex>

#include "engine/document/json.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/values.h"
#include "shell/lua/module.h"
#include "shell/render/render.h"
#include "tests/shell/lua/script_fixture.h"
#include "tests/support/example_files.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"
#include "tests/support/loop_examples.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using testing_support::TempDir;
using testing_support::without_emulation_time;

/// What an example needs to have been run before it, by its first words.
const std::map<std::string, std::vector<std::string>>& preparations() {
  static const std::map<std::string, std::vector<std::string>> before{
      {"document", {"define hello --line 'echo hello'"}},
      {"record stop", {"record start before.rpl"}},
      {"undisplay", {"display 6 * 7"}},
  };
  return before;
}

/// A shell of its own in a folder of its own: some commands write files, some move what later ones start from. `built`: a folder of kept builds
/// that it starts with a copy of, since kept builds of one shell would show in the next. The copy has the same path in every shell, `built` and an
/// ending: what is kept of headers and their lists is of the folder of device libraries too, which lies in it.
class FreshShell {
 public:
  FreshShell(const std::string& recording, const std::string& built) : cache_(built + ".cache") {
    fs::remove_all(cache_);
    fs::copy(built, cache_, kLinked);
    fs::copy_file(recording, folder_ / "small.db");
    fs::current_path(folder_.path());
    testing_support::write_example_files(".");
    setenv("XDG_STATE_HOME", (folder_ / "state").c_str(), 1);
    setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
    setenv("RPL_MACHINE_ROOT", (folder_ / "machine").c_str(),
           1);  // the load of this one is another each time
    add_all_commands(context.registry());
    context.use(make_script_host(context));
    context.jobs().program = {RPL_PROGRAM, "-nx"};
    console.default_format = Format::json;
  }
  ~FreshShell() {
    fs::current_path(before_);
    unsetenv("RPL_MACHINE_ROOT");
  }
  FreshShell(const FreshShell&) = delete;
  FreshShell& operator=(const FreshShell&) = delete;

  /// Its kept builds take the place of those in `built`.
  void keep_builds(const std::string& built) const {
    fs::remove_all(built);
    fs::copy(cache_, built, kLinked);
  }

  /// What it printed, and `more`, without what differs between folders and runs.
  [[nodiscard]] std::string neutral(const std::string& more = "") {
    std::string text = without_emulation_time(err + out + more);
    const std::vector<std::string> folders{folder_.path(), context.log().folder(), cache_};
    for (const std::string& here : folders) {
      for (std::size_t at; here.starts_with('/') && (at = text.find(here)) != std::string::npos;)
        text.replace(at, here.size(), "HERE");
    }
    // What serves pages takes a port that is free, and a token of its own.
    static const std::regex address("http://127\\.0\\.0\\.1:[0-9]+/\\?token=[0-9a-f]+");
    return std::regex_replace(text, address, "ADDRESS");
  }

  /// Runs what comes before an example and forgets what it printed.
  void prepare(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) EXPECT_EQ(console.run(line), 0) << line << "\n" << out;
    out.clear();
    err.clear();
  }

  Context context;
  std::string out, err;
  Console console{context, render, testing_support::ScriptTest::into(out),
                  testing_support::ScriptTest::into(err)};

 private:
  /// Kept builds are written under another name and moved, never changed, and precompiled headers are large.
  static constexpr fs::copy_options kLinked =
      fs::copy_options::recursive | fs::copy_options::create_hard_links;

  fs::path before_ = fs::current_path();
  const std::string cache_;
  TempDir folder_;
};

class EveryCommandInLua : public testing_support::ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    setenv("RPL_SCRIPTS_DIR", RPL_SCRIPTS_DIR, 1);
    test::GenerateOptions options;
    options.path = recording;
    options.workload.dispatches = 40;
    options.workload.copy_share = 0.1;
    options.api = options.markers = true;
    options.counters = 1;
    ASSERT_TRUE(test::generate_rocpd(options).has_value());
    fs::create_directory(built);
  }

  static std::string with_trace(const std::string& line) {
    return testing_support::with_paths(line, "small.db", RPL_EXAMPLES_DIR);
  }

  /// What is run in front of the example: a recording is opened where the example does not name one.
  static std::vector<std::string> before(const Command& command, const std::string& line) {
    std::vector<std::string> lines;
    if (const auto found = preparations().find(command.path); found != preparations().end()) {
      lines = found->second;
    }
    for (const std::string& job : testing_support::lines_before(command, RPL_EXAMPLES_DIR))
      lines.push_back(job);
    if (const std::string stop = testing_support::stops_a_kernel(command, line, RPL_EXAMPLES_DIR);
        !stop.empty())
      lines.push_back(stop);
    const bool about_traces = command.chapter != Class::support && command.path != "open" &&
                              command.path != "trace merge";
    if (about_traces && line.find("small.db") == std::string::npos)
      lines.emplace_back("open small.db");
    return lines;
  }

  /// The words that a host shell gives for the line; the text of a raw command has to be quoted there.
  static std::vector<std::string> as_words(const Command& command, const std::string& line) {
    if (command.raw) {
      const std::size_t blank = line.find(' ');
      if (blank == std::string::npos) return {line};
      return {line.substr(0, blank), line.substr(blank + 1)};
    }
    std::vector<std::string> words;
    const auto split = split_line(line);
    for (const Word& word : split->words) words.push_back(word.text);
    return words;
  }

  Invocation parsed(const std::string& line) const {
    ParseHooks hooks;
    hooks.opens = [](std::string_view path) { return is_recording(path); };
    auto raw = parse_raw(context.registry(), line);
    if (raw && *raw) return std::move(**raw);
    const auto split = split_line(line);
    auto made = parse(context.registry(), split->words, hooks, split->text);
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return made ? std::move(*made) : Invocation{};
  }

  /// The form of the result, which is JSON where the line says none, by its name in Lua.
  static const char* form_name(Format format) {
    switch (format) {
      case Format::jsonl:
        return "jsonl";
      case Format::csv:
        return "csv";
      case Format::csv_raw:
        return "csv-raw";
      case Format::markdown:
        return "markdown";
      case Format::fields:
        return "fields";
      case Format::scalar:
        return "scalar";
      case Format::text:
      case Format::json:
        break;
    }
    return "json";
  }

  /// The same as a call that gives the text of its result.
  static std::string as_call(const Command& command, const Invocation& invocation) {
    Record record;
    for (const auto& [name, value] : invocation.arguments) {
      record.emplace_back(underscored(name), value);
    }
    if (invocation.form.limit) record.emplace_back("limit", Value(*invocation.form.limit));
    std::string call = "rpl.cmd";
    for (const std::string& word : lua_words(command.path)) call += "." + word;
    return fmt::format("{}(rpl.json.decode([==[{}]==])):render('{}')", call,
                       to_json(Value(std::move(record))), form_name(invocation.form.format));
  }

  struct Shown {
    std::string typed, words, called, call;
  };
  static std::string ready(FreshShell& shell, const Command& command, const std::string& example);
  Shown shown(const Command& command, const std::string& example);
  std::string typed(const Command& command, const std::string& example);
  void call(const Command& command, const std::string& example, Shown& shown);

  const std::string recording = folder / "small.db", built = folder / "built";
};

/// An example as it runs in a shell of its own, which it has got ready.
std::string EveryCommandInLua::ready(FreshShell& shell, const Command& command,
                                     const std::string& example) {
  const bool loop = testing_support::about_the_loop(command, example);
  const std::string line =
      with_trace(loop ? testing_support::prepare_loop_example(shell.context, example) : example);
  if (!loop) shell.prepare(before(command, line));
  return line;
}

/// What the example shows at the prompt, as words of a command line, and as a call. What scripts print goes to stderr
/// while the result is for programs.
EveryCommandInLua::Shown EveryCommandInLua::shown(const Command& command,
                                                  const std::string& example) {
  Shown shown;
  shown.typed = typed(command, example);
  shown.words = shown.typed;
  // The loop compiles and verifies, for seconds: words of a command line are read alike for every command, so two ways of it are played. The second finds the builds of the first;
  // where that shows, the first is played again.
  const bool loop = testing_support::about_the_loop(command, example);
  if (!loop) {
    FreshShell shell(recording, built);
    const std::string line = ready(shell, command, example);
    EXPECT_EQ(shell.console.run(as_words(command, line)), 0) << shell.out;
    shown.words = shell.neutral();
  }
  call(command, example, shown);
  if (loop && shown.called != shown.typed) shown.words = shown.typed = typed(command, example);
  return shown;
}

std::string EveryCommandInLua::typed(const Command& command, const std::string& example) {
  FreshShell shell(recording, built);
  const std::string line = ready(shell, command, example);
  EXPECT_EQ(shell.console.run(line), 0) << shell.out;
  if (testing_support::about_the_loop(command, example)) shell.keep_builds(built);
  return shell.neutral();
}

void EveryCommandInLua::call(const Command& command, const std::string& example, Shown& shown) {
  FreshShell shell(recording, built);
  const Invocation invocation = parsed(ready(shell, command, example));
  EXPECT_EQ(invocation.command, context.registry().find(command.path)) << "of another command";
  for (const std::string& name : invocation.open) shell.prepare({"open " + name});
  shown.call = as_call(command, invocation);
  const Result<Document> value = shell.context.scripts().evaluate(shown.call);
  EXPECT_TRUE(value.has_value()) << value.error().message;
  if (value) shown.called = shell.neutral(as_text(*value->get("value")));
}

TEST_F(EveryCommandInLua, GivesTheSameAtThePromptOnACommandLineAndInLua) {
  std::size_t left_out = 0;
  for (const auto& [path, command] : context.registry().all()) {
    if (command->hidden) continue;
    EXPECT_FALSE(command->examples.empty()) << path;
    for (const std::string example : command->examples) {
      if (!testing_support::can_run(example)) continue;
      // Without a compiler doctor ends with what that means.
      const bool needs_compiler =
          testing_support::about_the_loop(*command, example) || path == "doctor";
      if (needs_compiler && !testing_support::loop_examples_can_run()) {
        ++left_out;
        continue;
      }
      SCOPED_TRACE(example);
      const Shown all = shown(*command, example);
      EXPECT_EQ(all.words, all.typed);
      EXPECT_EQ(all.called, all.typed) << all.call;
    }
  }
  if (left_out > 0) GTEST_SKIP() << left_out << " examples need clang-19 (scripts/setup --full)";
}

}  // namespace
}  // namespace rpl
