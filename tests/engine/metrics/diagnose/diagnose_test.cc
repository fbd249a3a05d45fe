// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/diagnose.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "engine/metrics/diagnose/headroom.h"
#include "kernels.h"

namespace rpl::diagnose {
namespace {

using ::testing::HasSubstr;

std::string told(const Diagnosis& diagnosis, const Headroom& room) {
  std::string text =
      std::string(to_string(diagnosis.label)) + " " + std::to_string(diagnosis.confidence) + "\n";
  for (const Score& score : diagnosis.scores) {
    text += std::to_string(score.points) + "\n";
    for (const Evidence& held : score.evidence)
      text += evidence_text(held) + " from " + held.fact.source + "\n";
  }
  for (const Need& need : diagnosis.needs) {
    text += std::string(need.command);
    for (const Input input : need.inputs) text += " " + std::string(to_string(input));
    text += "\n";
  }
  for (const std::string& note : diagnosis.notes) text += note + "\n";
  return text + std::to_string(room.high.value_or(-1)) + " " +
         std::to_string(room.low.value_or(-1));
}

bool is_roof(Input input) {
  return input == Input::hbm_share || input == Input::l2_share || input == Input::lds_share ||
         input == Input::compute_share;
}

TEST(Diagnose, EachSyntheticKernelGetsItsLabel) {
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    const Diagnosis found = diagnose(facts_of(kernel.values));
    EXPECT_EQ(to_string(found.label), to_string(kernel.label)) << kernel.name;
    EXPECT_FALSE(found.evidence().empty()) << kernel.name;
    EXPECT_GT(found.confidence, 0) << kernel.name;
    EXPECT_LE(found.confidence, 1) << kernel.name;
  }
}

// Which single missing input takes a label away, and what is said instead. Whatever is not listed keeps its label.
TEST(Diagnose, WithEachInputMissingInTurn) {
  const std::map<std::pair<std::string, Input>, Label> changes{
      {{"copy", Input::hbm_share}, Label::insufficient},
      {{"stencil out of L2", Input::l2_share}, Label::insufficient},
      {{"transpose through LDS", Input::lds_share}, Label::insufficient},
      {{"transcendentals", Input::valu_utilization}, Label::insufficient},
      {{"few workgroups", Input::grid_fill}, Label::latency},
      {{"workgroups of 16", Input::workgroup_lanes}, Label::insufficient},
      {{"workgroups of 16", Input::valu_utilization}, Label::insufficient},
      {{"tiny elementwise", Input::duration_ns}, Label::insufficient},
  };
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    for (const auto& [missing, value] : kernel.values) {
      Values rest = kernel.values;
      rest.erase(missing);
      const Diagnosis found = diagnose(facts_of(rest));
      const auto change = changes.find({kernel.name, missing});
      // That nothing else limits can only be said when every roof is known.
      const bool lost = kernel.label == Label::latency && is_roof(missing);
      const Label expected = lost                      ? Label::insufficient
                             : change == changes.end() ? kernel.label
                                                       : change->second;
      EXPECT_EQ(to_string(found.label), to_string(expected))
          << kernel.name << " without " << to_string(missing);
      if (found.label != Label::insufficient) continue;
      const bool named = std::ranges::any_of(found.needs, [&](const Need& need) {
        return std::ranges::find(need.inputs, missing) != need.inputs.end();
      });
      EXPECT_TRUE(named) << kernel.name << ": " << to_string(missing) << " is not asked for";
    }
  }
}

TEST(Diagnose, WithoutFactsItSaysWhatToCollect) {
  const Diagnosis nothing = diagnose(Facts{});
  EXPECT_EQ(nothing.label, Label::insufficient);
  EXPECT_EQ(nothing.confidence, 0);
  EXPECT_EQ(nothing.confidence_word(), "none");
  ASSERT_EQ(nothing.needs.size(), 4U);
  EXPECT_EQ(nothing.needs[0].collect, Collect::counters);
  EXPECT_THAT(std::string(nothing.needs[1].command), HasSubstr("--att"));
}

TEST(Diagnose, OccupancyAloneDecidesNothing) {
  const Diagnosis found =
      diagnose(facts_of({{Input::occupancy_limit, 0.125}, {Input::grid_fill, 0.01}}));
  EXPECT_EQ(found.label, Label::insufficient);
}

