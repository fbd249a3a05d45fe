// SPDX-License-Identifier: MIT
#include "engine/replay/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/interrupt.h"
#include "engine/replay/emulated.h"

namespace rpl {
namespace {

void keep_differing(const ReplayRun& run, ReplaySeries& series) {
  for (const ImageDifference& difference : series.image.differences)
    series.differing[difference.region] = run.memory[difference.region];
}

/// Of a sorted sample.
double percentile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = at - static_cast<double>(below);
  return sorted[below] + (sorted[above] - sorted[below]) * part;
}

}  // namespace

// Warm-up changes nothing here: each run begins with empty caches.
Result<ReplaySeries> replay_emulated(const ReplayPlan& plan,
                                     const std::shared_ptr<const cycle::Parameters>& model) {
  ReplaySeries series{.kernel = {},
                      .raw_ns = {},
                      .time_source = "modelled",
                      .image = {},
                      .differing = {},
                      .notes = {}};
  ReplayJob job{.capture = plan.capture,
                .object = plan.object,
                .kernel = plan.kernel,
                .memory = plan.memory,
                .launch = plan.launch,
                .fusion = plan.fusion,
                .execute = plan.execute};
  MemoryImage first;
  for (std::int64_t i = 0; i < plan.iterations; ++i) {
    TRY(interrupt::check());
    ReplayRun run = TRY(replay_once(job, model));
    const bool last = i + 1 == plan.iterations;
    if (run.executed.modelled) series.raw_ns.push_back(run.executed.modelled->time_ns);
    if (i == 0 && !plan.keep_memory) {
      series.image = TRY(compare_with_post_image(*plan.capture, run.memory));
      keep_differing(run, series);
    }
    if (last && i > 0 && plan.recopy) series.last_equals_first = first == run.memory;
    if (last) series.executed = std::move(run.executed);
    if (last && run.each_ns.size() > 1) series.each_ns = std::move(run.each_ns);
    if (last && plan.keep_memory) {
      series.memory = std::move(run.memory);
      break;
    }
    if (!plan.recopy) job.memory = run.memory;
    if (i == 0) first = std::move(run.memory);
  }
  series.kernel = series.executed->program->kernel;
  return series;
}

std::optional<SampleStatistics> statistics_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  constexpr double kLow = 0.05, kHigh = 0.95, kHalf = 0.5;
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  SampleStatistics out{.min = values.front(), .max = values.back()};
  // A sum of equal values may round, which would show a spread where there is none.
  out.mean =
      out.min == out.max ? out.min : std::accumulate(values.begin(), values.end(), 0.0) / count;
  out.median = percentile(values, kHalf);
  out.p5 = percentile(values, kLow);
  out.p95 = percentile(values, kHigh);
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  if (values.size() > 1) out.stdev = std::sqrt(squares / (count - 1));
  return out;
}

}  // namespace rpl
