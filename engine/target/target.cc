// SPDX-License-Identifier: MIT
#include "engine/target/target.h"

#include <fmt/format.h>

namespace rpl {
namespace {

/// The times of the blocks, without the first run, which is the baseline's and does not count.
void split(const std::vector<double>& times, const PairPlan& plan, PairTimes& out) {
  auto at = times.begin() + 1;
  const auto next = [&] {
    const auto begin = at;
    at += plan.dispatches;
    return std::vector<double>(begin, at);
  };
  for (const bool a_first : plan.a_first) {
    (a_first ? out.baseline_ns : out.candidate_ns).push_back(next());
    (a_first ? out.candidate_ns : out.baseline_ns).push_back(next());
  }
}

}  // namespace

Status Target::prepare(Ability need) { return require(kind(), need); }

Result<ProfileRun> Target::profile(const ProfileRequest& /*request*/) {
  return refused(Ability::profile);
}

Result<CaptureRun> Target::capture(const CaptureRequest& /*request*/) {
  return refused(Ability::capture);
}

Result<std::string> Target::architecture_of(const std::vector<std::string>& /*argv*/) {
  return std::string();
}

Status Target::takes(std::string_view) const { return {}; }

Result<ReplaySeries> Target::replay(const ReplayPlan& /*plan*/) { return refused(Ability::replay); }

Result<ReserveReport> Target::reserve_check(const ReplayPlan& /*plan*/) {
  return refused(Ability::reserve_check);
}

Failure Target::refused(Ability ability) const {
  if (Status why = require(kind(), ability); !why) return std::move(why).failure();
  return fail(Errc::internal,
              fmt::format("target {} lacks what its traits say", to_string(kind())));
}

Result<PairTimes> Target::sample(PairPlan plan) {
  TRY(require(kind(), Ability::bench));
  PairTimes out{.baseline_ns = {}, .candidate_ns = {}, .model_band = {}, .series = {}};
  if (traits().deterministic) {
    const auto code_of = [&](const std::shared_ptr<const isa::CodeObject>& object)
        -> Result<std::shared_ptr<const isa::CodeObject>> {
      if (object) return object;
      return object_of(*plan.run.capture);
    };
    const bool same_launch = plan.run.launch == plan.candidate_launch;
    const bool same_code = same_launch && TRY(code_of(plan.run.object))->hash() ==
                                              TRY(code_of(plan.candidate))->hash();
    out.series = TRY(replay(plan.run));
    plan.run.object = plan.candidate;
    plan.run.launch = plan.candidate_launch;
    ReplaySeries candidate = TRY(replay(plan.run));
    out.series.other_differing = std::move(candidate.differing);
    if (out.series.executed && candidate.executed)
      // Of equal code every error is in both times.
      out.model_band = same_code ? 0 : emu::ratio_band(*out.series.executed, *candidate.executed);
    out.baseline_ns.push_back(out.series.raw_ns);
    out.candidate_ns.push_back(std::move(candidate.raw_ns));
    return out;
  }
  ReplayPlan both = plan.run;
  both.other = plan.candidate ? plan.candidate : TRY(object_of(*both.capture));
  both.other_launch = plan.candidate_launch;
  both.sides.push_back(false);
  for (const bool a_first : plan.a_first) {
    both.sides.insert(both.sides.end(), plan.dispatches, !a_first);
    both.sides.insert(both.sides.end(), plan.dispatches, a_first);
  }
  both.iterations = static_cast<std::int64_t>(both.sides.size());
  out.series = TRY(replay(both));
  const std::size_t timed = out.series.raw_ns.size();
  if (timed != both.sides.size())
    return fail(Errc::unsupported, fmt::format("{} of {} dispatches have no time",
                                               both.sides.size() - timed, both.sides.size()));
  split(out.series.raw_ns, plan, out);
  return out;
}

Result<ReplayRun> run_once(Target& target, ReplayJob job) {
  TRY(require(target.kind(), Ability::memory_after));
  ReplaySeries series = TRY(target.replay({.capture = job.capture,
                                           .object = std::move(job.object),
                                           .kernel = std::move(job.kernel),
                                           .launch = job.launch,
                                           .fusion = job.fusion,
                                           .memory = std::move(job.memory),
                                           .keep_memory = true,
                                           .execute = std::move(job.execute)}));
  return ReplayRun{.memory = std::move(series.memory),
                   .executed = std::move(*series.executed),
                   .each_ns = std::move(series.each_ns)};
}

}  // namespace rpl
