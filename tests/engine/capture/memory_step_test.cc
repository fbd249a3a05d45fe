// SPDX-License-Identifier: MIT
// Copies and fills between the dispatches of a capture: what they do, their files, and files that lie.
#include "engine/capture/memory_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/sha256.h"
#include "engine/capture/find_captures.h"
#include "engine/capture/pack.h"
#include "tests/engine/capture/slices.h"

namespace rpl {
namespace {

using test::replaced;
using test::slice_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::TempDir;

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

std::vector<int> numbers_of(const std::vector<std::byte>& bytes) {
  std::vector<int> out;
  for (const std::byte value : bytes) out.push_back(std::to_integer<int>(value));
  return out;
}

/// Memory that begins at address 0x1000.
std::vector<int> after(const MemoryStep& step, std::vector<std::byte> memory) {
  apply(step, [&](std::uint64_t address, std::uint64_t bytes) -> std::byte* {
    const std::uint64_t offset = address - 0x1000;
    return offset + bytes <= memory.size() ? memory.data() + offset : nullptr;
  });
  return numbers_of(memory);
}

TEST(MemoryStep, CopiesRowsThatMayOverlap) {
  EXPECT_THAT(after({.kind = MemoryStep::Kind::copy,
                     .to = 0x1001,
                     .from = 0x1000,
                     .width = 3,
                     .to_pitch = 3,
                     .from_pitch = 3},
                    bytes_of({1, 2, 3, 4})),
              ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(after({.kind = MemoryStep::Kind::copy,
                     .to = 0x1005,
                     .from = 0x1000,
                     .width = 1,
                     .rows = 2,
                     .to_pitch = 2,
                     .from_pitch = 3},
                    bytes_of({1, 2, 3, 4, 0, 0, 0, 0})),
              ElementsAre(1, 2, 3, 4, 0, 1, 0, 4));
}

TEST(MemoryStep, FillsWithOneTwoOrFourBytes) {
  const auto filled = [](std::initializer_list<int> data, std::uint64_t width) {
    return after({.kind = MemoryStep::Kind::fill,
                  .to = 0x1000,
                  .width = width,
                  .to_pitch = width,
                  .data = bytes_of(data)},
                 bytes_of({9, 9, 9, 9, 9}));
  };
  EXPECT_THAT(filled({7}, 3), ElementsAre(7, 7, 7, 9, 9));
  EXPECT_THAT(filled({1, 2}, 4), ElementsAre(1, 2, 1, 2, 9));
  EXPECT_THAT(filled({1, 2, 3, 4}, 4), ElementsAre(1, 2, 3, 4, 9));
}

TEST(MemoryStep, BringsRowsOfTheHost) {
  EXPECT_THAT(after({.kind = MemoryStep::Kind::upload,
                     .to = 0x1000,
                     .width = 2,
                     .rows = 2,
                     .to_pitch = 3,
                     .data = bytes_of({1, 2, 3, 4})},
                    bytes_of({9, 9, 9, 9, 9})),
              ElementsAre(1, 2, 9, 3, 4));
}

TEST(MemoryStep, WritesNothingWhereMemoryIsNowhere) {
  EXPECT_THAT(after({.kind = MemoryStep::Kind::fill,
                     .to = 0x1004,
                     .width = 2,
                     .to_pitch = 2,
                     .data = bytes_of({7})},
                    bytes_of({9, 9, 9, 9, 9})),
              ElementsAre(9, 9, 9, 9, 9));
}

/// Three dispatches; before the second the third buffer becomes the first, before the third the first four bytes of it are set, and eight bytes come from the host.
Capture with_steps() {
  Capture slice = slice_of(3);
  const auto& regions = slice.regions;
  slice.then[0].steps.push_back({.kind = MemoryStep::Kind::copy,
                                 .to = regions[0].base,
                                 .from = regions[2].base,
                                 .width = regions[2].size,
                                 .to_pitch = regions[2].size,
                                 .from_pitch = regions[2].size,
                                 .time_ns = 1500});
  slice.then[1].steps.push_back({.kind = MemoryStep::Kind::fill,
                                 .to = regions[0].base,
                                 .width = 4,
                                 .to_pitch = 4,
                                 .data = bytes_of({0}),
                                 .time_ns = 500});
  slice.then[1].steps.push_back({.kind = MemoryStep::Kind::upload,
                                 .to = regions[1].base + 8,
                                 .width = 4,
                                 .rows = 2,
                                 .to_pitch = 16,
                                 .data = bytes_of({0, 0, 128, 63, 0, 0, 0, 64}),
                                 .time_ns = 250});
  for (CapturedRegion& region : slice.regions) region.after.reset();
  const auto run = replay_once({.capture = &slice, .execute = {.mode = emu::Mode::functional}});
  EXPECT_TRUE(run.has_value());
  for (std::size_t i = 0; i < slice.regions.size(); ++i) {
    if (run->memory[i] != regions[i].before) slice.regions[i].after = run->memory[i];
  }
  return slice;
}

float number_at(const std::vector<std::byte>& bytes, std::size_t index) {
  float out = 0;
  std::memcpy(&out, bytes.data() + index * sizeof(out), sizeof(out));
  return out;
}

TEST(StepsOfSlices, AreTakenBetweenTheDispatches) {
  // c = a + b; a = c; a = b + c; a[0] = 0, b[2] = 1, b[6] = 2; b = c + a.
  const Capture slice = with_steps();
  const auto a = slice.regions[0].before, b = slice.regions[1].before;
  const auto after_b = *slice.regions[1].after, after_a = *slice.regions[0].after;
  const float c = number_at(a, 1) + number_at(b, 1);
  EXPECT_EQ(number_at(after_a, 0), 0);
  EXPECT_EQ(number_at(after_a, 1), number_at(b, 1) + c);
  EXPECT_EQ(number_at(after_b, 1), c + number_at(after_a, 1));
  EXPECT_EQ(number_at(after_b, 0), number_at(a, 0) + number_at(b, 0));
}

TEST(StepsOfSlices, CountWithTheirCapturedTimes) {
  const Capture slice = with_steps();
  Capture without = slice;
  for (FollowingDispatch& dispatch : without.then) dispatch.steps.clear();
  const auto time = [](const Capture& capture) {
    const auto run = replay_once({.capture = &capture, .execute = {.mode = emu::Mode::modelled}});
    return run ? run->executed.modelled->time_ns : 0;
  };
  EXPECT_DOUBLE_EQ(time(slice), time(without) + 2250);
}

TEST(StepsOfSlices, AreReadAsTheyWereWritten) {
  const TempDir folder;
  const Capture slice = with_steps();
  ASSERT_TRUE(write_capture(folder / "c", slice).has_value());
  EXPECT_THAT(folder.read("c/capture.json"), HasSubstr("rpl.capture/4"));
  ASSERT_TRUE(pack_capture(folder / "c", "c", folder / "c.tar.zst").has_value());
  ASSERT_TRUE(unpack_capture(folder / "c.tar.zst", folder / "d", 0).has_value());
  const auto read = read_capture(folder / "d");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(step_count(*read), 3U);
  EXPECT_EQ(read->then[0].steps[0].from, slice.regions[2].base);
  EXPECT_EQ(read->then[0].steps[0].kind, MemoryStep::Kind::copy);
  EXPECT_EQ(read->then[1].steps[1].data, slice.then[1].steps[1].data);
  EXPECT_EQ(read->then[1].steps[1].to_pitch, 16U);
  EXPECT_EQ(read->then[1].steps[1].time_ns, 250);
  const auto run = replay_once({.capture = &*read, .execute = {.mode = emu::Mode::functional}});
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(compare_with_post_image(*read, run->memory)->match, ImageMatch::matched);
  EXPECT_TRUE(remove_capture(folder / "c").has_value());
}

TEST(StepsOfSlices, StandBetweenTwoKernelsThatCouldBeOne) {
  const Capture slice = with_steps();
  const auto run =
      replay_once({.capture = &slice, .fusion = {.kernel = "vector_add", .arguments = {}}});
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message, "memory is copied or filled between the two dispatches");
}

TEST(StepsThatLie, AreRefused) {
  const auto refusal = [](auto&& change) {
    Capture slice = with_steps();
    change(slice);
    const auto checked = check_capture(slice);
    return checked ? std::string("taken") : checked.error().message;
  };
  const auto copy = [&](auto&& change) {
    return refusal([&](Capture& slice) { change(slice.then[0].steps[0]); });
  };
  const auto upload = [&](auto&& change) {
    return refusal([&](Capture& slice) { change(slice.then[1].steps[1]); });
  };
  EXPECT_EQ(refusal([](Capture&) {}), "taken");
  EXPECT_THAT(copy([](MemoryStep& step) { step.to -= 1; }),
              HasSubstr("not within captured memory"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.width += 1; }),
              HasSubstr("not within captured memory"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.from = 1; }),
              HasSubstr("from 0x1, not within captured memory"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.width = 0; }),
              HasSubstr("rows of 0 bytes: no such rows"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.rows = 0; }),
              HasSubstr("of 0 rows of 400 bytes: no such rows"));
  EXPECT_THAT(copy([](MemoryStep& step) {
                step.rows = std::uint64_t{1} << 46;
                step.to_pitch = step.from_pitch = std::uint64_t{1} << 46;
              }),
              HasSubstr("no such rows"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.rows = 2, step.to_pitch = step.from_pitch = 0; }),
              HasSubstr("of 2 rows of 400 bytes: no such rows"));
  EXPECT_THAT(copy([](MemoryStep& step) { step.data.resize(4); }), HasSubstr("4 bytes of data"));
  EXPECT_THAT(upload([](MemoryStep& step) { step.data.pop_back(); }),
              HasSubstr("of 2 rows of 4 bytes: 7 bytes of data"));
  EXPECT_THAT(refusal([](Capture& slice) { slice.then[1].steps[0].data.resize(3); }),
              HasSubstr("3 bytes of data"));
  EXPECT_THAT(refusal([](Capture& slice) {
                slice.then[0].steps.resize(kMostMemorySteps, slice.then[0].steps[0]);
              }),
              HasSubstr("65538 copies and fills between dispatches, 65536 are the most"));
}

