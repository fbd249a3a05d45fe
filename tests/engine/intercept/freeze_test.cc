// SPDX-License-Identifier: MIT
// One dispatch alone between two looks at memory, on a small runtime in this process.
#include "engine/intercept/freeze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/intercept/mini_runtime.h"

namespace rpl::intercept {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

class Freeze : public testing::Test {
 protected:
  Freeze() {
    runtime_.on_dispatch = [this](const hsa::DispatchPacket& packet) {
      seen_.push_back("ran " + std::to_string(packet.kernel_object));
    };
    own_ = &queues_.add({.queue = &queue_, .agent = {}, .owner = nullptr, .pace = Pace()});
  }

  static Packet dispatch(std::uint64_t kernel, Signal completion = {}) {
    hsa::DispatchPacket out{};
    out.header = 0x0b02;
    out.setup = 1;
    out.kernel_object = kernel;
    out.group_bytes = 64;
    out.completion = completion;
    return Packet::of(out);
  }

  rpl::Status freeze_in(const std::vector<Packet>& packets, std::size_t chosen,
                        Patience patience = {.drain = 5s, .dispatch = 5s}) {
    const Surroundings around{
        runtime_.calls(),
        queues_,
        copies_,
        hold_,
        signals_,
        threads_,
        [this](std::shared_ptr<QueueStop> stop) { stops_.push_back(std::move(stop)); }};
    return freeze(
        around, {.queue = own_, .packets = packets, .chosen = chosen, .writer = mini_writer}, 1,
        patience,
        {.before = [this] { return look("before"); }, .after = [this] { return look("after"); }});
  }
  rpl::Status look(const std::string& when) {
    seen_.push_back(when);
    return when == failing_ ? rpl::Status(fail(Errc::io, "disk full")) : rpl::Status();
  }

  MiniRuntime runtime_;
  hsa::Queue queue_{.type = 0,
                    .features = 1,
                    .base_address = nullptr,
                    .doorbell = {},
                    .size = 64,
                    .reserved = 0,
                    .id = 1};
  QueueLog queues_;
  CopyLog copies_{runtime_.calls()};
  Hold hold_;
  SignalBin signals_{runtime_.calls()};
  Threads threads_;
  TrackedQueue* own_ = nullptr;
  std::vector<std::shared_ptr<QueueStop>> stops_;
  std::vector<std::string>
      seen_;  ///< by the device's thread and this one, never at once: the gates see to that
  std::string failing_;
};

TEST_F(Freeze, LooksAtMemoryBeforeAndAfterTheDispatchAlone) {
  const Signal mine = runtime_.signal(1);
  ASSERT_TRUE(freeze_in({dispatch(7), dispatch(8, mine), dispatch(9)}, 1));
  ASSERT_TRUE(runtime_.drained(5s));
  EXPECT_THAT(seen_, ElementsAre("ran 7", "before", "ran 8", "after", "ran 9"));
  EXPECT_EQ(runtime_.get(mine), 0);
  EXPECT_EQ(runtime_.written().size(), 1U);
}

TEST_F(Freeze, ThePacketIsAsItWasButForFencesAndItsSignal) {
  const Signal mine = runtime_.signal(1);
  ASSERT_TRUE(freeze_in({dispatch(8, mine)}, 0));
  const auto& packets = runtime_.written().at(0);
  ASSERT_EQ(packets.size(), 3U);
  const auto packet = packets[2].as<hsa::DispatchPacket>();
  EXPECT_EQ(packet.header, 0x1502);
  EXPECT_EQ(packet.setup, 1);
  EXPECT_EQ(packet.group_bytes, 64U);
  EXPECT_NE(packet.completion.handle, mine.handle);
  // Times that the device wrote are where the application looks for them.
  const auto* block =
      reinterpret_cast<const hsa::SignalBlock*>(mine.handle);  // NOLINT(performance-no-int-to-ptr)
  EXPECT_GT(block->end_ticks, block->start_ticks);
}

TEST_F(Freeze, WorkThatNeverEndsIsReportedAndTheProgramGoesOn) {
  const Signal never = runtime_.signal(1);
  const auto outcome =
      freeze_in({barrier(never, {}), dispatch(8)}, 1, {.drain = 50ms, .dispatch = 50ms});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::timeout);
  EXPECT_THAT(outcome.error().message, HasSubstr("earlier work of the dispatch's queue"));
  EXPECT_TRUE(seen_.empty());
  runtime_.set(never, 0);
  ASSERT_TRUE(runtime_.drained(5s));
  EXPECT_THAT(seen_, ElementsAre("ran 8"));
}

TEST_F(Freeze, ADispatchThatTakesTooLongStillCompletesItsSignal) {
  std::atomic<bool> go{false};
  runtime_.on_dispatch = [&](const hsa::DispatchPacket&) {
    while (!go) std::this_thread::sleep_for(1ms);
  };
  const Signal mine = runtime_.signal(1);
  const auto outcome = freeze_in({dispatch(8, mine)}, 0, {.drain = 5s, .dispatch = 50ms});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("the dispatch did not end"));
  EXPECT_EQ(runtime_.get(mine), 1);
  go = true;
  for (int i = 0; i < 5000 && runtime_.get(mine) != 0; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(runtime_.get(mine), 0);
}

TEST_F(Freeze, ALookThatFailsOpensEveryGate) {
  for (const char* when : {"before", "after"}) {
    SCOPED_TRACE(when);
    failing_ = when;
    const Signal mine = runtime_.signal(1);
    const auto outcome = freeze_in({dispatch(8, mine), dispatch(9)}, 0);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().message, "disk full");
    EXPECT_TRUE(runtime_.drained(5s));
    EXPECT_EQ(runtime_.get(mine), 0);
  }
}

