// SPDX-License-Identifier: MIT
#include "engine/replay/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/interrupt.h"
#include "engine/replay/emulated.h"
#include "engine/replay/images.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::captured;
using test::small_capture;
using ::testing::AllOf;
using ::testing::HasSubstr;

ReplayRun run_ok(const ReplayJob& job) {
  auto run = replay_once(job);
  EXPECT_TRUE(run.has_value()) << run.error().message;
  return run ? std::move(*run) : ReplayRun{};
}

class ReplayOf : public testing::TestWithParam<const char*> {};

TEST_P(ReplayOf, EveryExampleGivesItsPostImage) {
  const std::string arch = GetParam();
  for (const auto& run :
       {emu::vector_add(arch, 1000), emu::matmul(arch, 20, 33, 17), emu::softmax(arch, 70, 31),
        emu::reduce(arch, 5000, 3), emu::transpose(arch, 40, 35), emu::histogram(arch, 3000, 2)}) {
    const Capture capture = captured(run);
    const ReplayRun again = run_ok({.capture = &capture});
    const auto comparison = compare_with_post_image(capture, again.memory);
    EXPECT_EQ(comparison->match, ImageMatch::matched) << capture.kernel;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, ReplayOf, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

TEST(Replay, ReadFromAFolderIsTheSame) {
  const testing_support::TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", small_capture()).has_value());
  const auto capture = read_capture(folder / "c");
  ASSERT_TRUE(capture.has_value()) << capture.error().message;
  const ReplayRun run = run_ok({.capture = &*capture});
  EXPECT_EQ(compare_with_post_image(*capture, run.memory)->match, ImageMatch::matched);
}

TEST(Replay, MemoryOfOneRunCanStartTheNext) {
  const Capture capture = captured(emu::reduce("gfx942", 1000, 2));
  const ReplayRun once = run_ok({.capture = &capture});
  const ReplayRun twice = run_ok({.capture = &capture, .memory = once.memory});
  const auto sum = [](const ReplayRun& run) { return emu::values_of<float>(run.memory[1]).at(0); };
  EXPECT_FLOAT_EQ(sum(twice), 2 * sum(once));
  const ReplayRun fresh = run_ok({.capture = &capture});
  EXPECT_EQ(fresh.memory, once.memory);
}

TEST(Replay, ModelledTimeIsThatOfTheRun) {
  emu::KernelRun run = emu::matmul("gfx90a", 32, 32, 32);
  run.options.mode = emu::Mode::modelled;
  emu::KernelOutcome outcome;
  const auto capture = capture_run(run, &outcome);
  ASSERT_TRUE(capture.has_value());
  const ReplayRun again = run_ok({.capture = &*capture, .execute = {.mode = emu::Mode::modelled}});
  ASSERT_TRUE(again.executed.modelled && outcome.executed.modelled);
  EXPECT_EQ(again.executed.modelled->cycles, outcome.executed.modelled->cycles);
  EXPECT_EQ(capture->model, again.executed.modelled->model);
}

TEST(Replay, FaultNamesTheRegion) {
  Capture capture = small_capture();
  CapturedRegion& region = capture.regions[1];
  region.size = 96;
  region.before.resize(96);
  const auto run = replay_once({.capture = &capture});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().code, Errc::verification_failed);
  EXPECT_THAT(run.error().message,
              AllOf(HasSubstr("lane 24"), HasSubstr("past the end of argument 2")));
}

TEST(Replay, RefusesOverlappingRegions) {
  Capture capture = small_capture();
  capture.regions[1].base = capture.regions[0].base + 4;
  EXPECT_THAT(replay_once({.capture = &capture}).error().message,
              HasSubstr("already taken by argument 1"));
}

TEST(Replay, RefusesVariantsOfAnotherShape) {
  const Capture capture = small_capture();
  const auto refusal = [&](const char* kernel, const char* arch) {
    const auto run =
        replay_once({.capture = &capture, .object = isa::example(kernel, arch), .kernel = kernel});
    EXPECT_EQ(run.error().code, Errc::usage);
    return run.error().message;
  };
  EXPECT_THAT(refusal("matmul", "gfx942"), HasSubstr("6 parameters, the captured kernel 4"));
  EXPECT_THAT(refusal("softmax", "gfx942"), HasSubstr("parameter 3 is 4 bytes at 16"));
  Capture large = capture;
  large.workgroup = {2048, 1, 1};
  EXPECT_THAT(kernel_that_fits(large, *isa::example("vector_add", "gfx942"), "").error().message,
              HasSubstr("the captured dispatch has 2048"));
}

/// The code object with another `.max_flat_workgroup_size`; both below 65536.
void promise(std::uint16_t workgroup, Capture& capture) {
  const std::string_view key = ".max_flat_workgroup_size";
  const auto found =
      std::ranges::search(capture.code_object, std::as_bytes(std::span(key.data(), key.size())));
  ASSERT_FALSE(found.empty());
  // MessagePack: cd, then 16 bits, big-endian.
  const auto at = static_cast<std::size_t>(found.end() - capture.code_object.begin());
  ASSERT_EQ(capture.code_object[at], std::byte{0xcd});
  capture.code_object[at + 1] = static_cast<std::byte>(workgroup >> 8U);
  capture.code_object[at + 2] = static_cast<std::byte>(workgroup & 0xffU);
}

// HIP 6 launches its own copy kernels with 512 work-items where their code promises 256.
TEST(Replay, WhatRanBeyondThePromiseOfItsCodeRunsSoAgain) {
  Capture capture = small_capture();
  promise(64, capture);
  ASSERT_GT(capture.workgroup[0], 64U);
  const ReplayRun run = run_ok({.capture = &capture});
  EXPECT_EQ(compare_with_post_image(capture, run.memory)->match, ImageMatch::matched);
  const auto larger = replay_once({.capture = &capture, .launch = {.x = {.workgroup = 512}}});
  ASSERT_FALSE(larger.has_value()) << "another launch is held to it";
  EXPECT_THAT(larger.error().message, HasSubstr("allows workgroups of 64"));
}

TEST(Replay, CodeThatWasCompiledAgainRunsOnItsOwnDevice) {
  const Capture capture = small_capture();
  const ReplayRun run =
      run_ok({.capture = &capture, .object = isa::example("vector_add", "gfx90a")});
  EXPECT_EQ(compare_with_post_image(capture, run.memory)->match, ImageMatch::matched);
}

TEST(Replay, AsALaunchItLiesWhereItLay) {
  const auto capture = std::make_shared<const Capture>(small_capture());
  const auto launch = launch_of(capture, nullptr, {});
  ASSERT_TRUE(launch.has_value()) << launch.error().message;
  emu::Memory memory;
  const auto placed = emu::place(memory, *launch);
  ASSERT_TRUE(placed.has_value()) << placed.error().message;
  ASSERT_EQ(placed->buffers.size(), 4U);
  EXPECT_EQ(placed->buffers[2]->base, capture->regions[2].base);
  EXPECT_EQ(placed->buffers[3], nullptr) << "the count";
  EXPECT_EQ(std::get<emu::BufferArgument>(launch->arguments[0]).count, 100U);
  const auto match = [&] {
    return compare_with_post_image(
               *capture,
               image_of(memory, *capture, *launch->object, *placed->launch.load_base).value())
        ->match;
  };
  EXPECT_EQ(match(), ImageMatch::differs) << "nothing has run";
  ASSERT_TRUE(emu::execute(memory, placed->launch).has_value());
  EXPECT_EQ(match(), ImageMatch::matched);
  EXPECT_EQ(launch_of(capture, isa::example("matmul", "gfx942"), {}).error().code, Errc::not_found);
}

TEST(Replay, RefusesMemoryOfOtherSizes) {
  const Capture capture = small_capture();
  EXPECT_EQ(replay_once({.capture = &capture, .memory = {{}, {}, {}}}).error().code, Errc::usage);
}

TEST(Images, DifferencesAreLocated) {
  const Capture capture = small_capture();
  ReplayRun run = run_ok({.capture = &capture});
  run.memory[2][7] ^= std::byte{1};
  run.memory[2][300] ^= std::byte{1};
  const auto comparison = compare_with_post_image(capture, run.memory).value();
  EXPECT_EQ(comparison.match, ImageMatch::differs);
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.differences[0].region, 2U);
  EXPECT_EQ(comparison.differences[0].first_offset, 7U);
  EXPECT_EQ(comparison.differences[0].differing_bytes, 2U);
}

TEST(Images, ComparingGigabytesCanBeStopped) {
  const Capture capture = small_capture();
  const ReplayRun run = run_ok({.capture = &capture});
  interrupt::raise();
  const auto compared = compare_with_post_image(capture, run.memory);
  interrupt::clear();
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code, Errc::interrupted);
}

TEST(Images, ACaptureWithoutThemSaysSo) {
  Capture capture = small_capture();
  capture.has_after = false;
  const ReplayRun run = run_ok({.capture = &capture});
  EXPECT_EQ(compare_with_post_image(capture, run.memory)->match, ImageMatch::not_captured);
  EXPECT_EQ(to_string(ImageMatch::not_captured), "not-captured");
}

}  // namespace
}  // namespace rpl
