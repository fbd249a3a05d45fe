// SPDX-License-Identifier: MIT
#include "engine/optimize/rounds/model_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kThen = "void k() {\n  load();\n  add();\n  add();\n  store();\n}\n";

/// Four lines with 60, 25, 10 and 5 % of the cycles.
class HotLines : public testing::Test {
 protected:
  HotLines() {
    trace_.folder = folder_.path();
    folder_.write("source_0_k.hip", kThen);
    trace_.snapshots = {{"/src/k.hip", "source_0_k.hip"}};
    add("s_waitcnt vmcnt(0)", "/src/k.hip:2", 500, 480);
    add("global_load_dword v1, v0, s[0:1]", "/src/k.hip:2", 100, 20);
    add("s_barrier", "/src/k.hip:5", 250, 240);
    add("v_add_f32 v1, v1, v1", "/src/k.hip:3", 100, 0);
    add("v_mul_f32 v1, v1, v1", "/inc/other.h:7", 50, 0);
    trace_.code.index();
  }
  void add(std::string text, std::string source, std::uint64_t latency, std::uint64_t stall) {
    att::Instruction row{.text = std::move(text),
                         .source = std::move(source),
                         .hit = 1,
                         .latency = latency,
                         .stall = stall};
    row.traits = att::traits_of(row.text);
    trace_.code.rows.push_back(std::move(row));
  }
  [[nodiscard]] std::vector<std::string> lines(std::string_view now, std::size_t most = 5) const {
    std::vector<std::string> out;
    for (const llm::PromptFact& fact : hot_lines(trace_, now, "/home/me/k.hip", most))
      out.push_back(fact.name + ": " + fact.value);
    return out;
  }

  testing_support::TempDir folder_;
  att::ThreadTrace trace_;
};

TEST_F(HotLines, MostExpensiveFirstWithWhatStallsThem) {
  EXPECT_THAT(
      lines(kThen),
      ElementsAre(
          "by: a thread trace, recorded; shares of the cycles in which its waves had an "
          "instruction before them",
          "line 2, `load();`: 60 %, stalled 83 % of that: waiting for vmcnt 80 %, issuing FLAT 3 %",
          "line 5, `store();`: 25 %, stalled 96 % of that: at a barrier 96 %",
          "line 3, `add();`: 10 %"));
  EXPECT_EQ(lines(kThen, 1).size(), 2U);
}

TEST_F(HotLines, OnlyThoseThatStandInTheTextStill) {
  // One line more above, the load changed, one `add` gone: which of the two it was, nobody knows, and there is one left.
  EXPECT_THAT(
      lines("// faster\nvoid k() {\n  load4();\n  add();\n  store();\n}\n"),
      ElementsAre(testing::StartsWith("by: "), testing::StartsWith("line 5, `store();`: 25 %"),
                  testing::StartsWith("line 4, `add();`: 10 %")));
  EXPECT_THAT(lines("// faster\nvoid k() {\n  add();\n  int x;\n  add();\n}\n"),
              ElementsAre(testing::StartsWith("by: "), "line 3, `add();`: 10 %"));
  EXPECT_THAT(lines("// faster\nvoid k() {\n  int x;\n  add();\n  add();\n}\n"), IsEmpty())
      << "one of two, on another line";
  EXPECT_THAT(lines("something else\n"), IsEmpty());
}

TEST_F(HotLines, NothingWithoutACopyOfTheSource) {
  trace_.snapshots.clear();
  EXPECT_THAT(lines(kThen), IsEmpty());
}

TEST_F(HotLines, PcSamplesSayTheirReasons) {
  trace_.code.timed = false;
  trace_.code.samples.resize(trace_.code.rows.size());
  trace_.code.samples[0] = {.issued = 10, .stalled = 30};
  trace_.code.samples[0].reasons[1] = 30;
  EXPECT_THAT(lines(kThen),
              ElementsAre("by: PC samples, recorded; shares of all samples of the kernel",
                          "line 2, `load();`: 100 %, stalled 75 % of that: " +
                              std::string(att::stall_reason_name(1)) + " 75 %"));
}

}  // namespace
}  // namespace rpl
