// SPDX-License-Identifier: MIT
// Capture folders on the disk: what state they are in, and removing them.
#include "engine/capture/find_captures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "engine/capture/capture_writer.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::small_capture;
using ::testing::HasSubstr;
using testing_support::TempDir;

/// What a process that begins a capture in `path` and then does `what` leaves.
void in_a_process(const std::string& path, const auto& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto writer = CaptureWriter::create(path, "scale");
    static_cast<void>(writer->begin_before(0x1000, 1 << 20));
    what(*writer);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
}

TEST(FindCaptures, TellsTheStatesApart) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "a", small_capture()).has_value());
  ASSERT_TRUE(write_capture(folder / "b", small_capture()).has_value());
  folder.write("b/dispatch.json", "{");
  in_a_process(folder / "killed", [](CaptureWriter&) { ::raise(SIGKILL); });
  in_a_process(folder / "gave_up", [](CaptureWriter& writer) {
    static_cast<void>(writer.fail("the queue did not drain"));
  });
  auto writing = CaptureWriter::create(folder / "mine", "k");
  std::filesystem::create_directory(folder / "other");
  folder.write("file", "x");
  const auto found = find_captures(folder.path());
  ASSERT_TRUE(found.has_value());
  std::string text;
  for (const auto& one : *found)
    text +=
        fmt::format("{} {}: {}\n", std::filesystem::path(one.path).filename().string().substr(0, 4),
                    to_string(one.state), one.kernel);
  EXPECT_EQ(text,
            "a complete: vector_add\nb damaged: \ngave failed: scale\nkill interrupted: "
            "scale\nmine being written: k\n");
  EXPECT_EQ((*found)[0].regions, 3U);
  EXPECT_EQ((*found)[0].memory_bytes, 1600U);
  EXPECT_GE((*found)[0].stored_bytes, 1600U);
  EXPECT_THAT((*found)[1].reason, HasSubstr("dispatch.json: bad JSON"));
  EXPECT_EQ((*found)[2].reason, "the queue did not drain");
  EXPECT_THAT((*found)[3].reason, HasSubstr("is gone"));
}

TEST(FindCaptures, GoesIntoNoLoopOfLinks) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "a", small_capture()).has_value());
  std::filesystem::create_directory_symlink("..", folder / "up");
  std::filesystem::create_directory_symlink(".", folder / "same");
  std::filesystem::create_directory_symlink("/", folder / "root");
  EXPECT_EQ(find_captures(folder.path())->size(), 1U);
}

TEST(FindCaptures, TakesACaptureForItself) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "a", small_capture()).has_value());
  EXPECT_EQ(find_captures(folder / "a")->size(), 1U);
  EXPECT_EQ(find_captures(folder / "nowhere").error().code, Errc::not_found);
}

TEST(RemoveCapture, RemovesWholeAndUnfinishedOnes) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "a", small_capture()).has_value());
  in_a_process(folder / "killed", [](CaptureWriter&) { ::raise(SIGKILL); });
  const auto found = find_captures(folder.path());
  ASSERT_EQ(found->size(), 2U);
  for (const auto& one : *found) EXPECT_TRUE(remove_capture(one.path).has_value());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RemoveCapture, RefusesEverythingElse) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "a", small_capture()).has_value());
  std::filesystem::create_directory_symlink(folder / "a", folder / "link");
  std::filesystem::create_directory(folder / "other");
  folder.write("other/photo", "x");
  const auto message_of = [](const Status& status) {
    return status ? std::string() : status.error().message;
  };
  EXPECT_THAT(message_of(remove_capture(folder / "link")), HasSubstr("is a symbolic link"));
  EXPECT_THAT(message_of(remove_capture(folder / "link/")), HasSubstr("is a symbolic link"));
  EXPECT_THAT(message_of(remove_capture(folder / "other")), HasSubstr("is not a capture"));
  EXPECT_THAT(message_of(remove_capture(folder / "nowhere")), HasSubstr("no such folder"));
  folder.write("a/memory/thesis.tex", "x");
  EXPECT_THAT(message_of(remove_capture(folder / "a")),
              HasSubstr("holds memory/thesis.tex, which is not part of a capture"));
  auto writing = CaptureWriter::create(folder / "mine", "k");
  EXPECT_THAT(message_of(remove_capture(writing->folder())), HasSubstr("is being written"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/capture.json"));
}

}  // namespace
}  // namespace rpl
