// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/approve.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "engine/base/sha256.h"
#include "engine/device/cycle/parameters.h"
#include "engine/optimize/loop/hashes.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

Status anyone() { return {}; }

/// A source, and an accepted proposal to replace it.
class Approval : public testing::Test {
 protected:
  void SetUp() override {
    source_ = folder_.write("k.hip", "before\n");
    session_ = std::move(*Session::open(folder_ / "kept", {}));
    store_.emplace(std::move(*ProposalStore::read(*session_)));
    Optimization optimization;
    optimization.source = source_;
    optimization.source_versions = {sha256_hex("before\n")};
    ASSERT_TRUE(store_->claim(optimization) && store_->save(optimization));
    proposal_.optimization = optimization.number;
    proposal_.state = ProposalState::accepted;
    ASSERT_TRUE(store_->claim(proposal_));
    ASSERT_TRUE(write_file(proposal_.candidate_source(), "after\n"));
    ASSERT_TRUE(store_->save(proposal_));
  }

  [[nodiscard]] std::string text() const { return *read_text_file(source_); }
  [[nodiscard]] ProposalState kept() const {
    return ProposalStore::read(*session_)->proposal("p1")->state;
  }

  testing_support::TempDir folder_;
  std::string source_;
  std::unique_ptr<Session> session_;
  std::optional<ProposalStore> store_;
  Proposal proposal_;
};

TEST_F(Approval, ReplacesTheFileAndRevertPutsItBack) {
  ASSERT_TRUE(approve(proposal_, *store_));
  EXPECT_EQ(text(), "after\n");
  EXPECT_EQ(kept(), ProposalState::approved);
  ASSERT_TRUE(revert(proposal_, *store_));
  EXPECT_EQ(text(), "before\n");
  EXPECT_EQ(kept(), ProposalState::reverted);
}

TEST_F(Approval, SaysThatTheModelHasChangedSince) {
  EXPECT_FALSE(model_changed(proposal_).has_value());
  proposal_.evidence = {{"measure", Record{{"model", fmt::format("{} X", cycle::kModel)}}}};
  EXPECT_FALSE(model_changed(proposal_).has_value());
  proposal_.evidence = {{"measure", Record{{"model", "rpl-cycle/0.1 X"}}}};
  EXPECT_EQ(model_changed(proposal_),
            fmt::format("p1 was timed by rpl-cycle/0.1 X; the model is {} now and may see it "
                        "otherwise",
                        cycle::kModel));
}

TEST_F(Approval, LeavesAFileAloneThatSomebodyEdited) {
  folder_.write("k.hip", "edited\n");
  EXPECT_EQ(approve(proposal_, *store_).error().code, Errc::denied);
  EXPECT_EQ(text(), "edited\n");
  EXPECT_EQ(kept(), ProposalState::accepted);
}

TEST_F(Approval, RevertLosesNoLaterWork) {
  ASSERT_TRUE(approve(proposal_, *store_));
  folder_.write("k.hip", "after and more\n");
  const Status reverted = revert(proposal_, *store_);
  EXPECT_EQ(reverted.error().code, Errc::denied);
  EXPECT_NE(reverted.error().hint.find(proposal_.backup()), std::string::npos);
  EXPECT_EQ(text(), "after and more\n");
}

