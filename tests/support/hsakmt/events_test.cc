// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/events.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "tests/support/hsakmt/queue.h"

namespace rpl::hsakmt {
namespace {

using WaitOutcome = Events::Outcome;
constexpr std::chrono::milliseconds kNow{0};

TEST(Events, AWaitTakesTheEventUnlessItIsResetByHand) {
  Events events;
  const std::array once = {events.create(false, true, true)},
                   lasting = {events.create(true, true, true)};
  EXPECT_EQ(events.wait(once, false, kNow), WaitOutcome::set);
  EXPECT_EQ(events.wait(once, false, kNow), WaitOutcome::timeout);
  EXPECT_EQ(events.wait(lasting, false, kNow), WaitOutcome::set);
  EXPECT_EQ(events.wait(lasting, false, kNow), WaitOutcome::set);
  EXPECT_TRUE(events.reset(lasting[0]));
  EXPECT_EQ(events.wait(lasting, false, kNow), WaitOutcome::timeout);
}

TEST(Events, OneOrAllOfSeveral) {
  Events events;
  const std::array both = {events.create(false, false, true), events.create(false, false, true)};
  EXPECT_TRUE(events.set(both[1]));
  EXPECT_EQ(events.wait(both, true, kNow), WaitOutcome::timeout);
  EXPECT_EQ(events.wait(both, false, kNow), WaitOutcome::set);
  EXPECT_TRUE(events.set(both[0]) && events.set(both[1]));
  EXPECT_EQ(events.wait(both, true, kNow), WaitOutcome::set);
}

TEST(Events, AnotherThreadEndsTheWait) {
  Events events;
  const std::array id = {events.create(false, false, true)};
  const std::jthread other([&] { events.set(id[0]); });
  EXPECT_EQ(events.wait(id, false, std::nullopt), WaitOutcome::set);
}

TEST(Events, WhatIsNotThereIsInvalid) {
  Events events;
  const std::array id = {events.create(false, false, true)};
  EXPECT_TRUE(events.destroy(id[0]));
  EXPECT_FALSE(events.destroy(id[0]));
  EXPECT_FALSE(events.set(id[0]));
  EXPECT_FALSE(events.reset(id[0]));
  EXPECT_FALSE(events.is_set(id[0]).has_value());
  EXPECT_EQ(events.wait(id, false, std::nullopt), WaitOutcome::invalid);
  EXPECT_EQ(events.wait({}, false, std::nullopt), WaitOutcome::invalid);
}

TEST(Events, ThereAreAsManyAsKfdGives) {
  Events events;
  std::uint32_t last = 0;
  for (std::uint32_t i = 1; i < Events::kMost; ++i)
    ASSERT_NE(last = events.create(false, false, true), 0U);
  EXPECT_EQ(events.create(false, false, true), 0U);
  EXPECT_TRUE(events.destroy(last));
  EXPECT_EQ(events.create(false, false, true), last);
}

TEST(Events, AMessageThatSaysNotWhoseWakesSignals) {
  Events events;
  const std::uint32_t of_signal = events.create(false, false, true),
                      of_memory = events.create(false, false, false);
  events.set_signals();
  EXPECT_EQ(events.is_set(of_signal), true);
  EXPECT_EQ(events.is_set(of_memory), false);
}

/// Has as many packets as it is told to; says when the last one is done.
class Counter : public Processor {
 public:
  explicit Counter(std::atomic<int>& left) : left_(left) {}
  Step step(const std::atomic<bool>&) override {
    if (left_ == 0) return Step::idle;
    --left_;
    left_.notify_all();
    return Step::done;
  }

 private:
  std::atomic<int>& left_;
};

void wait_until_none(std::atomic<int>& left) {
  for (int now = left; now != 0; now = left) left.wait(now);
}

TEST(Queue, ProcessesWhatIsThereWhenTheBellRings) {
  alignas(8) std::uint64_t doorbell = 0;
  std::atomic<int> left = 0;
  const Queue queue(std::make_unique<Counter>(left), &doorbell);
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{3}}) {
    left = 4;
    std::atomic_ref(doorbell).store(value);
    wait_until_none(left);
  }
}

TEST(Queue, APausedOneKeepsTheRing) {
  alignas(8) std::uint64_t doorbell = 0;
  std::atomic<int> left = 0;
  Queue queue(std::make_unique<Counter>(left), &doorbell);
  queue.pause(true);
  left = 2;
  std::atomic_ref(doorbell).store(1);
  queue.pause(false);
  wait_until_none(left);
  EXPECT_FALSE(queue.failed());
}

TEST(Queue, WithoutABellNothingHappens) {
  alignas(8) std::uint64_t doorbell = 0;
  std::atomic<int> left = 2;
  {
    const Queue queue(std::make_unique<Counter>(left), &doorbell);
  }
  EXPECT_EQ(left, 2);
}

}  // namespace
}  // namespace rpl::hsakmt
