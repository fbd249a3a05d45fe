// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/capture/capture.h"
#include "engine/device/cycle/parameters.h"
#include "engine/source/build/compiler.h"
#include "engine/target/emu/emulated_target.h"
#include "engine/tune/run/evaluator.h"
#include "tests/engine/capture/captured.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using testing_support::TempDir;

/// An addition that was captured, and its source.
class CaptureEvaluator : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto found = find_compiler();
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = found->path;
    ASSERT_TRUE(write_capture(folder / "capture", test::captured(emu::vector_add("gfx942", 5000))));
  }

  [[nodiscard]] Work work() const {
    return {.source = RPL_EXAMPLES "/vector_add.hip", .capture = folder / "capture"};
  }

  /// A compiler that notes in calls.txt what it was started with.
  [[nodiscard]] std::string noting_compiler() const {
    std::string path = folder.write("clang", "#!/bin/sh\necho \"$*\" >>" + folder / "calls.txt" +
                                                 "\nexec " + compiler_ + " \"$@\"\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  /// The emulated device as that GPU.
  static EmulatedTarget as(const std::string& gpu) {
    if (gpu.empty()) return EmulatedTarget();
    return EmulatedTarget({.model = std::make_shared<const cycle::Parameters>(
                               *cycle::builtin_parameters(gpu).value())});
  }

  const TempDir folder;
  const Space space = *Space::product({Parameter{"A", {1, 2, 3, 4}}}, {});
  EmulatedTarget emulated;

 private:
  std::string compiler_;
};

TEST_F(CaptureEvaluator, BuildsNothingBetweenMeasurementsByTurns) {
  Work counted = work();
  counted.compiler = noting_compiler();
  const auto evaluator = make_evaluator(space, counted, emulated, folder / "work");
  ASSERT_TRUE(evaluator) << evaluator.error().message;
  for (const std::size_t point : {3U, 2U}) {
    const auto one = (*evaluator)->evaluate(point);
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_TRUE(one->ok) << one->reason;
  }
  for (int i = 0; i < 3; ++i) {
    for (const std::size_t point : {0U, 1U}) ASSERT_TRUE((*evaluator)->time_again(point));
  }
  const std::string calls = folder.read("calls.txt");
  std::size_t builds = 0;
  for (std::size_t at = calls.find("-DA="); at != std::string::npos;
       at = calls.find("-DA=", at + 1))
    ++builds;
  EXPECT_EQ(builds, 4U) << calls;
  EXPECT_EQ(std::ranges::count(calls, '\n'), 6)
      << "it is asked once what it is and what it knows: " << calls;
}

TEST_F(CaptureEvaluator, ModelsTheGpuThatIsAskedFor) {
  // More workgroups than the smaller GPU has CUs: with fewer, both take the same time.
  ASSERT_TRUE(write_capture(folder / "wide", test::captured(emu::vector_add("gfx942", 200000))));
  const auto time_on = [&](const std::string& gpu) {
    Work asked = work();
    asked.capture = folder / "wide";
    asked.gpu = gpu;
    EmulatedTarget target = as(gpu);
    const auto evaluator = make_evaluator(space, asked, target, folder / "work");
    EXPECT_TRUE(evaluator) << evaluator.error().message;
    const auto one = evaluator ? (*evaluator)->evaluate(0) : Result<Evaluation>(Evaluation());
    EXPECT_TRUE(one && one->ok) << (one ? one->reason : one.error().message);
    return one ? one->time_ns().value_or(0) : 0;
  };
  EXPECT_EQ(time_on(""), time_on("MI300X")) << "the usual one";
  EXPECT_NE(time_on("MI300X"), time_on("MI308X"));
  Work other = work();
  other.gpu = "MI250X";
  EmulatedTarget target = as("MI250X");
  const auto refused = make_evaluator(space, other, target, folder / "work");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::usage);
}

}  // namespace
}  // namespace rpl::tune
