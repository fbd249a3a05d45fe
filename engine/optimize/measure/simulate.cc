// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/simulate.h"

#include <array>
#include <cmath>
#include <limits>

#include "engine/base/interrupt.h"
#include "engine/base/splitmix.h"

namespace rpl {
namespace {

/// Dispatch times of one process in their order in time.
class SimulatedProcess {
 public:
  SimulatedProcess(const NoiseModel& noise, double ratio, std::uint32_t dispatches,
                   SplitMix& random)
      : noise_(noise), random_(random), step_(1.0 / dispatches) {
    constexpr double kTypical = 100'000;  // 100 us
    const double shared = kTypical * (1 + noise.process * random.normal());
    a_ = shared * (1 + noise.placement * random.normal());
    b_ = shared * (1 + noise.placement * random.normal()) / ratio;
    slope_ = (random.next() & 1U) != 0 ? noise.ramp : -noise.ramp;
  }

  void run(std::vector<double>& into, bool candidate) {
    for (double& time : into) {
      double factor = 1 + slope_ * (2 * at_ - 1);
      at_ += step_;
      if (noise_.walk > 0) factor += walked_ += noise_.walk * random_.normal();
      if (noise_.dispatch > 0) factor += noise_.dispatch * random_.normal();
      if (noise_.spike_share > 0 && random_.uniform() < noise_.spike_share)
        factor += noise_.spike_low + (noise_.spike_high - noise_.spike_low) * random_.uniform();
      time = (candidate ? b_ : a_) * factor;
    }
  }

 private:
  const NoiseModel& noise_;
  SplitMix& random_;
  double a_ = 0, b_ = 0, slope_ = 0, at_ = 0, step_ = 0, walked_ = 0;
};

class SimulatedSampler : public Sampler {
 public:
  SimulatedSampler(const NoiseModel& noise, double ratio, const Design& design, std::uint64_t seed)
      : noise_(noise), ratio_(ratio), design_(design), random_(seed) {}
  [[nodiscard]] std::string_view time_source() const override { return "simulated"; }

  Result<Samples> more(std::uint32_t processes) override {
    Samples out;
    for (std::uint32_t i = 0; i < processes; ++i) {
      SimulatedProcess process(noise_, ratio_, design_.blocks * design_.dispatches * 2, random_);
      MeasuredProcess& blocks = out.processes.emplace_back();
      for (const bool a_first : balanced_orders(design_.blocks, random_.next())) {
        MeasuredBlock& block = blocks.emplace_back();
        block = {.a_first = a_first,
                 .a_ns = std::vector<double>(design_.dispatches),
                 .b_ns = std::vector<double>(design_.dispatches)};
        process.run(a_first ? block.a_ns : block.b_ns, !a_first);
        process.run(a_first ? block.b_ns : block.a_ns, a_first);
      }
    }
    return out;
  }

 private:
  NoiseModel noise_;
  double ratio_;
  Design design_;
  SplitMix random_;
};

class Resampler : public Sampler {
 public:
  Resampler(const Samples& recorded, bool swapped, std::uint64_t seed)
      : recorded_(recorded), swapped_(swapped), random_(seed) {}
  [[nodiscard]] std::string_view time_source() const override { return "recorded"; }

  Result<Samples> more(std::uint32_t processes) override {
    Samples out{.processes = {}, .deterministic = recorded_.deterministic};
    for (std::uint32_t i = 0; i < processes; ++i) {
      out.processes.push_back(
          recorded_
              .processes[random_.below(static_cast<std::uint32_t>(recorded_.processes.size()))]);
      if (!swapped_) continue;
      for (MeasuredBlock& block : out.processes.back()) {
        std::swap(block.a_ns, block.b_ns);
        block.a_first = !block.a_first;
      }
    }
    return out;
  }

 private:
  const Samples& recorded_;
  bool swapped_;
  SplitMix random_;
};

/// Counts what happens in sessions.
class RateCount {
 public:
  RateCount(const KnownTruth& truth, std::uint64_t seed, double true_ratio)
      : truth_(truth), seeds_(seed), true_ratio_(true_ratio) {}

  Status session() {
    const auto calibration = TRY(truth_.no_op(seeds_.next())->more(kCalibrationProcesses));
    rule_.noise_floor = TRY(noise_floor(calibration, kLooks.first));
    TRY(no_op());
    TRY(gain());
    const auto slower = truth_.regression(seeds_.next());
    const Measurement measured = TRY(measure(*slower, rule_, kLooks));
    add(regression_, accepted(measured.decision));
    add(older_regression_, older_decision(measured.samples).accepted);
    return ten_no_ops();
  }

  [[nodiscard]] DecisionRates rates(std::string name, std::uint32_t sessions) const {
    const auto share = [&](std::uint32_t count) { return static_cast<double>(count) / sessions; };
    return {.name = std::move(name),
            .sessions = sessions,
            .no_op = share(no_op_),
            .no_op_extended = share(no_op_extended_),
            .ten_no_ops = share(ten_no_ops_),
            .gain = share(gain_),
            .gain_extended = share(gain_extended_),
            .regression = share(regression_),
            .covered = true_ratio_ > 0 ? share(covered_) : std::numeric_limits<double>::quiet_NaN(),
            .processes = share(processes_),
            .older_no_op = share(older_no_op_),
            .older_ten_no_ops = share(older_ten_),
            .older_gain = share(older_gain_),
            .older_regression = share(older_regression_)};
  }

