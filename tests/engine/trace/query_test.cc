// SPDX-License-Identifier: MIT
#include "engine/trace/core/query.h"

#include <cmath>

#include "engine/trace/core/reader.h"
#include "engine/trace/core/stats.h"
#include "tests/support/random.h"

namespace rpl {
namespace {

using test::Random;

/// A trace by chance: overlapping, with negative and very long durations among the others. `wide`: from nanoseconds to seconds, as many of each
/// power of two.
std::shared_ptr<const Trace> random_trace(std::size_t rows, std::uint64_t seed, bool wide = false) {
  Random random(seed);
  RawTrace raw;
  const auto process = raw.process({0, 7, "guid", {}, {}, 0, 0});
  raw.reserve(rows);
  std::int64_t now = 1000;
  for (std::size_t row = 0; row < rows; ++row) {
    Launch launch;
    Kernel kernel;
    kernel.name = fmt::format("k{}", random.below(7));
    launch.kernel = raw.kernel(kernel);
    launch.grid = {static_cast<std::uint32_t>(random.below(3)), 1, 1};
    Lane lane;
    lane.process = process;
    lane.stream = random.chance(0.1) ? kNone : raw.stream({process, random.below(3), {}});
    std::int64_t duration = random.between(0, wide ? std::int64_t{1} << random.below(33) : 3000);
    if (random.chance(0.01)) duration = random.chance(0.5) ? -20 : 6'000'000'000;
    now += random.between(0, 2000);
    raw.add({now, now + duration, raw.launch(launch), raw.lane(lane),
             static_cast<std::int64_t>(row), 0});
  }
  std::vector<RawTrace> files;
  files.push_back(std::move(raw));
  return *finish_trace(std::move(files), {});
}

std::vector<std::uint32_t> brute_force(const Trace& trace, const DispatchQuery& query) {
  const auto in = [](const std::vector<std::uint32_t>& wanted, std::uint32_t index) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), index) != wanted.end();
  };
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < trace.size(); ++row) {
    if (!in(query.kernels, trace.kernel_of(row)) || !in(query.streams, trace.lane(row).stream))
      continue;
    if (query.from_ns && trace.start_ns(row) < *query.from_ns) continue;
    if (query.to_ns && trace.start_ns(row) >= *query.to_ns) continue;
    if (query.min_duration_ns && trace.duration_ns(row) < *query.min_duration_ns) continue;
    if (query.max_duration_ns && trace.duration_ns(row) > *query.max_duration_ns) continue;
    rows.push_back(row);
  }
  return rows;
}

std::vector<DispatchQuery> queries_on(const Trace& trace) {
  const std::int64_t middle = trace.start_ns(trace.size() / 2);
  std::vector<DispatchQuery> queries(6);
  queries[1].kernels = {2, 5};
  queries[2].streams = {1};
  queries[3].from_ns = middle;
  queries[3].to_ns = middle + 100'000;
  queries[4].min_duration_ns = 500;
  queries[4].max_duration_ns = 900;
  queries[5].kernels = {1};
  queries[5].max_duration_ns = -1;
  return queries;
}

TEST(DispatchQuery, FindsTheRowsThatABruteForceFinds) {
  const auto trace = random_trace(5000, 1);
  for (const DispatchQuery& query : queries_on(*trace)) {
    const auto expected = brute_force(*trace, query);
    EXPECT_EQ(*matching_rows(*trace, query, trace->size()), expected);
    EXPECT_EQ(
        matching_rows(*trace, query, 3, 2)->size(),
        std::min<std::size_t>(3, expected.size() - std::min<std::size_t>(2, expected.size())));
  }
}