TEST(Diagnose, ALowerBoundProvesThatARoofIsNearAndNotThatItIsFar) {
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    Facts facts;
    for (const auto& [input, value] : kernel.values)
      facts.add(input, value, "synthetic", Provenance::recorded, is_roof(input));
    const Diagnosis found = diagnose(facts);
    if (kernel.label == Label::latency) {
      EXPECT_EQ(found.label, Label::insufficient) << kernel.name;
      ASSERT_FALSE(found.needs.empty());
      EXPECT_THAT(found.needs[0].inputs, testing::Contains(Input::hbm_share));
      EXPECT_THAT(std::string(found.needs[0].command), HasSubstr("counters"));
    } else {
      EXPECT_EQ(to_string(found.label), to_string(kernel.label)) << kernel.name;
    }
  }
}

/// A recording of counters alone: amounts and ratios of counters are known, rates are not.
TEST(Diagnose, CountersWithoutTimesLackAPlainTraceAndNoMoreCounters) {
  Facts facts;
  for (const auto& [input, value] : Values{{Input::intensity_ratio, 0.1},
                                           {Input::active_lanes, 1},
                                           {Input::valu_utilization, 0.1},
                                           {Input::mfma_utilization, 0},
                                           {Input::measured_occupancy, 0.5},
                                           {Input::counter_wait_share, 0.5},
                                           {Input::compute_share, 0},
                                           {Input::lds_conflict_rate, 0}})
    facts.add(input, value, "counters");
  for (const Input rate : {Input::hbm_share, Input::l2_share, Input::lds_share, Input::vl1d_share})
    facts.add_untimed(rate);
  const Diagnosis found = diagnose(facts);
  EXPECT_EQ(found.label, Label::insufficient);
  ASSERT_FALSE(found.needs.empty());
  EXPECT_EQ(found.needs[0].collect, Collect::plain_times);
  EXPECT_THAT(found.needs[0].inputs, testing::Contains(Input::hbm_share));
  EXPECT_THAT(found.needs[0].inputs, testing::Contains(Input::duration_ns));
  for (const Need& need : found.needs) EXPECT_NE(need.collect, Collect::counters);
}

TEST(Diagnose, WhatWasNotCountedIsStillAskedForBesideTheTimes) {
  Facts facts;
  facts.add_untimed(Input::hbm_share);
  const Diagnosis found = diagnose(facts);
  ASSERT_GE(found.needs.size(), 2U);
  EXPECT_EQ(found.needs[0].collect, Collect::plain_times);
  EXPECT_EQ(found.needs[1].collect, Collect::counters);
  EXPECT_THAT(found.needs[1].inputs, testing::Not(testing::Contains(Input::hbm_share)));
  facts.add(Input::hbm_share, 0.9, "a run with times");
  EXPECT_FALSE(facts.untimed(Input::hbm_share));
  EXPECT_FALSE(facts.any_untimed());
}

TEST(Diagnose, WhatIsUnknownMakesItLessSure) {
  const SyntheticKernel kernel = synthetic_kernels()[8];
  ASSERT_STREQ(kernel.name, "many registers");
  Values rest = kernel.values;
  rest.erase(Input::hbm_share);
  rest.erase(Input::mfma_utilization);
  EXPECT_LT(diagnose(facts_of(rest)).confidence, diagnose(facts_of(kernel.values)).confidence);
}

TEST(Diagnose, WaitsAloneDecideNothing) {
  EXPECT_EQ(diagnose(facts_of({{Input::wait_share, 0.9}, {Input::stall_share, 0.95}})).label,
            Label::insufficient)
      << "a kernel at the roof of memory waits as well";
}

TEST(Diagnose, ThresholdsAreInclusive) {
  for (const Rule& rule : rules()) {
    // These follow from the shares of the roofs.
    if (rule.input == Input::roof_share || rule.input == Input::all_roofs_share) continue;
    const double inside = rule.threshold;
    const double step = std::max(1e-9, rule.threshold * 1e-9);
    const double outside = rule.test == Rule::Test::at_least ? inside - step : inside + step;
    const auto held = [&](double value) {
      const Diagnosis found = diagnose(facts_of({{rule.input, value}}));
      const auto score = std::ranges::find(found.scores, rule.label, &Score::label);
      return std::ranges::any_of(score->evidence,
                                 [&](const Evidence& e) { return e.rule->id == rule.id; });
    };
    EXPECT_TRUE(held(inside)) << rule.id;
    if (outside <= info(rule.input).largest) {
      EXPECT_FALSE(held(outside)) << rule.id;
    }
  }
}

