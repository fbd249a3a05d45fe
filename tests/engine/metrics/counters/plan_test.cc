// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/arch/resolve.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

arch::Gpu gpu(std::string_view name) {
  return arch::resolve(arch::Catalogue::builtin(), name, {}).value();
}

/// Every counter once, and no block over its limit, counted afresh from the catalogue.
void expect_sound(const CounterPlan& plan, const arch::Gpu& of,
                  const std::set<std::string>& wanted) {
  const BlockLimits limits = block_limits(of);
  std::multiset<std::string> planned;
  for (const CounterPass& pass : plan.passes) {
    std::set<const CounterInfo*> leaves;
    for (const std::string& name : pass.counters) {
      planned.insert(name);
      const CounterInfo* info = CounterCatalogue::built_in().find(of.arch, name);
      ASSERT_NE(info, nullptr) << name;
      if (info->consumes.empty()) leaves.insert(info);
      for (const auto leaf : info->consumes)
        leaves.insert(CounterCatalogue::built_in().find(of.arch, leaf));
    }
    BlockLimits used;
    for (const CounterInfo* leaf : leaves) used[std::string(leaf->block)] += leaf->slots;
    for (const auto& [block, slots] : used) {
      if (limits.contains(block)) {
        EXPECT_LE(slots, limits.at(block)) << block;
      }
      EXPECT_EQ(pass.used.at(block), slots);
    }
  }
  EXPECT_EQ(planned, (std::multiset<std::string>(wanted.begin(), wanted.end())));
  EXPECT_GE(plan.passes.size(), plan.least);
}

std::set<std::string> names_of(const std::vector<CounterGroup>& groups) {
  std::set<std::string> names;
  for (const CounterGroup& group : groups) names.insert(group.begin(), group.end());
  return names;
}

TEST(PlanTest, EverySetFitsAndTheRooflineTakesThreePasses) {
  for (const char* arch : {"gfx90a", "gfx942", "gfx950"}) {
    for (const CounterSetInfo& set : counter_sets()) {
      const auto groups = counter_set(set.name, arch).value();
      const CounterPlan plan = plan_passes(gpu(arch), groups).value();
      expect_sound(plan, gpu(arch), names_of(groups));
      EXPECT_EQ(plan.passes.size(), plan.least) << arch << " " << set.name;
      EXPECT_TRUE(plan.groups_kept) << arch << " " << set.name;
      if (set.name == "roofline") {
        EXPECT_EQ(plan.passes.size(), 3U) << arch;
      }
    }
  }
}

/// The plan that AMD's reference lists by hand for gfx942: ours must not need more runs for the same counters.
TEST(PlanTest, IsAsShortAsTheMinimalPlanByHand) {
  std::vector<CounterGroup> groups;
  for (const char* type : {"F16", "F32", "F64"}) {
    for (const char* op : {"ADD", "MUL", "FMA", "TRANS"}) {
      groups.push_back({std::string("SQ_INSTS_VALU_") + op + "_" + type});
    }
  }
  for (const char* type : {"F16", "BF16", "F32", "F64", "F8", "I8"}) {
    groups.push_back({std::string("SQ_INSTS_VALU_MFMA_MOPS_") + type});
  }
  for (const char* name :
       {"TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_32B_sum", "TCC_BUBBLE_sum", "TCP_TCC_READ_REQ_sum",
        "SQ_LDS_IDX_ACTIVE", "SQ_LDS_BANK_CONFLICT", "SQ_WAVES", "TCC_EA0_WRREQ_sum",
        "TCC_EA0_WRREQ_64B_sum", "TCC_HIT_sum", "TCC_MISS_sum", "TCP_TOTAL_CACHE_ACCESSES_sum",
        "TCP_TCC_WRITE_REQ_sum", "TCP_TCC_ATOMIC_WITH_RET_REQ_sum",
        "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", "GRBM_GUI_ACTIVE"}) {
    groups.push_back({name});
  }
  const CounterPlan plan = plan_passes(gpu("gfx942"), groups).value();
  EXPECT_EQ(plan.passes.size(), 3U);
  EXPECT_EQ(plan.least, 3U);
  expect_sound(plan, gpu("gfx942"), names_of(groups));
}

TEST(PlanTest, DerivedCountersCostTheirLeaves) {
  const CounterPlan plan =
      plan_passes(gpu("gfx942"), std::vector<CounterGroup>{{"FETCH_SIZE"}, {"WRITE_SIZE"}}).value();
  EXPECT_EQ(plan.passes.size(), 2U);  // 3 + 2 of the four counters of a TCC
  const CounterPlan one =
      plan_passes(gpu("gfx942"), std::vector<CounterGroup>{{"FETCH_SIZE"}, {"TCC_EA0_RDREQ_sum"}})
          .value();
  EXPECT_EQ(one.passes.size(), 1U);
  EXPECT_EQ(one.passes[0].used.at("TCC"), 3U);
}

