// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/measuring.h"

#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "engine/replay/hsa/page_ranges.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

/// Remembers on which GPU the runs were.
class NotingReplayer : public SeriesReplayer {
 public:
  explicit NotingReplayer(SeriesReplayer& inner) : inner_(inner) {}
  [[nodiscard]] std::string_view target() const override { return inner_.target(); }
  Result<ReplaySeries> repeat(const ReplayPlan& plan) override {
    ReplaySeries series = TRY(inner_.repeat(plan));
    if (series.device) {
      agent = series.device->agent;
      product = series.device->product;
    }
    return series;
  }
  std::string agent, product;

 private:
  SeriesReplayer& inner_;
};

SampledPair pair_on(const MeasuringTarget& target, const Optimization& optimization,
                    const Capture& capture) {
  return {.capture = &capture,
          .folder = optimization.capture,
          .host_regions = host_regions_of(capture),
          .design = target.design};
}

}  // namespace

Result<PairMeasurement> measure_pair(const MeasuringTarget& target,
                                     const Optimization& optimization, const Proposal& proposal,
                                     const Capture& capture, const DecisionRule& rule,
                                     std::uint64_t seed) {
  NotingReplayer noting(*target.replayer);
  SampledPair pair = pair_on(target, optimization, capture);
  pair.baseline = TRY(isa::CodeObject::open(optimization.base_object()));
  pair.candidate = TRY(isa::CodeObject::open(proposal.candidate_object()));
  pair.seed = seed;
  PairMeasurement out {
    .measurement = TRY(measure(*replay_sampler(noting, std::move(pair)), rule, target.looks))
    , .agent = {}, .product = {}
  };
  out.agent = noting.agent;
  out.product = noting.product;
  out.baseline_ns = median_ns(out.measurement.samples, &MeasuredBlock::a_ns);
  out.candidate_ns = median_ns(out.measurement.samples, &MeasuredBlock::b_ns);
  return out;
}

Result<double> noise_on(const MeasuringTarget& target, const Optimization& optimization,
                        const Capture& capture, Session& session) {
  const std::string code = TRY(object_of(capture))
  ->hash();
  if (const auto known =
          calibrated_noise(TRY(kept_measurements(session)), target.replayer->target(), code))
    return *known;
  const Looks once{.first = kCalibrationProcesses, .step = 0, .last = kCalibrationProcesses};
  Measurement found =
      TRY(measure(*replay_sampler(*target.replayer, pair_on(target, optimization, capture)),
                  DecisionRule{}, once));
  const double noise = TRY(noise_floor(found.samples, Looks{}.first));
  KeptMeasurement keeping{.number = 0,
                          .kind = "aa",
                          .target = std::string(target.replayer->target()),
                          .about = capture.kernel,
                          .capture_code = code,
                          .time_source = std::move(found.time_source),
                          .noise = noise,
                          .input = {.rule = {}, .looks = once, .samples = std::move(found.samples)},
                          .decision = std::move(found.decision)};
  TRY(keep(session, keeping));
  return noise;
}

}  // namespace rpl
