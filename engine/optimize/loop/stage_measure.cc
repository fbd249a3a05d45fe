// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/arch/resolve.h"
#include "engine/base/numbers.h"
#include "engine/base/parallel.h"
#include "engine/optimize/loop/physical_floor.h"
#include "engine/optimize/loop/stages.h"
#include "engine/optimize/measure/decision.h"
#include "engine/optimize/measure/modelled_run.h"
#include "engine/optimize/verify/baseline_study.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {
namespace {

Record side(const ModelledRun& run, double time_ns) {
  const emu::Modelled& modelled = run.modelled();
  Record out = {{"time_ns", time_ns},
                {"cycles", modelled.cycles},
                {"instructions", run.executed.counts.instructions},
                {"vmem_wait_cycles", modelled.vmem_wait_cycles},
                {"lds_wait_cycles", modelled.lds_wait_cycles},
                {"dram_bytes", modelled.caches.hbm_bytes}};
  // What a clock measured has no band of the model.
  if (time_ns != modelled.time_ns) return out;
  out.emplace_back("time_low_ns", modelled.low_ns());
  out.emplace_back("time_high_ns", modelled.high_ns());
  out.emplace_back("time_class", to_string(modelled.time_class));
  return out;
}

/// What the screen stage read from the code, with what the run adds.
ResourceUse use_of(const Proposal& proposal, std::string_view which, const ModelledRun& run,
                   double time_ns) {
  ResourceUse out{.time_ns = time_ns,
                  .vgprs = {},
                  .waves_per_cu = {},
                  .lds_bytes = {},
                  .dram_bytes = static_cast<double>(run.modelled().caches.hbm_bytes)};
  const Value* code = value_in(proposal.evidence, "screen", which);
  const auto number = [&](std::string_view name) {
    const Value* found = code ? code->find(name) : nullptr;
    return found ? found->number() : std::nullopt;
  };
  out.vgprs = number("vgprs");
  out.waves_per_cu = number("waves_per_cu");
  out.lds_bytes = number("lds_bytes");
  return out;
}

/// The GPU whose time it is; nothing is known of one without a file.
Result<arch::Gpu> modelled_gpu(const Workbench& bench, const ModelledRun& run) {
  const std::string& name = run.modelled().gpu;
  return bench.hardware ? bench.hardware(name)
                        : arch::resolve(arch::Catalogue::builtin(), name, arch::Overrides{});
}

std::optional<PhysicalFloor> modelled_floor(const Workbench& bench, const ModelledRun& run) {
  const auto gpu = modelled_gpu(bench, run);
  return gpu ? physical_floor(necessary_work(run.executed, *bench.capture, true), *gpu)
             : std::nullopt;
}

/// What the emulated device counted, over the peaks of the GPU that was measured. Its caches were warm.
std::optional<PhysicalFloor> measured_floor(const Workbench& bench, const ModelledRun& run,
                                            const PairMeasurement& measured) {
  const arch::RecordedAgent agent{
      .id = "", .arch = measured.agent, .product = measured.product, .details = ""};
  const auto gpu = arch::resolve(arch::Catalogue::builtin(), agent, arch::Overrides{});
  return gpu ? physical_floor(necessary_work(run.executed, *bench.capture, false), *gpu)
             : std::nullopt;
}

struct BothRuns {
  const ModelledRun &a, &b;
};

/// What both kinds of time have in common.
void add_facts(const Proposal& proposal, const Workbench& bench, const BothRuns& runs, double a_ns,
               double b_ns, const std::optional<PhysicalFloor>& floor, StageOutcome& out) {
  out.facts.emplace_back("baseline", side(runs.a, a_ns));
  out.facts.emplace_back("candidate", side(runs.b, b_ns));
  out.facts.emplace_back("verified_when_timed", out.passed);
  if (floor) out.facts.emplace_back("floor", to_record(*floor));
  const auto findings = resource_findings(use_of(proposal, "baseline", runs.a, a_ns),
                                          use_of(proposal, "candidate", runs.b, b_ns));
  out.facts.emplace_back("resources", to_value(findings));
  for (const ResourceFinding& finding : findings) {
    if (bench.gate != ResourceGate::off && !finding.always_gates())
      out.warnings.push_back(finding.message);
  }
}

/// What was verified before must hold in the very run that is timed: it leaves what the baseline leaves, or what the candidate leaves when nobody takes its time, which was
/// verified with more insight.
Result<std::vector<VerifyFinding>> wrong_when_timed(const Proposal& proposal,
                                                    const Workbench& bench, const BothRuns& runs) {
  std::vector<VerifyFinding> out =
      compare_results(*bench.capture, runs.a.memory, runs.b.memory, proposal.bit_exact);
  if (out.empty()) return out;
  auto object = TRY(isa::CodeObject::open(proposal.candidate_object()));
  const ReplayRun untimed =
      TRY(run_once(*bench.verifier, {.capture = bench.capture,
                                     .object = std::move(object),
                                     .launch = proposal.launch,
                                     .fusion = proposal.fusion,
                                     .execute = {.mode = emu::Mode::functional}}));
  if (untimed.memory == runs.b.memory) out.clear();
  return out;
}

/// Bytes.
double code_that_ran(const emu::Executed& executed) {
  double out = 0;
  if (!executed.program) return out;
  const auto& ops = executed.program->ops;
  const auto& counts = executed.counts.by_instruction;
  for (std::size_t i = 0; i + 1 < ops.size() && i < counts.size(); ++i) {
    if (counts[i].executed > 0) out += static_cast<double>(ops[i + 1].address - ops[i].address);
  }
  return out;
}

/// What a candidate needs more of than its base and the cycle model has no price for, so that its times do not compare (both counted by
/// instruction): more code than the instruction cache holds. A sentence; nothing where there is no such thing, or the cache's size is not known.
std::optional<std::string> unpriced(const emu::Executed& base, const emu::Executed& candidate,
                                    const arch::Gpu& gpu) {
  const auto cache = gpu.number("instruction_cache_bytes");
  const double needed = code_that_ran(candidate);
  if (!cache || needed <= *cache || needed <= code_that_ran(base)) return std::nullopt;
  return fmt::format(
      "{:.1f} KiB of its code ran, and the instruction cache of {} holds {:.0f}: what fetching it "
      "again and again costs is not modelled",
      needed / 1024, gpu.title(), *cache / 1024);
}

Result<StageOutcome> modelled_stage(const Proposal& proposal, const Workbench& bench,
                                    const BothRuns& runs) {
  StageOutcome out;
  for (VerifyFinding& finding : TRY(wrong_when_timed(proposal, bench, runs)))
    out.reasons.push_back({std::move(finding.rule), std::move(finding.message)});
  out.passed = out.reasons.empty();
  const emu::Modelled &a = runs.a.modelled(), &b = runs.b.modelled();
  out.facts = {{"time_source", to_string(bench.verifier->traits().times)},
               {"model", b.model},
               {"target", to_string(bench.verifier->kind())}};
  if (const auto band = emu::ratio_band(runs.a.executed, runs.b.executed))
    out.facts.emplace_back("model_band", *band);
  add_facts(proposal, bench, runs, a.time_ns, b.time_ns, modelled_floor(bench, runs.b), out);
  if (const auto gpu = modelled_gpu(bench, runs.b)) {
    if (auto without_price = unpriced(runs.a.executed, runs.b.executed, *gpu))
      out.facts.emplace_back("not_priced", std::move(*without_price));
  }
  out.found = fmt::format("{} -> {} cycles, {} -> {} wave-instructions ({})", a.cycles, b.cycles,
                          runs.a.executed.counts.instructions, runs.b.executed.counts.instructions,
                          b.model);
  return out;
}

/// By the clock of a GPU. The emulated device still counts what cannot be read there: traffic and operations.
Result<StageOutcome> measured_stage(const Proposal& proposal, const Workbench& bench,
                                    const BothRuns& runs) {
  auto found = measure_pair(bench.measuring, *bench.optimization, proposal, *bench.capture,
                            bench.rule, static_cast<std::uint64_t>(proposal.number));
  StageOutcome out;
  out.facts = {{"time_source", to_string(bench.measuring.target->traits().times)},
               {"model", Value()},
               {"target", to_string(bench.measuring.target->kind())}};
  if (!found && found.error().code == Errc::verification_failed) {
    out.reasons.push_back({"wrong-when-timed", found.error().message});
    out.facts.emplace_back("verified_when_timed", false);
    out.found = "wrong: " + found.error().message;
    return out;
  }
  const PairMeasurement measured = TRY(std::move(found));
  out.passed = true;
  out.facts.emplace_back("agent", Value::known(measured.agent));
  out.facts.emplace_back("product", Value::known(measured.product));
  add_facts(proposal, bench, runs, measured.baseline_ns, measured.candidate_ns,
            measured_floor(bench, runs.b, measured), out);
  out.facts.emplace_back("input", to_value(DecisionInput{.rule = bench.rule,
                                                         .looks = bench.measuring.looks,
                                                         .samples = measured.measurement.samples}));
  out.found = fmt::format("{} -> {}, medians of {} on {}", format_ns(measured.baseline_ns),
                          format_ns(measured.candidate_ns), measured.measurement.decision.design,
                          measured.product.empty() ? measured.agent : measured.product);
  return out;
}

}  // namespace

Result<StageOutcome> measure_stage(const Proposal& proposal, const Workbench& bench) {
  ModelledRuns once;
  ModelledRuns& runs = bench.runs ? *bench.runs : once;
  const Optimization& base = *bench.optimization;
  using Run = Result<std::shared_ptr<const ModelledRun>>;
  std::optional<Run> baseline, candidate;
  in_parallel(2, BaselineStudy::sets_at_once(*bench.capture), [&](std::size_t which) {
    if (which == 0)
      baseline.emplace(
          runs.run(*bench.verifier, *bench.capture, base.capture, base.base_object(), base.launch));
    else
      candidate.emplace(runs.run(*bench.verifier, *bench.capture, base.capture,
                                 proposal.candidate_object(), proposal.launch, proposal.fusion));
  });
  const auto a = TRY(std::move(*baseline)), b = TRY(std::move(*candidate));
  const BothRuns both{.a = *a, .b = *b};
  return bench.measuring.target ? measured_stage(proposal, bench, both)
                                : modelled_stage(proposal, bench, both);
}

}  // namespace rpl
