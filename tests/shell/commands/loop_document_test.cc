// SPDX-License-Identifier: MIT
// What is offered after a step.
#include "shell/commands/optimize/loop_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;
using ::testing::StartsWith;

Proposal measured(std::int64_t number, ProposalState state = ProposalState::accepted) {
  Proposal out;
  out.number = number;
  out.optimization = 1;
  out.state = state;
  put(out.evidence, "measure", Value(Record{{"time_source", "measured"}}));
  return out;
}

/// After a stage of p2, which was accepted as p1 was before, and p1 gained more.
StepReport after(Stage stage, std::optional<Stage> next = {}) {
  StepReport out;
  out.stage = stage;
  out.optimization.number = 1;
  out.proposal = measured(2);
  out.next = next;
  out.best = measured(1);
  return out;
}

Value field(const Document& document, std::string_view name) {
  const Value record(document.record);
  const Value* found = record.find(name);
  EXPECT_TRUE(found != nullptr) << name;
  return found ? *found : Value();
}

TEST(LoopDocument, OffersTheBestOfWhatWasAccepted) {
  EXPECT_EQ(step_document({after(Stage::decide)}).next.front(), "approve p1");
  EXPECT_EQ(step_document({after(Stage::decide, Stage::guard)}).next.front(), "approve p1");
  StepReport rejected = after(Stage::decide, Stage::guard);
  rejected.proposal->state = ProposalState::rejected;
  EXPECT_THAT(step_document({rejected}).next, Each(Not(StartsWith("approve"))));
}

TEST(LoopDocument, OffersNoneThatIsToBeMeasuredAgain) {
  const Document out = step_document({after(Stage::decide, Stage::again)});
  EXPECT_THAT(out.next, Each(Not(StartsWith("approve"))));
  EXPECT_THAT(out.next, Contains("step"));
}

TEST(LoopDocument, NamesTheBestWhenEverythingIsDecided) {
  EXPECT_EQ(field(step_document({after(Stage::decide)}), "best"), Value("p1"));
  EXPECT_TRUE(field(step_document({after(Stage::decide, Stage::guard)}), "best").is_null());
}

}  // namespace
}  // namespace rpl
