// SPDX-License-Identifier: MIT
// A captured dispatch whose kernel is rebuilt for each configuration.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "engine/capture/dispatches.h"
#include "engine/capture/wish.h"
#include "engine/device/cycle/parameters.h"
#include "engine/device/findings/finding.h"
#include "engine/optimize/verify/verify.h"
#include "engine/target/emu/emulated_target.h"
#include "engine/triton/signature.h"
#include "engine/tune/run/evaluator.h"

namespace rpl::tune {
namespace {

/// "16,16" as work-items.
Result<std::array<std::uint32_t, 3>> size_of_text(const std::string& text, std::string_view what) {
  if (const auto size = parse_grid(text)) return *size;
  return fail(Errc::usage, fmt::format("{} is '{}'", what, text), "one to three numbers: 16,16");
}

/// Runs the candidate with its own geometry and everything else with the captured one.
class TwoShapes : public Target {
 public:
  TwoShapes(Target& inner, const Capture& changed, const isa::CodeObject* candidate)
      : inner_(inner), changed_(changed), candidate_(candidate) {}
  [[nodiscard]] TargetKind kind() const override { return inner_.kind(); }
  Result<ReplaySeries> replay(const ReplayPlan& plan) override {
    ReplayPlan same = plan;
    if (plan.object.get() == candidate_) same.capture = &changed_;
    return inner_.replay(same);
  }

 private:
  Target& inner_;
  const Capture& changed_;
  const isa::CodeObject* candidate_;
};

struct Candidate {
  Built built;
  std::shared_ptr<const isa::CodeObject> object;
  Capture changed;
  bool other_shape = false;
};

class CaptureEvaluator : public Evaluator {
 public:
  CaptureEvaluator(const Space& space, Work work, Target& target, std::string folder)
      : space_(space), work_(std::move(work)), target_(target), folder_(std::move(folder)) {}

  Status prepare() {
    capture_ = TRY(read_capture(work_.capture));
    TRY(require_one_dispatch(capture_, "tuning"));
    baseline_ = TRY(object_of(capture_));
    if (work_.architecture.empty()) work_.architecture = capture_.architecture;
    TRY(target_.takes(work_.architecture));
    if (!(work_.workgroup.empty() && work_.grid.empty()))
      TRY(require(target_.kind(), Ability::geometry));
    if (work_.variants.empty()) {
      compiler_ = TRY(compiler_for(work_));
      return {};
    }
    return prepare_variants();
  }

  Result<double> time_again(std::size_t point) override {
    Candidate& candidate = *TRY(candidate_of(point));
    auto times = times_of(point, candidate);
    if (!times)
      return fail(Errc::undecided, fmt::format("{} does not run any more: {}", space_.label(point),
                                               times.error().message));
    return times->front();
  }

  [[nodiscard]] bool deterministic() const override { return is_deterministic(work_); }

 private:
  Status evaluate_into(Evaluation& out) override {
    const auto refuse = [&](const char* stage, std::string reason) {
      out.stage = stage;
      out.reason = std::move(reason);
    };
    Candidate& candidate = *TRY(candidate_of(out.point));
    if (!candidate.built.reason.empty()) {
      refuse("build", candidate.built.reason);
      return {};
    }
    auto report = verified(candidate);
    if (!report && report.error().code == Errc::interrupted) return Failure(report.error());
    // Code that the captured sizes never reach is the user's own.
    if (!report || !(report->passed || report->undecided)) {
      refuse("verify", report ? (report->findings.empty() ? "results are wrong"
                                                          : report->findings.front().message)
                              : report.error().message);
      return {};
    }
    auto times = times_of(out.point, candidate);
    if (!times && times.error().code == Errc::interrupted) return Failure(times.error());
    if (!times) {
      refuse("run", times.error().message);
      return {};
    }
    out.samples_ns = std::move(*times);
    out.time_source = to_string(target_.traits().times);
    out.verified = fmt::format("against the captured code on {} input sets", report->input_sets);
    add_facts(candidate, out);
    return {};
  }

  Result<Candidate*> candidate_of(std::size_t point) {
    const std::size_t before = std::exchange(last_, point);
    const auto known = made_.find(point);
    if (known != made_.end()) return &known->second;
    Candidate made = work_.variants.empty() ? TRY(built_candidate(point)) : TRY(variant(point));
    // Memory images are large: what is kept is that of the last two configurations that were looked at, so that of a pair which is measured by turns neither
    // is built again in between.
    constexpr std::size_t kKept = 2;
    if (made_.size() >= kKept)
      made_.erase(made_.begin()->first == before ? std::next(made_.begin()) : made_.begin());
    return &made_.insert_or_assign(point, std::move(made)).first->second;
  }

