// SPDX-License-Identifier: MIT
#include "shell/core/inputs/run_costs.h"

#include <algorithm>

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

void RunCosts::add(const EmulatedRun& run, const isa::SourceLines& lines) {
  const auto& counts = run.executed.counts.by_instruction;
  std::uint64_t all = 0;
  for (const emu::InstructionCounts& row : counts) all += row.stall_caused;
  const auto share = [&](std::uint64_t cycles) {
    return all == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all);
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].executed == 0) continue;
    const std::uint64_t address = run.executed.program->ops[i].address;
    by_address_[address] = {counts[i].executed, counts[i].stall_caused,
                            share(counts[i].stall_caused)};
    const auto chain = isa::own_frames(lines.chain(address));
    if (chain.empty() || chain.front().line == 0) continue;
    PlaceCost& line = by_line_[{chain.front().file, chain.front().line}];
    line.executed = std::max(line.executed, counts[i].executed);
    line.stall_caused += counts[i].stall_caused;
    line.share = share(line.stall_caused);
  }
}

void RunCosts::name_causes(const findings::Findings& found, const isa::SourceLines& lines) {
  const auto name = [](PlaceCost& cost, findings::Cause cause) {
    if (cost.cause.empty()) cost.cause = to_string(cause);
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
  const auto most = std::ranges::max_element(
      by_line_, std::less(), [](const auto& line) { return line.second.stall_caused; });
  if (most == by_line_.end()) return {};
  return {.file = most->first.first, .line = most->first.second, .function = {}};
}

}  // namespace rpl
