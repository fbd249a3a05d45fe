// SPDX-License-Identifier: MIT
// The loop on measured time: the clock of the device is made up, everything else is as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/optimize/loop/loop.h"
#include "engine/optimize/store/measurements.h"
#include "engine/target/emu/emulated_target.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A GPU that leaves the right results and whose dispatches take what a script says.
class ScriptedClock : public Target {
 public:
  [[nodiscard]] TargetKind kind() const override { return TargetKind::local; }
  Result<ReplaySeries> replay(const ReplayPlan& plan) override {
    ++processes;
    ReplaySeries out;
    out.time_source = "measured";
    // The captured code against itself is a calibration.
    const auto& second = plan.object == nullptr ? itself_ns : candidate_ns;
    for (const bool other : plan.sides) out.raw_ns.push_back(other ? second(processes) : 1000);
    out.device.emplace();
    out.device->agent = "gfx942";
    out.device->product = "AMD Instinct MI300X";
    if (wrong)
      out.other_differing[1] =
          std::vector<std::byte>(plan.capture->regions[1].size, std::byte{0x3f});
    return out;
  }
  std::function<double(int)> candidate_ns = [](int) { return 1000.0; }, itself_ns = candidate_ns;
  int processes = 0;
  bool wrong = false;
};

class Measured : public testing::Test {
 protected:
  void SetUp() override {
    session_ = Session::open(folder_ / "session", {}).value();
    store_.emplace(ProposalStore::read(*session_).value());
    const std::string text = "// a kernel\n";
    optimization_.kernel = "softmax";
    optimization_.source = folder_.write("softmax.hip", text);
    optimization_.source_versions = {sha256_hex(text)};
    optimization_.capture = std::string(RPL_EXAMPLES) + "/../captures/softmax";
    optimization_.architecture = "gfx942";
    optimization_.reached = Stage::propose;
    ASSERT_TRUE(store_->claim(optimization_));
    ASSERT_TRUE(write_file(optimization_.base_object(), code()));
    ASSERT_TRUE(store_->save(optimization_));
  }

  static std::string code() {
    return read_text_file(std::string(RPL_EXAMPLES) + "/objects/softmax.gfx942.co").value();
  }

  /// A proposal that was verified.
  Proposal verified() {
    Proposal out;
    out.optimization = optimization_.number;
    out.origin = "rule";
    out.state = ProposalState::verified;
    EXPECT_TRUE(store_->claim(out));
    EXPECT_TRUE(write_file(out.candidate_object(), code()));
    EXPECT_TRUE(store_->save(out));
    return out;
  }

  /// As another program would go on: the session is read again before each stage.
  StepReport step() {
    store_.emplace(ProposalStore::read(*session_).value());
    OptimizationLoop loop(*store_, {.compiler = {},
                                    .verifier = &emulated_,
                                    .rule = {},
                                    .measuring = {.target = measures_ ? &clock_ : nullptr}});
    auto report = loop.step();
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return std::move(*report);
  }

  /// Measures and decides the next open proposal with a candidate that takes so long.
  Proposal decided(double candidate_ns) {
    clock_.candidate_ns = [=](int) { return candidate_ns; };
    EXPECT_EQ(step().stage, Stage::measure);
    return *step().proposal;
  }

  bool step_is_over() {
    store_.emplace(ProposalStore::read(*session_).value());
    return !next_stage(*store_);
  }

  testing_support::TempDir folder_;
  std::unique_ptr<Session> session_;
  std::optional<ProposalStore> store_;
  Optimization optimization_;
  EmulatedTarget emulated_;
  ScriptedClock clock_;
  bool measures_ = true;
};