  Result<Candidate> built_candidate(std::size_t point) {
    Candidate made;
    const Record configuration = space_.configuration(point);
    made.built = TRY(build_for(compiler_, work_, configuration, work_.architecture, true,
                               fmt::format("{}/kernel-{}.co", folder_, point)));
    if (!made.built.reason.empty()) return made;
    made.object = TRY(isa::CodeObject::open(made.built.path));
    made.changed = capture_;
    if (!work_.workgroup.empty())
      made.changed.workgroup =
          TRY(size_of_text(expanded(work_.workgroup, configuration), "--workgroup"));
    if (!work_.grid.empty())
      made.changed.grid = TRY(size_of_text(expanded(work_.grid, configuration), "--grid"));
    made.other_shape =
        made.changed.workgroup != capture_.workgroup || made.changed.grid != capture_.grid;
    return made;
  }

  Status prepare_variants() {
    TRY(require(target_.kind(), Ability::geometry));
    variants_ = TRY(variants_of(work_));
    // A capture of a program knows no types, and sums in another order are equal only as numbers.
    const Record& signature = variants_.all.front().metadata.signature;
    for (std::size_t i = 0; i < std::min(capture_.arguments.size(), signature.size()); ++i) {
      CapturedArgument& argument = capture_.arguments[i];
      const auto* type = signature[i].second.as<std::string>();
      if (argument.buffer && !argument.element && type != nullptr)
        argument.element = triton::element_behind(*type);
    }
    for (std::size_t i = 0; i < variants_.all.size(); ++i)
      variant_of_[TRY(space_.find(variants_.configurations[i]))] = i;
    std::vector<std::string> names;
    for (const auto& [name, value] : variants_.all.front().metadata.constants)
      names.push_back(name);
    for (const auto& [name, value] : variants_.all.front().metadata.options) names.push_back(name);
    std::string_view rest = work_.programs;
    while (!rest.empty()) {
      // Commas of min(a, b) are within parentheses.
      std::size_t end = 0;
      for (int depth = 0; end < rest.size() && (rest[end] != ',' || depth > 0); ++end)
        depth += rest[end] == '(' ? 1 : rest[end] == ')' ? -1 : 0;
      programs_.push_back(TRY(Constraint::parse(rest.substr(0, end), names)));
      rest.remove_prefix(std::min(rest.size(), end + 1));
    }
    if (programs_.size() > capture_.grid.size())
      return fail(Errc::usage, fmt::format("--programs '{}' has more than three", work_.programs),
                  "a grid has three directions");
    return {};
  }

  /// A variant with the launch that Triton would make of it.
  Result<Candidate> variant(std::size_t point) {
    const auto known = variant_of_.find(point);
    if (known == variant_of_.end())
      return fail(Errc::not_found,
                  fmt::format("{} is no longer in {}", space_.label(point), work_.variants));
    const triton::Variant& one = variants_.all[known->second];
    Candidate made;
    made.built.path = one.path;
    made.object = TRY(isa::CodeObject::open(one.path));
    made.changed = capture_;
    made.changed.workgroup = {one.metadata.workgroup(), 1, 1};
    made.changed.dynamic_lds_bytes = one.metadata.shared_bytes;
    for (std::size_t i = 0; i < capture_.grid.size(); ++i) {
      std::uint64_t programs =
          (capture_.grid[i] + capture_.workgroup[i] - 1) / capture_.workgroup[i];
      if (!programs_.empty())
        programs = i < programs_.size() ? TRY(programs_along(programs_[i], one)) : 1;
      made.changed.grid[i] = static_cast<std::uint32_t>(programs * made.changed.workgroup[i]);
    }
    made.other_shape = true;
    return made;
  }

