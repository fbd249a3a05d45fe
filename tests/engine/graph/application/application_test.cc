// SPDX-License-Identifier: MIT
#include "engine/graph/application/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/graph/graph_of.h"

namespace rpl::findings {
namespace {

using testing::TinyTrace;

constexpr std::int64_t kUs = 1000;

Findings found_in(const TinyTrace& tiny, const ApplicationFacts& facts = {}) {
  return find_in_application(*testing::graph_of(tiny), facts).value();
}
const Finding* of(const Findings& found, Cause cause) {
  const auto at = std::ranges::find(found.all, cause, &Finding::cause);
  return at == found.all.end() ? nullptr : &*at;
}

/// Makes a program's recording, call by call: the host's clock and one stream.
class Program {
 public:
  TinyTrace tiny;

  /// The host is in a call for `ns`.
  std::uint64_t call(const std::string& name, std::int64_t ns) {
    tiny.calls.push_back({1, now_, now_ + ns, ++id_, 0, name});
    now_ += ns;
    return id_;
  }
  void work(std::int64_t ns) { now_ += ns; }
  void launch(const std::string& kernel, std::int64_t ns) {
    const std::uint64_t id = call("hipLaunchKernel", 2 * kUs);
    const std::int64_t start = std::max(now_ + 3 * kUs, device_ + 3 * kUs);
    device_ = start + ns;
    tiny.ops.push_back({kernel, 0, 0, start, device_, id});
  }
  void wait() {
    const std::int64_t begin = now_;
    const std::int64_t end = std::max(now_, device_) + 2 * kUs;
    const std::uint64_t id = call("hipDeviceSynchronize", end - begin);
    tiny.syncs.push_back({.kind = SyncKind::device_synchronize,
                          .start_ns = begin,
                          .end_ns = end,
                          .thread = 1,
                          .correlation = id});
  }
  void copy(const std::string& way, std::int64_t ns, std::uint64_t from = 0, std::uint64_t to = 0) {
    const std::int64_t begin = now_, start = std::max(now_ + 5 * kUs, device_);
    device_ = start + ns;
    const std::uint64_t id = call("hipMemcpy", device_ + 2 * kUs - begin);
    tiny.copies.push_back({0, start, device_, id, 0, "MEMORY_COPY_" + way,
                           static_cast<std::uint64_t>(ns) * 50, from, to});
    tiny.syncs.push_back({.kind = SyncKind::blocking_copy,
                          .start_ns = begin,
                          .end_ns = now_,
                          .stream = 0,
                          .thread = 1,
                          .correlation = id});
  }

 private:
  std::int64_t now_ = 0, device_ = 0;
  std::uint64_t id_ = 0;
};

TEST(Application, WithLongKernelsHasNothingOfNote) {
  Program program;
  for (int i = 0; i < 5; ++i) program.launch("a", 1000 * kUs);
  program.wait();
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all.size(), 1U);
  EXPECT_EQ(found.all[0].cause, Cause::nothing_of_note);
  EXPECT_GT(found.all[0].evidence.at(0).value, 0.99);
  EXPECT_EQ(found.without_faults.high, 0);
}

TEST(Application, OfShortKernelsIsBoundByLaunches) {
  Program program;
  for (int i = 0; i < 50; ++i) program.launch("a", 2 * kUs);
  program.wait();
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::launch_bound);
  // Of each 5 us the kernel is 2, of which three quarters may be its beginning, its end and what its neighbours have.
  EXPECT_NEAR(found.all[0].worth->high, 0.9 + 0.05, 0.01);
  EXPECT_NEAR(found.all[0].worth->low, 0.45 - 0.05, 0.01);
  EXPECT_THAT(found.all[0].remedy, ::testing::HasSubstr("k0"));
}

TEST(Application, ThatWaitsForEachKernelIsBoundByWaits) {
  Program program;
  for (int i = 0; i < 20; ++i) {
    program.launch("a", 10 * kUs);
    program.wait();
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::host_sync_bound);
  // A round of 17 us becomes one of 13, or of 10 where nobody knows how soon neighbours follow each other.
  EXPECT_LT(found.all[0].worth->low, 1 - 13.0 / 17);
  EXPECT_GT(found.all[0].worth->high, 1 - 13.0 / 17);
  EXPECT_EQ(*found.all[0].where.at(0).what, "hipDeviceSynchronize, 19 calls");
}

