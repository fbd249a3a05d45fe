// SPDX-License-Identifier: MIT
// What the tool keeps of memory and copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/intercept/copies.h"
#include "engine/intercept/memory_log.h"
#include "tests/engine/intercept/mini_runtime.h"

namespace rpl::intercept {
namespace {

KnownRange range(std::uint64_t base, std::uint64_t bytes, RegionKind kind = RegionKind::pool,
                 std::uint64_t source = 0) {
  return {.base = base,
          .bytes = bytes,
          .kind = kind,
          .flags = 0,
          .source = source == 0 ? base : source};
}

std::vector<std::uint64_t> bases(const MemoryLog& log) {
  std::vector<std::uint64_t> out;
  for (const KnownRange& one : log.all()) out.push_back(one.base);
  return out;
}

TEST(MemoryLog, KnowsAnyNumberOfRanges) {
  MemoryLog log;
  for (std::uint64_t i = 1; i <= 5000; ++i) log.add(range(i * 0x1000, 0x800));
  EXPECT_EQ(log.all().size(), 5000U);
  EXPECT_EQ(log.find(0x2000 + 0x7ff)->base, 0x2000U);
  EXPECT_FALSE(log.find(0x2000 + 0x800));
  EXPECT_FALSE(log.find(0xfff));
  log.remove(0x2000);
  EXPECT_FALSE(log.find(0x2000));
  EXPECT_EQ(log.all().size(), 4999U);
}

TEST(MemoryLog, ANewRangeTakesThePlaceOfWhatItOverlaps) {
  MemoryLog log;
  log.add(range(0x1000, 0x1000));
  log.add(range(0x2000, 0x1000));
  log.add(range(0x3000, 0x1000));
  log.add(range(0x1800, 0x1000));
  EXPECT_EQ(bases(log), (std::vector<std::uint64_t>{0x1800, 0x3000}));
}

TEST(MemoryLog, LockedMemoryIsFreedByItsHostPointer) {
  MemoryLog log;
  log.add(range(0x9000, 0x100, RegionKind::locked, 0x5000));
  log.remove(0x9000);
  EXPECT_TRUE(log.find(0x9000));
  log.remove(0x5000);
  EXPECT_FALSE(log.find(0x9000));
}

TEST(MemoryLog, AnUnmapEndsEveryMappingInIt) {
  MemoryLog log;
  for (std::uint64_t at : {0x1000, 0x2000, 0x3000, 0x4000})
    log.add(range(at, 0x1000, RegionKind::vmem));
  log.remove_within(0x2000, 0x2000);
  EXPECT_EQ(bases(log), (std::vector<std::uint64_t>{0x1000, 0x4000}));
}

TEST(MemoryLog, NonsenseIsNotKept) {
  MemoryLog log;
  log.add(range(0, 0x1000));
  log.add(range(0x1000, 0));
  log.add(range(~std::uint64_t{0} - 10, 0x1000));
  EXPECT_TRUE(log.all().empty());
}

TEST(RangeIndex, FindsWhatTheLogHad) {
  const RangeIndex index({range(0x1000, 0x100), range(0x3000, 0x100)});
  EXPECT_EQ(index.find(0x10ff)->base, 0x1000U);
  EXPECT_EQ(index.find(0x1100), nullptr);
  EXPECT_EQ(index.find(0xfff), nullptr);
  EXPECT_EQ(index.find(0x3000)->base, 0x3000U);
  EXPECT_EQ(index.find(0x3100), nullptr);
  EXPECT_EQ(index.bytes(), 0x200U);
  EXPECT_EQ(RangeIndex({}).find(1), nullptr);
}

class Copies : public testing::Test {
 protected:
  MiniRuntime runtime_;
  CopyLog log_{runtime_.calls()};
};

TEST_F(Copies, EndWithTheirSignal) {
  const Signal one = runtime_.signal(1), other = runtime_.signal(1);
  log_.submitting(one, {});
  log_.submitting(other, {});
  EXPECT_EQ(log_.in_flight(), 2U);
  runtime_.set(one, 0);
  EXPECT_EQ(log_.in_flight(), 1U);
  runtime_.set(other, 0);
  EXPECT_EQ(log_.in_flight(), 0U);
}

TEST_F(Copies, ThatShareASignalEndOneByOne) {
  const Signal shared = runtime_.signal(3);
  for (int i = 0; i < 3; ++i) log_.submitting(shared, {});
  EXPECT_EQ(log_.in_flight(), 3U);
  runtime_.set(shared, 2);
  EXPECT_EQ(log_.in_flight(), 2U);
  runtime_.set(shared, 0);
  EXPECT_EQ(log_.in_flight(), 0U);
}

TEST_F(Copies, ASignalIsUsedAgain) {
  const Signal signal = runtime_.signal(1);
  log_.submitting(signal, {});
  runtime_.set(signal, 0);
  runtime_.set(signal, 1);
  log_.submitting(signal, {});
  EXPECT_EQ(log_.in_flight(), 1U);
  runtime_.set(signal, 0);
  EXPECT_EQ(log_.in_flight(), 0U);
}

TEST_F(Copies, ThatWaitForOtherWorkHaveNotBegun) {
  const Signal signal = runtime_.signal(1), kernel = runtime_.signal(1);
  log_.submitting(signal, std::vector{kernel});
  EXPECT_EQ(log_.in_flight(), 0U);
  runtime_.set(kernel, 0);
  EXPECT_EQ(log_.in_flight(), 1U);
}

TEST_F(Copies, RefusedOnesAndDestroyedSignalsAreForgotten) {
  const Signal signal = runtime_.signal(1), kernel = runtime_.signal(0), other = runtime_.signal(1);
  log_.submitting(signal, {});
  log_.refused(signal);
  EXPECT_EQ(log_.in_flight(), 0U);
  log_.submitting(other, std::vector{kernel});
  log_.destroyed(kernel);
  EXPECT_EQ(log_.in_flight(), 1U);
  log_.destroyed(other);
  EXPECT_EQ(log_.in_flight(), 0U);
  log_.submitting(Signal{0}, {});
  EXPECT_EQ(log_.in_flight(), 0U);
}

}  // namespace
}  // namespace rpl::intercept
