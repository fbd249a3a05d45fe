// SPDX-License-Identifier: MIT
// Stages of proposals whose turn has not come: what comes out is what carrying them out in turn gives.
#include "engine/optimize/loop/ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/document/json.h"
#include "engine/optimize/loop/propose.h"
#include "engine/optimize/store/store.h"
#include "engine/source/build/build.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

std::string text_with(const std::string& body) {
  return "#include <hip/hip_runtime.h>\nextern \"C\" __global__ void scale(float* x) {\n" + body +
         "\n}\n";
}

class Ahead : public ::testing::Test {
 protected:
  void SetUp() override {
    auto compiler = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
    if (!compiler) GTEST_SKIP() << compiler.error().message;
    compiler_ = std::move(*compiler);
    session_ = Session::open(folder_ / "session", {}).value();
    store_.emplace(ProposalStore::read(*session_).value());
    const std::string source = text_with("  x[threadIdx.x] = x[threadIdx.x] * 2.0f;");
    base_.kernel = "scale";
    base_.source = folder_.write("k.hip", source);
    base_.source_versions = {sha256_hex(source)};
    base_.capture = "c";
    base_.architecture = "gfx942";
    ASSERT_TRUE(store_->claim(base_));
    ASSERT_TRUE(write_file(base_.base_source(), source));
    const auto built = build_hip(*compiler_, {.source = base_.base_source(),
                                              .architecture = base_.architecture,
                                              .output = base_.base_object()});
    ASSERT_TRUE(built && built->built);
    base_.reached = Stage::propose;
    ASSERT_TRUE(store_->save(base_));
    capture_ = std::make_shared<Capture>();
    capture_->grid = capture_->workgroup = {64, 1, 1};
    capture_->kernel = base_.kernel;
  }

  void propose(const std::string& body) {
    const auto made = propose_edit(
        base_, folder_.write("edit" + std::to_string(proposals_.size()) + ".hip", text_with(body)),
        "", *store_);
    ASSERT_TRUE(made) << made.error().message;
    proposals_.push_back(*made);
  }
  [[nodiscard]] Workbench bench() const {
    return {.optimization = &base_, .capture = capture_.get(), .compiler = [this] {
              return Result<Compiler>(*compiler_);
            }};
  }
  [[nodiscard]] static std::string text(const Proposal& proposal, const StageOutcome& outcome) {
    return to_json(Value(Record{{"evidence", Value(proposal.evidence)},
                                {"hashes", Value(proposal.hashes)},
                                {"state", to_string(proposal.state)},
                                {"found", outcome.found}}));
  }

  testing_support::TempDir folder_;
  std::optional<Compiler> compiler_;
  std::unique_ptr<Session> session_;
  std::optional<ProposalStore> store_;
  Optimization base_;
  std::shared_ptr<Capture> capture_;
  std::vector<Proposal> proposals_;
};

TEST_F(Ahead, GivesWhatTheStagesGiveInTurn) {
  propose("  const float v = x[threadIdx.x];\n  x[threadIdx.x] = v + v;");
  propose("  x[threadIdx.x] = undeclared;");
  propose("  x[threadIdx.x] += x[threadIdx.x];");
  StagesAhead ahead(base_, capture_, bench(), proposals_);
  int taken = 0;
  for (Proposal proposal : proposals_) {
    while (proposal.open() && proposal.state < ProposalState::screened) {
      const Stage stage = *next_stage(proposal.state);
      Proposal plain = proposal;
      // Before the other build of it, which writes the same file.
      auto made = ahead.take(stage, proposal);
      taken += made.has_value() ? 1 : 0;
      const auto outcome = advance(plain, stage, bench());
      ASSERT_TRUE(outcome) << outcome.error().message;
      if (made) {
        EXPECT_EQ(text(made->proposal, made->outcome), text(plain, *outcome));
      }
      proposal = std::move(plain);
    }
  }
  EXPECT_EQ(proposals_.size(), 3U);
  // All but the first may have been begun before they were asked for, and the last has been.
  EXPECT_GT(taken, 0);
}

TEST_F(Ahead, GivesEachOnceAndNothingOfOthers) {
  propose("  x[threadIdx.x] += x[threadIdx.x];");
  propose("  const float v = x[threadIdx.x];\n  x[threadIdx.x] = v + v;");
  Proposal other = proposals_.front();
  other.number = 99;
  StagesAhead ahead(base_, capture_, bench(), proposals_);
  EXPECT_FALSE(ahead.take(Stage::guard, other));
  EXPECT_FALSE(ahead.take(Stage::verify, proposals_.front()));
  if (ahead.take(Stage::guard, proposals_.back())) {
    EXPECT_FALSE(ahead.take(Stage::guard, proposals_.back()));
  }
}

TEST_F(Ahead, WhatFailsIsLeftToWhoCarriesItOut) {
  propose("  x[threadIdx.x] += x[threadIdx.x];");
  propose("  const float v = x[threadIdx.x];\n  x[threadIdx.x] = v + v;");
  ASSERT_TRUE(write_file(proposals_.front().candidate_source(), "int changed;\n"));
  StagesAhead ahead(base_, capture_, bench(), proposals_);
  EXPECT_FALSE(ahead.take(Stage::guard, proposals_.front()));
  Proposal changed = proposals_.front();
  EXPECT_FALSE(advance(changed, Stage::guard, bench()));
}

}  // namespace
}  // namespace rpl