TEST(Application, ThatLooksAtAResultEachRoundNeedNotCopyItEither) {
  Program program;
  for (int i = 0; i < 20; ++i) {
    program.launch("a", 4 * kUs);
    program.copy("DEVICE_TO_HOST", kUs);
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::host_sync_bound);
  // A round of 12 us: 2 to launch, 3 until the kernel runs, 4 for it, 1 for the copy, 2 until the host goes on. Without waits a kernel and its copy take 7.5, half of what a launch waits
  // included; without the copy the kernel takes 6.5.
  EXPECT_GT(found.all[0].worth->high, 1 - 7.0 / 12 + 0.05);
  EXPECT_LT(found.all[0].worth->high, 1 - 6.0 / 12 + 0.05);
}

TEST(Application, ThatAllocatesInItsLoopIsToldSo) {
  Program program;
  for (int i = 0; i < 20; ++i) {
    program.call("hipMalloc", 50 * kUs);
    program.launch("a", 20 * kUs);
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::allocation_in_loop);
  // A round of 52 us, of which the kernel and the gap behind it are 23.
  EXPECT_LE(found.all[0].worth->low, 1 - 23.0 / 52);
  EXPECT_GE(found.all[0].worth->high, 1 - 23.0 / 52);
  EXPECT_EQ(of(found, Cause::module_loading_in_loop), nullptr);
}

TEST(Application, ThatAllocatesBeforeItsLoopIsNot) {
  Program program;
  for (int i = 0; i < 20; ++i) program.call("hipMalloc", 50 * kUs);
  for (int i = 0; i < 20; ++i) program.launch("a", 20 * kUs);
  EXPECT_EQ(of(found_in(program.tiny), Cause::allocation_in_loop), nullptr);
}

TEST(Application, ThatLoadsCodeInItsLoopIsToldSo) {
  Program program;
  for (int i = 0; i < 20; ++i) {
    program.call("hipModuleLoadData", 200 * kUs);
    program.launch("a", 20 * kUs);
  }
  EXPECT_EQ(found_in(program.tiny).all[0].cause, Cause::module_loading_in_loop);
}

TEST(Application, WhoseHostIsBusyBetweenItsCallsLeavesTheDeviceIdle) {
  Program program;
  for (int i = 0; i < 20; ++i) {
    program.work(60 * kUs);
    program.launch("a", 20 * kUs);
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::idle_device);
  EXPECT_NEAR(found.all[0].worth->high, 1 - 23.0 / 62, 0.06);
}

TEST(Application, ThatCopiesInTurnCouldOverlap) {
  Program program;
  for (int i = 0; i < 10; ++i) {
    program.copy("HOST_TO_DEVICE", 40 * kUs, 0x1000 + 0x100 * i, 0x9000);
    program.launch("a", 60 * kUs);
    program.copy("DEVICE_TO_HOST", 40 * kUs, 0x9000, 0x1000 + 0x100 * i);
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::exposed_copies);
  EXPECT_EQ(of(found, Cause::repeated_copies), nullptr);
  EXPECT_EQ(of(found, Cause::copy_bound), nullptr) << "a symptom that is explained";
  EXPECT_GT(found.all[0].worth->low, 0.3);
}

TEST(Application, ThatCopiesBeforeItsWorkAndAfterItIsNotBoundByCopies) {
  Program program;
  program.copy("HOST_TO_DEVICE", 500 * kUs, 0x1000, 0x9000);
  program.launch("a", 20 * kUs);
  program.copy("DEVICE_TO_HOST", 500 * kUs, 0x9000, 0x1000);
  EXPECT_EQ(found_in(program.tiny).all[0].cause, Cause::nothing_of_note);
}

TEST(Application, ThatCopiesTheSameAgainIsToldThatFirst) {
  Program program;
  for (int i = 0; i < 10; ++i) {
    program.copy("HOST_TO_DEVICE", 80 * kUs, 0x1000, 0x9000);
    program.launch("a", 60 * kUs);
  }
  const Findings found = found_in(program.tiny);
  ASSERT_EQ(found.all[0].cause, Cause::repeated_copies);
  EXPECT_GT(found.all[0].worth->high, 0.5);
}

TEST(Application, OfCopiesFromPageableMemoryHasNoPriceForThemWithoutOthers) {
  Program program;
  program.copy("HOST_TO_DEVICE", 500 * kUs, 0, 0x9000);
  program.launch("a", 500 * kUs);
  const Findings found = found_in(program.tiny);
  const Finding* pageable = of(found, Cause::pageable_copies);
  ASSERT_NE(pageable, nullptr);
  EXPECT_FALSE(pageable->worth.has_value());
  EXPECT_THAT(pageable->assumes, ::testing::StartsWith("not priced"));
}

