// SPDX-License-Identifier: MIT
// What is chosen among the variants of a Triton autotuner, against every variant timed by itself.
#include <algorithm>
#include <map>

#include "engine/capture/capture.h"
#include "engine/replay/emulated.h"
#include "engine/target/emu/emulated_target.h"
#include "engine/tune/run/evaluator.h"
#include "tests/engine/triton/triton_runs.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using triton::Compiled;

/// A kernel with its arguments and, for each variant, how many programs there are.
struct Tuned {
  std::string kernel;
  std::vector<emu::Argument> arguments;
  std::string programs;
  emu::Size3 (*launch)(const Compiled&);
};

emu::KernelRun run_of(const Tuned& tuned, const Compiled& compiled) {
  emu::KernelRun run;
  run.object = compiled.object;
  run.kernel = tuned.kernel;
  run.workgroup = {compiled.metadata.workgroup(), 1, 1};
  run.grid = tuned.launch(compiled);
  run.grid[0] *= run.workgroup[0];
  run.dynamic_lds_bytes = compiled.metadata.shared_bytes;
  run.arguments = tuned.arguments;
  run.arguments.emplace_back(emu::null_pointer());
  run.options.mode = emu::Mode::modelled;
  return run;
}

std::vector<Tuned> all_tuned() {
  using triton::random;
  using triton::scalar;
  using triton::unwritten;
  constexpr std::int32_t kRows = 40, kColumns = 1008, kWide = 1504, kM = 192, kN = 128, kK = 64;
  const auto f32 = Element::f32, f16 = Element::f16;
  return {{"softmax",
           {unwritten(f32, kRows * kColumns), random(f32, kRows * kColumns, 1), scalar(kColumns),
            scalar(kColumns)},
           "",
           [](const Compiled&) { return emu::Size3{40, 1, 1}; }},
          {"layer_norm",
           {unwritten(f32, kRows * kWide), random(f32, kRows * kWide, 1), random(f32, kWide, 2),
            random(f32, kWide, 3), unwritten(f32, kRows), unwritten(f32, kRows), scalar(kWide),
            scalar(kWide), scalar(1e-5F)},
           "40",
           [](const Compiled&) { return emu::Size3{40, 1, 1}; }},
          {"matmul",
           {unwritten(f16, kM * kN), random(f16, kM * kK, 1), random(f16, kK * kN, 2), scalar(kM),
            scalar(kN), scalar(kK)},
           "-(-192 // BLOCK_M) * (128 // 64)",
           [](const Compiled& one) {
             const std::uint32_t block = one.constant("BLOCK_M");
             return emu::Size3{(192 + block - 1) / block * 2, 1, 1};
           }}};
}

TEST(TritonVariants, TheChoiceIsThatOfTimingEveryOneByItself) {
  for (const Tuned& tuned : all_tuned()) {
    SCOPED_TRACE(tuned.kernel);
    const testing_support::TempDir folder;
    const std::string cache = (triton::examples() / "cache" / tuned.kernel).string();
    const auto variants = triton::read_variants(cache, tuned.kernel, "gfx942");
    ASSERT_TRUE(variants.has_value()) << variants.error().message;
    std::map<std::string, double> alone;  // by path
    for (const triton::Variant& one : variants->all) {
      const auto ran =
          emu::run_kernel(run_of(tuned, {*isa::CodeObject::open(one.path), one.metadata}));
      ASSERT_TRUE(ran.has_value()) << ran.error().message;
      alone[one.path] = ran->executed.modelled->time_ns;
    }
    const Compiled base = triton::open_compiled(
        (triton::examples() / "objects" / (tuned.kernel + ".gfx942.hsaco")).string());
    auto capture = capture_run(run_of(tuned, base));
    ASSERT_TRUE(capture.has_value()) << capture.error().message;
    capture->tool = "a test";
    ASSERT_TRUE(write_capture(folder / "capture", *capture));
    const Work work{.capture = folder / "capture", .variants = cache, .programs = tuned.programs};
    const auto space = Space::listed(variants->configurations);
    ASSERT_TRUE(space.has_value()) << space.error().message;
    ASSERT_TRUE(check_work(work, *space));
    EmulatedTarget target;
    const auto evaluator = make_evaluator(*space, work, target, folder / "work");
    ASSERT_TRUE(evaluator.has_value()) << evaluator.error().message;
    std::string chosen;
    double best = 0;
    for (std::size_t i = 0; i < variants->all.size(); ++i) {
      const auto point = space->find(variants->configurations[i]);
      ASSERT_TRUE(point.has_value());
      const auto one = (*evaluator)->evaluate(*point);
      ASSERT_TRUE(one.has_value() && one->ok) << (one ? one->reason : one.error().message);
      const std::string& path = variants->all[i].path;
      EXPECT_NEAR(*one->time_ns(), alone[path], 1e-9 * alone[path]) << path;
      if (chosen.empty() || *one->time_ns() < best) {
        chosen = path;
        best = *one->time_ns();
      }
      EXPECT_TRUE(
          std::ranges::any_of(one->facts, [](const auto& f) { return f.first == "finding"; }));
    }
    const auto fastest =
        std::ranges::min_element(alone, {}, [](const auto& one) { return one.second; });
    EXPECT_EQ(chosen, fastest->first);
  }
}

TEST(TritonVariants, WrongProgramsAreRefused) {
  const testing_support::TempDir folder;
  const Tuned tuned = all_tuned().back();
  const Compiled base =
      triton::open_compiled((triton::examples() / "objects/matmul.gfx942.hsaco").string());
  auto capture = capture_run(run_of(tuned, base));
  ASSERT_TRUE(capture.has_value());
  capture->tool = "a test";
  ASSERT_TRUE(write_capture(folder / "capture", *capture));
  const std::string cache = (triton::examples() / "cache/matmul").string();
  const auto variants = triton::read_variants(cache, "matmul", "gfx942");
  ASSERT_TRUE(variants.has_value());
  const auto space = Space::listed(variants->configurations);
  EmulatedTarget target;
  for (const std::string text : {"BLOCK_M +", "NONE", "1, 1, 1, 1"}) {
    const Work work{.capture = folder / "capture", .variants = cache, .programs = text};
    EXPECT_FALSE(make_evaluator(*space, work, target, folder / "work").has_value()) << text;
  }
  for (const std::string text : {"0", "BLOCK_M / 1024", "-BLOCK_M", "1e30", "BLOCK_M // 0"}) {
    const Work work{.capture = folder / "capture", .variants = cache, .programs = text};
    const auto evaluator = make_evaluator(*space, work, target, folder / "work");
    ASSERT_TRUE(evaluator.has_value()) << text;
    EXPECT_FALSE((*evaluator)->evaluate(0).has_value()) << text;
  }
  const Work without{.variants = cache};
  EXPECT_FALSE(check_work(without, *space));
}

}  // namespace
}  // namespace rpl::tune
