// SPDX-License-Identifier: MIT
#include "engine/arch/resolve.h"

#include <gmock/gmock.h>

#include "engine/arch/peaks.h"

namespace rpl::arch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RecordedAgent mi350x() {
  return {"a4", "gfx950", "AMD Instinct MI350X",
          R"({"cu_count":256,"num_xcc":8,"max_engine_clk_fcompute":2200,"simd_per_cu":4,
              "wave_front_size":64,"max_waves_per_simd":8,"lds_size_in_kb":160,"device_id":30112,
              "workgroup_max_size":1024,
              "mem_banks":[{"width":8192,"mem_clk_max":2000,"size_in_bytes":309220868096}]})"};
}

Fact user(const char* key, const char* value) {
  Fact fact = parse_fact(key, value).value();
  fact.source = "test";
  return fact;
}

TEST(Resolve, TheRecordingIsOverTheFileAndTheUserOverBoth) {
  const Catalogue& files = Catalogue::builtin();
  const auto recorded = resolve(files, mi350x(), {});
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->title(), "MI350X (gfx950)");
  EXPECT_EQ(recorded->find("bandwidth.hbm")->number, 8192) << "8192 bit x 2000 MHz x 4";
  EXPECT_EQ(recorded->find("bandwidth.hbm")->origin, Origin::recording);
  EXPECT_EQ(recorded->find("bandwidth.hbm")->source, "a4 mem_banks");
  EXPECT_EQ(recorded->find("lds_granule")->origin, Origin::file);
  EXPECT_TRUE(recorded->notes.empty());
  const auto wanted = resolve(
      files, mi350x(), {.facts = {user("clock_mhz", "1900"), user("bandwidth.hbm", "4886")}});
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->number("clock_mhz"), 1900);
  EXPECT_EQ(wanted->find("bandwidth.hbm")->origin, Origin::user);
  EXPECT_EQ(*peak_bandwidth(*wanted, Level::hbm)->value, 4886);
}

TEST(Resolve, AMI250XDieHasItsOwnBandwidth) {
  RecordedAgent agent{"a1", "gfx90a", "AMD Instinct MI250X",
                      R"({"mem_banks":[{"width":4096,"mem_clk_max":1600}]})"};
  EXPECT_DOUBLE_EQ(*resolve(Catalogue::builtin(), agent, {})->number("bandwidth.hbm"), 1638.4);
}

TEST(Resolve, APartitionIsSaid) {
  RecordedAgent agent = mi350x();
  agent.details = R"({"cu_count":32,"num_xcc":1})";
  const auto gpu = resolve(Catalogue::builtin(), agent, {});
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->number("compute_units"), 32);
  EXPECT_THAT(gpu->notes, ElementsAre(HasSubstr("1 of 8 XCDs")));
  EXPECT_DOUBLE_EQ(*peak_bandwidth(*gpu, Level::l2)->value, 2048 * 1 * 2.2);
}

TEST(Resolve, NumbersAsTextCountAndNonsenseDoesNot) {
  RecordedAgent agent = mi350x();
  agent.details = R"({"cu_count":"128","num_xcc":"eight","lds_size_in_kb":0,
                      "max_engine_clk_fcompute":-5,"mem_banks":{"width":1}})";
  const auto gpu = resolve(Catalogue::builtin(), agent, {});
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->number("compute_units"), 128);
  EXPECT_EQ(gpu->find("xcds")->origin, Origin::file);
  EXPECT_EQ(gpu->number("lds_bytes"), 163840);
  EXPECT_EQ(gpu->number("clock_mhz"), 2200);
}

TEST(Resolve, SaysWhatItDoesNotKnow) {
  const Catalogue& files = Catalogue::builtin();
  const auto strange = resolve(files, RecordedAgent{"a0", "gfx1151", "Strix", "{broken"}, {});
  ASSERT_TRUE(strange);
  EXPECT_THAT(strange->notes, ElementsAre(HasSubstr("no architecture file for gfx1151"),
                                          HasSubstr("cannot be read")));
  const auto nameless = resolve(files, RecordedAgent{"a0", "gfx942", "ip discovery", ""}, {});
  EXPECT_THAT(nameless->notes, ElementsAre(HasSubstr("set arch product"), HasSubstr("no details")));
  const auto named =
      resolve(files, RecordedAgent{"a0", "gfx942", "ip discovery", ""}, {.product = "MI308X"});
  EXPECT_EQ(named->number("compute_units"), 80);
  EXPECT_FALSE(resolve(files, RecordedAgent{"a0", "gfx942", "", ""}, {.product = "MI1"}));
}

}  // namespace
}  // namespace rpl::arch
