// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/stages.h"

#include "engine/optimize/measure/simulate.h"
#include "engine/optimize/store/measurements.h"
#include "engine/replay/hsa/page_ranges.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

SampledPair pair_on(const MeasuringTarget& clock, const Optimization& optimization,
                    const Capture& capture) {
  return {.capture = &capture,
          .folder = optimization.capture,
          .host_regions = host_regions_of(capture),
          .design = clock.design};
}

}  // namespace

Result<PairMeasurement> measure_pair(const MeasuringTarget& clock, const Optimization& optimization,
                                     const Proposal& proposal, const Capture& capture,
                                     const DecisionRule& rule, std::uint64_t seed) {
  PairMeasurement out{.measurement = {}, .agent = {}, .product = {}};
  SampledPair pair = pair_on(clock, optimization, capture);
  pair.baseline = TRY(isa::CodeObject::open(optimization.base_object()));
  pair.candidate = TRY(isa::CodeObject::open(proposal.candidate_object()));
  pair.baseline_launch = optimization.launch;
  pair.candidate_launch = proposal.launch;
  pair.seed = seed;
  pair.ran_on = [&out](const DeviceRun& device) {
    out.agent = device.agent;
    out.product = device.product;
  };
  out.measurement =
      TRY(measure(*replay_sampler(*clock.target, std::move(pair)), rule, clock.looks));
  out.baseline_ns = median_ns(out.measurement.samples, &MeasuredBlock::a_ns);
  out.candidate_ns = median_ns(out.measurement.samples, &MeasuredBlock::b_ns);
  return out;
}

Result<double> noise_on(const MeasuringTarget& clock, const Optimization& optimization,
                        const Capture& capture, Session& session) {
  const std::string code = TRY(object_of(capture))->hash();
  if (const auto known =
          calibrated_noise(TRY(kept_measurements(session)), to_string(clock.target->kind()), code))
    return *known;
  const Looks once{.first = kCalibrationProcesses, .step = 0, .last = kCalibrationProcesses};
  Measurement found = TRY(measure(
      *replay_sampler(*clock.target, pair_on(clock, optimization, capture)), DecisionRule{}, once));
  const double noise = TRY(noise_floor(found.samples, Looks{}.first));
  KeptMeasurement keeping{.number = 0,
                          .kind = "aa",
                          .target = std::string(to_string(clock.target->kind())),
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
