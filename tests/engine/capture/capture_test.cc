// SPDX-License-Identifier: MIT
#include "engine/capture/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/interrupt.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::captured;
using test::small_capture;
using ::testing::HasSubstr;
using testing_support::TempDir;

void expect_same(const Capture& read, const Capture& written) {
  EXPECT_EQ(read.kernel, written.kernel);
  EXPECT_EQ(read.architecture, written.architecture);
  EXPECT_EQ(read.grid, written.grid);
  EXPECT_EQ(read.workgroup, written.workgroup);
  EXPECT_EQ(read.dynamic_lds_bytes, written.dynamic_lds_bytes);
  EXPECT_EQ(read.kernarg, written.kernarg);
  EXPECT_EQ(read.code_object, written.code_object);
  EXPECT_EQ(read.has_after, written.has_after);
  EXPECT_EQ(read.target, written.target);
  EXPECT_EQ(read.model, written.model);
  EXPECT_EQ(read.tool, written.tool);
  EXPECT_EQ(read.source_note, written.source_note);
  ASSERT_EQ(read.regions.size(), written.regions.size());
  for (std::size_t i = 0; i < read.regions.size(); ++i) {
    EXPECT_EQ(read.regions[i].base, written.regions[i].base);
    EXPECT_EQ(read.regions[i].name, written.regions[i].name);
    EXPECT_EQ(read.regions[i].before, written.regions[i].before);
    EXPECT_EQ(read.regions[i].after, written.regions[i].after);
  }
  ASSERT_EQ(read.arguments.size(), written.arguments.size());
  for (std::size_t i = 0; i < read.arguments.size(); ++i) {
    EXPECT_EQ(read.arguments[i].buffer, written.arguments[i].buffer);
    EXPECT_EQ(read.arguments[i].region, written.arguments[i].region);
    EXPECT_EQ(read.arguments[i].element, written.arguments[i].element);
    EXPECT_EQ(read.arguments[i].count, written.arguments[i].count);
  }
}

TEST(Capture, SurvivesWritingAndReading) {
  const TempDir folder;
  for (const char* arch : isa::kArchitectures) {
    Capture capture = captured(emu::softmax(arch, 5, 33));
    capture.source_note = "a \"quoted\" note\n";
    const std::string path = folder / arch;
    const auto written = write_capture(path, capture);
    ASSERT_TRUE(written.has_value()) << written.error().message;
    EXPECT_TRUE(is_capture(path));
    const auto read = read_capture(path);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    expect_same(*read, capture);
  }
}

TEST(Capture, KeepsDynamicLdsAndEmptyBuffers) {
  emu::KernelRun run = emu::vector_add("gfx90a", 0);
  run.grid = {64, 1, 1};
  run.dynamic_lds_bytes = 512;
  const Capture capture = captured(run);
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  const auto read = read_capture(folder / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  expect_same(*read, capture);
}

TEST(Capture, HoldsPostImagesOfChangedRegionsOnly) {
  const Capture capture = small_capture();
  ASSERT_EQ(capture.regions.size(), 3U);
  EXPECT_FALSE(capture.regions[0].after || capture.regions[1].after);
  ASSERT_TRUE(capture.regions[2].after);
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", capture).has_value());
  const auto post = std::filesystem::directory_iterator(folder / "c/post");
  EXPECT_EQ(std::distance(begin(post), end(post)), 1);
}

TEST(Capture, IsNeverOverwritten) {
  const TempDir folder;
  std::filesystem::create_directory(folder / "taken");
  const auto written = write_capture(folder / "taken", small_capture());
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Errc::denied);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "taken"));
}

TEST(Capture, LeavesNothingWhenWritingIsInterrupted) {
  const TempDir folder;
  const Capture capture = small_capture();
  interrupt::raise();
  const auto written = write_capture(folder / "c", capture);
  interrupt::clear();
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Errc::interrupted);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Capture, IsCheckedBeforeItIsWritten) {
  const TempDir folder;
  Capture capture = small_capture();
  capture.kernel = "another";
  EXPECT_EQ(write_capture(folder / "c", capture).error().code, Errc::usage);
  capture = small_capture();
  capture.regions[1].base = capture.regions[0].base + 8;
  EXPECT_THAT(write_capture(folder / "c", capture).error().message, HasSubstr("overlaps"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Capture, NamesFolderThatIsNotThere) {
  const auto read = read_capture("/nowhere/at/all");
  EXPECT_EQ(read.error().code, Errc::not_found);
  EXPECT_THAT(read.error().message, HasSubstr("/nowhere/at/all"));
  EXPECT_FALSE(is_capture("/nowhere/at/all"));
}

}  // namespace
}  // namespace rpl