TEST_F(Measured, AGainIsAcceptedOnFreshProcessesAndItsSamplesAreKept) {
  verified();
  const Proposal proposal = decided(900);
  EXPECT_EQ(proposal.state, ProposalState::accepted);
  EXPECT_EQ(text_in(proposal.evidence, "measure", "time_source"), "measured");
  EXPECT_EQ(text_in(proposal.evidence, "measure", "product"), "AMD Instinct MI300X");
  EXPECT_EQ(text_in(proposal.evidence, "decide", "design"),
            "5 processes × 6 blocks × 8 dispatches");
  EXPECT_NEAR(*number_in(proposal.evidence, "decide", "ratio"), 1000.0 / 900, 1e-12);
  EXPECT_EQ(clock_.processes, 9 + 5) << "a calibration, then one look";
  EXPECT_TRUE(step_is_over()) << "the best of one was not chosen";
}

/// Asks to stop when a stage has ended; somebody else lowers the flag before the next begins.
class Stopper : public StageListener {
 public:
  Status after(const StepReport&) override {
    interrupt::raise();
    if (lowers) interrupt::clear();
    return {};
  }
  bool lowers = true;
};

TEST_F(Measured, AStopBetweenTwoStagesIsSeen) {
  for (const bool lowers : {true, false}) {
    const Proposal proposal = verified();
    Stopper stopper;
    stopper.lowers = lowers;
    OptimizationLoop loop(*store_, {.compiler = {},
                                    .verifier = &emulated_,
                                    .rule = {},
                                    .measuring = {.target = &clock_},
                                    .listener = &stopper});
    const auto stopped = loop.steps(proposal);
    interrupt::clear();
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, Errc::interrupted);
    const ProposalStore kept = ProposalStore::read(*session_).value();
    EXPECT_EQ(kept.proposal(proposal.id())->state, ProposalState::measured)
        << "what was done is kept, and decide did not begin";
  }
}

TEST_F(Measured, TheNoiseIsCalibratedOnceAndIsTheFloor) {
  verified();
  verified();
  // In every other process the kernel differs from itself by 5 %.
  clock_.itself_ns = [](int process) { return process % 2 == 0 ? 950.0 : 1000.0; };
  step();
  const auto kept = kept_measurements(*session_).value();
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_EQ(kept[0].kind, "aa");
  EXPECT_NEAR(*kept[0].noise, 1000.0 / 950 - 1, 1e-9);
  const Proposal first = *step().proposal;
  EXPECT_NEAR(*number_in(first.evidence, "decide", "floor"), *kept[0].noise, 1e-12);
  const int before = clock_.processes;
  EXPECT_EQ(decided(960).state, ProposalState::rejected) << "4 % are within the noise";
  EXPECT_THAT(kept_measurements(*session_).value(), SizeIs(1));
  EXPECT_LE(clock_.processes - before, 13);
}

TEST_F(Measured, WhatIsUndecidedIsExtended) {
  verified();
  verified();
  decided(900);
  const int before = clock_.processes;
  // Processes disagree: the interval holds both.
  clock_.candidate_ns = [](int process) { return process % 2 == 0 ? 900.0 : 1000.0; };
  step();
  EXPECT_EQ(clock_.processes - before, 13);
  const Proposal undecided = *step().proposal;
  EXPECT_EQ(text_in(undecided.evidence, "decide", "verdict"), "undecided");
  EXPECT_EQ(undecided.state, ProposalState::rejected);
}

TEST_F(Measured, TheBestOfSeveralIsMeasuredAgainAndALuckyOneIsNotTheBest) {
  verified();
  verified();
  verified();
  decided(900);
  decided(700);
  EXPECT_EQ(decided(1200).state, ProposalState::rejected);
  EXPECT_EQ(awaiting_again(ProposalStore::read(*session_).value())->number, 2);
  clock_.candidate_ns = [](int) { return 1000.0; };
  const StepReport lucky = step();
  EXPECT_EQ(lucky.stage, Stage::again);
  EXPECT_EQ(lucky.proposal->number, 2);
  EXPECT_EQ(lucky.proposal->state, ProposalState::rejected);
  EXPECT_EQ(lucky.proposal->decided_at, Stage::again);
  EXPECT_EQ(lucky.proposal->reasons.front().rule, "not-again");
  EXPECT_EQ(lucky.next, Stage::again) << "the next best was chosen, too";
  EXPECT_EQ(lucky.next_proposal->number, 1);
  clock_.candidate_ns = [](int) { return 910.0; };
  const StepReport honest = step();
  EXPECT_EQ(honest.proposal->state, ProposalState::accepted);
  EXPECT_NEAR(*number_in(honest.proposal->evidence, "again", "ratio"), 1000.0 / 910, 1e-12);
  EXPECT_NEAR(*number_in(honest.proposal->evidence, "decide", "ratio"), 1000.0 / 900, 1e-12)
      << "the first measurement stays";
  EXPECT_EQ(honest.next, std::nullopt);
  EXPECT_EQ(honest.best->number, 1);
  EXPECT_TRUE(step_is_over());
}

