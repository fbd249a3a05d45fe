// SPDX-License-Identifier: MIT
// Pictures of a timeline that zooms and pans, from an index: how long the index takes, and each picture next to the linear one of build_timeline().
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "engine/graph/critical_path.h"
#include "engine/graph/slack.h"
#include "engine/plot/timeline_index.h"
#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;

template <class Work>
double milliseconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

int measure() {
  const testing_support::TempDir folder;
  test::GenerateOptions made;
  made.path = folder / "large.db";
  constexpr std::uint64_t kSmall = 1'000'000, kLarge = 10'000'000;
  made.workload.dispatches = std::getenv("RPL_BENCH_LARGE") != nullptr ? kLarge : kSmall;
  if (!test::generate_rocpd(made)) return 1;
  const std::vector<std::string> paths{made.path};
  const auto trace = open_trace(paths, {});
  if (!trace) return 1;
  const auto graph = Graph::build(*trace, {}, {});
  if (!graph) return 1;
  CriticalPathOptions options;
  options.simulated_operations = 0;
  const auto found = path_and_slack(**graph, options, {});
  if (!found) return 1;
  const auto [first, last] = (*graph)->span_ns();
  std::shared_ptr<const TimelineIndex> index;
  const double built = milliseconds_of([&] {
    index = TimelineIndex::build(**graph, &found->path, TimelineBy::stream, first, last, nullptr)
                .value_or(nullptr);
  });
  if (index == nullptr) return 1;
  fmt::print("{} dispatches; the index: {:.1f} ms\n", made.workload.dispatches, built);
  fmt::print("{:>12} {:>12} {:>12} {:>14}\n", "window ms", "finer ms", "picture ms", "linear ms");
  std::int64_t span = last - first;
  constexpr int kSteps = 8, kZoom = 8;
  for (int step = 0; step < kSteps && span > 1000; ++step, span /= kZoom) {
    TimelineOptions window;
    window.from_ns = first + (last - first - span) / 3;
    window.to_ns = *window.from_ns + span;
    window.cells = 120;
    window.rows = 20;
    std::shared_ptr<const TimelineIndex> used = index;
    const double finer = milliseconds_of([&] {
      if (used->serves(window.by, *window.from_ns, *window.to_ns, window.cells)) return;
      used = TimelineIndex::build(**graph, &found->path, window.by,
                                  std::max(first, *window.from_ns - span),
                                  std::min(last, *window.to_ns + span), index.get())
                 .value_or(index);
    });
    const double picture = milliseconds_of([&] { static_cast<void>(used->picture(window)); });
    const double linear =
        milliseconds_of([&] { static_cast<void>(build_timeline(**graph, &found->path, window)); });
    fmt::print("{:12.3f} {:12.2f} {:12.2f} {:14.2f}\n", static_cast<double>(span) / 1e6, finer,
               picture, linear);
  }
  return 0;
}

}  // namespace

int main() { return measure(); }
