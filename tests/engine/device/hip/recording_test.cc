// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "engine/device/hip/recording.h"
#include "tests/support/temp_dir.h"

namespace rpl::emu::hip {
namespace {

std::string written(const testing_support::TempDir& folder) {
  {
    auto writer = RecordingWriter::create(folder / "r");
    EXPECT_TRUE(writer.has_value());
    writer->add(ProcessRecord{.pid = 7,
                              .ppid = 3,
                              .start_ns = 5,
                              .command = "app -x",
                              .product = "MI300X",
                              .devices = 2,
                              .host_model = "m"});
    writer->add(CallRecord{.correlation = 9,
                           .thread = 7,
                           .start_ns = 10,
                           .end_ns = 20,
                           .name = "hipMalloc",
                           .arguments = {{"size_t", "size", "4"}, {"void**", "ptr", ""}},
                           .result = 2});
    DispatchRecord dispatch;
    dispatch.place = {.correlation = 11,
                      .thread = 7,
                      .device = 1,
                      .queue = 5,
                      .stream = 3,
                      .start_ns = 30,
                      .end_ns = 40};
    dispatch.grid = {256, 2, 1};
    dispatch.model = "cycles";
    writer->add(dispatch);
    writer->add(EndRecord{50, "", 0.25});
  }
  return folder.read("r");
}

TEST(Recording, ReadsWhatWasWritten) {
  const testing_support::TempDir folder;
  const std::string bytes = written(folder);
  const auto read = read_recording(bytes);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->records.size(), 4U);
  EXPECT_TRUE(read->complete);
  EXPECT_EQ(std::get<ProcessRecord>(read->records[0]).command, "app -x");
  const auto& call = std::get<CallRecord>(read->records[1]);
  EXPECT_EQ(call.name, "hipMalloc");
  ASSERT_EQ(call.arguments.size(), 2U);
  EXPECT_EQ(call.arguments[0].value, "4");
  EXPECT_EQ(call.result, 2);
  const auto& dispatch = std::get<DispatchRecord>(read->records[2]);
  EXPECT_EQ(dispatch.place.stream, 3U);
  EXPECT_EQ(dispatch.grid[1], 2U);
  EXPECT_EQ(std::get<EndRecord>(read->records[3]).emulation_s, 0.25);
}

TEST(Recording, KeepsWhatIsWholeOfAFileCutShort) {
  const testing_support::TempDir folder;
  const std::string bytes = written(folder);
  std::size_t records = 0;
  for (std::size_t size = 8; size < bytes.size(); ++size) {
    const auto read = read_recording(std::string_view(bytes).substr(0, size));
    ASSERT_TRUE(read.has_value()) << size;
    EXPECT_FALSE(read->complete);
    EXPECT_GE(read->records.size(), records);
    records = read->records.size();
  }
  EXPECT_EQ(records, 3U);
}

TEST(Recording, IsThereBeforeItsWriterEnds) {
  const testing_support::TempDir folder;
  auto writer = RecordingWriter::create(folder / "r");
  ASSERT_TRUE(writer.has_value());
  constexpr std::size_t kCalls = 50'000;  // more than one window
  for (std::size_t i = 0; i < kCalls; ++i)
    writer->add(CallRecord{.correlation = i, .name = "hipMemcpyAsync"});
  const auto read = read_recording_file(folder / "r");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->records.size(), kCalls);
  EXPECT_EQ(std::get<CallRecord>(read->records.back()).correlation, kCalls - 1);
  EXPECT_FALSE(read->complete);
}

TEST(Recording, RefusesWhatItIsNot) {
  EXPECT_FALSE(read_recording("SQLite format 3"));
  EXPECT_EQ(read_recording_file("/nowhere/r").error().code, Errc::not_found);
  std::string bytes("rplemu 3\x05\0\0\0\x63xxxx", 17);
  EXPECT_EQ(read_recording(bytes).error().code, Errc::corrupt);
}

TEST(Recording, DoesNotBelieveCounts) {
  const testing_support::TempDir folder;
  std::string bytes = written(folder);
  // The number of arguments stands behind the name of the call.
  const std::size_t at = bytes.find("hipMalloc") + std::strlen("hipMalloc");
  const std::uint32_t many = 0x7fffffff;
  std::memcpy(bytes.data() + at, &many, sizeof(many));
  EXPECT_EQ(read_recording(bytes).error().code, Errc::corrupt);
}

}  // namespace
}  // namespace rpl::emu::hip
