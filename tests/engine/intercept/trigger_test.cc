// SPDX-License-Identifier: MIT
// Which dispatch is captured, and telling a running program another one.
#include "engine/intercept/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <thread>

#include "engine/intercept/live.h"
#include "tests/support/random.h"
#include "tests/support/temp_dir.h"

namespace rpl::intercept {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;
using Turn = Trigger::Turn;

SeenDispatch seen(const std::string& kernel, std::uint32_t x = 64, std::uint64_t object = 1) {
  return {.kernel = kernel,
          .kernel_object = object,
          .grid = {x, 1, 1},
          .workgroup = {64, 1, 1},
          .queue = 3};
}

TEST(Trigger, TakesTheNthDispatchOfAPattern) {
  Trigger trigger = Trigger::of({.kernel = "/^scale/", .dispatch = 2, .folder = "c"}).value();
  EXPECT_EQ(trigger.see(seen("scale_a")), Turn::none);
  EXPECT_EQ(trigger.see(seen("add")), Turn::none);
  EXPECT_EQ(trigger.see(seen("scale_b")), Turn::to_capture);
  EXPECT_EQ(trigger.see(seen("scale_b")), Turn::none);
  EXPECT_EQ(trigger.report().matches, 3U);
  EXPECT_EQ(trigger.report().dispatches.at("scale_b"), 2U);
  EXPECT_EQ(trigger.dispatches(), 4U);
}

TEST(Trigger, OfOneGridOnly) {
  Trigger trigger =
      Trigger::of({.kernel = "k", .grid = std::array<std::uint32_t, 3>{128, 1, 1}, .folder = "c"})
          .value();
  EXPECT_EQ(trigger.see(seen("k", 64)), Turn::none);
  EXPECT_EQ(trigger.see(seen("k", 128)), Turn::to_capture);
}

TEST(Trigger, AfterASlowOneOfTheSameKernelAndGrid) {
  Trigger trigger = Trigger::of({.kernel = "k", .longer_us = 100, .folder = "c"}).value();
  EXPECT_EQ(trigger.see(seen("k")), Turn::to_time);
  trigger.took(seen("k"), 99us);
  EXPECT_EQ(trigger.see(seen("k")), Turn::to_time);
  trigger.took(seen("k"), 100us);
  EXPECT_EQ(trigger.see(seen("k", 128)), Turn::to_time);
  EXPECT_EQ(trigger.see(seen("k")), Turn::to_capture);
  trigger.captured("k", "gfx90a", "c", 1, 2);
  EXPECT_EQ(trigger.see(seen("k", 128)), Turn::none);
}

TEST(Trigger, IsArmedAnewWhileTheProgramRuns) {
  Trigger trigger = Trigger::of({}).value();
  EXPECT_EQ(trigger.see(seen("k")), Turn::none);
  EXPECT_EQ(trigger.arm({.kernel = "/(/", .folder = "c"}).error().code, Errc::usage);
  ASSERT_TRUE(trigger.arm({.kernel = "k", .dispatch = 2, .folder = "c"}));
  EXPECT_EQ(trigger.see(seen("k")), Turn::none);
  EXPECT_EQ(trigger.see(seen("k")), Turn::to_capture);
  trigger.failed("no room");
  ASSERT_TRUE(trigger.arm({.kernel = "k", .folder = "d"}));
  EXPECT_EQ(trigger.report().failure, "");
  EXPECT_EQ(trigger.see(seen("k")), Turn::to_capture);
}

TEST(Trigger, HoldsOneDispatchUntilItIsLetGo) {
  Trigger trigger = Trigger::of({}).value();
  EXPECT_EQ(trigger.let_go(std::nullopt).error().code, Errc::not_found);
  ASSERT_TRUE(trigger.hold_next("k", 60s));
  EXPECT_EQ(trigger.see(seen("other")), Turn::none);
  ASSERT_EQ(trigger.see(seen("k")), Turn::to_hold);
  ASSERT_TRUE(trigger.held());
  EXPECT_EQ(trigger.held()->kernel, "k");
  // One at a time: the next passes.
  EXPECT_EQ(trigger.see(seen("k")), Turn::none);
  bool to_capture = false;
  std::thread program([&] { to_capture = trigger.wait_until_let_go(seen("k")); });
  ASSERT_TRUE(trigger.let_go(CaptureWish{.folder = "c"}));
  program.join();
  EXPECT_TRUE(to_capture);
  EXPECT_FALSE(trigger.held());
  EXPECT_EQ(trigger.wish().folder, "c");
  EXPECT_EQ(trigger.wish().kernel, "k");
}

TEST(Trigger, WhatIsHeldGoesOnByItself) {
  Trigger trigger = Trigger::of({}).value();
  ASSERT_TRUE(trigger.hold_next("k", 0s));
  ASSERT_EQ(trigger.see(seen("k")), Turn::to_hold);
  EXPECT_FALSE(trigger.wait_until_let_go(seen("k")));
  EXPECT_FALSE(trigger.held());
}

class Asked : public testing::Test {
 protected:
  Asked() {
    server_ =
        LiveServer::start(folder_ / std::to_string(::getpid()), [this](std::string_view text) {
          return answer(trigger_, [this] { return trigger_.report(); }, text);
        }).value();
  }
  Result<LiveStatus> ask_it(const LiveRequest& request) {
    return ask(folder_ / "", ::getpid(), request);
  }

