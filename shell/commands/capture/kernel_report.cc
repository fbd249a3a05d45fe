// SPDX-License-Identifier: MIT
#include "shell/commands/capture/kernel_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "engine/device/execute/launch/program.h"
#include "engine/document/bound.h"

namespace rpl {

namespace {

using emu::Counts, emu::Executed, emu::Modelled;

struct ExecutedRun {
  const Executed* executed = nullptr;
  const Counts* kept = nullptr;  ///< null in functional mode

  [[nodiscard]] const Counts& counts() const { return executed->counts; }
};

std::optional<double> lane_share(const Counts& counts) {
  const auto lanes = static_cast<double>(counts.vector_instructions) * emu::kLanes;
  if (lanes <= 0) return std::nullopt;
  return static_cast<double>(counts.active_lanes) / lanes;
}

template <auto member>
consteval BoundColumn modelled(Label name, Label text) {
  return column<&ExecutedRun::executed, &Executed::modelled, member>(name, text);
}
template <auto member>
consteval BoundColumn counted(Label name, Label text) {
  return column<&ExecutedRun::counts, member>(name, text);
}
template <auto... steps>
consteval BoundColumn kept(Label name, Label text) {
  return column<&ExecutedRun::kept, steps...>(name, text);
}

constexpr auto kExecutedFields = bound_to<ExecutedRun>(
    modelled<&Modelled::model>("model", "the cycle model and its version; null without --modelled"),
    modelled<&Modelled::cycles>("cycles", "modelled cycles of the dispatch").in(Unit::cycles),
    modelled<&Modelled::time_ns>("time_ns", "the same as time at the model's clock"),
    modelled<&Modelled::low_ns>("time_low_ns",
                                "nine of ten real times lie above this and below "
                                "time_high_ns: the model's error for such kernels "
                                "(docs/cycle-model.md); null: not known"),
    modelled<&Modelled::high_ns>("time_high_ns", "the upper end"),
    modelled<&Modelled::time_class>("time_class",
                                    "what the time mostly is, by which the band is chosen"),
    modelled<&Modelled::simulated_workgroups>(
        "simulated_workgroups",
        "of these, timed in detail on one compute unit; the device is extrapolated from them"),
    counted<&Counts::workgroups>("workgroups", "workgroups that ran"),
    counted<&Counts::waves>("waves", "waves that ran"),
    column<&ExecutedRun::executed, &Executed::sampled>("sampled",
                                                       "whether only a part of the grid ran")
        .never(),
    counted<&Counts::instructions>("instructions",
                                   "instructions executed, counted once for a wave"),
    kept<&Counts::by_class, &by_name<isa::Class, decltype(Counts::by_class)>>(
        "by_class", "the same by class of instruction")
        .in(Unit::count),
    counted<&lane_share>("lane_share", "active lanes of all lanes, over vector instructions"),
    kept<&Counts::load_bytes>("load_bytes", "asked for by active lanes in global memory"),
    kept<&Counts::store_bytes>("store_bytes", "written by active lanes to global memory"),
    kept<&Counts::transactions>("transactions",
                                "64-byte lines touched by each global access, summed"),
    kept<&Counts::lds_accesses>("lds_accesses", "LDS instructions"),
    kept<&Counts::lds_conflicts>("lds_conflicts", "extra LDS cycles because of bank conflicts")
        .in(Unit::cycles),
    kept<&Counts::atomics>("atomics", "lanes of atomic operations"),
    column<&ExecutedRun::executed, &Executed::emulation_s>(
        "emulation_s", "processor time that emulating took; not device time")
        .never());

}  // namespace

std::vector<Column> executed_fields() { return described(kExecutedFields); }

void set_executed(const Executed& executed, emu::Mode mode, Document& out) {
  const bool counted = mode != emu::Mode::functional;
  out.put(kExecutedFields, ExecutedRun{&executed, counted ? &executed.counts : nullptr});
  out.provenance = Provenance::modelled;
}

void add_fidelity_notes(const emu::Executed& executed, Document& out) {
  std::set<std::string> approximate;
  const auto& rows = executed.counts.by_instruction;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const isa::Instruction* instruction = executed.program->ops[i].instruction;
    if (rows[i].executed == 0 || instruction == nullptr) continue;
    if (emu::fidelity_of(executed.program->arch, *instruction) != emu::Fidelity::approximate)
      continue;
    approximate.emplace(instruction->opcode->name());
  }
  if (approximate.empty()) return;
  out.notes.push_back(fmt::format("the last bits of {} may differ from a real device",
                                  fmt::join(approximate, ", ")));
}

void add_sample_note(const emu::Executed& executed, Document& out) {
  if (!executed.sampled()) return;
  out.notes.push_back(fmt::format(
      "sampled: {} of {} workgroups ran, evenly spread; buffers and counts are of these alone",
      executed.counts.workgroups, executed.grid_workgroups));
}

}  // namespace rpl
