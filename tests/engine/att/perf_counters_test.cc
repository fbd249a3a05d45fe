// SPDX-License-Identifier: MIT
#include "engine/att/analyse/perf_counters.h"

#include <gmock/gmock.h>

#include "tests/engine/att/recordings_of_att.h"
#include "tests/support/generate_att.h"

namespace rpl::att {
namespace {

using testing_support::TempDir;

const std::vector<std::string> kNames{"SQ_BUSY_CU_CYCLES", "SQ_ACTIVE_INST_VALU",
                                      "SQ_INST_LEVEL_VMEM", "SQ_ACTIVE_INST_LDS:3",
                                      "SQ_VALU_MFMA_BUSY_CYCLES"};

PerfOfEngine engine_of(std::vector<PerfSample> samples) {
  return {.se = 0, .samples = std::move(samples), .skipped = 0};
}

TEST(PerfCounters, ReadsRowsAndLeavesOutDamage) {
  const TempDir temp;
  const auto read = read_perf_counters(
      temp.write(
          "p.json",
          R"({"data":[[1000,30,12,5,2,1,0],[1040,30,14,6,2,1,0],[1,2,3],[1050,70000,0,0,0,1,0]]})"),
      2);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->se, 2U);
  ASSERT_EQ(read->samples.size(), 2U);
  EXPECT_EQ(read->skipped, 2U) << "too short; more than 16 bits";
  EXPECT_EQ(read->samples[1].time, 1040);
  EXPECT_THAT(read->samples[1].values, ::testing::ElementsAre(30, 14, 6, 2));
  EXPECT_EQ(read->samples[1].cu, 1);
  EXPECT_TRUE(read_perf_counters(temp.write("n.json", R"({"data":null})"), 0)->samples.empty());
  EXPECT_EQ(read_perf_counters(temp.write("x.json", "{}"), 0).error().code, Errc::corrupt);
  EXPECT_EQ(read_perf_counters(temp.write("y.json", ""), 0).error().code, Errc::corrupt);
}

TEST(PerfCounters, AddsUpByNameAndBank) {
  const PerfSummary summary = summarise_perf({engine_of({{100, {40, 10, 3, 4}, 1, 0},
                                                         {140, {40, 30, 5, 0}, 1, 0},
                                                         {140, {20, 0, 0, 0}, 2, 0},
                                                         {140, {80, 0, 0, 0}, 1, 1}})},
                                             kNames);
  ASSERT_EQ(summary.counters.size(), 5U);
  EXPECT_EQ(summary.counters[0].total, 100U);
  EXPECT_EQ(summary.counters[0].units, 2U);
  EXPECT_FALSE(summary.counters[0].of_busy_pct);
  EXPECT_DOUBLE_EQ(*summary.counters[1].of_busy_pct, 40);
  EXPECT_EQ(summary.counters[1].largest, 30);
  EXPECT_EQ(summary.counters[3].name, "SQ_ACTIVE_INST_LDS");
  EXPECT_EQ(summary.counters[3].simds, "3");
  EXPECT_EQ(summary.counters[4].total, 80U) << "the first counter of bank 1";
  EXPECT_DOUBLE_EQ(*summary.counters[4].of_busy_pct, 20)
      << "it counts cycles, the others quad-cycles";
  EXPECT_DOUBLE_EQ(*summary.interval, 40);
  EXPECT_EQ(summary.last - summary.first, 40);
}

TEST(PerfCounters, NothingStreamedIsNoShare) {
  const PerfSummary summary = summarise_perf({}, {"SQ_ACTIVE_INST_VALU"});
  EXPECT_EQ(summary.counters[0].samples, 0U);
  EXPECT_FALSE(summary.counters[0].of_busy_pct);
  EXPECT_FALSE(summary.interval);
}

/// A wave on unit 1 whose two loads issue at 108 and 150.
std::string wave_of_two_loads() {
  return R"({"duration":900,"name":"SE0","num_insts":3,"num_stitched":3,"wave":{"begin":100,"cu":1,"end":1000,"id":0,"instructions":[[104,3,4,8,1],[146,4,4,8,2],[400,6,0,4,3]],"simd":0,"slot":0}})";
}

TEST(PerfCounters, LatencyFollowsFromInstructionsInFlight) {
  const TempDir temp;
  temp.write(
      "t/code.json",
      R"({"code":[],"header":"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle","version":"3.0.0"})");
  temp.write(
      "t/filenames.json",
      R"({"counter_names":["SQ_BUSY_CU_CYCLES","SQ_INST_LEVEL_VMEM"],"gfxip":9,"wave_filenames":{"0":{"0":{"0":{"0":["se0_sm0_sl0_wv0.json",100,1000]}}}}})");
  temp.write("t/occupancy.json",
             R"({"0":[[100,1,0,0,1,1],[1000,1,0,0,0,1]],"dispatches":{"1":"k"}})");
  temp.write("t/se0_sm0_sl0_wv0.json", wave_of_two_loads());
  // In flight: one at 120, two at 160, still two at 480, one at 520, none at 600. Unit 4 is another one.
  temp.write(
      "t/se0_perfcounter.json",
      R"({"data":[[120,9,1,0,0,1,0],[120,9,0,0,0,4,0],[160,9,2,0,0,1,0],[200,9,2,0,0,1,0],[240,9,2,0,0,1,0],[480,9,2,0,0,1,0],[520,9,1,0,0,1,0],[560,9,1,0,0,1,0],[600,9,0,0,0,1,0]]})");
  const TracePtr trace = must_open(temp / "t");
  std::vector<std::string> notes;
  const auto engines = read_perf_of(*trace, notes);
  EXPECT_TRUE(notes.empty());
  ASSERT_EQ(engines.size(), 1U);
  const auto latencies = latencies_by_level(*trace, engines);
  ASSERT_TRUE(latencies.contains("VMEM"));
  EXPECT_FALSE(latencies.contains("LDS"));
  // The first returned before 520: 520 - 108 less half of 40; the second before 600.
  EXPECT_EQ(latencies.at("VMEM").n, 2U);
  EXPECT_EQ(latencies.at("VMEM").max, 600 - 150 - 20);
  EXPECT_DOUBLE_EQ(latencies.at("VMEM").mean, (392 + 430) / 2.0);
}

TEST(PerfCounters, DamagedFilesAreNotes) {
  const TempDir temp;
  testing_support::write_att(temp / "t", {});
  temp.write("t/se0_perfcounter.json", R"({"data":[[1,2)");
  std::vector<std::string> notes;
  EXPECT_TRUE(read_perf_of(*must_open(temp / "t"), notes).empty());
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], ::testing::HasSubstr("se0_perfcounter.json"));
}

}  // namespace
}  // namespace rpl::att