  testing_support::TempDir folder_;
  Trigger trigger_ = Trigger::of({.kernel = "k", .folder = "c"}).value();
  std::unique_ptr<LiveServer> server_;
};

TEST_F(Asked, TellsHowThingsStand) {
  trigger_.see(seen("k\"\n"));
  const auto status = ask_it({});
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->wish.kernel, "k");
  EXPECT_EQ(status->report.dispatches.at("k\"\n"), 1U);
  EXPECT_FALSE(status->held);
  EXPECT_THAT(live_processes(folder_ / ""), ElementsAre(::getpid()));
}

TEST_F(Asked, DoesWhatItIsTold) {
  ASSERT_TRUE(ask_it({.what = LiveRequest::What::arm,
                      .wish = {.kernel = "q",
                               .grid = std::array<std::uint32_t, 3>{1, 2, 3},
                               .dispatch = 4,
                               .folder = "/d"}}));
  EXPECT_EQ(trigger_.wish().kernel, "q");
  EXPECT_EQ(trigger_.wish().grid, (std::array<std::uint32_t, 3>{1, 2, 3}));
  ASSERT_TRUE(ask_it({.what = LiveRequest::What::hold, .wish = {.kernel = "h"}, .most = 5s}));
  ASSERT_EQ(trigger_.see(seen("h")), Turn::to_hold);
  const auto held = ask_it({});
  ASSERT_TRUE(held && held->held);
  EXPECT_EQ(held->held->kernel, "h");
  EXPECT_EQ(held->held->grid[0], 64U);
  ASSERT_TRUE(ask_it({.what = LiveRequest::What::take, .wish = {.folder = "/e"}}));
  EXPECT_TRUE(trigger_.wait_until_let_go(seen("h")));
}

TEST_F(Asked, ErrorsComeBackAsTheyAre) {
  const auto nothing_held = ask_it({.what = LiveRequest::What::go});
  ASSERT_FALSE(nothing_held);
  EXPECT_EQ(nothing_held.error().code, Errc::not_found);
  EXPECT_THAT(nothing_held.error().hint, HasSubstr("hold"));
  EXPECT_EQ(ask_it({.what = LiveRequest::What::arm, .wish = {.kernel = "/[/"}}).error().code,
            Errc::usage);
}

TEST_F(Asked, NonsenseIsAnsweredWithAnErrorAndTheServerGoesOn) {
  const std::string good = request_json({.what = LiveRequest::What::hold, .wish = {.kernel = "k"}});
  test::Random random(11);
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(parse_request(good.substr(0, length)));
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good;
    bad[random.below(bad.size())] = static_cast<char>(random.below(256));
    const std::string reply = answer(trigger_, [this] { return trigger_.report(); }, bad);
    if (!parse_request(bad)) {
      EXPECT_FALSE(parse_status(reply));
    }
  }
  const std::string status =
      status_json({.report = trigger_.report(), .wish = trigger_.wish(), .held = seen("k")});
  EXPECT_TRUE(parse_status(status));
  for (std::size_t length = 0; length < status.size(); ++length)
    EXPECT_FALSE(parse_status(status.substr(0, length)));
  EXPECT_TRUE(ask_it({}));
}

TEST_F(Asked, WhoIsGoneIsNotListed) {
  const std::string stale = folder_ / "4194304";
  {
    const auto other = LiveServer::start(stale, [](std::string_view) { return std::string(); });
    ASSERT_TRUE(other);
    EXPECT_THAT(live_processes(folder_ / ""), ElementsAre(::getpid()));
  }
  EXPECT_EQ(ask(folder_ / "", 4194304, {}).error().code, Errc::not_found);
  server_.reset();
  EXPECT_TRUE(live_processes(folder_ / "").empty());
}

TEST(LiveServer, APathThatIsTooLongIsNamed) {
  EXPECT_EQ(LiveServer::start("/tmp/" + std::string(200, 'x'),
                              [](std::string_view) { return std::string(); })
                .error()
                .code,
            Errc::limit);
}

}  // namespace
}  // namespace rpl::intercept