TEST(DispatchQuery, SummarizesAsABruteForceDoes) {
  const auto trace = random_trace(450'000, 2);  // enough for two threads
  for (const DispatchQuery& query : queries_on(*trace)) {
    const auto rows = brute_force(*trace, query);
    const DurationSummary summary = *summarize(*trace, query);
    std::int64_t total = 0, least = INT64_MAX, most = INT64_MIN;
    for (const auto row : rows) {
      total += trace->duration_ns(row);
      least = std::min(least, trace->duration_ns(row));
      most = std::max(most, trace->duration_ns(row));
    }
    EXPECT_EQ(summary.calls, rows.size());
    EXPECT_EQ(summary.total_ns, total);
    EXPECT_EQ(summary.min_ns, least);
    EXPECT_EQ(summary.max_ns, most);
  }
}

void expect_nearest_ranks(const std::shared_ptr<const Trace>& trace) {
  const std::array ranks = {0.0, 1.0, 25.0, 50.0, 75.0, 87.5, 90.0, 95.0, 99.9, 100.0};
  for (const DispatchQuery& query : queries_on(*trace)) {
    std::vector<std::int64_t> durations;
    for (const auto row : brute_force(*trace, query)) durations.push_back(trace->duration_ns(row));
    std::sort(durations.begin(), durations.end());
    const auto found = *duration_percentiles(*trace, query, ranks);
    ASSERT_EQ(found.size(), durations.empty() ? 0 : ranks.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double exact = std::ceil(ranks[i] / 100 * static_cast<double>(durations.size()));
      EXPECT_EQ(found[i], durations[static_cast<std::size_t>(std::max(exact, 1.0)) - 1])
          << ranks[i];
    }
  }
}

TEST(DispatchQuery, PercentilesAreTheNearestRanks) { expect_nearest_ranks(random_trace(5000, 3)); }

TEST(DispatchQuery, PercentilesOfDurationsOfEverySize) {
  expect_nearest_ranks(random_trace(3000, 5, true));
  expect_nearest_ranks(random_trace(450'000, 6, true));
}

TEST(DispatchQuery, TheLongestComeFirst) {
  const auto trace = random_trace(450'000, 4);
  for (const DispatchQuery& query : queries_on(*trace)) {
    auto expected = brute_force(*trace, query);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](auto a, auto b) { return trace->duration_ns(a) > trace->duration_ns(b); });
    expected.resize(std::min<std::size_t>(expected.size(), 20));
    EXPECT_EQ(*longest(*trace, query, 20), expected);
  }
  EXPECT_TRUE(longest(*trace, {}, 0)->empty());
}

TEST(TraceStats, EqualABruteForceWithTwoThreads) {
  const auto trace = random_trace(450'000, 5);
  const TraceStats stats = *trace_stats(*trace);
  std::map<std::uint32_t, std::vector<std::int64_t>> kernels;
  std::int64_t busy = 0, covered = INT64_MIN, total = 0;
  for (std::size_t row = 0; row < trace->size(); ++row) {
    kernels[trace->kernel_of(row)].push_back(trace->duration_ns(row));
    total += trace->duration_ns(row);
    const std::int64_t from = std::max(trace->start_ns(row), covered);
    busy += std::max<std::int64_t>(0, trace->end_ns(row) - from);
    covered = std::max(covered, trace->end_ns(row));
  }
  EXPECT_EQ(stats.totals.gpu_time_ns, total);
  EXPECT_EQ(stats.totals.busy_ns, busy);
  EXPECT_EQ(stats.totals.span_ns, covered - trace->start_ns(0));
  ASSERT_EQ(stats.kernels.size(), kernels.size());
  for (const KernelStats& found : stats.kernels) {
    const auto& durations = kernels[found.kernel];
    double mean = 0, squares = 0;
    for (const auto duration : durations)
      mean += static_cast<double>(duration) / static_cast<double>(durations.size());
    for (const auto duration : durations)
      squares += std::pow(static_cast<double>(duration) - mean, 2);
    EXPECT_EQ(found.duration.calls, durations.size());
    EXPECT_NEAR(found.duration.mean_ns, mean, mean * 1e-9);
    const double stddev = std::sqrt(squares / static_cast<double>(durations.size() - 1));
    EXPECT_NEAR(*found.duration.stddev_ns, stddev, stddev * 1e-9);
  }
}

TEST(TraceStats, OneCallHasNoDeviation) {
  const auto trace = random_trace(1, 6);
  const TraceStats stats = *trace_stats(*trace);
  EXPECT_EQ(stats.kernels.at(0).duration.stddev_ns, std::nullopt);
  EXPECT_EQ(stats.kernels.at(0).share, 1.0);
}

}  // namespace
}  // namespace rpl
