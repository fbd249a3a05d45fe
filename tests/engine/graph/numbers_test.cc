// SPDX-License-Identifier: MIT
#include "engine/graph/numbers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/engine/graph/graph_of.h"
#include "tests/engine/graph/random_trace.h"

namespace rpl::testing {
namespace {

/// Everything of one trace, computed at once.
class Results : public TraceResults {
 public:
  explicit Results(std::shared_ptr<const Trace> trace)
      : trace_(std::move(trace)), graph_(Graph::build(trace_).value()) {
    source = "the test";
    stats_ = trace_stats(*trace_).value();
    slack_.emplace(Slack::compute(*graph_).value());
    path_ = critical_path(*graph_, *slack_).value();
    gaps_ = find_gaps(*graph_).value();
    overlap_ = find_overlap(*graph_, path_.on_path).value();
    kernel = path_.dominant_kernel.value_or(0);
  }
  const Trace& trace() override { return *trace_; }
  Result<const TraceStats*> stats() override { return &stats_; }
  Result<const Graph*> graph() override { return graph_.get(); }
  Result<const Slack*> slack() override { return &*slack_; }
  Result<const CriticalPath*> path() override { return &path_; }
  Result<const Gaps*> gaps() override { return &gaps_; }
  Result<const OverlapReport*> overlap() override { return &overlap_; }
  Result<const WhatIf*> what_if() override {
    const KernelChange change{kernel, speedup};
    run_ = rpl::what_if(*graph_, {&change, 1}).value();
    return &run_;
  }
  std::string operation(NodeId id) override { return fmt::format("operation {}", id); }
  [[nodiscard]] const Column* column(std::string_view) const override { return nullptr; }

 private:
  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const Graph> graph_;
  TraceStats stats_;
  std::optional<Slack> slack_;
  CriticalPath path_;
  Gaps gaps_;
  OverlapReport overlap_;
  WhatIf run_;
};

Derivation tree(TraceResults& results, std::string_view name) {
  const TraceNumber* row = find_number(trace_numbers(), name);
  EXPECT_NE(row, nullptr) << name;
  return derive(trace_numbers(), *row, results).value();
}

TEST(Numbers, HaveUniqueNamesAndInputsThatExist) {
  std::set<std::string_view> names;
  Results results(tiny_trace({{"a", 0, 0, 0, 10}, {"b", 1, 1, 5, 30}, {"a", 0, 0, 40, 50}}));
  for (const TraceNumber& row : trace_numbers()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(derive(trace_numbers(), row, static_cast<TraceResults&>(results))) << row.name;
  }
}

TEST(Numbers, DominanceAndItsCeilingFollowFromThePath) {
  Results results(tiny_trace({{"a", 0, 0, 0, 10}, {"b", 0, 0, 10, 40}}));
  const Derivation ceiling = tree(results, "critpath.ceiling_speedup");
  EXPECT_EQ(ceiling.name, "ceiling_speedup");
  EXPECT_DOUBLE_EQ(*ceiling.value, 4);
  ASSERT_EQ(ceiling.inputs.size(), 1U);
  const Derivation& fraction = ceiling.inputs[0];
  EXPECT_DOUBLE_EQ(*fraction.value, 0.75);
  ASSERT_EQ(fraction.inputs.size(), 2U);
  EXPECT_EQ(*fraction.inputs[0].value, 30);
  EXPECT_EQ(*fraction.inputs[1].value, 40);
}

TEST(Numbers, OfAKernelNameTheDispatchThatMadeThem) {
  Results results(tiny_trace({{"a", 0, 0, 0, 10}, {"a", 0, 0, 10, 14}, {"a", 0, 0, 20, 40}}));
  results.kernel = 0;
  EXPECT_EQ(tree(results, "kernel.min_ns").source, "operation 1");
  EXPECT_EQ(tree(results, "kernel.max_ns").source, "operation 2");
  EXPECT_EQ(*tree(results, "kernel.total_ns").value, 34);
  EXPECT_EQ(*tree(results, "kernel.criticality").value, 1);
}

TEST(Numbers, OfOneDispatchHaveNoSpread) {
  Results results(tiny_trace({{"a", 0, 0, 0, 10}}));
  const Derivation spread = tree(results, "kernel.stddev_ns");
  EXPECT_FALSE(spread.value);
  EXPECT_EQ(spread.note, "one dispatch has no spread");
}

TEST(Numbers, OfAKernelThatNeverRanAreRefused) {
  Results results(tiny_trace({{"a", 0, 0, 0, 10}}));
  results.kernel = 7;
  const TraceNumber* row = find_number(trace_numbers(), "kernel.mean_ns");
  EXPECT_EQ(derive(trace_numbers(), *row, static_cast<TraceResults&>(results)).error().code,
            Errc::not_found);
}

double input(const Derivation& of, std::size_t index) { return of.inputs.at(index).value.value(); }

/// What a formula says must be what its inputs give.
TEST(Numbers, AgreeWithTheirFormulas) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    Results results(random_trace(seed, {.copies = 3}).build());
    const Derivation span = tree(results, "critpath.span_ns");
    double pieces = 0;
    for (const Derivation& piece : span.inputs) pieces += *piece.value;
    EXPECT_EQ(*span.value, pieces) << seed;
    const Derivation whole = tree(results, "summary.span_ns");
    EXPECT_EQ(*whole.value, input(whole, 0) - input(whole, 1)) << seed;
    const Derivation gaps = tree(results, "gaps.total_ns");
    EXPECT_EQ(*gaps.value, input(gaps, 0) + input(gaps, 1) + input(gaps, 2)) << seed;
    const Derivation gain = tree(results, "whatif.gain");
    EXPECT_DOUBLE_EQ(*gain.value, (input(gain, 0) - input(gain, 1)) / input(gain, 0)) << seed;
    for (const char* name :
         {"kernel.mean_ns", "kernel.share", "kernel.criticality", "kernel.mean_slack_ns",
          "summary.busy_share", "critpath.dominance_fraction"}) {
      const Derivation quotient = tree(results, name);
      EXPECT_NEAR(*quotient.value, input(quotient, 0) / input(quotient, 1),
                  1e-9 * std::abs(*quotient.value))
          << name << seed;
    }
  }
}

}  // namespace
}  // namespace rpl::testing
