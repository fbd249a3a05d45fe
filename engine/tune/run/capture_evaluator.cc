// SPDX-License-Identifier: MIT
// A captured dispatch whose kernel is rebuilt for each configuration.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "engine/capture/wish.h"
#include "engine/device/cycle/parameters.h"
#include "engine/optimize/verify/verify.h"
#include "engine/replay/hsa/local.h"
#include "engine/replay/series.h"
#include "engine/tune/run/evaluator.h"

namespace rpl::tune {
namespace {

/// "16,16" as work-items.
Result<std::array<std::uint32_t, 3>> size_of_text(const std::string& text, std::string_view what) {
  if (const auto size = parse_grid(text)) return *size;
  return fail(Errc::usage, fmt::format("{} is '{}'", what, text), "one to three numbers: 16,16");
}

/// Runs the candidate with its own geometry and everything else with the captured one.
class TwoShapes : public Replayer {
 public:
  TwoShapes(Replayer& inner, const Capture& changed, const isa::CodeObject* candidate)
      : inner_(inner), changed_(changed), candidate_(candidate) {}
  [[nodiscard]] std::string_view target() const override { return inner_.target(); }
  Result<ReplayRun> run(const ReplayJob& job) override {
    ReplayJob same = job;
    if (job.object.get() == candidate_) same.capture = &changed_;
    return inner_.run(same);
  }

 private:
  Replayer& inner_;
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
  CaptureEvaluator(const Space& space, Work work, EvaluatorOptions options)
      : space_(space), work_(std::move(work)), options_(std::move(options)) {}

  Status prepare() {
    capture_ = TRY(read_capture(work_.capture));
    baseline_ = TRY(object_of(capture_));
    if (work_.architecture.empty()) work_.architecture = capture_.architecture;
    replayer_ = TRY(make_replayer("emu", TRY(model())));
    if (work_.target == "local") series_ = make_local_series({.program = "/proc/self/exe"});
    if (series_ && !(work_.workgroup.empty() && work_.grid.empty()))
      return fail(Errc::unsupported, "replaying on a GPU keeps the captured geometry",
                  "leave --workgroup and --grid out, or tune a program with --cmd-template");
    compiler_ = TRY(compiler_for(work_));
    return {};
  }

  Result<double> time_again(std::size_t point) override {
    Candidate& candidate = *TRY(candidate_of(point));
    auto times = times_of(candidate);
    if (!times)
      return fail(Errc::undecided, fmt::format("{} does not run any more: {}", space_.label(point),
                                               times.error().message));
    return times->front();
  }

  [[nodiscard]] bool deterministic() const override { return is_deterministic(work_); }

 private:
  /// Null: the usual GPU of the architecture. On a real GPU the emulated device verifies alone.
  Result<std::shared_ptr<const cycle::Parameters>> model() const {
    using Model = std::shared_ptr<const cycle::Parameters>;
    if (work_.gpu.empty() || work_.target != "emu") return Model();
    Model out = options_.models ? TRY(options_.models(work_.gpu)) : std::make_shared<const cycle::Parameters>(*TRY(cycle::builtin_parameters(work_.gpu)));
    if (out->arch == work_.architecture) return out;
    return fail(
        Errc::usage,
        fmt::format("the code is for {}, {} is {}", work_.architecture, out->product, out->arch),
        fmt::format("`set emu gpu none` or leaving --gpu out takes a GPU of {}",
                    work_.architecture));
  }

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
    if (!report || !report->passed) {
      refuse("verify", report ? (report->findings.empty() ? "results are wrong"
                                                          : report->findings.front().message)
                              : report.error().message);
      return {};
    }
    auto times = times_of(candidate);
    if (!times && times.error().code == Errc::interrupted) return Failure(times.error());
    if (!times) {
      refuse("run", times.error().message);
      return {};
    }
    out.samples_ns = std::move(*times);
    out.time_source = deterministic() ? "modelled" : "measured";
    out.verified = fmt::format("against the captured code on {} input sets", report->input_sets);
    add_facts(candidate, out);
    return {};
  }

