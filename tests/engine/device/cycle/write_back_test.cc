// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "engine/device/cycle/write_back.h"

namespace rpl::cycle {
namespace {

/// Two XCDs with 4 KiB of L2 each: 32 lines of 128 bytes.
Parameters small() {
  Parameters p;
  p.xcds = 2;
  p.l1_line = 128;
  p.l2_bytes = 4096;
  return p;
}

TEST(WriteBack, ReadsALineOnce) {
  WriteBackTraffic traffic(small());
  for (int i = 0; i < 3; ++i) traffic.load(7, 0);
  EXPECT_EQ(traffic.finish().bytes_read(), 128U);
}

TEST(WriteBack, EachXcdReadsForItself) {
  WriteBackTraffic traffic(small());
  for (std::uint32_t workgroup = 0; workgroup < 4; ++workgroup) traffic.load(7, workgroup);
  EXPECT_EQ(traffic.finish().read_requests, 2U);
}

TEST(WriteBack, GivesWhatWasWrittenToMemoryAtTheEndOnce) {
  WriteBackTraffic traffic(small());
  for (int again = 0; again < 5; ++again) {
    for (std::uint64_t at = 0; at < 256; at += 8) traffic.store(at, 8, 0);
  }
  const BoundaryCounts counts = traffic.finish();
  EXPECT_EQ(counts.write_64, 4U);
  EXPECT_EQ(counts.write_32, 0U);
  EXPECT_EQ(counts.read_requests, 0U) << "a store brings no line in";
}

TEST(WriteBack, WritesPartsOfLinesInSectors) {
  WriteBackTraffic traffic(small());
  traffic.store(4, 4, 0);         // the first sector of a pair
  traffic.store(128 + 62, 4, 0);  // two sectors of different pairs
  const BoundaryCounts counts = traffic.finish();
  EXPECT_EQ(counts.write_64, 0U);
  EXPECT_EQ(counts.write_32, 3U);
}

TEST(WriteBack, AChangeInPlaceIsReadAndWritten) {
  WriteBackTraffic traffic(small());
  for (std::uint64_t line = 0; line < 8; ++line) {
    traffic.load(line, 0);
    traffic.store(line * 128, 128, 0);
  }
  const BoundaryCounts counts = traffic.finish();
  EXPECT_EQ(counts.bytes_read(), 8U * 128);
  EXPECT_EQ(counts.bytes_written(), 8U * 128);
}

TEST(WriteBack, ReadingWhatWasWrittenWholeNeedsNoMemory) {
  WriteBackTraffic traffic(small());
  traffic.store(0, 128, 0);
  traffic.load(0, 0);
  traffic.store(128, 32, 0);
  traffic.load(1, 0);
  EXPECT_EQ(traffic.finish().read_requests, 1U);
}

TEST(WriteBack, WhatDoesNotFitGoesOutAndComesBack) {
  WriteBackTraffic traffic(small());
  constexpr std::uint64_t kLines = 512;  // sixteen times the cache
  for (int again = 0; again < 2; ++again) {
    for (std::uint64_t line = 0; line < kLines; ++line) {
      traffic.load(line, 0);
      traffic.store(line * 128, 64, 0);
    }
  }
  const BoundaryCounts counts = traffic.finish();
  EXPECT_EQ(counts.read_requests, 2 * kLines);
  EXPECT_EQ(counts.write_64, 2 * kLines);
}

}  // namespace
}  // namespace rpl::cycle
