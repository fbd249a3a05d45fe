// SPDX-License-Identifier: MIT
#include "engine/target/target.h"

#include <gtest/gtest.h>

#include "engine/target/emu/emulated_target.h"
#include "engine/target/local/local_target.h"
#include "tests/engine/capture/slices.h"

namespace rpl {
namespace {

/// A kind of target that has nothing of its own.
class Bare : public Target {
 public:
  explicit Bare(TargetKind kind) : kind_(kind) {}
  [[nodiscard]] TargetKind kind() const override { return kind_; }

 private:
  TargetKind kind_;
};

TEST(Target, RefusesAsItsTraitsSay) {
  for (const TargetKind kind : {TargetKind::recorded, TargetKind::slurm}) {
    const Error said = Bare(kind).replay({}).error();
    EXPECT_EQ(said.code, Errc::usage);
    EXPECT_EQ(said.message, require(kind, Ability::replay).error().message);
    EXPECT_EQ(Bare(kind).sample({}).error().message, said.message);
    EXPECT_EQ(Bare(kind).reserve_check({}).error().message, said.message);
  }
  EXPECT_EQ(Bare(TargetKind::emu).replay({}).error().code, Errc::internal)
      << "its traits say that it can";
}

TEST(Target, AKernelForTwoDispatchesIsTimedAgainstBoth) {
  const Capture slice = test::slice_of(2);
  FusionPlan fusion{.kernel = "vector_add", .arguments = {}};
  for (std::size_t i = 0; i < slice.arguments.size(); ++i) fusion.arguments.push_back({1, i});
  EmulatedTarget emulated;
  const emu::ExecuteOptions modelled{.mode = emu::Mode::modelled};
  const auto all = run_once(emulated, {.capture = &slice, .execute = modelled}),
             first = run_once(emulated, {.capture = &slice, .fusion = fusion, .execute = modelled});
  ASSERT_TRUE(all && first);
  EXPECT_EQ(all->each_ns.size(), 2U);
  EXPECT_EQ(all->executed.counts.waves, 2 * first->executed.counts.waves);
  EXPECT_LT(first->executed.modelled->time_ns, all->executed.modelled->time_ns);
}

TEST(Target, MemoryComesBackFromTheEmulatedDeviceAlone) {
  const Capture capture = test::small_capture();
  EmulatedTarget emulated;
  const auto run = run_once(emulated, {.capture = &capture});
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_EQ(run->memory.size(), capture.regions.size());
  EXPECT_EQ(run->memory[2], capture.regions[2].after);
  LocalTarget local({.program = "/no/such/program"});
  EXPECT_EQ(run_once(local, {.capture = &capture}).error().message,
            require(TargetKind::local, Ability::memory_after).error().message);
}

TEST(Target, EveryAddressIsFreeOnTheEmulatedDevice) {
  const Capture capture = test::small_capture();
  const auto report = EmulatedTarget().reserve_check({.capture = &capture});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->ranges.empty());
  EXPECT_TRUE(report->conflicts.empty());
}

}  // namespace
}  // namespace rpl