TEST_F(Freeze, WithoutSignalsThePacketsGoOnAsTheyAre) {
  // Four for the dispatch, two for the other queues.
  for (int which = 1; which <= 6; ++which) {
    SCOPED_TRACE(which);
    const Signal mine = runtime_.signal(1);
    const std::size_t calls = runtime_.written().size();
    runtime_.fail_signal(which);
    EXPECT_FALSE(freeze_in({dispatch(8, mine)}, 0));
    ASSERT_TRUE(runtime_.drained(5s));
    EXPECT_EQ(runtime_.get(mine), 0);
    EXPECT_EQ(runtime_.written().size(), calls + 1);
    signals_.empty();
  }
}

TEST_F(Freeze, ACopyInFlightIsWaitedFor) {
  const Signal copy = runtime_.signal(1);
  copies_.submitting(copy, {});
  const auto outcome = freeze_in({dispatch(8)}, 0, {.drain = 50ms, .dispatch = 5s});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("asynchronous copy"));
  runtime_.set(copy, 0);
  EXPECT_TRUE(freeze_in({dispatch(8)}, 0));
}

TEST_F(Freeze, ACallOfTheApplicationThatDoesNotEndIsNoHang) {
  std::atomic<bool> held{false}, go{false};
  std::thread application([&] {
    const Hold::Shared shared(hold_);
    held = true;
    while (!go) std::this_thread::sleep_for(1ms);
  });
  while (!held) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(freeze_in({dispatch(8)}, 0, {.drain = 50ms, .dispatch = 5s}));
  EXPECT_TRUE(runtime_.drained(5s));
  EXPECT_THAT(seen_, ElementsAre("ran 8"));
  go = true;
  application.join();
  EXPECT_TRUE(freeze_in({dispatch(8)}, 0));
}

TEST_F(Freeze, OtherQueuesAreDrainedThroughTheirHandlers) {
  hsa::Queue second = queue_;
  second.type = 1;  // one producer: it is watched and not poked
  std::uint64_t read = 3;
  static std::uint64_t* read_index = nullptr;
  read_index = &read;
  runtime_.calls().load_read_index = [](const hsa::Queue*) { return *read_index; };
  runtime_.calls().load_write_index = [](const hsa::Queue*) { return std::uint64_t{4}; };
  queues_.add({.queue = &second, .agent = {}, .owner = nullptr, .pace = Pace()});
  const auto outcome = freeze_in({dispatch(8)}, 0, {.drain = 50ms, .dispatch = 5s});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("another queue"));
  read = 4;
  EXPECT_TRUE(freeze_in({dispatch(8)}, 0));
  // The stop is announced, and taken back at the end.
  ASSERT_EQ(stops_.size(), 4U);
  EXPECT_EQ(stops_.back(), nullptr);
}

TEST_F(Freeze, MeasuringADispatchLeavesItAsItWas) {
  const Signal mine = runtime_.signal(1);
  const std::vector<Packet> packets = {dispatch(8, mine), dispatch(9)};
  const Surroundings around{runtime_.calls(),
                            queues_,
                            copies_,
                            hold_,
                            signals_,
                            threads_,
                            [](std::shared_ptr<QueueStop>) {}};
  for (int i = 0; i < 100; ++i) {
    runtime_.set(mine, 1);
    EXPECT_TRUE(timed(around,
                      {.queue = own_, .packets = packets, .chosen = 0, .writer = mini_writer},
                      {.drain = 5s, .dispatch = 5s}));
    ASSERT_TRUE(runtime_.drained(5s));
    EXPECT_EQ(runtime_.get(mine), 0);
  }
  EXPECT_EQ(seen_.size(), 200U);
}

TEST(QueueStop, TheFirstPacketsGoBehindAFenceAndAGate) {
  MiniRuntime runtime;
  const Signal drained = runtime.signal(1), gate = runtime.signal(1);
  const QueueStop stop(runtime.calls(), 5, drained, gate);
  TrackedQueue queue;
  const std::vector<Packet> packets(2);
  const auto first = stop.passed(queue, packets);
  ASSERT_EQ(first.size(), 4U);
  EXPECT_EQ(first[0].as<hsa::BarrierPacket>().completion.handle, drained.handle);
  EXPECT_EQ(first[1].as<hsa::BarrierPacket>().dependency[0].handle, gate.handle);
  stop.end();
  EXPECT_EQ(stop.passed(queue, packets).size(), 2U);
}

TEST(Pace, NeverHasMoreThanARingUnderWay) {
  MiniRuntime runtime;
  constexpr std::uint32_t kRing = 64;
  std::atomic<int> most{0}, ran{0};
  runtime.on_dispatch = [&](const hsa::DispatchPacket&) {
    ++ran;
    std::this_thread::sleep_for(20us);
  };
  Pace pace(runtime.signal(0), runtime.signal(0), kRing);
  hsa::DispatchPacket packet{};
  packet.header = 0x1502;
  const Packet one = Packet::of(packet);
  for (int i = 1; i <= 1000; ++i) {
    pace.forward(runtime.calls(), {&one, 1}, mini_writer);
    most = std::max(most.load(), i - ran.load());
  }
  EXPECT_TRUE(runtime.drained(10s));
  EXPECT_EQ(ran, 1000);
  EXPECT_LE(most, static_cast<int>(kRing) - 8);
}

}  // namespace
}  // namespace rpl::intercept