 private:
  static constexpr Looks kLooks{};
  static constexpr Looks kOneLook{.first = kLooks.first, .step = 0, .last = kLooks.first};

  static bool accepted(const Decision& decision) { return decision.verdict == Verdict::improved; }
  static void add(std::uint32_t& count, bool happened) { count += happened ? 1 : 0; }

  Status no_op() {
    const Measurement measured = TRY(measure(*truth_.no_op(seeds_.next()), rule_, kLooks));
    add(no_op_extended_, accepted(measured.decision));
    add(older_no_op_, older_decision(measured.samples).accepted);
    add(no_op_, accepted(TRY(decide_in_looks(measured.samples, rule_, kOneLook))));
    return {};
  }

  Status gain() {
    const Measurement measured = TRY(measure(*truth_.gain(seeds_.next()), rule_, kLooks));
    const Decision once = TRY(decide_in_looks(measured.samples, rule_, kOneLook));
    add(gain_extended_, accepted(measured.decision));
    add(gain_, accepted(once));
    add(covered_, once.ci_low <= true_ratio_ && true_ratio_ <= once.ci_high);
    add(older_gain_, older_decision(measured.samples).accepted);
    processes_ += static_cast<std::uint32_t>(measured.samples.processes.size());
    return {};
  }

  Status ten_no_ops() {
    std::array<std::unique_ptr<Sampler>, 10> made;
    std::array<Sampler*, 10> candidates{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = truth_.no_op(seeds_.next());
      candidates[i] = made[i].get();
    }
    const Tournament tournament = TRY(measure_several(candidates, rule_, kLooks));
    add(ten_no_ops_, tournament.winner().has_value());
    bool older = false;
    for (const Measurement& measured : tournament.measured)
      older = older || older_decision(measured.samples).accepted;
    add(older_ten_, older);
    return {};
  }

  const KnownTruth& truth_;
  SplitMix seeds_;
  double true_ratio_;
  DecisionRule rule_;
  std::uint32_t no_op_ = 0, no_op_extended_ = 0, ten_no_ops_ = 0, gain_ = 0, gain_extended_ = 0,
                regression_ = 0, covered_ = 0, processes_ = 0;
  std::uint32_t older_no_op_ = 0, older_ten_ = 0, older_gain_ = 0, older_regression_ = 0;
};

}  // namespace

const std::vector<NoiseModel>& noise_models() {
  static const std::vector<NoiseModel> models{
      {.name = "quiet", .dispatch = 0.003},
      {.name = "drift", .dispatch = 0.008, .ramp = 0.015, .walk = 0.0002},
      {.name = "spikes", .dispatch = 0.008, .spike_share = 0.02},
      {.name = "processes", .dispatch = 0.008, .process = 0.007, .placement = 0.003},
      {.name = "everything",
       .dispatch = 0.008,
       .spike_share = 0.02,
       .process = 0.007,
       .placement = 0.003,
       .ramp = 0.015,
       .walk = 0.0002},
  };
  return models;
}

std::unique_ptr<Sampler> simulated(const NoiseModel& noise, double ratio, const Design& design,
                                   std::uint64_t seed) {
  return std::make_unique<SimulatedSampler>(noise, ratio, design, seed);
}

std::unique_ptr<Sampler> resampled(const Samples& recorded, bool swapped, std::uint64_t seed) {
  return std::make_unique<Resampler>(recorded, swapped, seed);
}

KnownTruth simulated_truth(const NoiseModel& noise, const Design& design, double gain) {
  const auto with = [noise, design](double ratio) {
    return [=](std::uint64_t seed) { return simulated(noise, ratio, design, seed); };
  };
  return {.name = noise.name,
          .truth = "simulated",
          .no_op = with(1),
          .gain = with(1 + gain),
          .regression = with(1 / (1 + gain))};
}

KnownTruth recorded_truth(std::string name, const Samples& same, const Samples& gain) {
  const auto from = [](const Samples& recorded, bool swapped) {
    return [&recorded, swapped](std::uint64_t seed) { return resampled(recorded, swapped, seed); };
  };
  return {.name = std::move(name),
          .truth = "recorded",
          .no_op = from(same, false),
          .gain = from(gain, false),
          .regression = from(gain, true)};
}

Result<DecisionRates> decision_rates(const KnownTruth& truth, std::uint32_t sessions,
                                     std::uint64_t seed, double true_ratio) {
  RateCount count(truth, seed, true_ratio);
  for (std::uint32_t i = 0; i < sessions; ++i) {
    TRY(interrupt::check());
    TRY(count.session());
  }
  return count.rates(truth.name, sessions);
}

}  // namespace rpl
