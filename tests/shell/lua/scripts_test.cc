// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/script_files.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/workspace.h"
#include "shell/reference/manual.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;
using testing_support::TinyDispatch;
using testing_support::write_trace;

/// Runs the scripts that come with rpl, as `rpl -batch -x scripts/NAME.lua -- ARGS` does.
class ScriptsTest : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    console.default_format = Format::csv;
  }
  int ship(std::string_view name, std::string_view arguments) {
    return run(fmt::format("source {}.lua -- {}", name, arguments));
  }
  bool has(const char* command) { return context.registry().find(command) != nullptr; }
};

TEST_F(ScriptsTest, GapsListsIdleTimes) {
  EXPECT_EQ(ship("gaps", small_trace() + " --min-ns 100"), 0) << err;
  EXPECT_EQ(out,
            "gap_ns,start_ns,after,after_kernel,before,before_kernel\n"
            "450,250,d2,softmax,d3,gemm\n"
            "100,100,d1,gemm,d2,softmax\n");
  EXPECT_EQ(run("idle-gaps/q"), 0) << err;
  EXPECT_EQ(out, "0.0\n") << "all gaps are shorter than the default";
  EXPECT_EQ(run("idle-gaps --min-ns 1 --top 1"), 0);
  EXPECT_EQ(err, "note: the 1 longest of 2 gaps\n");
}

TEST_F(ScriptsTest, GapsCountsFromTheLatestEndSoFar) {
  const std::string path =
      write_trace(folder, "nested_kernel_trace.csv",
                  {{"long", 0, 1000, 0}, {"short", 100, 10, 1}, {"late", 3000, 5, 1}});
  EXPECT_EQ(ship("gaps", path), 0) << err;
  EXPECT_THAT(out, HasSubstr("\n2000,1000,d1,long,d3,late\n"));
}

TEST_F(ScriptsTest, TopByStreamRanksWithinStreams) {
  EXPECT_EQ(ship("top_by_stream", small_trace()), 0) << err;
  EXPECT_THAT(out, HasSubstr(",gemm,2,400,1.0\n"));
  EXPECT_THAT(out, HasSubstr(",softmax,1,50,1.0\n"));
  EXPECT_EQ(run("top-by-stream --streams 1"), 0);
  EXPECT_THAT(out, testing::Not(HasSubstr("softmax")));
}

TEST_F(ScriptsTest, DiffComparesKernels) {
  const std::string before =
      write_trace(folder, "before_kernel_trace.csv", {{"gemm", 0, 100, 0}, {"old", 200, 10, 0}});
  const std::string after =
      write_trace(folder, "after_kernel_trace.csv",
                  {{"gemm", 0, 40, 0}, {"gemm", 50, 40, 0}, {"new", 100, 5, 0}});
  EXPECT_EQ(ship("diff", before + " " + after), 0) << err;
  EXPECT_EQ(out,
            "kernel,calls_before,calls_after,before_ns,after_ns,delta_ns,ratio,state\n"
            "gemm,1,2,100,80,-20,2.5,both\n"
            "old,1,0,10,0,-10,,gone\n"
            "new,0,1,0,5,5,,new\n");
  EXPECT_TRUE(context.workspace().traces().empty());
}

