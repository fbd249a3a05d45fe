// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/modelled.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "engine/device/cycle/launch_time.h"
#include "engine/device/execute/instructions/matrix_shape.h"

namespace rpl::emu {
namespace {

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
  return cycle::resident_workgroups(p, prepared.waves_of_full_workgroup(), prepared.program->vgprs,
                                    prepared.lds_bytes);
}

std::uint32_t resident_workgroups_of_device(const Prepared& prepared,
                                            const ExecuteOptions& options) {
  const auto p = model_of(prepared.program->arch, options);
  return p ? resident_workgroups(**p, prepared) * (*p)->compute_units : 1;
}

ModelledLaunch::ModelledLaunch(const Prepared& prepared, const cycle::Parameters& parameters,
                               std::shared_ptr<cycle::MemoryState> state)
    : prepared_(prepared),
      p_(parameters),
      units_(std::max(1U, std::min(p_.compute_units, prepared.count()))),
      resident_(resident_workgroups(p_, prepared)),
      recorder_(prepared, p_, units_,
                cycle::detailed_workgroups(divided_up(prepared.count(), units_), resident_),
                std::move(state)) {}

// The disassembly of what ran says what the model must know of an instruction.
cycle::LaunchRecord ModelledLaunch::record_of(const Executed& executed) {
  const Program& program = *prepared_.program;
  cycle::LaunchRecord out;
  out.gpu = p_.product.empty() ? p_.arch : p_.product;
  out.instructions.resize(program.ops.size());
  out.matrix_passes.resize(program.ops.size());
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const isa::Instruction* instruction = program.ops[i].instruction;
    if (executed.counts.by_instruction[i].executed == 0 || instruction == nullptr) continue;
    out.instructions[i] = isa::disassemble(program.arch, *instruction);
    if (const MatrixShape* shape = find_matrix_shape(*instruction->opcode); shape != nullptr)
      out.matrix_passes[i] = matrix_passes(program.arch, *shape, *instruction);
  }
  out.workgroups = prepared_.count();
  out.waves = prepared_.waves_of_full_workgroup();
  out.vgprs = program.vgprs;
  out.lds_bytes = prepared_.lds_bytes;
  out.by_unit = recorder_.by_unit();
  out.by_workgroup = recorder_.by_workgroup();
  out.kept = std::move(recorder_.kept());
  out.traffic = recorder_.traffic().counts();
  return out;
}

// What all instructions of the launch, not only the simulated ones, keep busy.
void ModelledLaunch::count_units(const cycle::LaunchTime& timed, const Executed& executed,
                                 Modelled& out) {
  for (std::size_t i = 0; i < timed.operations.size(); ++i) {
    const cycle::Operation& op = timed.operations[i];
    const std::uint64_t times = executed.counts.by_instruction[i].executed;
    if (op.unit == cycle::Unit::valu || op.unit == cycle::Unit::transcendental)
      out.vector_busy_cycles += times * op.issue;
    if (op.unit == cycle::Unit::matrix) out.matrix_busy_cycles += times * op.busy;
    if (op.unit == cycle::Unit::lds) out.lds_moved_bytes += times * op.bytes * kLanes;
  }
}

// What the L1 had is that of the simulated compute unit, what the L2 had that of all workgroups; each as shares of the lines that were counted.
void ModelledLaunch::divide_lines_of(const cycle::LaunchTime& timed,
                                     const cycle::TrafficCounts& traffic, Executed& executed) {
  auto& rows = executed.counts.by_instruction;
  cycle::UnitLookups all;
  for (const cycle::UnitLookups& row : timed.lookups)
    all = {all.lookups + row.lookups, all.hits + row.hits};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].lines == 0) continue;
    const cycle::UnitLookups own =
        i < timed.lookups.size() ? timed.lookups[i] : cycle::UnitLookups();
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

void ModelledLaunch::count_caches(const cycle::LaunchTime& timed, const Executed& executed,
                                  CacheCounts& out) const {
  for (std::size_t i = 0; i < timed.operations.size(); ++i) {
    const cycle::Operation& op = timed.operations[i];
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
}

Status ModelledLaunch::finish(const Wishes& wishes, Executed& executed) {
  cycle::LaunchRecord record = record_of(executed);
  cycle::LaunchTime timed = TRY(cycle::time_launch(record, p_, wishes.trace));
  Modelled modelled;
  modelled.model = p_.name;
  modelled.gpu = record.gpu;
  modelled.grid = prepared_.launch->grid;
  modelled.workgroup = prepared_.launch->workgroup;
  modelled.workgroup_lds_bytes = prepared_.lds_bytes;
  modelled.clock_mhz = p_.clock_mhz;
  modelled.simds = p_.simds;
  modelled.waves_per_simd = p_.waves_per_simd;
  modelled.compute_units = p_.compute_units;
  modelled.resident_waves = resident_ * record.waves;
  modelled.simulated_workgroups = static_cast<std::uint32_t>(record.kept.size());
  modelled.simulated_instructions = timed.executed;
  modelled.cycles = timed.cycles;
  modelled.time_class = timed.time_class;
  modelled.bands = p_.bands;
  modelled.shared = timed.shared;
  constexpr double kNsPerUs = 1000;
  modelled.time_ns = static_cast<double>(modelled.cycles) / p_.clock_mhz * kNsPerUs;
  const double times = static_cast<double>(executed.counts.instructions) /
                       static_cast<double>(std::max<std::uint64_t>(timed.executed, 1));
  const auto scaled = [&](std::uint64_t cycles) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * times));
  };
  modelled.vmem_wait_cycles = scaled(timed.vmem_wait);
  modelled.lds_wait_cycles = scaled(timed.lds_wait);
  modelled.wave_cycles = scaled(timed.wave_cycles);
  for (std::size_t i = 0; i < timed.stalls.size(); ++i) {
    executed.counts.by_instruction[i].stall = scaled(timed.stalls[i].suffered);
    executed.counts.by_instruction[i].stall_caused = scaled(timed.stalls[i].caused);
  }
  divide_lines_of(timed, record.traffic, executed);
  count_caches(timed, executed, modelled.caches);
  modelled.caches.hbm_bytes = record.traffic.memory_bytes();
  count_units(timed, executed, modelled);
  modelled.boundary = recorder_.boundary();
  if (wishes.trace) {
    auto trace = std::make_shared<ModelledTrace>();
    trace->waves = std::move(timed.waves);
    trace->cut = timed.cut;
    for (auto& workgroup : record.kept) {
      for (auto& stream : workgroup) {
        auto copy = wishes.record ? std::make_unique<cycle::WaveStream>(*stream) : nullptr;
        trace->streams.push_back(std::exchange(stream, std::move(copy)));
      }
    }
    executed.trace = std::move(trace);
  }
  if (wishes.record) executed.record = std::make_shared<cycle::LaunchRecord>(std::move(record));
  executed.modelled = std::move(modelled);
  return {};
}

std::optional<double> ratio_band(const Executed& one, const Executed& other) {
  if (!one.modelled || !other.modelled) return std::nullopt;
  const double band =
      one.modelled->bands.ratio_of(one.modelled->time_class, other.modelled->time_class);
  return band > 0 ? std::optional(band) : std::nullopt;
}

}  // namespace rpl::emu
