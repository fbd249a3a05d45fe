// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

class TraceTest : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    ASSERT_EQ(lua("t = rpl.open('" + small_trace() + "')"), "");
  }
};

TEST_F(TraceTest, HasItsDispatches) {
  EXPECT_EQ(lua("#t.dispatches"), "3");
  EXPECT_EQ(lua("t.dispatches[1].kernel .. t.dispatches[2].start_ns .. tostring(t.dispatches[4])"),
            "gemm1200nil");
  EXPECT_EQ(lua("local s = '' for i, d in ipairs(t.dispatches) do s = s .. d.id .. '=' .. "
                "d.duration_ns .. ' ' end return s"),
            "d1=100 d2=50 d3=300 ");
  EXPECT_EQ(lua("t.dispatches[3].grid[1] .. ' ' .. t.dispatches[3].workgroup[1]"), "1024 64");
  EXPECT_EQ(lua("t.dispatches[3].symbol.name"), "gemm");
  EXPECT_EQ(lua("t:dispatch('d3') == t.dispatches[3]"), "true");
  EXPECT_EQ(lua("t.end_ns - t.start_ns"), "1000");
}

TEST_F(TraceTest, FiltersInTheEngine) {
  EXPECT_EQ(lua("t.dispatches{kernel = 'gemm'}:sum('duration_ns')"), "400");
  EXPECT_EQ(lua("t.dispatches{kernel = 'gemm', min_ns = 200}:count()"), "1");
  EXPECT_EQ(lua("t.dispatches{max_ns = 100}{kernel = 'softmax'}[1].id"), "d2");
  EXPECT_EQ(lua("t.dispatches{stream = t.dispatches[2].stream}:count()"), "1");
  EXPECT_EQ(lua("t.dispatches{start_ns = 1200}[1].id"), "d2");
  EXPECT_EQ(lua("t.dispatches:mean('duration_ns')"), "150.0");
  EXPECT_EQ(lua("t.dispatches:percentile('duration_ns', 50)"), "100");
  EXPECT_EQ(lua("t.dispatches:top(1)[1].id"), "d3");
  EXPECT_EQ(lua("t.dispatches:min('start_ns') .. ' ' .. t.dispatches:max('end_ns')"), "1000 2000");
  EXPECT_EQ(lua("t:kernel('gemm').dispatches:count()"), "2");
}

/// A collection as `ipairs`, `#`, filters, `:each` and `:totable` see it.
std::string counted_rows(const char* of) {
  return std::string("local n = 0 for _ in ipairs(") + of +
         ") do n = n + 1 end local m = 0 for _ in pairs(" + of +
         ") do m = m + 1 end return n == m and n == #" + of + " and n == #" + of +
         ":totable() and n";
}

TEST_F(TraceTest, HasWhatLimitsItsKernels) {
  EXPECT_EQ(lua("#t.diagnosis"), "2");
  EXPECT_EQ(lua("t.diagnosis[1].label"), "latency bound");
  EXPECT_EQ(lua("t.diagnosis{kernel = 'softmax'}:count()"), "1");
  EXPECT_EQ(lua(counted_rows("t.diagnosis")), "2");
  EXPECT_THAT(lua("t.diagnosis[1].lable"), HasSubstr("did you mean 'label'?"));
}

TEST_F(TraceTest, HasNoRooflineWithoutCounters) {
  EXPECT_EQ(lua("#t.roofline"), "0");
  EXPECT_EQ(lua("#t.counters + #t.metrics"), "0");
}

TEST_F(TraceTest, HasItsRooflineAndCounters) {
  ASSERT_EQ(lua("c = rpl.open('" RPL_EXAMPLES_DIR "/counters/pmc_perf.csv')"), "");
  EXPECT_EQ(lua("c.roofline{kernel = 'saxpy', level = 'hbm'}[1].bound"), "memory");
  EXPECT_EQ(lua("local r = c.roofline{kernel = 'saxpy', level = 'hbm'}[1] return "
                "r.arithmetic_intensity == r.flops / "
                "r.bytes and r.achieved_gflops > 0 and r.attainable_gflops >= r.achieved_gflops"),
            "true");
  EXPECT_EQ(lua(counted_rows("c.roofline")), "30");
  EXPECT_EQ(lua("c.counters{counter = 'SQ_WAVES'}[1].counter"), "SQ_WAVES");
  EXPECT_EQ(lua("c.metrics{metric = 'flops'}:count()"), "6");
  // Settings count at once.
  EXPECT_EQ(run("set arch memory-bandwidth-gbps 1000"), 0);
  EXPECT_EQ(lua("c.roofline{kernel = 'saxpy', level = 'hbm'}[1].peak_gbps"), "1000.0");
  EXPECT_EQ(lua("c:close() return (pcall(function() return c.roofline end))"), "false");
}

