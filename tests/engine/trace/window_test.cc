// SPDX-License-Identifier: MIT
#include "engine/trace/core/trace.h"

#include "engine/base/interrupt.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TinyTrace;

/// Four dispatches on two streams, a copy, and a call for the first and the last dispatch.
std::shared_ptr<const Trace> whole() {
  TinyTrace tiny;
  tiny.ops = {{"early", 0, 0, 100, 200, 1},
              {"long", 1, 1, 150, 900, 2},
              {"gemm", 0, 0, 400, 500, 3},
              {"late", 0, 0, 1000, 1100, 4}};
  tiny.copies = {{0, 450, 480, 5}, {0, 950, 990, 6}};
  tiny.calls = {{1, 50, 60, 1}, {1, 300, 310, 3}, {1, 700, 710, 4}};
  tiny.syncs = {{.start_ns = 600, .end_ns = 650}};
  return tiny.build();
}

std::vector<std::string> kernels_in(const Trace& trace) {
  std::vector<std::string> names;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    names.push_back(trace.kernels()[trace.kernel_of(row)].name);
  }
  return names;
}

TEST(Window, HasWhatTouchesItWithItsRecordedTimes) {
  const auto window = window_of(whole(), 300, 600).value();
  EXPECT_THAT(kernels_in(*window), ElementsAre("long", "gemm"));
  EXPECT_EQ(window->start_ns(0), 150) << "not cut to the window";
  EXPECT_EQ(window->end_ns(0), 900);
  EXPECT_EQ(window->extent_ns(), std::pair(std::int64_t{150}, std::int64_t{900}));
}

TEST(Window, EndsBeforeItsLastNanosecondAndBeginsWithItsFirst) {
  EXPECT_THAT(kernels_in(**window_of(whole(), 400, 1000)), ElementsAre("long", "gemm"));
  EXPECT_THAT(kernels_in(**window_of(whole(), 900, 1001)), ElementsAre("late"))
      << "what ends when the window begins is outside";
}

TEST(Window, KeepsEntitiesAndTheirIndices) {
  const auto all = whole();
  const auto window = window_of(all, 300, 600).value();
  EXPECT_EQ(window->kernels().size(), all->kernels().size());
  EXPECT_EQ(window->lane(1).stream, all->lane(2).stream);
  EXPECT_EQ(window->dispatch_id(1), all->dispatch_id(2));
}

TEST(Window, CutsTheTablesToo) {
  const auto window = window_of(whole(), 300, 700).value();
  ASSERT_EQ((*window->copies())->rows.size(), 1U);
  EXPECT_EQ((*window->copies())->rows[0].start_ns, 450);
  EXPECT_EQ((*window->syncs())->rows.size(), 1U);
  const ApiTable& api = **window->api();
  EXPECT_EQ(api.rows.size(), 2U)
      << "calls before the window may explain what is in it, later ones cannot";
  ASSERT_EQ(api.dispatch_correlation.size(), 2U);
  EXPECT_EQ(api.dispatch_correlation[1], 3U);
}

TEST(Window, OfAWindowIsAWindow) {
  const auto outer = window_of(whole(), 100, 1000).value();
  const auto inner = window_of(outer, 400, 600).value();
  EXPECT_THAT(kernels_in(*inner), ElementsAre("long", "gemm"));
  EXPECT_EQ((*inner->copies())->rows.size(), 1U);
  EXPECT_EQ((*inner->api())->dispatch_correlation[1], 3U);
}

TEST(Window, RefusesWhatIsEmpty) {
  EXPECT_EQ(window_of(whole(), 600, 600).error().code, Errc::usage);
  EXPECT_EQ(window_of(whole(), 5000, 6000).error().code, Errc::not_found);
  EXPECT_THAT(window_of(whole(), 5000, 6000).error().message, HasSubstr("no dispatch ran"));
}

TEST(Window, StopsWhenItIsInterrupted) {
  interrupt::raise();
  const auto window = window_of(whole(), 300, 600);
  interrupt::clear();
  EXPECT_EQ(window.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl
