// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/replay_sampler.h"

#include <fmt/format.h>

#include "engine/base/interrupt.h"
#include "engine/optimize/measure/splitmix.h"
#include "engine/optimize/verify/value_compare.h"

namespace rpl {
namespace {

class ReplaySampler : public Sampler {
 public:
  ReplaySampler(SeriesReplayer& replayer, SampledPair pair)
      : replayer_(replayer), pair_(std::move(pair)), seeds_(pair_.seed) {}
  [[nodiscard]] std::string_view time_source() const override {
    return is_emulated() ? "modelled" : "measured";
  }

  Result<Samples> more(std::uint32_t processes) override {
    if (is_emulated()) return modelled();
    Samples out;
    for (std::uint32_t i = 0; i < processes; ++i) {
      TRY(interrupt::check());
      out.processes.push_back(TRY(process()));
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_emulated() const { return replayer_.target() == "emu"; }
  [[nodiscard]] ReplayPlan plan() const {
    ReplayPlan plan{.capture = pair_.capture,
                    .folder = pair_.folder,
                    .object = pair_.baseline,
                    .kernel = pair_.kernel,
                    .host_regions = pair_.host_regions};
    plan.execute.mode = emu::Mode::modelled;
    return plan;
  }

  Result<Samples> modelled() {
    ReplayPlan one = plan();
    MeasuredBlock block;
    ReplaySeries baseline = TRY(replayer_.repeat(one));
    one.object = pair_.candidate;
    ReplaySeries candidate = TRY(replayer_.repeat(one));
    baseline.other_differing = std::move(candidate.differing);
    TRY(check_results(baseline));
    block.a_ns = std::move(baseline.raw_ns);
    block.b_ns = std::move(candidate.raw_ns);
    return Samples{.processes = {{std::move(block)}}, .deterministic = true};
  }

  /// The first dispatch of each process is the baseline's and does not count: what it leaves is what the candidate must leave.
  Result<MeasuredProcess> process() {
    const std::vector<bool> orders = balanced_orders(pair_.design.blocks, seeds_.next());
    const std::uint32_t dispatches = pair_.design.dispatches;
    ReplayPlan both = plan();
    both.other = pair_.candidate ? pair_.candidate : TRY(object_of(*pair_.capture));
    both.sides.push_back(false);
    for (const bool a_first : orders) {
      both.sides.insert(both.sides.end(), dispatches, !a_first);
      both.sides.insert(both.sides.end(), dispatches, a_first);
    }
    both.iterations = static_cast<std::int64_t>(both.sides.size());
    both.cold = pair_.cold;
    const ReplaySeries series = TRY(replayer_.repeat(both));
    if (series.raw_ns.size() != both.sides.size()) {
      return fail(Errc::unsupported,
                  fmt::format("{} of {} dispatches have no time",
                              both.sides.size() - series.raw_ns.size(), both.sides.size()));
    }
    TRY(check_results(series));
    return blocks_of(series.raw_ns, orders);
  }

  [[nodiscard]] MeasuredProcess blocks_of(const std::vector<double>& times,
                                          const std::vector<bool>& orders) const {
    MeasuredProcess out;
    auto at = times.begin() + 1;
    const auto next = [&] {
      const auto begin = at;
      at += pair_.design.dispatches;
      return std::vector<double>(begin, at);
    };
    for (const bool a_first : orders) {
      MeasuredBlock& block = out.emplace_back();
      block.a_first = a_first;
      (a_first ? block.a_ns : block.b_ns) = next();
      (a_first ? block.b_ns : block.a_ns) = next();
    }
    return out;
  }

  [[nodiscard]] Element element_of(std::size_t region) const {
    for (const CapturedArgument& argument : pair_.capture->arguments) {
      if (argument.buffer && argument.region == region && argument.element &&
          pair_.capture->regions[region].size % size_of(*argument.element) == 0)
        return *argument.element;
    }
    return Element::u8;
  }

  [[nodiscard]] Status check_results(const ReplaySeries& series) const {
    const auto left = [&](const auto& differing,
                          std::size_t region) -> const std::vector<std::byte>& {
      const auto found = differing.find(region);
      return found == differing.end() ? after_of(pair_.capture->regions[region]) : found->second;
    };
    for (std::size_t region = 0; region < pair_.capture->regions.size(); ++region) {
      const Element element = element_of(region);
      const ValueComparison compared =
          compare_values(element, left(series.differing, region),
                         left(series.other_differing, region), default_tolerance(element));
      if (compared.mismatches == 0) continue;
      return fail(
          Errc::verification_failed,
          fmt::format("after the timed runs {}: {} of {} elements are not the baseline's; the "
                      "first at {}: expected {}, found {}",
                      pair_.capture->regions[region].name, compared.mismatches, compared.elements,
                      compared.first_index, compared.first_expected, compared.first_found));
    }
    return {};
  }

  SeriesReplayer& replayer_;
  SampledPair pair_;
  SplitMix seeds_;
};

}  // namespace

std::unique_ptr<Sampler> replay_sampler(SeriesReplayer& replayer, SampledPair pair) {
  return std::make_unique<ReplaySampler>(replayer, std::move(pair));
}

}  // namespace rpl
