// SPDX-License-Identifier: MIT
// Sampling by replay: on the double of the HSA runtime, and on the emulated device.
#include "engine/optimize/measure/replay_sampler.h"

#include "engine/optimize/measure/decision.h"
#include "engine/target/emu/emulated_target.h"
#include "tests/engine/replay/on_double.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::shared_ptr<const isa::CodeObject> kernel_object(const std::string& name) {
  auto object = isa::CodeObject::open(std::string(RPL_WRONG_KERNELS) + "/" + name + ".gfx942.co");
  EXPECT_TRUE(object.has_value()) << name;
  return *object;
}

/// Replays in this process, on the double; each repeat is a process of its own to the runtime.
class SeriesOnDouble : public Target {
 public:
  [[nodiscard]] TargetKind kind() const override { return TargetKind::local; }
  Result<ReplaySeries> replay(const ReplayPlan& plan) override {
    plans.push_back(plan);
    return device.run(plan);
  }
  test::OnDouble device;
  std::vector<ReplayPlan> plans;
};

TEST(ReplaySampler, MeasuresBlocksInTheirOrderInFreshProcesses) {
  const Capture capture = test::small_capture();
  SeriesOnDouble replayer;
  const auto sampler = replay_sampler(replayer, {.capture = &capture,
                                                 .candidate = kernel_object("last_bit"),
                                                 .design = {.blocks = 4, .dispatches = 3}});
  EXPECT_EQ(sampler->time_source(), "measured");
  const auto samples = sampler->more(2);
  ASSERT_TRUE(samples.has_value()) << samples.error().message;
  ASSERT_THAT(samples->processes, SizeIs(2));
  ASSERT_THAT(samples->processes[0], SizeIs(4));
  for (const MeasuredBlock& block : samples->processes[0]) EXPECT_THAT(block.a_ns, SizeIs(3));
  EXPECT_EQ(std::ranges::count(samples->processes[0], true, &MeasuredBlock::a_first), 2);
  ASSERT_THAT(replayer.plans, SizeIs(2));
  const auto& sides = replayer.plans[0].sides;
  ASSERT_THAT(sides, SizeIs(1 + 4 * 2 * 3));
  EXPECT_EQ(sides[1], !samples->processes[0][0].a_first);
  EXPECT_FALSE(samples->deterministic);
  test::expect_clean(capture);
}

TEST(ReplaySampler, BothBuildsRunAndMemoryIsRestoredBeforeEach) {
  const Capture capture = test::small_capture();
  SeriesOnDouble replayer;
  const auto sampler = replay_sampler(replayer, {.capture = &capture,
                                                 .candidate = kernel_object("last_bit"),
                                                 .design = {.blocks = 2, .dispatches = 2}});
  ASSERT_TRUE(sampler->more(1).has_value());
  EXPECT_THAT(test::OnDouble::lines("hsa_executable_freeze"), SizeIs(2)) << "two code objects";
  EXPECT_THAT(test::OnDouble::lines("packet"), SizeIs(9));
  // Three regions: put there once for each build, and before every dispatch but the first; reading back comes on top.
  EXPECT_GE(test::OnDouble::lines("hsa_amd_memory_async_copy").size(), 3U * (2 + 8));
}

TEST(ReplaySampler, TheClockOfTheDoubleSaysThatEqualIsEqual) {
  const Capture capture = test::small_capture();
  SeriesOnDouble replayer;
  replayer.device.options.clock_step = 5000;
  const auto sampler = replay_sampler(replayer, {.capture = &capture});
  const auto measured = measure(*sampler);
  ASSERT_TRUE(measured.has_value()) << measured.error().message;
  EXPECT_EQ(measured->decision.verdict, Verdict::equivalent);
  EXPECT_EQ(measured->decision.design, "5 processes × 6 blocks × 8 dispatches");
}

TEST(ReplaySampler, ATimeOfAWrongResultIsNoTime) {
  const Capture capture = test::captured(emu::vector_add("gfx942", 100003));
  SeriesOnDouble replayer;
  const auto sampler = replay_sampler(replayer, {.capture = &capture,
                                                 .candidate = kernel_object("one_wrong"),
                                                 .design = {.blocks = 1, .dispatches = 1}});
  const auto samples = sampler->more(1);
  ASSERT_FALSE(samples.has_value());
  EXPECT_EQ(samples.error().code, Errc::verification_failed);
  EXPECT_THAT(
      samples.error().message,
      AllOf(StartsWith("after the timed runs argument 3: 1 of 100003"), HasSubstr("70001")));
}

TEST(ReplaySampler, OnTheEmulatedDeviceOneBlockSaysEverything) {
  const Capture capture = test::small_capture();
  EmulatedTarget replayer;
  const auto sampler = replay_sampler(replayer, {.capture = &capture});
  const auto samples = sampler->more(5);
  ASSERT_TRUE(samples.has_value());
  EXPECT_TRUE(samples->deterministic);
  ASSERT_THAT(samples->processes, SizeIs(1));
  EXPECT_EQ(samples->processes[0][0].a_ns, samples->processes[0][0].b_ns);
  EXPECT_EQ(sampler->time_source(), "modelled");
  const Capture large = test::captured(emu::vector_add("gfx942", 100003));
  EXPECT_EQ(replay_sampler(replayer, {.capture = &large, .candidate = kernel_object("one_wrong")})
                ->more(1)
                .error()
                .code,
            Errc::verification_failed);
}

TEST(ReplaySampler, ACaptureThatTellsNoTypesIsComparedByWhatItsBuffersHold) {
  Capture capture = test::captured(emu::vector_add("gfx942", 100003));
  for (CapturedArgument& argument : capture.arguments) argument.element.reset();
  CapturedRegion& out = capture.regions[2];
  out.before.assign(out.size, std::byte{});
  EmulatedTarget replayer;
  const auto sampled = [&](const char* candidate) {
    return replay_sampler(replayer, {.capture = &capture, .candidate = kernel_object(candidate)})
        ->more(1);
  };
  const auto last_bit = sampled("last_bit");
  EXPECT_TRUE(last_bit.has_value()) << last_bit.error().message;
  EXPECT_EQ(sampled("one_wrong").error().code, Errc::verification_failed);
}

}  // namespace
}  // namespace rpl
