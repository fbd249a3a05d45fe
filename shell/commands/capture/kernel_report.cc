// SPDX-License-Identifier: MIT
#include "shell/commands/capture/kernel_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "engine/device/execute/launch/program.h"

namespace rpl {

std::vector<Column> executed_fields() {
  return {
      {"model", Type::string, Unit::none,
       "the cycle model and its version; null without --modelled"},
      {"cycles", Type::integer, Unit::cycles, "modelled cycles of the dispatch"},
      {"time_ns", Type::number, Unit::ns, "the same as time at the model's clock"},
      {"simulated_workgroups", Type::integer, Unit::count,
       "of these, timed in detail on one compute unit; the device is extrapolated from them"},
      {"workgroups", Type::integer, Unit::count, "workgroups that ran"},
      {"waves", Type::integer, Unit::count, "waves that ran"},
      {"sampled", Type::boolean, Unit::none, "whether only a part of the grid ran", InText::never},
      {"instructions", Type::integer, Unit::count,
       "instructions executed, counted once for a wave"},
      {"by_class", Type::record, Unit::count, "the same by class of instruction"},
      {"lane_share", Type::number, Unit::share,
       "active lanes of all lanes, over vector instructions"},
      {"load_bytes", Type::integer, Unit::bytes, "asked for by active lanes in global memory"},
      {"store_bytes", Type::integer, Unit::bytes, "written by active lanes to global memory"},
      {"transactions", Type::integer, Unit::count,
       "64-byte lines touched by each global access, summed"},
      {"lds_accesses", Type::integer, Unit::count, "LDS instructions"},
      {"lds_conflicts", Type::integer, Unit::cycles, "extra LDS cycles because of bank conflicts"},
      {"atomics", Type::integer, Unit::count, "lanes of atomic operations"},
      {"emulation_s", Type::number, Unit::none,
       "processor time that emulating took; not device time", InText::never},
  };
}

void set_executed(const emu::Executed& executed, emu::Mode mode, Document& out) {
  const emu::Counts& counts = executed.counts;
  const bool counted = mode != emu::Mode::functional;
  const auto kept = [&](std::uint64_t value) { return counted ? Value(value) : Value(); };
  const auto& modelled = executed.modelled;
  out.set("model", modelled ? Value(modelled->model) : Value());
  out.set("cycles", modelled ? Value(modelled->cycles) : Value());
  out.set("time_ns", modelled ? Value(modelled->time_ns) : Value());
  out.set("simulated_workgroups", modelled ? Value(modelled->simulated_workgroups) : Value());
  out.set("workgroups", counts.workgroups);
  out.set("waves", counts.waves);
  out.set("sampled", executed.sampled());
  out.set("instructions", counts.instructions);
  Record classes;
  for (std::size_t i = 0; i < counts.by_class.size(); ++i) {
    if (counts.by_class[i] == 0) continue;
    classes.emplace_back(to_string(static_cast<isa::Class>(i)), Value(counts.by_class[i]));
  }
  out.set("by_class", counted ? Value(std::move(classes)) : Value());
  const auto lanes = static_cast<double>(counts.vector_instructions) * emu::kLanes;
  out.set("lane_share",
          lanes > 0 ? Value(static_cast<double>(counts.active_lanes) / lanes) : Value());
  out.set("load_bytes", kept(counts.load_bytes));
  out.set("store_bytes", kept(counts.store_bytes));
  out.set("transactions", kept(counts.transactions));
  out.set("lds_accesses", kept(counts.lds_accesses));
  out.set("lds_conflicts", kept(counts.lds_conflicts));
  out.set("atomics", kept(counts.atomics));
  out.set("emulation_s", executed.emulation_s);
  out.provenance = Provenance::modelled;
}

Value size3_value(const emu::Size3& size) {
  return Value(List{Value(size[0]), Value(size[1]), Value(size[2])});
}

void add_fidelity_notes(const emu::Executed& executed, Document& out) {
  std::set<std::string> approximate;
  const auto& rows = executed.counts.by_instruction;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const isa::Instruction* instruction = executed.program->ops[i].instruction;
    if (rows[i].executed == 0 || instruction == nullptr) continue;
    if (emu::fidelity_of(*instruction) != emu::Fidelity::approximate) continue;
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