TEST_F(Measured, TheBestOfAModelsChangesIsMeasuredAgainWhereNoRuleWasAsked) {
  verified();
  verified();
  decided(900);
  decided(800);
  optimization_.reached = Stage::profile;
  ASSERT_TRUE(store_->save(optimization_));
  store_.emplace(ProposalStore::read(*session_).value());
  OptimizationLoop loop(
      *store_,
      {.compiler = {}, .verifier = &emulated_, .rule = {}, .measuring = {.target = &clock_}});
  clock_.candidate_ns = [](int) { return 850.0; };
  const auto again = loop.measure_again();
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->stage, Stage::again);
  EXPECT_EQ(again->proposal->number, 2);
  EXPECT_NEAR(gain_of(*again->proposal), 1000.0 / 850, 1e-12) << "nobody chose this one";
  EXPECT_NEAR(ratio_of_chain(*store_, *again->proposal), 1000.0 / 850, 1e-12);
  EXPECT_EQ(loop.measure_again().error().code, Errc::not_found);
}

TEST_F(Measured, MeasuringAgainNeedsAClock) {
  verified();
  verified();
  decided(900);
  decided(800);
  OptimizationLoop loop(*store_, {.compiler = {}, .verifier = &emulated_, .rule = {}});
  const auto without = loop.step();
  ASSERT_FALSE(without.has_value());
  EXPECT_EQ(without.error().code, Errc::missing_capability);
}

TEST_F(Measured, AWrongResultOfTheTimedRunsRejects) {
  verified();
  const Capture capture = read_capture(optimization_.capture).value();
  ASSERT_TRUE(noise_on({.target = &clock_}, optimization_, capture, *session_).has_value());
  clock_.wrong = true;
  const StepReport report = step();
  EXPECT_EQ(report.proposal->state, ProposalState::rejected);
  EXPECT_EQ(report.proposal->reasons.front().rule, "wrong-when-timed");
  EXPECT_THAT(report.outcome.found, HasSubstr("after the timed runs"));
}

TEST_F(Measured, ATimeThatTheGpuCannotReachIsImpossible) {
  verified();
  const Proposal forged = decided(1);
  EXPECT_EQ(forged.state, ProposalState::rejected);
  ASSERT_THAT(forged.reasons, SizeIs(1));
  EXPECT_EQ(forged.reasons[0].rule, "faster-than-possible");
  EXPECT_THAT(forged.reasons[0].message, HasSubstr("1.0 ns are faster than the machine can: "));
  EXPECT_THAT(forged.reasons[0].message, HasSubstr("bytes through the L2 take"));
}

TEST_F(Measured, OfModelledTimeNothingIsMeasuredAgain) {
  measures_ = false;
  for (int i = 0; i < 2; ++i) {
    Proposal proposal = verified();
    proposal.state = ProposalState::accepted;
    proposal.evidence = {{"measure", Value(Record{{"time_source", "modelled"}})},
                         {"decide", Value(Record{{"verdict", "improved"}, {"ratio", 1.5}})}};
    ASSERT_TRUE(store_->save(proposal));
  }
  EXPECT_FALSE(awaiting_again(*store_).has_value());
  EXPECT_EQ(next_stage(*store_), std::nullopt);
}

}  // namespace
}  // namespace rpl
