// SPDX-License-Identifier: MIT
#include "engine/graph/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/parallel.h"
#include "engine/graph/step_lengths.h"

namespace rpl {
namespace {

/// Fewer have no interval of that confidence.
constexpr std::size_t kStepsAtLeast = 6;
/// Of one median, and of each of two, so that both hold together in 95 of 100 cases.
constexpr double kMissesOfOne = 0.05, kMissesOfTwo = 0.025;
constexpr double kSameBand = 0.01;

/// How many of the least and of the greatest of n values can be left out: the median lies between the others but for `misses` of all cases. The probability is that of so many heads in n
/// throws of a coin.
std::size_t left_out(std::size_t n, double misses) {
  const auto throws = static_cast<double>(n);
  double sum = 0;
  std::size_t count = 0;
  for (; count < n / 2; ++count) {
    const auto heads = static_cast<double>(count);
    sum += std::exp(std::lgamma(throws + 1) - std::lgamma(heads + 1) -
                    std::lgamma(throws - heads + 1) - throws * std::log(2));
    if (2 * sum > misses) break;
  }
  return count;
}

/// So many below it and above it hold the median between them; one of them is still within.
std::size_t outside(std::size_t n, double misses) {
  return std::max<std::size_t>(1, left_out(n, misses)) - 1;
}

std::optional<StepTimes> step_times(const StepLengths& of) {
  std::vector<std::int64_t> lengths_ns = of.lengths_ns;
  double sum_ns = 0;
  for (const std::int64_t ns : lengths_ns) sum_ns += static_cast<double>(ns);
  if (lengths_ns.size() < kStepsAtLeast) return std::nullopt;
  std::ranges::sort(lengths_ns);
  const std::size_t out = outside(lengths_ns.size(), kMissesOfTwo);
  return StepTimes{lengths_ns.size(), lengths_ns[lengths_ns.size() / 2],
                   lengths_ns[out],   lengths_ns[lengths_ns.size() - 1 - out],
                   of.ranks,          sum_ns / static_cast<double>(lengths_ns.size())};
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
void add(const Trace& trace, const std::vector<Sum>& sums, double steps, bool after,
         std::map<LaunchKey, LaunchChange>& into) {
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

/// How many steps there would be if the whole recording were steps, of all ranks whose steps were put together.
double steps_in(const Trace& trace, const StepTimes& steps) {
  const auto times = [&](std::int64_t span_ns) {
    return static_cast<double>(span_ns) / std::max(1.0, steps.mean_ns);
  };
  if (steps.ranks < 2) {
    const auto [first_ns, last_ns] = trace.extent_ns();
    return std::max(1.0, times(last_ns - first_ns));
  }
  double sum = 0;
  for (const std::int64_t span_ns : spans_by_process(trace)) sum += times(span_ns);
  return std::max(1.0, sum);
}

/// Lengths of both recordings.
struct Lengths {
  StepLengths before, after;
};

/// work(trace, result) of both, beside each other: they have nothing in common.
template <class T, class Work>
std::array<T, 2> of_both(const Trace& before, const Trace& after, const Work& work) {
  std::array<T, 2> out;
  in_parallel(2, worthwhile_threads(2),
              [&](std::size_t i) { work(i == 0 ? before : after, out[i]); });
  return out;
}

/// By ranges of one name that both are about, if each has enough of them; of several names the one that covers most of the first recording.
Result<std::optional<Lengths>> by_markers(const Trace& before, const Trace& after,
                                          Comparison& out) {
  const bool first = before.presence().markers, second = after.presence().markers;
  if (first != second)
    out.why_no_marker = first
                            ? "the second recording has no markers, so that kernels tell the steps"
                            : "the first recording has no markers, so that kernels tell the steps";
  if (!first || !second) return std::optional<Lengths>();
  auto loops = of_both<Result<std::vector<MarkerLoop>>>(
      before, after, [](const Trace& trace, auto& result) { result = leading_loops(trace); });
  const std::vector<MarkerLoop> old_loops = TRY(std::move(loops[0])),
                                new_loops = TRY(std::move(loops[1]));
  for (const MarkerLoop& loop : old_loops) {
    if (std::ranges::find(new_loops, loop.name, &MarkerLoop::name) == new_loops.end()) continue;
    Lengths found{lengths_by_markers(before, old_loops, loop.name),
                  lengths_by_markers(after, new_loops, loop.name)};
    if (found.before.lengths_ns.size() < kStepsAtLeast ||
        found.after.lengths_ns.size() < kStepsAtLeast)
      continue;
    out.marker = loop.name;
    return std::optional(std::move(found));
  }
  if (!old_loops.empty() || !new_loops.empty())
    out.why_no_marker =
        "no ranges of one name come seven times or more in both recordings, so that kernels tell "
        "the steps";
  return std::optional<Lengths>();
}

/// Steps of one number against each other, so that steps that differ among themselves add no noise. False where too few have one.
bool pair_steps(const Lengths& lengths, Comparison& out) {
  std::map<std::int64_t, std::int64_t> before_ns;
  for (std::size_t i = 0; i < lengths.before.numbers.size(); ++i)
    before_ns[lengths.before.numbers[i]] = lengths.before.lengths_ns[i];
  std::vector<double> ratios;
  for (std::size_t i = 0; i < lengths.after.numbers.size(); ++i) {
    const auto found = before_ns.find(lengths.after.numbers[i]);
    if (found == before_ns.end() || found->second <= 0) continue;
    ratios.push_back(static_cast<double>(lengths.after.lengths_ns[i]) /
                     static_cast<double>(found->second));
  }
  if (ratios.size() < kStepsAtLeast) return false;
  std::ranges::sort(ratios);
  const std::size_t rest = outside(ratios.size(), kMissesOfOne);
  out.paired = ratios.size();
  out.ratio = ratios[ratios.size() / 2];
  out.low = ratios[rest];
  out.high = ratios[ratios.size() - 1 - rest];
  return true;
}

void judge_steps(const Lengths& lengths, Comparison& out) {
  out.before = step_times(lengths.before);
  out.after = step_times(lengths.after);
  out.by_step = out.before && out.after;
  if (!out.by_step) return;
  out.by = out.marker.empty() ? StepsBy::repetition : StepsBy::markers;
  if (!pair_steps(lengths, out)) {
    if (out.before->low_ns <= 0) return;
    const auto over = [](std::int64_t a, std::int64_t b) {
      return static_cast<double>(a) / static_cast<double>(b);
    };
    out.ratio = over(out.after->median_ns, out.before->median_ns);
    out.low = over(out.after->low_ns, out.before->high_ns);
    out.high = over(out.after->high_ns, out.before->low_ns);
  }
  out.verdict = verdict_of(*out.low, *out.high);
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

std::string_view to_string(StepsBy by) {
  switch (by) {
    case StepsBy::markers:
      return "markers";
    case StepsBy::repetition:
      return "kernels";
    case StepsBy::nothing:
      break;
  }
  return "";
}

Result<Comparison> compare_recordings(const Trace& before, const Trace& after) {
  Comparison out;
  std::optional<Lengths> lengths = TRY(by_markers(before, after, out));
  TRY(interrupt::check());
  if (!lengths) {
    auto found = of_both<StepLengths>(before, after, [](const Trace& trace, StepLengths& result) {
      result = lengths_by_repetition(trace);
    });
    lengths = Lengths{std::move(found[0]), std::move(found[1])};
  }
  judge_steps(*lengths, out);
  TRY(interrupt::check());
  const auto sums = of_both<std::vector<Sum>>(
      before, after, [](const Trace& trace, std::vector<Sum>& result) { result = sums_of(trace); });
  std::map<LaunchKey, LaunchChange> all;
  add(before, sums[0], out.by_step ? steps_in(before, *out.before) : 1, false, all);
  add(after, sums[1], out.by_step ? steps_in(after, *out.after) : 1, true, all);
  for (auto& [key, change] : all) out.changes.push_back(change);
  std::ranges::stable_sort(out.changes, std::greater(),
                           [](const LaunchChange& one) { return std::abs(one.change_ns()); });
  return out;
}

}  // namespace rpl
