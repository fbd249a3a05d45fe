// SPDX-License-Identifier: MIT
#include "shell/core/run/console.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/events.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "shell/render/render.h"
#include "tests/support/temp_dir.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace rpl {
namespace {

using ::testing::HasSubstr;

/// A console over a registry of two commands, its two streams kept as text.
class ConsoleTest : public testing::Test {
 protected:
  void SetUp() override {
    Command numbers;
    numbers.path = "numbers";
    numbers.summary = "Test.";
    numbers.columns = {{"id", Type::id, Unit::none, ""}, {"n", Type::integer, Unit::count, ""}};
    numbers.repeatable = true;
    numbers.run = [](Context&, const Arguments&) -> Result<Document> {
      Document made;
      for (int i = 1; i <= 3; ++i) made.rows.push_back({Value("d" + std::to_string(i)), Value(i)});
      made.notes = {"three"};
      return made;
    };
    ASSERT_TRUE(context.registry().add(std::move(numbers)).has_value());
    Command broken;
    broken.path = "broken";
    broken.summary = "Test.";
    broken.run = [](Context&, const Arguments&) -> Result<Document> {
      return fail(Errc::not_found, "nothing here", "look elsewhere");
    };
    ASSERT_TRUE(context.registry().add(std::move(broken)).has_value());
  }
  int run(std::string_view line) {
    out.clear();
    err.clear();
    return console.run(line);
  }
  static Sink into(std::string& text) {
    return [&text](OutputBytes more) {
      text += more.bytes();
      return Status();
    };
  }
  Context context;
  std::string out, err;
  Console console{context, render, into(out), into(err)};
};

TEST_F(ConsoleTest, ShowsResultsOnOutAndRemarksOnErr) {
  EXPECT_EQ(run("numbers"), 0);
  EXPECT_EQ(out, "id  n\nd1  1\nd2  2\nd3  3\n(3 rows)\n");
  EXPECT_EQ(err, "note: three\n");
}

TEST_F(ConsoleTest, SetWidthHoldsUntilItIsTakenBack) {
  context.face().terminal().width = 132;
  context.face().terminal().elide = false;
  ASSERT_TRUE(context.settings().set("width", std::string_view("90")));
  EXPECT_EQ(run("numbers"), 0);
  EXPECT_EQ(context.face().terminal().width, 90U);
  EXPECT_TRUE(context.face().terminal().elide);
  ASSERT_TRUE(context.settings().set("width", std::string_view("100")));
  EXPECT_EQ(run("numbers"), 0);
  EXPECT_EQ(context.face().terminal().width, 100U);
  ASSERT_TRUE(context.settings().set("width", std::string_view("0")));
  EXPECT_EQ(run("numbers"), 0);
  EXPECT_EQ(context.face().terminal().width, 132U);
  EXPECT_FALSE(context.face().terminal().elide);
}

TEST_F(ConsoleTest, ReportsErrorsWithTheirExitStatus) {
  EXPECT_EQ(run("broken"), 1);
  EXPECT_EQ(err, "error: nothing here; look elsewhere\n");
  EXPECT_EQ(run("nmubers"), 2);
  EXPECT_THAT(err, HasSubstr("did you mean 'numbers'?"));
  EXPECT_EQ(out, "");
}

TEST_F(ConsoleTest, ReportsErrorsAsJsonWhenAskedForJson) {
  EXPECT_EQ(run("broken --json"), 1);
  EXPECT_EQ(out,
            "{\"schema\": \"rpl.error/1\", \"code\": \"not_found\", \"message\": \"nothing here\","
            " \"hint\": \"look elsewhere\"}\n");
  run("numbers --nope --json");
  EXPECT_THAT(out, HasSubstr("\"code\": \"usage\""));
  EXPECT_EQ(err, "");
}

TEST_F(ConsoleTest, KeepsValuesAndRows) {
  run("numbers");
  EXPECT_EQ(context.values().lookup("$1.rows[2].id").value(), Value("d2"));
  EXPECT_EQ(context.values().lookup("$.rows[3].n").value(), Value(3));
  EXPECT_EQ(context.workspace().last_rows.size(), 3U);
  EXPECT_FALSE(context.values().lookup("$2").has_value());
  EXPECT_THAT(context.values().lookup("$1.rows[9]").error().hint, HasSubstr("it has 3"));
}

TEST_F(ConsoleTest, RemembersWhatMayBeRepeated) {
  run("numbers");
  EXPECT_EQ(console.repeatable_line(), "numbers");
  run("broken");
  EXPECT_EQ(console.repeatable_line(), "");
}

TEST_F(ConsoleTest, AListenerVetoesACommand) {
  ASSERT_TRUE(
      context.events()
          .on("before_command", [](const Value&) -> Status { return fail(Errc::denied, "no"); })
          .has_value());
  EXPECT_EQ(run("numbers"), 1);
  EXPECT_EQ(err, "error: no\n");
}

TEST_F(ConsoleTest, AnEditorIsForWhoSitsThere) {
  const testing_support::TempDir folder;
  const std::string source = folder.write("a.hip", "old\n"), copy = folder / "b.hip";
  const Error otherwise{Errc::usage, "name a file"};
  const auto edit = [&](const char* editor) {
    setenv("EDITOR", editor, 1);
    return console.edit_copy(source, copy, otherwise);
  };
  unsetenv("VISUAL");
  EXPECT_EQ(edit("true").error().message, "name a file");
  console.attend([](const TerminalText&) { return true; });
  EXPECT_EQ(edit("").error().code, Errc::missing_capability);
  EXPECT_EQ(folder.read("b.hip"), "");
  EXPECT_TRUE(edit("sed -i s/old/new/").has_value());
  EXPECT_EQ(folder.read("b.hip"), "new\n");
  EXPECT_EQ(folder.read("a.hip"), "old\n");
  EXPECT_THAT(edit("exit 3; :").error().message, HasSubstr("status 3"));
}

TEST_F(ConsoleTest, DisplaysAreAddedWhereNobodyIsShownThem) {
  int added = 0;
  const auto add = [&added] { ++added; };
  context.face().add_displays(add);
  EXPECT_EQ(added, 1);
  console.attend([](const TerminalText&) { return true; });
  context.face().add_displays(add);
  EXPECT_EQ(added, 1);
}

TEST_F(ConsoleTest, ACommentIsNothing) {
  EXPECT_EQ(run("# numbers"), 0);
  EXPECT_EQ(out + err, "");
}

}  // namespace
}  // namespace rpl