  Result<Candidate*> candidate_of(std::size_t point) {
    const std::size_t before = std::exchange(last_, point);
    const auto known = made_.find(point);
    if (known != made_.end()) return &known->second;
    Candidate made;
    const Record configuration = space_.configuration(point);
    made.built = TRY(build_for(compiler_, work_, configuration, work_.architecture, true,
                               fmt::format("{}/kernel-{}.co", options_.folder, point)));
    if (made.built.reason.empty()) {
      made.object = TRY(isa::CodeObject::open(made.built.path));
      made.changed = capture_;
      if (!work_.workgroup.empty())
        made.changed.workgroup =
            TRY(size_of_text(expanded(work_.workgroup, configuration), "--workgroup"));
      if (!work_.grid.empty())
        made.changed.grid = TRY(size_of_text(expanded(work_.grid, configuration), "--grid"));
      made.other_shape =
          made.changed.workgroup != capture_.workgroup || made.changed.grid != capture_.grid;
    }
    // Memory images are large: what is kept is that of the last two configurations that were looked at, so that of a pair which is measured by turns neither
    // is built again in between.
    constexpr std::size_t kKept = 2;
    if (made_.size() >= kKept)
      made_.erase(made_.begin()->first == before ? std::next(made_.begin()) : made_.begin());
    return &made_.insert_or_assign(point, std::move(made)).first->second;
  }

  Result<VerifyReport> verified(const Candidate& candidate) {
    const VerifyRequest request{
        .capture = &capture_, .baseline = baseline_, .candidate = candidate.object};
    if (!candidate.other_shape) return verify(request, *replayer_);
    TwoShapes both(*replayer_, candidate.changed, candidate.object.get());
    return verify(request, both);
  }

  Result<std::vector<double>> times_of(const Candidate& candidate) {
    if (series_) {
      const ReplaySeries series =
          TRY(series_->repeat({.capture = &capture_,
                               .folder = work_.capture,
                               .object = candidate.object,
                               .iterations = work_.runs,
                               .warmup = 1,
                               .timeout = std::chrono::seconds(work_.timeout_s)}));
      if (series.raw_ns.empty()) return fail(Errc::undecided, "the replay gave no times");
      return series.raw_ns;
    }
    const ReplayRun run = TRY(replayer_->run({.capture = &candidate.changed,
                                              .object = candidate.object,
                                              .execute = {.mode = emu::Mode::modelled}}));
    if (!run.executed.modelled) return fail(Errc::internal, "the emulated device gave no time");
    return std::vector{static_cast<double>(run.executed.modelled->time_ns)};
  }

  void add_facts(const Candidate& candidate, Evaluation& out) const {
    const auto kernel = candidate.object->kernel(capture_.kernel);
    if (!kernel) return;
    out.facts = {{"vgprs", Value((*kernel)->vgprs)},
                 {"sgprs", Value((*kernel)->sgprs)},
                 {"lds_bytes", Value((*kernel)->lds_bytes)},
                 {"scratch_bytes", Value((*kernel)->scratch_bytes)},
                 {"code_bytes", Value((*kernel)->code_bytes)}};
  }

  const Space& space_;
  Work work_;
  EvaluatorOptions options_;
  Capture capture_;
  std::shared_ptr<const isa::CodeObject> baseline_;
  std::unique_ptr<Replayer> replayer_;
  std::unique_ptr<SeriesReplayer> series_;
  Compiler compiler_;
  std::map<std::size_t, Candidate> made_;  ///< by point
  std::size_t last_ = 0;                   ///< the point that was looked at last
};

}  // namespace

Result<std::unique_ptr<Evaluator>> make_capture_evaluator(const Space& space, const Work& work,
                                                          const EvaluatorOptions& options) {
  auto out = std::make_unique<CaptureEvaluator>(space, work, options);
  TRY(out->prepare());
  return out;
}

}  // namespace rpl::tune
