// SPDX-License-Identifier: MIT
#include "engine/table/json_text.h"
#include "shell/lua/commands_lua.h"
#include "tests/shell/lua/script_fixture.h"
#include "tests/support/example_files.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"
#include "tests/support/loop_examples.h"

namespace rpl {
namespace {

/// Every command as a function: what it returns is what the command line shows.
class EveryCommandInLua : public testing_support::ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    // Some examples write files.
    std::filesystem::current_path(folder.path());
    test::GenerateOptions options;
    options.path = recording;
    options.workload.dispatches = 40;
    options.api = options.markers = true;
    options.counters = 1;
    ASSERT_TRUE(test::generate_rocpd(options).has_value());
    testing_support::write_example_files(".");
  }

  void TearDown() override { std::filesystem::current_path(before_); }

  std::string with_trace(const std::string& line) const {
    return testing_support::with_paths(line, recording, RPL_EXAMPLES_DIR);
  }

  /// The line as a call that gives the JSON of its result; "" for one that has no such form.
  std::string as_call(const Command& command, const std::string& line) const {
    ParseHooks hooks;
    hooks.opens = [](std::string_view path) { return is_recording(path); };
    auto parsed = parse_raw(context.registry, line);
    if (!parsed) return {};
    if (!*parsed) {
      const auto words = split_line(line);
      auto made = words ? parse(context.registry, words->words, hooks) : fail(Errc::usage, "");
      if (!made || made->form.limit || made->form.format != Format::text) return {};
      *parsed = std::move(*made);
    }
    Record record;
    for (const auto& [name, value] : (*parsed)->arguments) {
      record.emplace_back(underscored(name), value);
    }
    std::string call = "rpl.cmd";
    for (const std::string& word : lua_words(command.path)) call += "." + word;
    return fmt::format("{}(rpl.json.decode([==[{}]==])):render('json')", call,
                       to_json(Value(std::move(record))));
  }

  const std::string recording = folder / "small.db";

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

/// A shell of its own with the recording open: some commands move what later ones start from.
struct FreshShell {
  FreshShell() {
    add_all_commands(context.registry);
    context.scripts = make_script_host(context);
    console.default_format = Format::json;
  }
  void open(const std::string& recording) {
    console.run("open " + recording);
    out.clear();
  }
  Context context;
  std::string out, err;
  Console console{context, testing_support::ScriptTest::into(out),
                  testing_support::ScriptTest::into(err)};
};

TEST_F(EveryCommandInLua, GivesWhatTheCommandLineShows) {
  std::size_t compared = 0;
  for (const auto& [path, command] : context.registry.all()) {
    if (command->chapter == Class::support || command->chapter == Class::files) continue;
    for (const std::string& example : command->examples) {
      const bool loop = testing_support::about_the_loop(*command, example);
      if (loop && !testing_support::loop_examples_can_run()) continue;
      FreshShell typed, called;
      const std::string line = with_trace(
          loop ? testing_support::prepare_loop_example(typed.context, example) : example);
      const std::string call = as_call(*command, line);
      if (call.empty()) continue;
      SCOPED_TRACE(line + " = " + call);
      const bool names_it = line.find(recording) != std::string::npos;
      if (!names_it && !loop) typed.open(recording);
      EXPECT_EQ(typed.console.run(line), 0) << typed.out;
      if (loop) testing_support::prepare_loop_example(called.context, example);
      if (!loop) called.open(recording);
      const Result<Document> value = called.context.scripts->evaluate(call);
      ASSERT_TRUE(value.has_value()) << value.error().message;
      EXPECT_EQ(testing_support::without_emulation_time(as_text(*value->get("value"))),
                testing_support::without_emulation_time(typed.out));
      ++compared;
    }
  }
  EXPECT_GT(compared, 25U);
}

}  // namespace
}  // namespace rpl
