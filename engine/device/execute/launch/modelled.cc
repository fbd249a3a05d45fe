// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/modelled.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "engine/device/cycle/compute_unit.h"
#include "engine/device/execute/instructions/matrix_shape.h"

namespace rpl::emu {
namespace {

constexpr std::uint32_t kRounds =
    3;  ///< of resident workgroups that are timed at most; later ones go on at the rate of the last

/// What the model must know of the instructions that ran.
std::vector<cycle::Operation> operations_of(const Program& program, const Counts& counts,
                                            const cycle::Parameters& p) {
  std::vector<cycle::Operation> out(program.ops.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const isa::Instruction* instruction = program.ops[i].instruction;
    if (counts.by_instruction[i].executed == 0 || instruction == nullptr) continue;
    out[i] = cycle::operation_of(isa::disassemble(program.arch, *instruction), p);
    if (const MatrixShape* shape = find_matrix_shape(*instruction->opcode); shape != nullptr)
      out[i].busy = p.matrix_pass * matrix_passes(program.arch, *shape);
  }
  return out;
}

std::uint32_t divided_up(std::uint32_t value, std::uint32_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

}  // namespace

Result<const cycle::Parameters*> model_of(isa::Arch arch, const ExecuteOptions& options) {
  const std::string name(to_string(arch));
  const cycle::Parameters* p = options.parameters.get();
  if (p == nullptr) p = TRY(cycle::builtin_parameters(options.gpu.empty() ? name : options.gpu));
  if (p->arch == name) return p;
  return fail(Errc::usage, fmt::format("the code is for {}, {} is {}", name, p->product, p->arch),
              fmt::format("'set emu gpu none' takes a GPU of {}", name));
}

const cycle::Parameters& caches_of(isa::Arch arch, const ExecuteOptions& options) {
  auto p = model_of(arch, options);
  if (!p) p = cycle::builtin_parameters(to_string(arch));
  if (p) return **p;
  static const cycle::Parameters none = [] {
    cycle::Parameters smallest;
    smallest.compute_units = 1;
    smallest.l1_line = smallest.l1_bytes = smallest.scalar_cache_bytes = kLineBytes;
    smallest.l2_bytes = kLineBytes;
    return smallest;
  }();
  return none;
}

std::uint32_t resident_workgroups(const cycle::Parameters& p, const Prepared& prepared) {
  const auto rounded = [](std::uint32_t value, std::uint32_t granule) {
    return divided_up(value, granule) * granule;
  };
  const std::uint32_t waves = prepared.waves_of_full_workgroup();
  const std::uint32_t by_registers =
      p.vgprs / std::max(rounded(prepared.program->vgprs, p.vgpr_granule), p.vgpr_granule);
  const std::uint32_t slots = std::min(p.waves_per_simd, by_registers) * p.simds;
  const std::uint32_t by_lds =
      prepared.lds_bytes == 0 ? slots : p.lds_bytes / rounded(prepared.lds_bytes, p.lds_granule);
  const std::uint32_t by_barriers = waves == 1 ? slots : p.workgroups_per_cu;
  return std::max(1U, std::min({slots / waves, by_lds, by_barriers}));
}

std::uint32_t resident_workgroups_of_device(const Prepared& prepared,
                                            const ExecuteOptions& options) {
  const auto p = model_of(prepared.program->arch, options);
  return p ? resident_workgroups(**p, prepared) * (*p)->compute_units : 1;
}

ModelledLaunch::ModelledLaunch(const Prepared& prepared, const cycle::Parameters& parameters)
    : prepared_(prepared),
      p_(parameters),
      units_(std::max(1U, std::min(p_.compute_units, prepared.count()))),
      resident_(resident_workgroups(p_, prepared)),
      of_unit_(divided_up(prepared.count(), units_)),
      kept_(std::min(of_unit_, kRounds * resident_)),
      recorder_(prepared, p_, units_, kept_) {}

struct ModelledLaunch::Simulated {
  std::vector<cycle::Operation> operations;
  std::vector<std::uint64_t> ends;  ///< of workgroups, in the order in which they ended
  std::uint64_t executed = 0, vmem_wait = 0, lds_wait = 0, wave_cycles = 0;
  double kept_share = 1;                    ///< of the instructions of these workgroups
  std::vector<cycle::UnitLookups> lookups;  ///< by operation
  std::vector<cycle::WaveTimes> waves;
};

Status ModelledLaunch::simulate(const Executed& executed, bool keep_trace, Simulated& out) {
  out.operations = operations_of(*prepared_.program, executed.counts, p_);
  cycle::MemorySide memory(p_, units_, recorder_.traffic().first_touches());
  cycle::ComputeUnit unit(p_, out.operations, &memory);
  unit.keep_times = keep_trace;
  const auto& kept = recorder_.kept();
  std::uint32_t next = 0, next_simd = 0;
  std::uint64_t launched = 0;  // the last wave
  const auto start = [&](std::uint64_t cycle) {
    if (next >= kept.size()) return;
    for (std::uint32_t i = 0; i < kept[next].size(); ++i) {
      launched = std::max(cycle, launched + p_.wave_launch);
      unit.add({.stream = kept[next][i].get(),
                .workgroup = next,
                .wave = i,
                .simd = next_simd++ % p_.simds,
                .begin = launched});
    }
    ++next;
  };
  unit.workgroup_ended = [&](std::uint32_t, std::uint64_t cycle) {
    out.ends.push_back(cycle);
    start(cycle);
  };
  for (std::uint32_t i = 0; i < resident_; ++i) start(0);
  TRY(unit.run());
  std::ranges::sort(out.ends);
  std::uint64_t all = 0;
  for (const auto& workgroup : kept) {
    for (const auto& stream : workgroup) all += stream->executed;
  }
  out.executed = unit.executed();
  if (all > 0)
    out.kept_share = std::min(1.0, static_cast<double>(out.executed) / static_cast<double>(all));
  out.vmem_wait = unit.vmem_wait();
  out.lds_wait = unit.lds_wait();
  for (const cycle::WaveTimes& wave : unit.waves()) out.wave_cycles += wave.end - wave.begin;
  out.lookups = memory.lookups();
  if (keep_trace) out.waves = std::move(unit.waves());
  return {};
}

// From the simulated workgroups of one compute unit to the cycles of the device.
double ModelledLaunch::extrapolated(const Simulated& simulated) const {
  const std::vector<std::uint64_t>& ends = simulated.ends;
  if (ends.empty()) return 0;
  const auto last = static_cast<double>(ends.back());
  double cycles = last;
  if (kept_ < of_unit_ && kept_ > resident_) {
    const double rate = (last - static_cast<double>(ends[resident_ - 1])) / (kept_ - resident_);
    cycles += rate * (of_unit_ - kept_);
  }
  // Other compute units may have more to do. While all of its workgroups fit at once each unit has its own, else whichever is free takes the next.
  const auto& by_unit = recorder_.by_unit();
  const auto own = static_cast<double>(std::max<std::uint64_t>(by_unit[0], 1));
  const double most = of_unit_ <= resident_
                          ? static_cast<double>(*std::ranges::max_element(by_unit))
                          : std::accumulate(by_unit.begin(), by_unit.end(), 0.0) / units_;
  cycles *= std::max(1.0, most / own) / simulated.kept_share;
  // What the whole launch moves takes its time, however the sample went.
  const cycle::DeviceTraffic& traffic = recorder_.traffic();
  return std::max(cycles, static_cast<double>(traffic.memory_bytes()) / p_.hbm_bandwidth);
}

// What all instructions of the launch, not only the simulated ones, keep busy.
void ModelledLaunch::count_units(const Simulated& simulated, const Executed& executed,
                                 Modelled& out) const {
  for (std::size_t i = 0; i < simulated.operations.size(); ++i) {
    const cycle::Operation& op = simulated.operations[i];
    const std::uint64_t times = executed.counts.by_instruction[i].executed;
    if (op.unit == cycle::Unit::valu || op.unit == cycle::Unit::transcendental)
      out.vector_busy_cycles += times * op.issue;
    if (op.unit == cycle::Unit::matrix) out.matrix_busy_cycles += times * op.busy;
    if (op.unit == cycle::Unit::lds) out.lds_moved_bytes += times * op.bytes * kLanes;
  }
}

// What the L1 had is that of the simulated compute unit, what the L2 had that of all workgroups; each as shares of the lines that were counted.
void ModelledLaunch::divide_lines_of(const Simulated& simulated, Executed& executed) const {
  const cycle::DeviceTraffic& traffic = recorder_.traffic();
  auto& rows = executed.counts.by_instruction;
  cycle::UnitLookups all;
  for (const cycle::UnitLookups& row : simulated.lookups)
    all = {all.lookups + row.lookups, all.hits + row.hits};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].lines == 0) continue;
    const cycle::UnitLookups own =
        i < simulated.lookups.size() ? simulated.lookups[i] : cycle::UnitLookups();
    const cycle::UnitLookups& like = own.lookups > 0 ? own : all;
    const auto lines = static_cast<double>(rows[i].lines);
    const double in_l1 = rows[i].writes || like.lookups == 0
                             ? 0
                             : static_cast<double>(like.hits) / static_cast<double>(like.lookups);
    rows[i].l1_lines =
        std::min(rows[i].lines, static_cast<std::uint64_t>(std::llround(lines * in_l1)));
    const std::uint64_t left = rows[i].lines - rows[i].l1_lines;
    rows[i].memory_lines =
        std::min(left, static_cast<std::uint64_t>(std::llround(lines * traffic.missing_share(i))));
    rows[i].l2_lines = left - rows[i].memory_lines;
  }
}

