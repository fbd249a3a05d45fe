// SPDX-License-Identifier: MIT
// Which ideals of a launch are worth a run of the model.
#include <algorithm>
#include <array>

#include "engine/device/cycle/counterfactual.h"

namespace rpl::cycle {

std::array<bool, kIdeals> could_matter(const Question& question) {
  const auto& [record, p, operations, kinds, facts, counts] = question;
  std::array<bool, kIdeals> out{};
  const auto on = [&](Ideal one) -> bool& { return out[static_cast<std::size_t>(one)]; };
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const auto& workgroup : record.kept) {
    for (const auto& wave : workgroup) {
      least = std::min(least, wave->steps.size());
      most = std::max(most, wave->steps.size());
      for (const Step& step : wave->steps) {
        const OperationKind& kind = kinds[step.operation];
        if (kind.lds && step.detail != 0) on(Ideal::no_bank_conflicts) = true;
        if (kind.barrier) on(Ideal::free_barriers) = true;
        if (kind.scratch) on(Ideal::no_spills) = true;
        if (kind.division) on(Ideal::no_division) = true;
        if (kind.transcendental || kind.function) on(Ideal::no_transcendentals) = true;
        if (kind.conversion) on(Ideal::no_conversions) = on(Ideal::no_double_precision) = true;
        if (kind.addressing) on(Ideal::no_addressing) = true;
        if (kind.accumulator_move) on(Ideal::no_accumulator_moves) = true;
        if (kind.load)
          on(Ideal::coalesced_loads) = on(Ideal::wide_loads) = on(Ideal::reused_loads) =
              on(Ideal::no_latency) = true;
        if (kind.store) on(Ideal::coalesced_stores) = true;
        if (kind.load || kind.store) on(Ideal::aligned_accesses) = true;
        if (counts[step.operation].lanes < 0.99 && counts[step.operation].lanes > 0)
          on(Ideal::all_lanes) = true;
      }
    }
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].products > 0) on(Ideal::matrix_units) = true;
    if (facts[i].is_strict()) on(Ideal::exact_waits) = true;
    if (kinds[i].store && facts[i].repeated > 0) on(Ideal::reused_stores) = true;
    if (record.traffic.rows[i].elsewhere > 0) on(Ideal::one_die) = true;
  }
  const std::uint32_t holds = resident_workgroups(p, record.waves, record.vgprs, record.lds_bytes);
  const auto units = static_cast<std::uint32_t>(std::max<std::size_t>(1, record.by_unit.size()));
  const bool waiting = (record.workgroups + units - 1) / units > holds;
  on(Ideal::unlimited_registers) =
      waiting && resident_workgroups(p, record.waves, 1, record.lds_bytes) > holds;
  on(Ideal::unlimited_lds) =
      waiting && resident_workgroups(p, record.waves, record.vgprs, 0) > holds;
  on(Ideal::whole_device) = static_cast<double>(record.workgroups) * record.waves <
                            static_cast<double>(p.compute_units) * p.simds;
  on(Ideal::balanced_workgroups) = most > least + least / 8 || record.by_workgroup.size() > 1;
  on(Ideal::own_lines_for_atomics) = record.traffic.atomic_lanes > 0;
  on(Ideal::even_channels) =
      record.traffic.busiest_l2_channel > 0 || record.traffic.busiest_channel > 0;
  on(Ideal::large_workgroups) = record.waves <= 2;
  on(Ideal::no_launch) = true;
  return out;
}

}  // namespace rpl::cycle
