// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/replay_sampler.h"

#include <fmt/format.h>

#include "engine/base/interrupt.h"
#include "engine/base/splitmix.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {
namespace {

class ReplaySampler : public Sampler {
 public:
  ReplaySampler(Target& target, SampledPair pair)
      : target_(target), pair_(std::move(pair)), seeds_(pair_.seed) {}
  [[nodiscard]] std::string_view time_source() const override {
    return to_string(target_.traits().times);
  }

  Result<Samples> more(std::uint32_t processes) override {
    Samples out{.processes = {}, .deterministic = target_.traits().deterministic, .model_band = {}};
    for (std::uint32_t i = 0; i < (out.deterministic ? 1 : processes); ++i) {
      TRY(interrupt::check());
      out.processes.push_back(TRY(process(out.model_band)));
    }
    return out;
  }

 private:
  Result<MeasuredProcess> process(std::optional<double>& model_band) {
    PairPlan plan{.run = {.capture = pair_.capture,
                          .folder = pair_.folder,
                          .object = pair_.baseline,
                          .kernel = pair_.kernel,
                          .launch = pair_.baseline_launch,
                          .cold = pair_.cold,
                          .host_regions = pair_.host_regions},
                  .candidate = pair_.candidate,
                  .candidate_launch = pair_.candidate_launch,
                  .a_first = balanced_orders(pair_.design.blocks, seeds_.next()),
                  .dispatches = pair_.design.dispatches};
    plan.run.execute.mode = emu::Mode::modelled;
    const std::vector<bool> orders = plan.a_first;
    PairTimes times = TRY(target_.sample(std::move(plan)));
    if (pair_.ran_on && times.series.device) pair_.ran_on(*times.series.device);
    TRY(check_results(times.series));
    model_band = times.model_band;
    MeasuredProcess out;
    for (std::size_t i = 0; i < times.baseline_ns.size(); ++i) {
      const bool a_first = target_.traits().deterministic || orders[i];
      out.push_back({.a_first = a_first,
                     .a_ns = std::move(times.baseline_ns[i]),
                     .b_ns = std::move(times.candidate_ns[i])});
    }
    return out;
  }

  [[nodiscard]] Status check_results(const ReplaySeries& series) const {
    const Capture& capture = *pair_.capture;
    const auto left = [&](const auto& differing,
                          std::size_t region) -> const std::vector<std::byte>& {
      const auto found = differing.find(region);
      return found == differing.end() ? after_of(capture.regions[region]) : found->second;
    };
    for (std::size_t region = 0; region < capture.regions.size(); ++region) {
      const std::vector<std::byte>& expected = left(series.differing, region);
      const std::vector<std::byte>& found = left(series.other_differing, region);
      if (expected == found) continue;
      const ValueComparison compared = compare_region(capture, region, expected, found, false);
      if (compared.mismatches == 0) continue;
      return fail(
          Errc::verification_failed,
          fmt::format("after the timed runs {}: {} of {} elements are not the baseline's; the "
                      "first at {}: expected {}, found {}",
                      capture.regions[region].name, compared.mismatches, compared.elements,
                      compared.first_index, compared.first_expected, compared.first_found));
    }
    return {};
  }

  Target& target_;
  SampledPair pair_;
  SplitMix seeds_;
};

}  // namespace

std::unique_ptr<Sampler> replay_sampler(Target& target, SampledPair pair) {
  return std::make_unique<ReplaySampler>(target, std::move(pair));
}

}  // namespace rpl