void ModelledLaunch::count_caches(const Simulated& simulated, const Executed& executed,
                                  CacheCounts& out) const {
  for (std::size_t i = 0; i < simulated.operations.size(); ++i) {
    const cycle::Operation& op = simulated.operations[i];
    const InstructionCounts& row = executed.counts.by_instruction[i];
    out.l2_hits += row.l2_lines;
    out.l2_misses += row.memory_lines;
    (row.writes ? out.memory_write_bytes : out.memory_read_bytes) += row.memory_lines * p_.l1_line;
    if (op.unit != cycle::Unit::vmem) {
      out.scalar_misses += row.lines - row.l1_lines;
    } else if (row.writes) {
      (op.atomic ? out.l2_atomics : out.l2_writes) += row.transactions;
    } else {
      out.l1_lookups += row.lines;
      out.l1_misses += row.lines - row.l1_lines;
    }
  }
  out.l2_bytes = out.l1_misses * p_.l1_line +
                 (out.scalar_misses + out.l2_writes + out.l2_atomics) * kLineBytes;
  out.hbm_bytes = recorder_.traffic().memory_bytes();
}

Status ModelledLaunch::finish(bool keep_trace, Executed& executed) {
  Simulated simulated;
  TRY(simulate(executed, keep_trace, simulated));
  Modelled modelled;
  modelled.model = p_.name;
  modelled.gpu = p_.product.empty() ? p_.arch : p_.product;
  modelled.grid = prepared_.launch->grid;
  modelled.workgroup = prepared_.launch->workgroup;
  modelled.workgroup_lds_bytes = prepared_.lds_bytes;
  modelled.clock_mhz = p_.clock_mhz;
  modelled.simds = p_.simds;
  modelled.waves_per_simd = p_.waves_per_simd;
  modelled.compute_units = p_.compute_units;
  modelled.resident_waves = resident_ * prepared_.waves_of_full_workgroup();
  modelled.simulated_workgroups = kept_;
  modelled.simulated_instructions = simulated.executed;
  modelled.cycles =
      p_.launch + static_cast<std::uint64_t>(std::ceil(extrapolated(simulated))) + p_.drain;
  constexpr double kNsPerUs = 1000;
  modelled.time_ns = static_cast<double>(modelled.cycles) / p_.clock_mhz * kNsPerUs;
  const double times = static_cast<double>(executed.counts.instructions) /
                       static_cast<double>(std::max<std::uint64_t>(simulated.executed, 1));
  const auto scaled = [&](std::uint64_t cycles) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * times));
  };
  modelled.vmem_wait_cycles = scaled(simulated.vmem_wait);
  modelled.lds_wait_cycles = scaled(simulated.lds_wait);
  modelled.wave_cycles = scaled(simulated.wave_cycles);
  divide_lines_of(simulated, executed);
  count_caches(simulated, executed, modelled.caches);
  count_units(simulated, executed, modelled);
  if (keep_trace) {
    auto trace = std::make_shared<ModelledTrace>();
    trace->waves = std::move(simulated.waves);
    trace->cut = simulated.kept_share < 1;
    for (auto& workgroup : recorder_.kept()) {
      for (auto& stream : workgroup) trace->streams.push_back(std::move(stream));
    }
    executed.trace = std::move(trace);
  }
  executed.modelled = std::move(modelled);
  return {};
}

}  // namespace rpl::emu
