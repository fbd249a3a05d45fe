// SPDX-License-Identifier: MIT
#include "engine/att/analyse/hidden.h"

#include <fmt/format.h>

#include "engine/att/analyse/summary.h"
#include "tests/engine/att/recordings_of_att.h"
#include "tests/support/generate_att.h"

namespace rpl::att {
namespace {

using testing_support::TempDir;

TEST(BusyTimes, MergesAndMeasures) {
  BusyTimes busy;
  busy.add(10, 20);
  busy.add(40, 50);
  busy.add(15, 30);
  busy.add(30, 35);
  busy.add(5, 5);
  busy.settle();
  EXPECT_EQ(busy.within(0, 100), 35);
  EXPECT_EQ(busy.within(12, 14), 2);
  EXPECT_EQ(busy.within(35, 40), 0);
  EXPECT_EQ(busy.within(33, 45), 2 + 5);
  EXPECT_EQ(busy.within(45, 33), 0);
  EXPECT_EQ(BusyTimes().within(0, 9), 0);
}

std::string wave_file(int slot, const std::string& rows) {
  return fmt::format(
      R"({{"wave":{{"begin":0,"cu":1,"end":1000,"id":0,"instructions":[{}],"simd":0,"slot":{}}}}})",
      rows, slot);
}

/// Two waves of one SIMD, and one of another.
std::string three_waves(const TempDir& temp, const std::string& first, const std::string& second,
                        const std::string& elsewhere) {
  temp.write(
      "t/code.json",
      R"x({"code":[["v_mfma_f32 a",0,1,"",1,4,1,16,0,0],["v_add_f32 v",0,2,"",1,8,1,4,0,0],["s_waitcnt vmcnt(0)",0,3,"",1,12,1,4,0,0],["s_add_i32 s",0,4,"",1,16,1,4,0,0]],"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle","version":"3.0.0"})x");
  temp.write(
      "t/filenames.json",
      R"({"gfxip":9,"wave_filenames":{"0":{"0":{"0":{"0":["se0_sm0_sl0_wv0.json",0,1000]},"1":{"0":["se0_sm0_sl1_wv0.json",0,1000]}},"1":{"0":{"0":["se0_sm1_sl0_wv0.json",0,1000]}}}}})");
  temp.write("t/se0_sm0_sl0_wv0.json", wave_file(0, first));
  temp.write("t/se0_sm0_sl1_wv0.json", wave_file(1, second));
  temp.write("t/se0_sm1_sl0_wv0.json", wave_file(0, elsewhere));
  return temp / "t";
}

TEST(Hidden, AWaitIsHiddenByAnyPipeOfItsSimd) {
  const TempDir temp;
  // The first waits from 0 to 400; the second issues arithmetic for 100 and scalar work for 40 of these; the other SIMD does not count.
  const TracePtr trace = must_open(
      three_waves(temp, "[0,9,400,400,3]", "[0,6,0,100,2],[200,2,0,40,4]", "[0,6,0,400,2]"));
  const auto facts = hidden_cycles(*trace);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->waves, 3U);
  EXPECT_EQ(facts->stall.all, 400U);
  EXPECT_EQ(facts->stall.hidden, 140U);
  EXPECT_EQ(facts->rows[2].exposed(), 260U);
  // The second wave's gap before its scalar instruction: nothing else was busy then.
  EXPECT_EQ(facts->idle.all, 100U);
  EXPECT_EQ(facts->idle.hidden, 0U);
}

TEST(Hidden, OnlyThePipesOfItsRankAndAboveHideAStall) {
  const TempDir temp;
  // A VALU instruction stalls from 0 to 100 while scalar work (below it) and then matrix work (above it) run.
  const TracePtr trace =
      must_open(three_waves(temp, "[0,6,100,104,2]", "[0,2,0,40,4],[60,6,0,20,1]", ""));
  const auto facts = hidden_cycles(*trace);
  EXPECT_EQ(facts->stall.all, 100U);
  EXPECT_EQ(facts->stall.hidden, 20U);
  // A matrix instruction holds the VALU for three quarters of its time: an issue of VALU is hidden by matrix work alone.
  EXPECT_EQ(facts->issue.all, 4U + 40 + 20);
  EXPECT_EQ(facts->issue.hidden, 0U);
}

TEST(Hidden, NothingIsMoreThanAllAndDamageIsANote) {
  const TempDir temp;
  testing_support::write_att(temp / "t", {.engines = 2, .waves_per_simd = 3});
  std::filesystem::resize_file(temp / "t/se0_sm1_sl0_wv0.json", 200);
  const TracePtr trace = must_open(temp / "t");
  const auto facts = hidden_cycles(*trace);
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->notes.size(), 1U);
  EXPECT_EQ(facts->waves + 1, trace->manifest.waves.size());
  for (const HiddenCycles& cycles : {facts->stall, facts->idle, facts->issue})
    EXPECT_LE(cycles.hidden, cycles.all);
}

TEST(Hidden, RealTracesAddUpToTheListing) {
  const Record golden = golden_of_att();
  if (golden.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  for (const auto& [name, expected] : golden) {
    SCOPED_TRACE(name);
    const TracePtr trace = must_open(recording_folder(name, expected));
    const auto facts = hidden_cycles(*trace);
    ASSERT_TRUE(facts);
    const Cost totals = summarise(*trace).totals;
    EXPECT_EQ(facts->stall.all, totals.stall);
    EXPECT_EQ(facts->idle.all, totals.idle);
    EXPECT_EQ(facts->issue.all, totals.issue());
    EXPECT_LE(facts->stall.hidden, facts->stall.all);
    // Eight waves a SIMD at a time hide some of each other's stalls.
    if (name == "softmax-gfx950") {
      EXPECT_GT(facts->stall.hidden, 0U);
    }
  }
}

}  // namespace
}  // namespace rpl::att