TEST_F(ScriptsTest, OutliersFindsTheSlowOnes) {
  std::vector<TinyDispatch> dispatches;
  for (int i = 0; i < 9; ++i) dispatches.push_back({"gemm", i * 10'000, 100, 0});
  dispatches.push_back({"gemm", 100'000, 5'000, 0});
  EXPECT_EQ(ship("outliers", write_trace(folder, "slow_kernel_trace.csv", dispatches)), 0) << err;
  EXPECT_EQ(
      out, "id,kernel,duration_ns,median_ns,excess_ns,times_median\nd10,gemm,5000,100,4900,50.0\n");
}

TEST_F(ScriptsTest, GatePassesAndFails) {
  const std::string trace = small_trace();
  const std::string good =
      folder.write("good.json", R"({"trace": {"span_ns": {"max": 1000}, "dispatches": {"min": 3}},
      "kernels": {"gemm": {"mean_ns": {"max": 200}, "p99_ns": {"max": 300}, "calls": {"max": 2}},
                  "absent": {"optional": true, "calls": {"max": 1}}}})");
  EXPECT_EQ(ship("gate", trace + " " + good), 0) << err;
  const std::string bad = folder.write("bad.json", R"({"trace": {"span_ns": {"max": 999}},
      "kernels": {"gemm": {"mean_ns": {"max": 199.5}}, "absent": {"calls": {"max": 1}}}})");
  EXPECT_EQ(ship("gate", trace + " " + bad), 3);
  EXPECT_EQ(out,
            "what,metric,value,limit,verdict\ntrace,span_ns,1000,<= 999,broken\n"
            "absent,calls,,<= 1,missing\ngemm,mean_ns,200.0,<= 199.5,broken\n");
  EXPECT_EQ(context.face().exit_code(), 3);
}

TEST_F(ScriptsTest, GateRefusesBadBudgets) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "bad JSON"},
      {R"({"kernel": {}})", "unknown part 'kernel'"},
      {R"({"trace": {"span_ns": {}}})", "has neither min nor max"},
      {R"({"kernels": {"gemm": {"speed": {"max": 1}}}})", "unknown metric 'speed'"},
  };
  for (const auto& [budget, message] : cases) {
    EXPECT_NE(ship("gate", small_trace() + " " + folder.write("b.json", budget)), 0) << budget;
    EXPECT_THAT(err, HasSubstr(message));
  }
}

TEST_F(ScriptsTest, TriageRanksByGain) {
  if (!has("critpath") || !has("whatif"))
    GTEST_SKIP() << "critpath and whatif are not in this build";
  EXPECT_EQ(ship("triage", small_trace()), 0) << err;
  EXPECT_THAT(out,
              testing::StartsWith("id,kernel,calls,path_ns,path_share,gain,gain_low,gain_high\n"));
  EXPECT_THAT(out, HasSubstr(",gemm,2,400,"));
}

TEST_F(ScriptsTest, ReportWritesMarkdownAndCsv) {
  if (!has("critpath") || !has("info kernels"))
    GTEST_SKIP() << "critpath and info kernels are not in this build";
  console.default_format = Format::text;
  EXPECT_EQ(ship("report", small_trace()), 0) << err;
  EXPECT_THAT(out, HasSubstr("## Critical path"));
  EXPECT_EQ(run("report-trace --form csv --output " + (folder / "k.csv")), 0) << err;
  EXPECT_THAT(folder.read("k.csv"), HasSubstr("gemm"));
}

TEST_F(ScriptsTest, FindNanStopsAtTheFirstOne) {
  const std::string kernel = RPL_EXAMPLES_DIR
      "/hip/objects/normalize.gfx942.co --grid 256 --workgroup 128 --arg f32:zero:1000 --arg "
      "f32:zero:1000 "
      "--arg i32:200 --arg i32:5";
  EXPECT_EQ(ship("find_nan", "v5 " + kernel), 0) << err;
  EXPECT_THAT(
      out,
      HasSubstr("\ntrue,\"v_mul_f32_e32 v5, v4, v5\",0,normalize.hip:21:10 in normalize,0,0,4\n"));
  EXPECT_EQ(run("print/q rpl.debug.stopped"), 0);
  EXPECT_EQ(out, "true\n") << "it can be looked at";
  EXPECT_EQ(run("find-nan/q v6 " + kernel), 0) << err;
  EXPECT_EQ(out, "false\n");
  EXPECT_EQ(run("find-nan s4 " + kernel), 2);
}