TEST(StepFiles, ThatLieAreRefused) {
  const auto refusal = [](auto&& change) {
    const TempDir folder;
    EXPECT_TRUE(write_capture(folder / "c", with_steps()).has_value());
    const auto put = [&](const std::string& name, const std::string& text) {
      const auto row = [&](const std::string& of) {
        return fmt::format("\"path\": \"{}\", \"bytes\": {}, \"sha256\": \"{}\"", name, of.size(),
                           sha256_hex(of));
      };
      const std::string before = folder.read("c/" + name);
      folder.write("c/" + name, text);
      folder.write("c/capture.json",
                   replaced(folder.read("c/capture.json"), row(before), row(text)));
    };
    change(folder, put);
    const auto read = read_capture(folder / "c");
    return read ? std::string("taken") : read.error().message;
  };
  const auto lie = [&](std::string_view from, std::string_view to) {
    return refusal([&](const TempDir& folder, const auto& put) {
      put("following.json", replaced(folder.read("c/following.json"), from, to));
    });
  };
  EXPECT_EQ(lie("\"width\"", "\"width\""), "taken");
  EXPECT_THAT(lie("\"kind\": \"upload\"", "\"kind\": \"download\""), HasSubstr("kind"));
  EXPECT_THAT(lie("\"data_bytes\": 8", "\"data_bytes\": 9"), HasSubstr("steps.bin"));
  EXPECT_THAT(lie("\"data_bytes\": 8", "\"data_bytes\": 9223372036854775807"),
              HasSubstr("dispatches[1].steps: data_bytes:"));
  EXPECT_THAT(lie("\"data_bytes\": 8", "\"data_bytes\": 0"), HasSubstr("steps.bin"));
  EXPECT_THAT(refusal([](const TempDir& folder, const auto& /*put*/) {
                std::filesystem::remove(folder / "c/steps.bin");
              }),
              HasSubstr("steps.bin"));
  EXPECT_THAT(refusal([](const TempDir& folder, const auto& /*put*/) {
                folder.write("c/steps.bin", std::string(9, 'x'));
              }),
              HasSubstr("steps.bin: its SHA-256"));
}

}  // namespace
}  // namespace rpl
