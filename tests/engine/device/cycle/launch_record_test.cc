// SPDX-License-Identifier: MIT
#include "engine/device/cycle/launch_time.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "engine/base/files.h"
#include "tests/support/temp_dir.h"

namespace rpl::cycle {
namespace {

/// A wave that loads two lines, waits, adds, stores and ends.
std::unique_ptr<WaveStream> wave(std::uint64_t line) {
  auto out = std::make_unique<WaveStream>();
  out->lines = {AccessHead{.lines = 2}.packed(),
                line,
                line + 1,
                AccessHead{.lines = 2, .requests = 4}.packed(),
                line + 100,
                line + 101};
  out->steps = {{0, 1}, {1, 0}, {2, 0}, {3, 4}, {4, 0}};
  out->executed = out->steps.size();
  return out;
}

LaunchRecord record() {
  LaunchRecord out;
  out.gpu = "MI300A";
  out.instructions = {"global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)",
                      "v_add_f32 v1, v1, v1", "global_store_dword v[2:3], v1, off", "s_endpgm"};
  out.matrix_passes.resize(out.instructions.size());
  out.traffic.rows.resize(out.instructions.size());
  out.traffic.rows[3].stores = true;
  out.traffic.line = 128;
  out.traffic.read_lines = 4;
  out.traffic.written_lines = out.traffic.written_back = 4;
  out.workgroups = 2;
  out.waves = 2;
  out.vgprs = 8;
  out.by_unit = {10, 10};
  out.kept.resize(1);
  out.kept[0].push_back(wave(1000));
  out.kept[0].push_back(wave(2000));
  return out;
}

class LaunchRecords : public testing::Test {
 protected:
  const Parameters& p_ = **builtin_parameters("MI300A");
  testing_support::TempDir dir_;
  const std::string path_ = dir_.path() + "/1.launch";
};

TEST_F(LaunchRecords, AreTimedAlikeAfterTheyWereWrittenAndRead) {
  const LaunchRecord before = record();
  ASSERT_TRUE(write_record(before, path_));
  const auto after = read_record(path_);
  ASSERT_TRUE(after.has_value()) << after.error().message;
  EXPECT_EQ(after->instructions, before.instructions);
  EXPECT_EQ(after->by_unit, before.by_unit);
  EXPECT_EQ(after->kept[0][1]->lines, before.kept[0][1]->lines);
  EXPECT_TRUE(after->traffic.rows[3].stores);
  EXPECT_EQ(after->traffic.written_back, 4U);
  const auto one = time_launch(before, p_, false), other = time_launch(*after, p_, false);
  ASSERT_TRUE(one.has_value());
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(one->cycles, other->cycles);
  EXPECT_EQ(one->executed, 10U);
}

TEST_F(LaunchRecords, OfBeforeTheTailWasKeptAreRead) {
  LaunchRecord before = record();
  ASSERT_TRUE(write_record(before, path_));
  const auto packed = read_binary_file(path_);
  ASSERT_TRUE(packed.has_value());
  std::string bytes(ZSTD_getFrameContentSize(packed->data(), packed->size()), '\0');
  ASSERT_EQ(ZSTD_decompress(bytes.data(), bytes.size(), packed->data(), packed->size()),
            bytes.size());
  // Nothing on the channels, no workgroups, nothing on other dies of each operation.
  const std::size_t later = 2 + before.traffic.rows.size();
  std::vector<std::byte> old(ZSTD_compressBound(bytes.size()));
  old.resize(ZSTD_compress(old.data(), old.size(), bytes.data(), bytes.size() - later, 1));
  ASSERT_TRUE(write_file(path_, old));
  const auto after = read_record(path_);
  ASSERT_TRUE(after.has_value()) << after.error().message;
  EXPECT_TRUE(after->by_workgroup.empty());
  EXPECT_EQ(time_launch(*after, p_, false)->cycles, time_launch(before, p_, false)->cycles);
}

TEST_F(LaunchRecords, ALongWorkgroupIsWaitedFor) {
  LaunchRecord all_alike = record();
  all_alike.workgroups = 1000;
  all_alike.by_workgroup = {{.workgroups = 1000, .instructions = 5}};
  LaunchRecord one_long = record();
  one_long.workgroups = 1000;
  one_long.by_workgroup = {{.workgroups = 999, .instructions = 5},
                           {.workgroups = 1, .instructions = 5000}};
  ASSERT_TRUE(write_record(one_long, path_));
  const auto read = read_record(path_);
  ASSERT_TRUE(read.has_value());
  const std::uint64_t alike = time_launch(all_alike, p_, false)->cycles,
                      with_long = time_launch(*read, p_, false)->cycles;
  EXPECT_GT(with_long, alike + 5000 * p_.issue);
  std::ranges::reverse(one_long.by_workgroup);
  EXPECT_LE(time_launch(one_long, p_, false)->cycles, with_long) << "it begins with the others";
}

TEST_F(LaunchRecords, LoadsWhoseLanesLieApartTakeTurns) {
  LaunchRecord apart = record();
  for (auto& stream : apart.kept[0])
    stream->lines[0] = AccessHead{.lines = 2, .requests = 64}.packed();
  Parameters turns = p_, none = p_;
  turns.l1_scatter = 1;
  none.l1_scatter = 0;
  EXPECT_GT(time_launch(apart, turns, false)->cycles, time_launch(apart, none, false)->cycles);
  EXPECT_EQ(time_launch(record(), turns, false)->cycles,
            time_launch(record(), none, false)->cycles);
}

TEST_F(LaunchRecords, WorkgroupsAreHandedOutOneAfterTheOther) {
  LaunchRecord many = record();
  many.workgroups = 600000;
  Parameters slow = p_;
  slow.workgroup_launch = 10;
  EXPECT_GE(time_launch(many, slow, false)->cycles, 600000 / p_.xcds * 10);
}

TEST_F(LaunchRecords, AnotherConstantGivesAnotherTime) {
  Parameters slower = p_;
  slower.hbm_latency += 500;
  EXPECT_EQ(time_launch(record(), slower, false)->cycles,
            time_launch(record(), p_, false)->cycles + 500);
}

// Two stores of a wave to the even and the odd elements of a line: the second waits for the first.
TEST_F(LaunchRecords, AStoreInPartWaitsForTheOneThatWritesTheSameLine) {
  const auto cycles = [&](std::uint16_t partial, std::uint64_t second_line) {
    LaunchRecord out = record();
    for (auto& stream : out.kept[0]) {
      const std::uint64_t head = AccessHead{.lines = 1, .requests = 2, .partial = partial}.packed();
      stream->lines = {head, 5000, head, second_line};
      stream->steps = {{3, 1}, {3, 3}, {4, 0}};
      stream->executed = 3;
    }
    out.kept[0].pop_back();
    out.by_unit = {3};
    return time_launch(out, p_, false)->cycles;
  };
  const std::uint64_t whole = cycles(0, 5000);
  EXPECT_EQ(cycles(1, 5000), whole) << "the end of a row";
  EXPECT_EQ(cycles(2, 6000), cycles(0, 6000)) << "different lines";
  EXPECT_NEAR(static_cast<double>(cycles(2, 5000)), static_cast<double>(whole + p_.store_conflict),
              100);
}

TEST_F(LaunchRecords, BytesBehindTheL2TakeTheirTime) {
  LaunchRecord many = record();
  constexpr std::uint64_t kLines = 10'000'000;
  const auto cycles = [&] {
    return static_cast<double>(time_launch(many, p_, false)->cycles - p_.launch - p_.drain);
  };
  many.traffic.read_lines = kLines;
  many.traffic.written_lines = many.traffic.written_back = 0;
  const double reads = cycles();
  EXPECT_NEAR(reads, kLines * 128 / p_.hbm_bandwidth, 2);
  many.traffic.reads_looked_up = many.traffic.reads_in_mall = 1;
  EXPECT_NEAR(cycles(), kLines * 128 / p_.mall_bandwidth, 2) << "the Infinity Cache has them";
  many.traffic.read_lines = 0;
  many.traffic.written_lines = many.traffic.written_back = kLines;
  EXPECT_NEAR(cycles(), p_.write_cost * reads, 4);
  many.traffic.busiest_channel = kLines;
  EXPECT_NEAR(cycles(), kLines * 128 / p_.channel_bandwidth, 2) << "all in one channel";
}

TEST_F(LaunchRecords, WhatWasCutOrIsSomethingElseIsRefused) {
  ASSERT_TRUE(write_record(record(), path_));
  const auto whole = read_binary_file(path_);
  ASSERT_TRUE(whole.has_value());
  for (std::size_t size = 0; size < whole->size(); size += 7) {
    ASSERT_TRUE(write_file(path_, std::span(*whole).first(size)));
    EXPECT_EQ(read_record(path_).error().code, Errc::corrupt) << size;
  }
  ASSERT_TRUE(write_file(path_, std::string_view("not one")));
  EXPECT_EQ(read_record(path_).error().code, Errc::corrupt);
  EXPECT_EQ(read_record(path_ + ".none").error().code, Errc::not_found);
}

// Whatever the file says of places and counts, nothing beyond the lines that are there is read.
TEST_F(LaunchRecords, PlacesThatAreNotThereAreNoAccess) {
  LaunchRecord strange = record();
  strange.kept[0][0]->steps[0].detail = 4'000'000;
  strange.kept[0][1]->lines[0] = AccessHead{.lines = 60000}.packed();
  ASSERT_TRUE(write_record(strange, path_));
  const auto read = read_record(path_);
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(time_launch(*read, p_, false).has_value());
  strange.kept[0][0]->steps[0].operation = 99;
  ASSERT_TRUE(write_record(strange, path_));
  EXPECT_EQ(read_record(path_).error().code, Errc::corrupt);
}

}  // namespace
}  // namespace rpl::cycle