TEST_F(ScriptsTest, EachOneDescribesItself) {
  std::size_t scripts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RPL_SCRIPTS_DIR)) {
    if (entry.path().extension() != ".lua") continue;
    ++scripts;
    const std::size_t before = context.registry().all().size();
    EXPECT_EQ(run("source " + entry.path().string() + " --define"), 0) << entry.path() << err;
    EXPECT_EQ(context.registry().all().size(), before + 1) << entry.path();
  }
  EXPECT_GE(scripts, 20U);
  for (const auto& [path, command] : context.registry().all()) {
    if (!command->is_user_defined) continue;
    EXPECT_FALSE(command->help.empty() || command->examples.empty() || command->summary.empty())
        << path;
    for (const Param& param : command->params)
      EXPECT_FALSE(param.help.empty()) << path << param.name;
  }
}

TEST_F(ScriptsTest, EachOneSaysWhatItAnswersAndHowItIsCalled) {
  std::size_t scripts = 0;
  for (const ScriptHeader& script : known_scripts()) {
    ++scripts;
    EXPECT_TRUE(script.question.ends_with('?')) << script.name << ": " << script.question;
    ASSERT_FALSE(script.calls.empty()) << script.name;
    for (const std::string& call : script.calls)
      EXPECT_THAT(call, testing::StartsWith("rpl -batch -x " + script.name + " -- "));
    const auto commands = commands_of(context.registry(), context.scripts(), script);
    ASSERT_TRUE(commands.has_value()) << script.name;
    ASSERT_EQ(commands->size(), 1U) << script.name;
    EXPECT_THAT(script_manual(script, *commands), HasSubstr(script.question));
  }
  EXPECT_EQ(scripts, static_cast<std::size_t>(std::ranges::count_if(
                         std::filesystem::directory_iterator(RPL_SCRIPTS_DIR),
                         [](const auto& entry) { return entry.path().extension() == ".lua"; })));
}

TEST_F(ScriptsTest, HeadersAreReadFromAnyText) {
  const ScriptHeader header =
      script_header("a/b.lua",
                    "#!/usr/bin/rpl\n-- SPDX-License-Identifier: MIT\n-- Why?\r\n--   rpl -x "
                    "b.lua\n--\n-- One.\n-- Two.\nlocal x\n-- no more");
  EXPECT_EQ(header.name, "b.lua");
  EXPECT_EQ(header.question, "Why?");
  EXPECT_EQ(header.calls, std::vector<std::string>{"rpl -x b.lua"});
  EXPECT_EQ(header.text, "One. Two.");
  EXPECT_EQ(script_header("c.lua", "--[[ long ]] --").question, "");
  EXPECT_EQ(script_header("c.lua", "").question, "");
}

TEST_F(ScriptsTest, TheCheckedInGalleryIsCurrent) {
  const auto page = gallery_page(context.registry(), context.scripts());
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(*page, read_text_file(RPL_SCRIPTS_DIR "/../docs/gallery.md").value_or(""))
      << "regenerate with: rpl maint gallery docs/gallery.md";
}

TEST_F(ScriptsTest, ArgumentsKeepTheirBlanksAndFormsStandInFront) {
  const std::string path = folder.write(
      "echo.lua",
      "local rpl = require 'rpl'\nreturn rpl.command{path = 'say', summary = 'Say it.', params = "
      "{{name = 'word', kind = 'option'}}, run = function(a) return a.word end}");
  EXPECT_EQ(run("source " + path + " -- '--word=two words'"), 0) << err;
  EXPECT_THAT(out, HasSubstr("two words"));
  EXPECT_EQ(run("source " + path + " -- --json"), 2);
  EXPECT_THAT(err, HasSubstr("rpl --json -batch -x"));
}

TEST_F(ScriptsTest, SayWhatIsMissing) {
  for (const char* script : {"gaps", "top_by_stream", "outliers"}) {
    EXPECT_EQ(run(fmt::format("source {}.lua", script)), 1) << script;
    EXPECT_THAT(err, HasSubstr("no trace is open")) << script;
  }
  EXPECT_EQ(ship("diff", "a.db"), 2);
}

}  // namespace
}  // namespace rpl