// Just below and just above the threshold that makes a label, everything else as it is.
TEST(Diagnose, LabelsChangeAtTheirThresholds) {
  const struct {
    const char* kernel;
    Input input;
    double threshold;
    bool keeps_from_above;
    Label otherwise;
  } cases[] = {
      {"copy", Input::hbm_share, 0.6, true, Label::latency},
      {"stencil out of L2", Input::l2_share, 0.6, true, Label::latency},
      {"transpose through LDS", Input::lds_share, 0.6, true, Label::latency},
      {"transcendentals", Input::valu_utilization, 0.7, true, Label::insufficient},
      {"few workgroups", Input::grid_fill, 0.5, false, Label::latency},
      {"tiny elementwise", Input::duration_ns, 10000, false, Label::insufficient},
      {"workgroups of 16", Input::workgroup_lanes, 0.6, false, Label::insufficient},
      {"workgroups of 16", Input::valu_utilization, 0.3, true, Label::insufficient},
  };
  for (const auto& c : cases) {
    for (const SyntheticKernel& kernel : synthetic_kernels()) {
      if (std::string_view(kernel.name) != c.kernel) continue;
      for (const bool above : {false, true}) {
        Values values = kernel.values;
        values[c.input] = c.threshold * (above ? 1 + 1e-9 : 1 - 1e-9);
        const Label expected = above == c.keeps_from_above ? kernel.label : c.otherwise;
        EXPECT_EQ(to_string(diagnose(facts_of(values)).label), to_string(expected))
            << c.kernel << " " << to_string(c.input) << (above ? " above" : " below");
      }
    }
  }
}

TEST(Diagnose, TheOrderOfFactsDoesNotMatter) {
  struct Fact {
    Input input;
    double value;
    std::string source;
    Provenance provenance;
  };
  std::mt19937 random(7);
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    std::vector<Fact> facts;
    for (const auto& [input, value] : kernel.values) {
      facts.push_back({input, value, "first", Provenance::recorded});
      // Sources that disagree, and one that is impossible.
      facts.push_back({input, value * 0.5, "second", Provenance::recorded});
      facts.push_back({input, value * 0.9, "first", Provenance::recorded});
      facts.push_back({input, value * 0.25, "model", Provenance::modelled});
      facts.push_back({input, -value, "broken", Provenance::measured});
    }
    std::string first;
    for (int order = 0; order < 1000; ++order) {
      Facts added;
      for (const Fact& fact : facts)
        added.add(fact.input, fact.value, fact.source, fact.provenance);
      const std::string now = told(diagnose(added), headroom(added));
      if (order == 0) first = now;
      ASSERT_EQ(now, first) << kernel.name << " in order " << order;
      std::ranges::shuffle(facts, random);
    }
  }
}

TEST(Facts, ImpossibleValuesAreSaidAndNotUsed) {
  Facts facts;
  facts.add(Input::hbm_share, 1.37, "roofline");
  facts.add(Input::wait_share, -0.1, "att1");
  facts.add(Input::duration_ns, std::numeric_limits<double>::quiet_NaN(), "t1");
  EXPECT_EQ(facts.find(Input::hbm_share), nullptr);
  EXPECT_THAT(facts.rejected(), testing::ElementsAre(HasSubstr("hbm_share is 1.37, above"),
                                                     HasSubstr("wait_share is -0.1, negative"),
                                                     HasSubstr("duration_ns is nan, no number")));
  EXPECT_EQ(diagnose(facts).notes.size(), 3U);
}

TEST(Facts, MeasuredIsOverRecordedOverModelled) {
  Facts facts;
  facts.add(Input::hbm_share, 0.1, "model", Provenance::modelled);
  facts.add(Input::hbm_share, 0.2, "file", Provenance::recorded);
  EXPECT_EQ(facts.value(Input::hbm_share), 0.2);
  facts.add(Input::hbm_share, 0.3, "gpu", Provenance::measured);
  facts.add(Input::hbm_share, 0.4, "formula", Provenance::estimated);
  EXPECT_EQ(facts.value(Input::hbm_share), 0.3);
}

}  // namespace
}  // namespace rpl::diagnose
