// SPDX-License-Identifier: MIT
// Dispatches of programs, frozen while they run and replayed alone.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "tests/engine/device/hip/program_runs.h"
#include "tests/engine/device/hip/replayed.h"
#include "tests/engine/replay/on_double.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

class Captured : public Programs {
 protected:
  /// Runs the program and freezes the dispatch; its output must be what it always is.
  Capture captured(const std::string& program, const std::string& arch, const std::string& pattern,
                   int dispatch = 1, const std::string& scope = "") {
    const std::string folder = folder_ / fmt::format("capture{}", ++number_);
    const Ran run = ran(
        {program},
        {"RPL_EMU_GPU=" + arch, "RPL_EMU_CAPTURE=" + pattern, "RPL_EMU_CAPTURE_FOLDER=" + folder,
         fmt::format("RPL_EMU_CAPTURE_DISPATCH={}", dispatch), "RPL_EMU_CAPTURE_SCOPE=" + scope});
    EXPECT_EQ(run.out, "PASSED\n") << run.err;
    EXPECT_EQ(run.err, "");
    Capture capture = expect_replays(folder);
    expect_replays_through_hsa(capture);
    return capture;
  }

  /// The same through the HSA back-end, whose runtime is the double.
  static void expect_replays_through_hsa(const Capture& capture) {
    SCOPED_TRACE(capture.kernel);
    test::OnDouble device({.arch = capture.architecture});
    const auto series = device.run({.capture = &capture, .iterations = 2});
    ASSERT_TRUE(series.has_value()) << series.error().message;
    EXPECT_EQ(series->image.match, ImageMatch::matched);
    EXPECT_EQ(series->last_equals_first, true);
    test::expect_clean(capture);
  }

  std::string frozen() { return built(RPL_PROGRAMS "/frozen.hip"); }

  int number_ = 0;
};

TEST_F(Captured, ReplayAsTheyRanOnBothArchitectures) {
  const std::string program = frozen();
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    SCOPED_TRACE(arch);
    const Capture first = captured(program, arch, "in_place");
    ASSERT_FALSE(first.arguments.empty());
    const CapturedRegion& data = first.regions[first.arguments[0].region];
    EXPECT_EQ(value_at<int>(data.before, 2), 14);
    EXPECT_EQ(value_at<int>(data.after.value(), 2), 43);
    // The second begins with what the first left.
    const Capture second = captured(program, arch, "in_place", 2);
    EXPECT_EQ(value_at<int>(second.regions[second.arguments[0].region].before, 2), 43);
    captured(program, arch, "counts");
    const Capture table = captured(program, arch, "table");
    EXPECT_GE(table.regions.size(), 601U);
    const Capture chase = captured(program, arch, "_Z5chasev");
    EXPECT_TRUE(chase.arguments.empty());
    EXPECT_GE(chase.regions.size(), 40U);
    EXPECT_LT(chase.regions.size(), 60U);
  }
}

TEST_F(Captured, HoldTheVariablesOfTheirCode) {
  const std::string program = frozen();
  const Capture capture = captured(program, "gfx942", "globals");
  const CapturedRegion *total = variable(capture, "total"), *factor = variable(capture, "factor");
  ASSERT_TRUE(total != nullptr && factor != nullptr);
  EXPECT_EQ(value_at<int>(total->before, 0), 5);
  EXPECT_EQ(value_at<int>(total->after.value(), 0), 517);
  EXPECT_EQ(value_at<int>(factor->before, 0), 4);
  EXPECT_FALSE(factor->after.has_value());
  EXPECT_TRUE(capture.load_base.has_value());
}

TEST_F(Captured, AreCountedOverInstancesOfATemplate) {
  const std::string program = frozen();
  const Capture of_double = captured(program, "gfx942", "/^void scale</", 2);
  EXPECT_THAT(of_double.kernel, HasSubstr("IdE"));
  EXPECT_EQ(of_double.dynamic_lds_bytes, 512U);
  const Capture of_float = captured(program, "gfx942", "/scale<float>/", 2);
  EXPECT_EQ(value_at<float>(of_float.regions[of_float.arguments[0].region].before, 0), 4.5f);
}

TEST_F(Captured, TakeAllMemoryWhenAsked) {
  const std::string program = frozen();
  const Capture some = captured(program, "gfx942", "in_place");
  const Capture all = captured(program, "gfx942", "in_place", 1, "all");
  EXPECT_GT(all.regions.size(), some.regions.size());
}

TEST_F(Captured, HoldSlices) {
  const std::string program = built(RPL_EXAMPLES "/host/scale_add_main.hip");
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    const std::string folder = folder_ / ("slice." + arch);
    const Ran run = ran({program}, {"RPL_EMU_GPU=" + arch, "RPL_EMU_CAPTURE_SLICE=1..2",
                                    "RPL_EMU_CAPTURE_FOLDER=" + folder});
    EXPECT_EQ(run.out, "PASSED\n") << run.err;
    const Capture slice = expect_replays(folder);
    ASSERT_EQ(slice.then.size(), 1U);
    EXPECT_EQ(slice.then[0].kernel, "_Z3addPKfS0_Pfi");
    // Both results changed, the two inputs did not.
    EXPECT_EQ(slice.regions.size(), 4U);
    EXPECT_EQ(std::ranges::count_if(slice.regions,
                                    [](const auto& region) { return region.after.has_value(); }),
              2);
    EXPECT_EQ(slice.then[0].arguments.at(0).region, slice.arguments.at(1).region);
    EXPECT_EQ(slice.facts.dispatch_index, 0U);
  }
}

TEST_F(Captured, LeaveNothingWhereTheFolderIsTaken) {
  const std::string program = frozen();
  const std::string folder = folder_ / "taken";
  std::filesystem::create_directory(folder);
  const Ran run = ran({program}, {"RPL_EMU_CAPTURE=in_place", "RPL_EMU_CAPTURE_FOLDER=" + folder});
  EXPECT_EQ(run.out, "PASSED\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace rpl
