// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/arch/resolve.h"
#include "engine/base/units.h"
#include "engine/measure/verify.h"
#include "engine/optimize/physical_floor.h"
#include "engine/optimize/stages.h"

namespace rpl {
namespace {

struct ModelledRun {
  emu::Executed executed;
  MemoryImage memory;  ///< afterwards

  [[nodiscard]] const emu::Modelled& modelled() const { return *executed.modelled; }
};

Result<ModelledRun> modelled_run(const Workbench& bench, const std::string& object) {
  ReplayRun run = TRY(bench.replayer->run({.capture = bench.capture,
                                                 .object = TRY(isa::CodeObject::open(object)),
                                                 .execute = {.mode = emu::Mode::modelled}}));
  if (!run.executed.modelled) {
    return fail(Errc::missing_capability, fmt::format("target {} gives no time", bench.replayer->target()));
  }
  return ModelledRun{std::move(run.executed), std::move(run.memory)};
}

Record side(const ModelledRun& run) {
  const emu::Modelled& modelled = run.modelled();
  return {{"time_ns", modelled.time_ns},
          {"cycles", modelled.cycles},
          {"instructions", run.executed.counts.instructions},
          {"vmem_wait_cycles", modelled.vmem_wait_cycles},
          {"lds_wait_cycles", modelled.lds_wait_cycles},
          {"dram_bytes", modelled.caches.hbm_bytes}};
}

/// What the screen stage read from the code, with what the run adds.
ResourceUse use_of(const Proposal& proposal, std::string_view which, const ModelledRun& run) {
  ResourceUse out{.time_ns = run.modelled().time_ns, .vgprs = {}, .waves_per_cu = {}, .lds_bytes = {}, .dram_bytes = static_cast<double>(run.modelled().caches.hbm_bytes)};
  for (const auto& [stage, facts] : proposal.evidence) {
    const Value* code = stage == "screen" ? facts.find(which) : nullptr;
    if (!code) continue;
    const auto number = [&](std::string_view name) {
      const Value* found = code->find(name);
      return found ? found->number() : std::nullopt;
    };
    out.vgprs = number("vgprs");
    out.waves_per_cu = number("waves_per_cu");
    out.lds_bytes = number("lds_bytes");
  }
  return out;
}

/// The peaks of the GPU whose time it is; nothing is known of one without a file.
std::optional<PhysicalFloor> floor_of(const Workbench& bench, const ModelledRun& run) {
  const std::string& name = run.modelled().gpu;
  const auto gpu = bench.hardware ? bench.hardware(name) : arch::resolve(arch::Catalogue::builtin(), name, arch::Overrides{});
  return gpu ? physical_floor(necessary_work(run.executed, *bench.capture, true), *gpu) : std::nullopt;
}

}  // namespace

Result<StageOutcome> measure_stage(const Proposal& proposal, const Workbench& bench) {
  const ModelledRun a = TRY(modelled_run(bench, bench.optimization->base_object()));
  const ModelledRun b = TRY(modelled_run(bench, proposal.candidate_object()));
  StageOutcome out;
  // What was verified before must hold in the very run that is timed.
  for (VerifyFinding& finding : compare_results(*bench.capture, a.memory, b.memory, proposal.bit_exact))
    out.reasons.push_back({std::move(finding.rule), std::move(finding.message)});
  out.passed = out.reasons.empty();
  out.facts = {{"time_source", "modelled"},
               {"model", b.modelled().model},
               {"target", bench.replayer->target()},
               {"baseline", side(a)},
               {"candidate", side(b)},
               {"verified_when_timed", out.passed}};
  if (const auto floor = floor_of(bench, b)) out.facts.emplace_back("floor", to_record(*floor));
  const auto findings = resource_findings(use_of(proposal, "baseline", a), use_of(proposal, "candidate", b));
  out.facts.emplace_back("resources", to_value(findings));
  if (bench.gate != ResourceGate::off) {
    for (const ResourceFinding& finding : findings) {
      if (!finding.always_gates()) out.warnings.push_back(finding.message);
    }
  }
  out.found = fmt::format("{} -> {} cycles, {} -> {} wave-instructions ({})", a.modelled().cycles, b.modelled().cycles,
                          a.executed.counts.instructions, b.executed.counts.instructions, b.modelled().model);
  return out;
}

}  // namespace rpl