TEST(PlanTest, CountersAreCountedOnce) {
  const CounterPlan plan =
      plan_passes(gpu("gfx90a"),
                  std::vector<CounterGroup>{{"TCC_HIT"}, {"TCC_HIT_sum", "TCC_MISS"}})
          .value();
  ASSERT_EQ(plan.passes.size(), 1U);
  EXPECT_EQ(plan.passes[0].used.at("TCC"), 2U);
}

TEST(PlanTest, BreaksGroupsOnlyToSavePasses) {
  std::vector<CounterGroup> groups{{"TCC_HIT", "TCC_MISS", "TCC_REQ"},
                                   {"TCC_READ", "TCC_WRITE", "TCC_ATOMIC"},
                                   {"TCC_BUSY", "TCC_CYCLE"}};
  const CounterPlan plan = plan_passes(gpu("gfx942"), groups).value();
  EXPECT_EQ(plan.passes.size(), 2U);
  EXPECT_FALSE(plan.groups_kept);
  groups.pop_back();
  EXPECT_TRUE(plan_passes(gpu("gfx942"), groups).value().groups_kept);
}

TEST(PlanTest, RandomSetsAreSoundAndMinimalForSingleSlots) {
  std::mt19937 random(7);
  for (const char* arch : {"gfx90a", "gfx942", "gfx950"}) {
    const auto all = CounterCatalogue::built_in().of(arch);
    for (int round = 0; round < 100; ++round) {
      std::set<std::string> wanted;
      bool plain = true;
      for (int i = 0; i < 1 + round; ++i) {
        const CounterInfo* info = all[random() % all.size()];
        plain = plain && info->consumes.empty() && info->slots == 1;
        wanted.emplace(info->name);
      }
      std::vector<CounterGroup> groups;
      for (const std::string& name : wanted) groups.push_back({name});
      std::shuffle(groups.begin(), groups.end(), random);
      const CounterPlan plan = plan_passes(gpu(arch), groups).value();
      expect_sound(plan, gpu(arch), wanted);
      if (plain) {
        EXPECT_EQ(plan.passes.size(), plan.least);
      }
    }
  }
}

TEST(PlanTest, SaysWhatIsWrong) {
  EXPECT_EQ(plan_passes(gpu("gfx942"), std::vector<CounterGroup>{}).error().code, Errc::usage);
  const auto unknown = plan_passes(gpu("gfx942"), std::vector<CounterGroup>{{"TCC_EA_RDREQ_sum"}});
  EXPECT_EQ(unknown.error().code, Errc::not_found);
  EXPECT_THAT(unknown.error().hint, HasSubstr("gfx90a"));
  EXPECT_EQ(counter_set("nothing", "gfx942").error().code, Errc::not_found);
  EXPECT_EQ(counter_set("lds", "gfx1100").error().code, Errc::unsupported);
}

TEST(PlanTest, NamesBlocksWithoutAKnownLimit) {
  const CounterPlan plan =
      plan_passes(gpu("gfx1100"), counter_set("roofline", "gfx1100").value()).value();
  EXPECT_THAT(plan.unlimited, testing::Contains("GL2C_EA_RDREQ_64B_sum"));
}

CounterPlan small_plan() {
  CounterPlan plan;
  plan.arch = "gfx942";
  plan.passes = {{{"SQ_WAVES", "TCC_HIT_sum"}, {}}, {{"GRBM_COUNT"}, {}}};
  return plan;
}

TEST(PlanTextTest, WritesTheInputsOfRocprofv3) {
  EXPECT_EQ(plan_text(small_plan(), PlanFormat::text),
            "# gfx942: 2 passes, each runs the application once\npmc: SQ_WAVES TCC_HIT_sum\npmc: "
            "GRBM_COUNT\n");
  EXPECT_EQ(plan_text(small_plan(), PlanFormat::yaml),
            "# gfx942: 2 passes, each runs the application once\njobs:\n  - pmc: [SQ_WAVES, "
            "TCC_HIT_sum]\n"
            "  - pmc: [GRBM_COUNT]\n");
  EXPECT_EQ(plan_text(small_plan(), PlanFormat::json),
            "{\n  \"jobs\": [\n    {\"pmc\": [\"SQ_WAVES\", \"TCC_HIT_sum\"]},\n    {\"pmc\": "
            "[\"GRBM_COUNT\"]}\n  ]\n}\n");
  EXPECT_EQ(plan_format("a.yml").value(), PlanFormat::yaml);
  EXPECT_EQ(plan_format("json").value(), PlanFormat::json);
  EXPECT_FALSE(plan_format("plan.csv").has_value());
}

}  // namespace
}  // namespace rpl
