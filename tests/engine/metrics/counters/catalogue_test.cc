// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/arch/resolve.h"
#include "engine/metrics/counters/metrics.h"
#include "engine/metrics/counters/plan.h"

namespace rpl {
namespace {

const CounterCatalogue& catalogue() { return CounterCatalogue::built_in(); }

TEST(CounterCatalogueTest, FindsCountersWithAndWithoutSum) {
  const CounterInfo* hit = catalogue().find("gfx942", "TCC_HIT");
  ASSERT_NE(hit, nullptr);
  EXPECT_EQ(hit->name, "TCC_HIT_sum");
  EXPECT_EQ(hit->block, "TCC");
  EXPECT_EQ(catalogue().find("gfx942", "TCC_HIT_sum"), hit);
  EXPECT_EQ(catalogue().find("gfx942", "TCC_HI"), nullptr);
  EXPECT_EQ(catalogue().find("gfx900", "TCC_HIT"), nullptr);
}

TEST(CounterCatalogueTest, KnowsWhatArchitecturesHave) {
  EXPECT_NE(catalogue().find("gfx942", "TCC_BUBBLE_sum"), nullptr);
  EXPECT_EQ(catalogue().find("gfx90a", "TCC_BUBBLE_sum"), nullptr);
  EXPECT_NE(catalogue().find("gfx950", "TCC_EA0_RDREQ_128B_sum"), nullptr);
  EXPECT_EQ(catalogue().find("gfx942", "TCC_EA0_RDREQ_128B_sum"), nullptr);
  EXPECT_NE(catalogue().find("gfx90a", "TCC_EA_RDREQ_sum"), nullptr);
  EXPECT_EQ(catalogue().find("gfx942", "TCC_EA_RDREQ_sum"), nullptr);
  for (const char* arch : {"gfx90a", "gfx942", "gfx950"}) {
    EXPECT_GT(catalogue().of(arch).size(), 200U) << arch;
    EXPECT_NE(catalogue().find(arch, "SQ_INSTS_VALU_FMA_F64"), nullptr) << arch;
  }
  EXPECT_EQ(catalogue().find("gfx1100", "SQ_INSTS_VALU_FMA_F32"), nullptr);
  EXPECT_EQ(catalogue().find("gfx908", "SQ_INSTS_VALU_FMA_F32"), nullptr);
}

TEST(CounterCatalogueTest, NamesEachCounterOnceForAnArchitecture) {
  for (const std::string_view arch : catalogue().architectures()) {
    std::set<std::string_view> names;
    for (const CounterInfo* counter : catalogue().of(arch)) {
      EXPECT_TRUE(names.insert(counter->name).second) << arch << " " << counter->name;
      EXPECT_FALSE(counter->description.empty()) << counter->name;
      EXPECT_GE(counter->slots, 1U) << counter->name;
    }
  }
}

TEST(CounterCatalogueTest, CountersOfTimeAreNotSummed) {
  for (const CounterInfo* counter : catalogue().of("gfx942")) {
    EXPECT_EQ(counter->instances == InstanceReduction::max,
              counter->block == "GRBM" || (!counter->consumes.empty() && counter->block == "SQ"))
        << counter->name;
  }
  EXPECT_EQ(CounterCatalogue::reduction("GRBM_GUI_ACTIVE"), InstanceReduction::max);
  EXPECT_EQ(CounterCatalogue::reduction("SQ_WAVES"), InstanceReduction::sum);
}

TEST(CounterCatalogueTest, WhatIsConsumedExists) {
  for (const std::string_view arch : catalogue().architectures()) {
    for (const CounterInfo* counter : catalogue().of(arch)) {
      for (const std::string_view leaf : counter->consumes) {
        EXPECT_NE(catalogue().find(arch, leaf), nullptr)
            << arch << " " << counter->name << " " << leaf;
      }
    }
  }
}

TEST(CounterCatalogueTest, SetsHoldKnownCountersOnly) {
  std::size_t checked = 0;
  for (const CounterSetInfo& set : counter_sets()) {
    EXPECT_FALSE(set.purpose.empty());
    for (const std::string_view arch : catalogue().architectures()) {
      const auto groups = counter_set(set.name, arch);
      if (!groups) continue;
      for (const CounterGroup& group : *groups) {
        for (const std::string& counter : group) {
          EXPECT_NE(catalogue().find(arch, counter), nullptr)
              << set.name << " " << arch << " " << counter;
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 200U);
}

TEST(CounterCatalogueTest, TheRooflineSetFeedsItsMetrics) {
  for (const char* arch : {"gfx90a", "gfx942", "gfx950"}) {
    MetricInputs inputs;
    inputs.arch = arch;
    const auto groups = counter_set("roofline", arch).value();
    for (const CounterGroup& group : groups) {
      for (const std::string& counter : group) inputs.counters[counter] = 1;
    }
    for (const char* name :
         {"flops", "iops_mfma_i8", "hbm_bytes", "l2_bytes", "vl1d_bytes", "lds_bytes"}) {
      EXPECT_THAT(metric(name, inputs).missing, testing::IsEmpty()) << arch << " " << name;
      EXPECT_TRUE(metric(name, inputs).value) << arch << " " << name;
    }
  }
}

TEST(CounterCatalogueTest, MetricsUseKnownCountersOnly) {
  const std::set<std::string> constants{"CUS", "XCCS", "SIMDS", "MAX_WAVES", "XCCS_SUMMED"};
  const auto metrics = metric_names();
  for (const std::string_view arch : catalogue().architectures()) {
    for (const std::string_view name : metric_names(arch)) {
      for (const MetricRule* rule : metric_rules(name, arch)) {
        for (const std::string& input : rule->formula.inputs()) {
          const bool known = constants.contains(input) ||
                             catalogue().find(arch, input) != nullptr ||
                             std::ranges::count(metrics, input) > 0;
          EXPECT_TRUE(known) << arch << " " << name << " " << input;
        }
      }
    }
  }
}

TEST(BlockLimitsTest, ComeFromTheArchitectureFiles) {
  const arch::Gpu gpu = arch::resolve(arch::Catalogue::builtin(), "gfx942", {}).value();
  const BlockLimits limits = block_limits(gpu);
  EXPECT_EQ(limits.at("SQ"), 8U);
  EXPECT_EQ(limits.at("TCC"), 4U);
  EXPECT_EQ(limits.at("GRBM"), 2U);
  EXPECT_FALSE(counters_known("gfx000").has_value());
}

}  // namespace
}  // namespace rpl