/// What was judged is what is written, or nothing is.
TEST_F(Approval, WritesNoOtherTextThanTheOneThatWasJudged) {
  keep_hash(proposal_, JudgedFile::candidate, "after\n");
  ASSERT_TRUE(write_file(proposal_.candidate_source(), "after\n// EVIL\n"));
  const Status refused = approve(proposal_, *store_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_NE(refused.error().message.find("candidate.hip changed since p1 was judged"),
            std::string::npos)
      << refused.error().message;
  EXPECT_EQ(text(), "before\n");
  ASSERT_TRUE(write_file(proposal_.candidate_source(), "after\n"));
  EXPECT_TRUE(approve(proposal_, *store_));
  EXPECT_EQ(text(), "after\n");
}

TEST_F(Approval, BindsToBaseCodeAndEvidence) {
  const Optimization optimization = *store_->optimization(proposal_.optimization);
  ASSERT_TRUE(write_file(optimization.base_source(), "base\n"));
  ASSERT_TRUE(write_file(proposal_.candidate_object(), "code"));
  proposal_.evidence = {{"decide", Value(Record{{"verdict", Value("improved")}})}};
  keep_hash(proposal_, JudgedFile::base, "base\n");
  keep_hash(proposal_, JudgedFile::object, "code");
  keep_hash(proposal_, JudgedFile::evidence, evidence_text(proposal_));
  const auto refused = [&](const std::string& name) {
    Proposal tried = proposal_;
    const Status status = approve(tried, *store_);
    return !status && status.error().message.find(name) != std::string::npos;
  };
  ASSERT_TRUE(write_file(optimization.base_source(), "other\n"));
  EXPECT_TRUE(refused("base.hip"));
  ASSERT_TRUE(write_file(optimization.base_source(), "base\n"));
  ASSERT_TRUE(write_file(proposal_.candidate_object(), "other"));
  EXPECT_TRUE(refused("candidate.co"));
  ASSERT_TRUE(write_file(proposal_.candidate_object(), "code"));
  const Record before = proposal_.evidence;
  proposal_.evidence = {{"decide", Value(Record{{"verdict", Value("undecided")}})}};
  EXPECT_TRUE(refused("evidence"));
  proposal_.evidence = before;
  EXPECT_TRUE(approve(proposal_, *store_));
}

TEST_F(Approval, RevertPutsNoOtherTextBack) {
  ASSERT_TRUE(approve(proposal_, *store_));
  ASSERT_TRUE(write_file(proposal_.backup(), "planted\n"));
  EXPECT_EQ(revert(proposal_, *store_).error().code, Errc::denied);
  EXPECT_EQ(text(), "after\n");
}

TEST_F(Approval, ARestrictedSessionWritesTheSourceOnlyWhereItMayApprove) {
  Policy policy{.restricted = true, .starts_as = "rpl"};
  {
    const PolicyScope scope(policy);
    EXPECT_EQ(write_file(source_, "x").error().code, Errc::denied);
  }
  policy.granted.add({Capability::approve});
  policy.readable = {std::filesystem::canonical(folder_.path()).string()};
  const PolicyScope scope(policy);
  ASSERT_TRUE(approve(proposal_, *store_));
  EXPECT_EQ(text(), "after\n");
}

TEST_F(Approval, NeedsAnAcceptedProposal) {
  for (const ProposalState state :
       {ProposalState::proposed, ProposalState::measured, ProposalState::rejected,
        ProposalState::approved, ProposalState::reverted}) {
    proposal_.state = state;
    EXPECT_EQ(approve(proposal_, *store_).error().code, Errc::denied) << to_string(state);
  }
  EXPECT_EQ(text(), "before\n");
}

TEST_F(Approval, GoesOnWhereItWasCutOff) {
  ASSERT_TRUE(write_file(proposal_.backup(), "before\n"));
  ASSERT_TRUE(write_file(source_, "after\n"));
  ASSERT_TRUE(approve(proposal_, *store_));
  EXPECT_EQ(kept(), ProposalState::approved);
  ASSERT_TRUE(write_file(source_, "before\n"));
  ASSERT_TRUE(revert(proposal_, *store_));
  EXPECT_EQ(kept(), ProposalState::reverted);
}

TEST_F(Approval, APersonsRejectionIsKeptWithItsReason) {
  ASSERT_TRUE(reject(proposal_, "unreadable", *store_));
  const Proposal again = *ProposalStore::read(*session_)->proposal("p1");
  EXPECT_EQ(again.state, ProposalState::rejected);
  EXPECT_EQ(again.decided_at, Stage::person);
  EXPECT_EQ(again.reasons.front().message, "unreadable");
}

TEST_F(Approval, UndoTakesBackOneDecisionAfterTheOther) {
  Proposal other = proposal_;
  ASSERT_TRUE(store_->claim(other));
  ASSERT_TRUE(write_file(other.candidate_source(), "other\n"));
  ASSERT_TRUE(store_->save(other));
  ASSERT_TRUE(reject(other, "unreadable", *store_));
  ASSERT_TRUE(approve(proposal_, *store_));
  const auto first = undo_decision(*store_, anyone);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->decision, ProposalState::approved);
  EXPECT_EQ(text(), "before\n");
  EXPECT_EQ(kept(), ProposalState::accepted);
  const auto second = undo_decision(*store_, anyone);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->proposal.id(), "p2");
  EXPECT_EQ(ProposalStore::read(*session_)->proposal("p2")->state, ProposalState::accepted);
  EXPECT_EQ(undo_decision(*store_, anyone).error().code, Errc::not_found);
}

TEST_F(Approval, UndoAsksBeforeItWritesASourceAlone) {
  const auto nobody = [] { return Status(fail(Errc::denied, "no")); };
  ASSERT_TRUE(approve(proposal_, *store_));
  EXPECT_EQ(undo_decision(*store_, nobody).error().code, Errc::denied);
  EXPECT_EQ(text(), "after\n");
  auto undone = undo_decision(*store_, anyone);
  ASSERT_TRUE(undone);
  ASSERT_TRUE(reject(undone->proposal, "unreadable", *store_));
  EXPECT_TRUE(undo_decision(*store_, nobody)) << "nothing is written";
}

TEST_F(Approval, UndoOfAReversalWritesTheChangeAgain) {
  ASSERT_TRUE(approve(proposal_, *store_));
  ASSERT_TRUE(revert(proposal_, *store_));
  const auto undone = undo_decision(*store_, anyone);
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(text(), "after\n");
  EXPECT_EQ(kept(), ProposalState::approved);
}

TEST_F(Approval, UndoLosesNoLaterWork) {
  ASSERT_TRUE(approve(proposal_, *store_));
  folder_.write("k.hip", "after and more\n");
  EXPECT_EQ(undo_decision(*store_, anyone).error().code, Errc::denied);
  EXPECT_EQ(text(), "after and more\n");
  EXPECT_EQ(kept(), ProposalState::approved);
}

}  // namespace
}  // namespace rpl
