// SPDX-License-Identifier: MIT
// Running everything again with rounding up and with rounding down shows the error that the baseline itself may have, element by element: sums of many numbers and
// differences of nearly equal ones have much, the exponential of a large number too. (Kahan, "How Futile are Mindless Assessments of Roundoff in Floating-Point
// Computation?", recommends the same.) Errors of one direction cancel in differences, so that each operation rounds at random, too. On inputs whose sums happen to be
// exact none of that shows what another order of the same operations may be off by, so that exact results move as well in further runs.
#include "engine/optimize/verify/rounding_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "engine/base/parallel.h"
#include "engine/optimize/verify/baseline_study.h"
#include "engine/optimize/verify/value_compare.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

double smallest_normal(Element element) {
  return element == Element::f64   ? std::numeric_limits<double>::min()
         : element == Element::f16 ? 0x1p-14
                                   : double{std::numeric_limits<float>::min()};
}

/// Runs the baseline in each of these ways, several at once, and calls take(variation, run) in their order for those in which it runs. False when it does not run in some.
template <class Take>
Result<bool> each_run(const Runner& runner, const InputSet& set, const ReferenceRun& reference,
                      std::span<const emu::Variation> variations, const Take& take) {
  const std::size_t at_once = BaselineStudy::sets_at_once(runner.capture);
  bool all = true;
  for (std::size_t first = 0; first < variations.size(); first += at_once) {
    const auto now = variations.subspan(first, std::min(at_once, variations.size() - first));
    std::vector<std::optional<Result<ReplayRun>>> runs(now.size());
    in_parallel(now.size(), at_once, [&](std::size_t i) {
      runs[i] = runner.run(set, reference.input[0],
                           {.mode = emu::Mode::functional,
                            .max_instructions = budget_for(reference.instructions),
                            .variation = now[i]});
    });
    for (std::size_t i = 0; i < now.size(); ++i) {
      Result<ReplayRun>& run = *runs[i];
      if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
      all = all && run.has_value();
      if (run) take(now[i], *run);
    }
  }
  return all;
}

class Rounded {
 public:
  Rounded(const Runner& runner, const InputSet& set, const std::vector<BufferTraits>& traits,
          const ReferenceRun& reference)
      : runner_(runner), set_(set), traits_(traits), reference_(reference) {
    out_.distances.resize(reference.written.size());
    out_.others.resize(reference.written.size());
    out_.biases.resize(reference.written.size());
    out_.moves.resize(reference.written.size());
    moved_.resize(reference.written.size());
  }

  /// False when the baseline does not run in some of these ways.
  Result<bool> run(std::span<const emu::Variation> variations) {
    return each_run(
        runner_, set_, reference_, variations,
        [this](const emu::Variation& variation, ReplayRun& run) { take(variation, run); });
  }

  RoundingErrors errors() && {
    for (std::size_t region = 0; region < moved_.size(); ++region) {
      add_moved(region);
      smooth(region);
    }
    return std::move(out_);
  }

 private:
  void take(const emu::Variation& variation, ReplayRun& run) {
    auto& to = variation.moved_results ? moved_ : out_.distances;
    for (std::size_t region = 0; region < to.size(); ++region) {
      add_distances(region, run.memory[region], to[region]);
      if (run.memory[region] != reference_.expected[0][region]) out_.moves[region] = true;
      if (variation.random_rounding != 0 && !variation.moved_results && reference_.written[region])
        add_bias(region, run.memory[region]);
      // Exact numbers that are moved would decide ties otherwise, which nobody may.
      const bool is_other = reference_.written[region] && !is_float(traits_[region].element) &&
                            run.memory[region] != reference_.expected[0][region];
      if (is_other && !variation.moved_results)
        out_.others[region].push_back(std::move(run.memory[region]));
    }
  }

  void add_distances(std::size_t region, const std::vector<std::byte>& found,
                     std::vector<float>& most) const {
    const Element element = traits_[region].element;
    if (!reference_.written[region] || !is_float(element)) return;
    const std::size_t size = size_of(element);
    const auto& expected = reference_.expected[0][region];
    most.resize(expected.size() / size);
    for (std::size_t i = 0; i < most.size(); ++i) {
      const double now = element_number(element, found.data() + i * size),
                   plain = element_number(element, expected.data() + i * size);
      // Where rounding decides whether there is a number at all, none is known.
      const double by = std::isfinite(now) == std::isfinite(plain)
                            ? std::abs(now - plain)
                            : std::numeric_limits<double>::infinity();
      if (!std::isnan(by)) most[i] = std::max(most[i], static_cast<float>(by));
    }
  }

  void add_bias(std::size_t region, const std::vector<std::byte>& found) {
    const Bias bias = bias_of(traits_[region].element, reference_.expected[0][region], found);
    out_.biases[region] = std::max(out_.biases[region], std::abs(bias.mean));
  }

  [[nodiscard]] std::vector<double> sizes_of(std::size_t region) const {
    const Element element = traits_[region].element;
    const auto& expected = reference_.expected[0][region];
    std::vector<double> out(expected.size() / size_of(element));
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::abs(element_number(element, expected.data() + i * size_of(element)));
    return out;
  }

  template <class Use>
  static void for_near(std::size_t i, std::size_t count, const Use& use) {
    constexpr std::size_t kNear = 8;
    for (std::size_t k = i - std::min(i, kNear); k < std::min(i + kNear + 1, count); ++k) use(k);
  }

