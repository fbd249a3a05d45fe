// SPDX-License-Identifier: MIT
#include "engine/device/debug/memory_history.h"

#include <gtest/gtest.h>

#include <cstring>

namespace rpl::debug {
namespace {

/// Two regions, written at random places between the moments, beside plain copies of what they held.
class History : public testing::Test {
 protected:
  History() {
    memory.allocate(3 * MemoryHistory::kPage + 100, "a");
    memory.allocate(700, "b");
    memory.allocate(64, "read only").writable = false;
  }
  void scribble() {
    for (int i = 0; i < 20; ++i) {
      random = random * 1664525 + 1013904223;
      const emu::Region* region = memory.regions()[random >> 31];
      region->host[(random >> 8) % region->size] = static_cast<std::byte>(random >> 3);
    }
  }
  std::vector<std::vector<std::byte>> now() const {
    std::vector<std::vector<std::byte>> all;
    for (const emu::Region* region : memory.regions())
      all.emplace_back(region->host, region->host + region->size);
    return all;
  }
  emu::Memory memory;
  std::uint32_t random = 5;
};

TEST_F(History, GoesBackToAnyMoment) {
  MemoryHistory history(memory);
  std::vector<std::vector<std::vector<std::byte>>> wanted{now()};
  for (int i = 0; i < 9; ++i) {
    scribble();
    history.push();
    wanted.push_back(now());
  }
  EXPECT_EQ(history.moments(), 10U);
  scribble();
  for (const std::size_t moment : {9U, 6U, 6U, 1U, 0U}) {
    history.restore(moment);
    EXPECT_EQ(now(), wanted[moment]) << moment;
    EXPECT_EQ(history.moments(), moment + 1);
    scribble();
  }
  EXPECT_EQ(history.bytes(), 0U) << "the first moment needs no more than the copy";
}

TEST_F(History, ForgetsMomentsBetweenOthers) {
  MemoryHistory history(memory);
  std::vector<std::vector<std::vector<std::byte>>> wanted{now()};
  for (int i = 0; i < 6; ++i) {
    scribble();
    history.push();
    wanted.push_back(now());
  }
  const std::uint64_t before = history.bytes();
  history.forget(5);
  history.forget(3);
  history.forget(1);
  EXPECT_LE(history.bytes(), before);
  EXPECT_EQ(history.moments(), 4U);
  for (const auto& [moment, original] : {std::pair{3U, 6U}, {2U, 4U}, {1U, 2U}, {0U, 0U}}) {
    history.restore(moment);
    EXPECT_EQ(now(), wanted[original]);
  }
}

TEST_F(History, KeepsNothingWhereNothingChanged) {
  MemoryHistory history(memory);
  history.push();
  EXPECT_EQ(history.bytes(), 0U);
  EXPECT_EQ(history.watched_bytes(), 3 * MemoryHistory::kPage + 800)
      << "what cannot be written is not compared";
}

}  // namespace
}  // namespace rpl::debug