  Result<std::uint64_t> programs_along(const Constraint& text, const triton::Variant& one) {
    std::vector<const Value*> values;
    const triton::Metadata& first = variants_.all.front().metadata;
    for (const Record* names : {&first.constants, &first.options}) {
      const Record& own = names == &first.constants ? one.metadata.constants : one.metadata.options;
      for (const auto& [name, value] : *names) {
        const auto found = std::ranges::find(own, name, &Record::value_type::first);
        static const Value kNone;
        values.push_back(found == own.end() ? &kNone : &found->second);
      }
    }
    const double count = TRY(text.calculated(values));
    constexpr double kMost = 1 << 20;
    if (count >= 1 && count <= kMost && count == std::floor(count))
      return static_cast<std::uint64_t>(count);
    return fail(Errc::usage,
                fmt::format("--programs '{}' is {} for {}", text.text(), count, one.path),
                "a whole number from 1 on: -(-ROWS // BLOCK) rounds up");
  }

  Result<VerifyReport> verified(const Candidate& candidate) {
    const VerifyRequest request{
        .capture = &capture_,
        .baseline = baseline_,
        .candidate = candidate.object,
        // A configuration is for the captured sizes, and may have a launch of its own.
        .other_arguments = false};
    // Where memory stays on the target the emulated device verifies alone.
    Target& verifier = require(target_.kind(), Ability::memory_after) ? target_ : emulated_;
    if (!candidate.other_shape) return verify(request, verifier);
    TwoShapes both(verifier, candidate.changed, candidate.object.get());
    return verify(request, both);
  }

  Result<std::vector<double>> times_of(std::size_t point, const Candidate& candidate) {
    ReplaySeries series = TRY(target_.replay(
        {.capture = &candidate.changed,
         .folder = work_.capture,
         .object = candidate.object,
         .iterations = deterministic() ? 1 : work_.runs,
         .warmup = 1,
         .timeout = std::chrono::seconds(work_.timeout_s),
         .execute = {.mode = emu::Mode::modelled, .keep_record = !work_.variants.empty()}}));
    if (series.executed && !work_.variants.empty()) why_ = reason_of(*series.executed, candidate);
    if (series.executed && series.time_source == to_string(Provenance::modelled))
      keep_band(point, emu::ratio_band(*series.executed, *series.executed).value_or(0));
    if (series.raw_ns.empty()) return fail(Errc::undecided, "the replay gave no times");
    return std::move(series.raw_ns);
  }

  /// What costs a launch most, in words; empty where nothing is known.
  std::string reason_of(const emu::Executed& executed, const Candidate& candidate) const {
    const auto parameters = cycle::builtin_parameters(
        work_.gpu.empty() ? std::string(isa::to_string(candidate.object->arch())) : work_.gpu);
    if (!parameters || !executed.record) return {};
    const auto found = findings::find(executed, *candidate.object, **parameters);
    if (!found || found->all.empty()) return {};
    const findings::Finding& first = found->all.front();
    std::string text(to_string(first.cause));
    if (!first.where.empty()) text += " at " + first.where.front().text();
    constexpr double kPercent = 100;
    if (first.worth)
      text += fmt::format(", {:.0f} to {:.0f} % of its time", first.worth->low * kPercent,
                          first.worth->high * kPercent);
    return text;
  }

  void add_facts(const Candidate& candidate, Evaluation& out) const {
    const auto kernel = candidate.object->kernel(capture_.kernel);
    if (!kernel) return;
    out.facts = {{"vgprs", Value((*kernel)->vgprs)},
                 {"sgprs", Value((*kernel)->sgprs)},
                 {"lds_bytes", Value((*kernel)->lds_bytes)},
                 {"scratch_bytes", Value((*kernel)->scratch_bytes)},
                 {"code_bytes", Value((*kernel)->code_bytes)}};
    if (!why_.empty()) out.facts.emplace_back("finding", Value(why_));
  }

  const Space& space_;
  Work work_;
  Target& target_;
  EmulatedTarget emulated_;  ///< of the usual GPU
  std::string folder_;
  Capture capture_;
  std::shared_ptr<const isa::CodeObject> baseline_;
  Compiler compiler_;
  std::map<std::size_t, Candidate> made_;  ///< by point
  std::size_t last_ = 0;                   ///< the point that was looked at last
  triton::Variants variants_;
  std::map<std::size_t, std::size_t> variant_of_;  ///< by point
  std::vector<Constraint> programs_;               ///< by direction; empty: as captured
  std::string why_;                                ///< of the last time
};

}  // namespace

Result<std::unique_ptr<Evaluator>> make_capture_evaluator(const Space& space, const Work& work,
                                                          Target& target,
                                                          const std::string& folder) {
  auto out = std::make_unique<CaptureEvaluator>(space, work, target, folder);
  TRY(out->prepare());
  return out;
}

}  // namespace rpl::tune