TEST(Application, OfStreamsThatTakeTurnsCouldRunThemSideBySide) {
  TinyTrace tiny;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = 100 * kUs * i;
    const auto id = static_cast<std::uint64_t>(2 * i + 1);
    tiny.ops.push_back({"a", 0, 0, at + 5 * kUs, at + 55 * kUs, id});
    tiny.ops.push_back({"b", 1, 1, at + 55 * kUs, at + 105 * kUs, id + 1});
    tiny.calls.push_back({1, i * 2 * kUs, i * 2 * kUs + kUs, id});
    tiny.calls.push_back({1, i * 2 * kUs + kUs, i * 2 * kUs + 2 * kUs, id + 1});
  }
  const Findings small = found_in(tiny, {{0.25, 0.25}});
  ASSERT_EQ(small.all[0].cause, Cause::stream_serialization);
  EXPECT_GT(small.all[0].worth->high, 0.4);
  const Findings large = found_in(tiny, {{1.0, 1.0}});
  EXPECT_EQ(of(large, Cause::stream_serialization), nullptr) << "each fills the device";
}

TEST(Application, OfStreamsThatTheNullStreamHoldsUpCouldRunThemSideBySide) {
  // Stream 2 is launched into between the others, and each waits for it and it for each: no edge of the graph says so.
  TinyTrace tiny;
  std::uint64_t id = 0;
  std::int64_t device = 3 * kUs;
  for (int i = 0; i < 10; ++i) {
    for (const int stream : {0, 2, 1, 2}) {
      const std::int64_t host = static_cast<std::int64_t>(id) * kUs,
                         end = device + (stream == 2 ? 1 : 50) * kUs;
      tiny.ops.push_back({stream == 2 ? "tick" : "a", stream, stream, device, end, ++id});
      tiny.calls.push_back({1, host, host + kUs, id});
      device = end;
    }
  }
  const Findings found = found_in(tiny, {{0.25, 0.25, 0.25}});
  ASSERT_EQ(found.all[0].cause, Cause::stream_serialization);
  EXPECT_NEAR(found.all[0].worth->high, 0.5, 0.1);
}

TEST(Application, OfSeveralRanksNamesTheOneThatComesLast) {
  TinyTrace tiny;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = 100 * kUs * i;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      const std::int64_t late = rank == 2 ? 40 * kUs : 0;
      tiny.ops.push_back({"work", 0, 0, at, at + 40 * kUs + late, 0, 0, rank});
      tiny.ops.push_back(
          {"ncclDevKernel_AllReduce", 1, 1, at + 40 * kUs + late, at + 90 * kUs, 0, 0, rank});
    }
  }
  const Findings found = found_in(tiny);
  const Finding* straggler = of(found, Cause::straggler_rank);
  ASSERT_NE(straggler, nullptr);
  EXPECT_EQ(straggler->evidence.at(0).value, 1);
  EXPECT_NEAR(straggler->worth->high, 0.4 + 0.05, 0.02);
}

TEST(Application, OfOneRankSaysHowLongItWaitsInCollectives) {
  TinyTrace tiny;
  std::int64_t at = 0;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t length = i % 4 == 0 ? 200 * kUs : 20 * kUs;
    tiny.ops.push_back({"work", 0, 0, at, at + 50 * kUs});
    tiny.ops.push_back({"ncclDevKernel_Generic_1", 0, 0, at + 50 * kUs, at + 50 * kUs + length});
    at += 50 * kUs + length;
  }
  const Findings found = found_in(tiny);
  const Finding* wait = of(found, Cause::collective_wait);
  ASSERT_NE(wait, nullptr);
  EXPECT_NEAR(wait->worth->high, 5.0 * 180 / (20 * 70 + 5 * 180) + 0.05, 0.01);
}

TEST(Application, WithoutRecordedCallsPromisesNothingOfItsGaps) {
  TinyTrace tiny;
  for (int i = 0; i < 10; ++i)
    tiny.ops.push_back({"a", 0, 0, 100 * kUs * i, 100 * kUs * i + 30 * kUs});
  const Findings found = found_in(tiny);
  ASSERT_EQ(found.all[0].cause, Cause::idle_device);
  EXPECT_EQ(found.all[0].worth->low, 0);
  EXPECT_NEAR(found.all[0].worth->high, 0.68, 0.01);
}

TEST(Application, IsFoundAsDocumentsHaveIt) {
  Program program;
  for (int i = 0; i < 50; ++i) program.launch("a", 2 * kUs);
  const Findings found = found_in(program.tiny);
  const Findings again = findings_from_json(to_json(found)).value();
  ASSERT_EQ(again.all.size(), found.all.size());
  EXPECT_EQ(again.all[0].where.at(0).what, found.all[0].where.at(0).what);
  for (const CauseInfo& one : causes()) {
    EXPECT_EQ(is_of_application(one.cause),
              one.cause >= Cause::launch_bound && one.cause < Cause::nothing_of_note);
  }
}

}  // namespace
}  // namespace rpl::findings