TEST_F(TraceTest, FiltersSayWhatTheyTake) {
  EXPECT_THAT(lua("t.dispatches{kernel = 'nope'}"), HasSubstr("nope"));
  EXPECT_THAT(lua("t.dispatches{strem = 1}"), HasSubstr("did you mean 'stream'?"));
  EXPECT_THAT(lua("t.dispatches{stream = 'x'}"), HasSubstr("write \"s0\" or 0"));
  EXPECT_THAT(lua("t.dispatches:sum('kernel')"), HasSubstr("does not hold numbers"));
  EXPECT_THAT(lua("t.dispatches{min_ns = 'x'}"), HasSubstr("min_ns takes a number"));
}

TEST_F(TraceTest, IteratesWithSeveralValues) {
  EXPECT_EQ(lua("local s = '' for i, start, ns, k in t.dispatches:each('start_ns', 'duration_ns', "
                "'kernel') do "
                "s = s .. i .. ' ' .. start .. ' ' .. ns .. ' ' .. k .. ';' end return s"),
            "1 1000 100 gemm;2 1200 50 softmax;3 1700 300 gemm;");
  EXPECT_EQ(lua("local n = 0 for _ in t.dispatches{kernel = 'gemm'}:each('id') do n = n + 1 end "
                "return n"),
            "2");
}

TEST_F(TraceTest, ShowsAsAPersonExpects) {
  EXPECT_THAT(lua("tostring(t)"),
              testing::EndsWith("small_kernel_trace.csv, 3 dispatches of 2 kernels"));
  EXPECT_EQ(lua("tostring(t.dispatches[1])"), "d1 gemm 100 ns");
  EXPECT_THAT(lua("tostring(t:kernel('softmax'))"), testing::MatchesRegex("k[0-9a-f]+ softmax"));
  EXPECT_THAT(lua("tostring(t.dispatches)"), HasSubstr("softmax"));
}

TEST_F(TraceTest, IsClosedForEveryHandle) {
  lua("d = t.dispatches[1] k = t:kernel('gemm') all = t.dispatches f = all:each('id')");
  EXPECT_EQ(lua("t:close()"), "");
  EXPECT_EQ(lua("t.closed"), "true");
  for (const char* use : {"#all", "d.kernel", "k.name", "t.dispatches", "t.start_ns", "f()",
                          "t:close()", "all:sum('start_ns')"}) {
    EXPECT_EQ(lua(std::string("return ") + use),
              "error: trace t1 is closed; open it again: rpl.open(path)")
        << use;
  }
  EXPECT_EQ(lua("tostring(t)"), "t1 (closed)");
  EXPECT_EQ(lua("rpl.trace"), "nil");
}

TEST_F(TraceTest, ClosingFreesTheMemory) {
  const auto held = context.workspace().traces()[0]->get(context.monitor());
  ASSERT_TRUE(held.has_value());
  EXPECT_GE(held->use_count(), 3) << "workspace, handle, this";
  lua("t.dispatches:count()");
  lua("t:close()");
  EXPECT_EQ(held->use_count(), 1);
}

TEST_F(TraceTest, CollectsItsShareOnly) {
  lua("t = nil collectgarbage()");
  EXPECT_EQ(lua("#rpl.trace.dispatches"), "3");
}

TEST_F(TraceTest, SeveralTracesKeepApart) {
  const std::string other = write_trace(folder, "other_kernel_trace.csv", {{"copy", 5, 7, 0}});
  EXPECT_EQ(lua("u = rpl.open('" + other + "')"), "");
  EXPECT_EQ(lua("#t.dispatches .. ' ' .. #u.dispatches"), "3 1");
  EXPECT_EQ(lua("rpl.trace == u"), "true");
  EXPECT_EQ(lua("t:select()"), "");
  EXPECT_EQ(lua("rpl.trace == t"), "true");
  EXPECT_EQ(lua("#rpl.traces"), "2");
}

TEST_F(TraceTest, SelectionIsAVariable) {
  EXPECT_THAT(lua("$kernel"), HasSubstr("no kernel is selected"));
  EXPECT_EQ(lua("$kernel = 'softmax'"), "");
  EXPECT_EQ(lua("$kernel.name"), "softmax");
  EXPECT_EQ(lua("$dispatch = t.dispatches[3]"), "");
  EXPECT_EQ(lua("$dispatch.id .. #$trace.dispatches"), "d33");
}

TEST_F(TraceTest, OpeningNonsenseLeavesNothingOpen) {
  EXPECT_THAT(lua("rpl.open('/nowhere.db')"), HasSubstr("no such file"));
  EXPECT_EQ(lua("select(2, pcall(rpl.open, '/nowhere.db')).code"), "not_found");
  const std::string broken = folder.write("broken.db", "SQLite format 3");
  EXPECT_THAT(lua("rpl.open('" + broken + "')"), testing::StartsWith("error: "));
  EXPECT_EQ(context.workspace().traces().size(), 1U);
}

TEST_F(TraceTest, ReadOnly) {
  EXPECT_THAT(lua("t.dispatches[1].start_ns = 3"), HasSubstr("read-only"));
  EXPECT_EQ(lua("getmetatable(t)"), "false");
}

}  // namespace
}  // namespace rpl
