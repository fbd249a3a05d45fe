// SPDX-License-Identifier: MIT
#include "shell/core/inputs/run_costs.h"

#include <algorithm>

#include "engine/device/cycle/operation_kind.h"

namespace rpl {

Result<const findings::Findings*> findings_of(const EmulatedRun& run) {
  if (!run.executed.modelled)
    return fail(Errc::unsupported, "the run was not modelled", "run it again with --modelled");
  if (!*run.found) {
    const cycle::Parameters* parameters = run.parameters.get();
    if (parameters == nullptr)
      parameters = TRY(cycle::builtin_parameters(run.executed.modelled->gpu));
    *run.found = TRY(findings::find(run.executed, *run.object, *parameters));
  }
  return &**run.found;
}

Result<RunCosts> RunCosts::of(const EmulatedRun& run) {
  RunCosts out;
  const auto read = run.object->source_lines();
  const isa::SourceLines lines = read ? *read : isa::SourceLines();
  out.add(run, lines);
  if (run.executed.record) out.name_causes(*TRY(findings_of(run)), lines);
  return out;
}

namespace {

WaitReason::Index reason_of(isa::Class kind) {
  switch (kind) {
    case isa::Class::vmem:
      return WaitReason::memory;
    case isa::Class::lds:
    case isa::Class::smem:
      return WaitReason::lds_and_scalar_memory;
    case isa::Class::barrier:
      return WaitReason::barrier;
    case isa::Class::valu:
    case isa::Class::transcendental:
    case isa::Class::matrix:
    case isa::Class::salu:
      return WaitReason::arithmetic;
    default:
      return WaitReason::other;
  }
}

bool has_lanes(isa::Class kind) {
  return kind == isa::Class::valu || kind == isa::Class::transcendental ||
         kind == isa::Class::matrix || kind == isa::Class::vmem || kind == isa::Class::lds;
}

/// `l1_line`: bytes of a line of the vector L1, in which lines were counted.
void add_counts(const emu::Program& program, const emu::Op& op, const emu::InstructionCounts& row,
                unsigned l1_line, PlaceCost& cost) {
  cost.caused_by[reason_of(op.kind)] += row.stall_caused;
  if (has_lanes(op.kind)) {
    cost.active_lanes += row.active_lanes;
    cost.vector_executed += row.executed;
  }
  cost.conflicts += row.lds_conflicts;
  if (op.kind != isa::Class::vmem) return;
  if (cycle::is_scratch(isa::disassemble(program.arch, *op.instruction))) {
    cost.spills += row.executed;
  } else if (row.lines > 0) {
    cost.lines += row.lines;
    cost.least_lines += std::max(static_cast<double>(row.executed),
                                 static_cast<double>(row.bytes) / std::max(1U, l1_line));
  }
}

}  // namespace

void RunCosts::add(const EmulatedRun& run, const isa::SourceLines& lines) {
  const auto& counts = run.executed.counts.by_instruction;
  const unsigned l1_line = run.parameters ? run.parameters->l1_line : emu::kLineBytes;
  for (const emu::InstructionCounts& row : counts) all_ += row.stall_caused;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].executed == 0) continue;
    const std::uint64_t address = run.executed.program->ops[i].address;
    by_address_[address] = {counts[i].executed, counts[i].stall_caused,
                            share_of(counts[i].stall_caused)};
    const auto chain = isa::own_frames(lines.chain(address));
    if (chain.empty() || chain.front().line == 0) continue;
    const emu::Program& program = *run.executed.program;
    PlaceCost& line = by_line_[{chain.front().file, chain.front().line}];
    line.executed = std::max(line.executed, counts[i].executed);
    line.stall_caused += counts[i].stall_caused;
    line.share = share_of(line.stall_caused);
    add_counts(program, program.ops[i], counts[i], l1_line, line);
  }
}

void RunCosts::name_causes(const findings::Findings& found, const isa::SourceLines& lines) {
  const auto name = [](PlaceCost& cost, findings::Cause cause) {
    const std::string text(to_string(cause));
    if (cost.cause.empty()) cost.cause = text;
    if (cost.causes.find(text) == std::string::npos)
      cost.causes += (cost.causes.empty() ? "" : ", ") + text;
  };
  for (const findings::Finding& one : found.all) {
    for (const findings::Place& place : one.where) {
      if (const auto at = by_address_.find(place.address); at != by_address_.end())
        name(at->second, one.cause);
      const auto chain = isa::own_frames(lines.chain(place.address));
      if (chain.empty()) continue;
      const auto line = by_line_.find({chain.front().file, chain.front().line});
      if (line != by_line_.end()) name(line->second, one.cause);
    }
  }
}

const PlaceCost* RunCosts::at(std::uint64_t address) const {
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? nullptr : &found->second;
}

const PlaceCost* RunCosts::at(const std::string& file, std::uint32_t line) const {
  const auto found = by_line_.find({file, line});
  return found == by_line_.end() ? nullptr : &found->second;
}

isa::SourcePlace RunCosts::worst() const {
  const auto most = std::ranges::max_element(by_line_, std::less(), [](const auto& line) {
    return std::pair(line.second.stall_caused, line.second.executed);
  });
  if (most == by_line_.end()) return {};
  return {.file = most->first.first, .line = most->first.second, .function = {}};
}

}  // namespace rpl