  // Only what stays small: where an exact number decides (a tie, a whole number to be cut off), moving it changes the decision, which nobody may change.
  void add_moved(std::size_t region) {
    if (moved_[region].empty()) return;
    constexpr double kSmall = 1e-4;
    const std::vector<double> sizes = sizes_of(region);
    std::vector<float>& most = out_.distances[region];
    most.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      double scale = 0;
      for_near(i, sizes.size(), [&](std::size_t k) {
        if (std::isfinite(sizes[k])) scale = std::max(scale, sizes[k]);
      });
      if (moved_[region][i] <= kSmall * scale) most[i] = std::max(most[i], moved_[region][i]);
    }
  }

  // A few runs may miss the error of one element by luck; its neighbours are made of similar numbers. So the largest relative distance nearby counts.
  void smooth(std::size_t region) {
    std::vector<float>& most = out_.distances[region];
    if (most.empty()) return;
    const std::vector<double> sizes = sizes_of(region);
    std::vector<float> out(most.size());
    for (std::size_t i = 0; i < most.size(); ++i) {
      out[i] = most[i];
      if (!std::isfinite(sizes[i])) continue;
      for_near(i, most.size(), [&](std::size_t k) {
        // No more than all of it: beside a number that is nothing but error each other one may still be known. Of a denormal the last bit may be all
        // of it, which says nothing of others.
        const bool says = sizes[k] >= smallest_normal(traits_[region].element);
        const double share = says ? std::min(most[k] / sizes[k], 1.0) : 0;
        out[i] = std::max(out[i], static_cast<float>(share * sizes[i]));
      });
    }
    most = std::move(out);
  }

  const Runner& runner_;
  const InputSet& set_;
  const std::vector<BufferTraits>& traits_;
  const ReferenceRun& reference_;
  RoundingErrors out_;
  std::vector<std::vector<float>> moved_;
};

/// The mean and spread of each element over several runs, as distances from `expected`.
class Spread {
 public:
  void add(Element element, const std::vector<std::byte>& expected,
           const std::vector<std::byte>& found) {
    const std::size_t size = size_of(element);
    sum_.resize(expected.size() / size);
    squares_.resize(sum_.size());
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      const double by = element_number(element, found.data() + i * size) -
                        element_number(element, expected.data() + i * size);
      sum_[i] += by;
      squares_[i] += by * by;
    }
    ++runs_;
  }
  /// So many standard deviations; 0 where an element is no number in one of the runs.
  [[nodiscard]] std::vector<float> deviations(double times) const {
    std::vector<float> out(sum_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double mean = sum_[i] / runs_, variance = squares_[i] / runs_ - mean * mean;
      if (std::isfinite(variance))
        out[i] = static_cast<float>(times * std::sqrt(std::max(variance, 0.0)));
    }
    return out;
  }

 private:
  std::vector<double> sum_, squares_;
  double runs_ = 0;
};

}  // namespace

Result<RoundingErrors> rounding_errors(const Runner& runner, const InputSet& set,
                                       const std::vector<BufferTraits>& traits,
                                       const ReferenceRun& reference, std::uint64_t seed) {
  Rounded rounded(runner, set, traits, reference);
  const std::array<emu::Variation, 4> ways{{{.fill = seed + 1, .rounding = emu::Rounding::up},
                                            {.fill = seed + 1, .rounding = emu::Rounding::down},
                                            {.fill = seed + 1, .random_rounding = seed + 31},
                                            {.fill = seed + 1, .random_rounding = seed + 32}}};
  if (!TRY(rounded.run(ways))) return Rounded(runner, set, traits, reference).errors();
  const std::array<emu::Variation, 2> moved{
      {{.fill = seed + 1, .random_rounding = seed + 33, .moved_results = true},
       {.fill = seed + 1, .random_rounding = seed + 34, .moved_results = true}}};
  TRY(rounded.run(moved));
  return std::move(rounded).errors();
}

Result<RoundingErrors> more_rounding_errors(const Runner& runner, const InputSet& set,
                                            const std::vector<BufferTraits>& traits,
                                            const ReferenceRun& reference, std::uint64_t seed) {
  constexpr std::uint64_t kMore = 6;
  // Of equal numbers each sum rounds to the same side, which is further than a drawn side takes it.
  std::vector<emu::Variation> ways{{.fill = seed + 1, .rounding = emu::Rounding::up},
                                   {.fill = seed + 1, .rounding = emu::Rounding::down}};
  for (std::uint64_t by = 0; by < kMore; ++by) {
    ways.push_back({.fill = seed + 1, .random_rounding = seed + 41 + by});
    ways.push_back({.fill = seed + 1, .random_rounding = seed + 61 + by, .moved_results = true});
  }
  Rounded rounded(runner, set, traits, reference);
  TRY(rounded.run(ways));
  return std::move(rounded).errors();
}

Result<std::vector<std::vector<float>>> rounding_at_worst(const Runner& runner, const InputSet& set,
                                                          const std::vector<BufferTraits>& traits,
                                                          const ReferenceRun& reference,
                                                          std::uint64_t seed) {
  constexpr std::size_t kRuns = 16;
  constexpr double kDeviations = 6;
  std::vector<std::vector<float>> out(reference.written.size());
  std::vector<Spread> spreads(reference.written.size());
  std::vector<emu::Variation> ways;
  for (std::uint64_t by = 0; by < kRuns; ++by)
    ways.push_back({.fill = seed + 1, .random_rounding = seed + 81 + by});
  const auto take = [&](const emu::Variation&, const ReplayRun& run) {
    for (std::size_t region = 0; region < out.size(); ++region) {
      const Element element = traits[region].element;
      if (reference.written[region] && is_float(element))
        spreads[region].add(element, reference.expected[0][region], run.memory[region]);
    }
  };
  if (!TRY(each_run(runner, set, reference, ways, take))) return out;
  for (std::size_t region = 0; region < out.size(); ++region)
    out[region] = spreads[region].deviations(kDeviations);
  return out;
}

}  // namespace rpl
