// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/optimize/loop/fusion.h"
#include "engine/optimize/loop/screen.h"
#include "engine/optimize/loop/stages.h"

namespace rpl {
namespace {

std::int64_t whole(const Record& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name && value.as<std::int64_t>()) return *value.as<std::int64_t>();
  }
  return 0;
}

LaunchShape shape_of(const LaunchSize& size) {
  return {.work_items = size.workgroup[0] * size.workgroup[1] * size.workgroup[2],
          .dynamic_lds_bytes = size.dynamic_lds_bytes};
}

std::string changes(const Record& before, const Record& after, bool same_code) {
  std::string out;
  for (const std::string_view name : {"vgprs", "sgprs", "lds_bytes", "instructions"}) {
    const std::int64_t old_value = whole(before, name), new_value = whole(after, name);
    if (old_value == new_value) continue;
    out += fmt::format("{}{} {} -> {}", out.empty() ? "" : ", ", name, old_value, new_value);
  }
  if (!out.empty()) return out;
  return same_code ? "the same code, launched otherwise" : "other code with the same resources";
}

}  // namespace

Result<StageOutcome> screen_stage(const Proposal& proposal, const Workbench& bench) {
  const std::string& kernel = bench.optimization->kernel;
  const auto baseline = TRY(isa::CodeObject::open(bench.optimization->base_object()));
  const auto candidate = TRY(isa::CodeObject::open(proposal.candidate_object()));
  StageOutcome out;
  const LaunchShape launch = shape_of(TRY(launch_size(*bench.capture, bench.optimization->launch)));
  LaunchShape own = shape_of(TRY(launch_size(*bench.capture, proposal.launch)));
  own.changed = proposal.launch != bench.optimization->launch;
  const bool fused = !proposal.fusion.empty();
  const std::string& now = fused ? proposal.fusion.kernel : kernel;
  if (fused) {
    const std::string second = TRY(second_kernel(proposal, *bench.capture));
    out.reasons = TRY(screen_fused(*baseline, {kernel, second}, *candidate, now, own));
    out.facts.emplace_back("second_kernel", Value(second));
  } else {
    out.reasons = TRY(screen(*baseline, *candidate, kernel, own));
  }
  out.passed = out.reasons.empty();
  const auto resources = [&](const isa::CodeObject& object, const LaunchShape& shape,
                             const std::string& name) -> Result<Record> {
    Record record = TRY(static_record(object, name));
    const auto waves = waves_per_cu(object, *TRY(object.kernel(name)), shape);
    record.emplace_back("waves_per_cu", waves ? Value(std::uint64_t{*waves}) : Value());
    return record;
  };
  const Record before = TRY(resources(*baseline, launch, kernel));
  out.facts.emplace_back("baseline", Value(before));
  if (candidate->kernel(now)) {
    const Record after = TRY(resources(*candidate, own, now));
    out.facts.emplace_back("candidate", Value(after));
    const bool same_code =
        !fused && own.changed && TRY(has_same_code(*baseline, *candidate, kernel));
    out.found = changes(before, after, same_code);
  }
  if (!out.passed) out.found = fmt::format("not worth running: {}", out.reasons.front().message);
  return out;
}

}  // namespace rpl
