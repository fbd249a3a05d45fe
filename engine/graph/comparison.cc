// SPDX-License-Identifier: MIT
#include "engine/graph/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "engine/graph/rounds.h"

namespace rpl {
namespace {

/// Fewer have no interval of that confidence.
constexpr std::size_t kStepsAtLeast = 6;
/// Of each median, so that both hold together in 95 of 100 cases.
constexpr double kMisses = 0.025;
constexpr double kSameBand = 0.01;

/// How many of the least and of the greatest of n values can be left out: the median lies between the others but for kMisses of all cases. The probability is that of so many heads in n
/// throws of a coin.
std::size_t left_out(std::size_t n) {
  const auto throws = static_cast<double>(n);
  double sum = 0;
  std::size_t count = 0;
  for (; count < n / 2; ++count) {
    const auto heads = static_cast<double>(count);
    sum += std::exp(std::lgamma(throws + 1) - std::lgamma(heads + 1) -
                    std::lgamma(throws - heads + 1) - throws * std::log(2));
    if (2 * sum > kMisses) break;
  }
  return count;
}

std::optional<StepTimes> step_times(const Trace& trace) {
  std::vector<std::int64_t> lengths_ns = round_lengths_ns(trace);
  if (lengths_ns.size() < kStepsAtLeast) return std::nullopt;
  std::ranges::sort(lengths_ns);
  // So many below it and above it hold the median between them; one of them is still within.
  const std::size_t out = std::max<std::size_t>(1, left_out(lengths_ns.size())) - 1;
  return StepTimes{lengths_ns.size(), lengths_ns[lengths_ns.size() / 2], lengths_ns[out],
                   lengths_ns[lengths_ns.size() - 1 - out]};
}

struct Sum {
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0;
};

std::vector<Sum> sums_of(const Trace& trace) {
  std::vector<Sum> sums(trace.entities().launches.size());
  const auto& launch = trace.columns().launch;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    Sum& sum = sums[launch[row]];
    ++sum.calls;
    sum.total_ns += trace.duration_ns(row);
  }
  return sums;
}

using LaunchKey = std::tuple<std::string_view, Dim3, Dim3>;

/// `steps`: of the busiest stream, by which all is divided.
void add(const Trace& trace, double steps, bool after, std::map<LaunchKey, LaunchChange>& into) {
  const std::vector<Sum> sums = sums_of(trace);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Launch& launch = trace.entities().launches[i];
    if (sums[i].calls == 0 || launch.kernel == kNone) continue;
    const Kernel& kernel = trace.kernels()[launch.kernel];
    LaunchChange& change = into[{kernel.mangled, launch.grid, launch.workgroup}];
    change.kernel = change.kernel == nullptr ? &kernel : change.kernel;
    change.grid = launch.grid;
    change.workgroup = launch.workgroup;
    (after ? change.after_calls : change.before_calls) +=
        static_cast<double>(sums[i].calls) / steps;
    (after ? change.after_ns : change.before_ns) += static_cast<double>(sums[i].total_ns) / steps;
  }
}

StepVerdict verdict_of(double low, double high) {
  if (low >= 1 - kSameBand && high <= 1 + kSameBand) return StepVerdict::same;
  if (high < 1) return StepVerdict::faster;
  return low > 1 ? StepVerdict::slower : StepVerdict::unclear;
}

/// How many steps there would be if the whole recording were steps.
double steps_in(const Trace& trace, const StepTimes& steps) {
  const auto [first_ns, last_ns] = trace.extent_ns();
  return std::max(1.0, static_cast<double>(last_ns - first_ns) /
                           static_cast<double>(std::max<std::int64_t>(1, steps.median_ns)));
}

}  // namespace

std::string_view to_string(StepVerdict verdict) {
  switch (verdict) {
    case StepVerdict::faster:
      return "faster";
    case StepVerdict::slower:
      return "slower";
    case StepVerdict::same:
      return "same";
    case StepVerdict::unclear:
      break;
  }
  return "unclear";
}

Comparison compare_recordings(const Trace& before, const Trace& after) {
  Comparison out;
  out.before = step_times(before);
  out.after = step_times(after);
  out.by_step = out.before && out.after;
  if (out.by_step && out.before->low_ns > 0) {
    const auto over = [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(a) / static_cast<double>(b);
    };
    out.ratio = over(out.after->median_ns, out.before->median_ns);
    out.low = over(out.after->low_ns, out.before->high_ns);
    out.high = over(out.after->high_ns, out.before->low_ns);
    out.verdict = verdict_of(*out.low, *out.high);
  }
  std::map<LaunchKey, LaunchChange> all;
  add(before, out.by_step ? steps_in(before, *out.before) : 1, false, all);
  add(after, out.by_step ? steps_in(after, *out.after) : 1, true, all);
  for (auto& [key, change] : all) out.changes.push_back(change);
  std::ranges::stable_sort(out.changes, std::greater(),
                           [](const LaunchChange& one) { return std::abs(one.change_ns()); });
  return out;
}

}  // namespace rpl
