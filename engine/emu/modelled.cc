// SPDX-License-Identifier: MIT
#include "engine/emu/modelled.h"

#include <bit>
#include <deque>

#include "engine/base/interrupt.h"
#include "engine/emu/cycle_model.h"
#include "engine/emu/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1} << 16;

/// Completion times of the outstanding operations of one kind, oldest first. They return in order.
class Outstanding {
 public:
  void add(std::uint64_t done) {
    done_.push_back(done_.empty() ? done : std::max(done, done_.back()));
  }
  /// The cycle at which at most `left` are outstanding.
  std::uint64_t wait(std::size_t left) {
    std::uint64_t until = 0;
    for (; done_.size() > left; done_.pop_front()) until = done_.front();
    return until;
  }

 private:
  std::deque<std::uint64_t> done_;
};

struct TimedWave {
  Wave* wave = nullptr;
  std::size_t slot = 0;  ///< of its workgroup
  std::uint32_t simd = 0;
  std::uint64_t ready = 0;
  Outstanding vector_memory, lds_and_scalar;
};

/// What a compute unit's waves share.
struct Ports {
  std::vector<std::uint64_t> vector, scalar, matrix;  ///< by SIMD: free from this cycle on
  std::uint64_t lds = 0;
  double l1 = 0, l2 = 0, memory = 0;
};

class ComputeUnit {
 public:
  ComputeUnit(const CycleParameters& parameters, TagCache& l2, double memory_share, CacheCounts& caches)
      : p_(parameters),
        l2_(l2),
        caches_(caches),
        l1_(parameters.l1_bytes, parameters.line_bytes),
        scalar_(parameters.scalar_cache_bytes, kLineBytes),
        memory_share_(memory_share) {
    ports_.vector.assign(p_.simds, 0);
    ports_.scalar.assign(p_.simds, 0);
    ports_.matrix.assign(p_.simds, 0);
  }

  /// The first cycle at which the wave could issue its next operation.
  [[nodiscard]] std::uint64_t start_of(const TimedWave& timed, const Op& op) const {
    return std::max(timed.ready, port(timed, op));
  }

  /// Accounts for `op` issued at `start`, after it ran.
  void issue(TimedWave& timed, const Op& op, std::uint64_t start, const Access& access) {
    using isa::Class;
    timed.ready = start + p_.issue;
    switch (op.kind) {
      case Class::valu:
      case Class::transcendental:
        timed.ready = ports_.vector[timed.simd] = start + issue_cycles(p_, op);
        break;
      case Class::matrix:
        ports_.vector[timed.simd] = timed.ready;
        ports_.matrix[timed.simd] = start + issue_cycles(p_, op);
        break;
      case Class::vmem:
        vector_memory(timed, start, access);
        break;
      case Class::smem:
        timed.lds_and_scalar.add(scalar_load(start, access));
        break;
      case Class::lds:
        local(timed, start, access);
        break;
      case Class::wait:
        wait(timed, op);
        break;
      case Class::branch:
        branch(timed, op, start);
        break;
      default:
        ports_.scalar[timed.simd] = start + p_.issue;
        break;
    }
  }

  std::uint64_t vmem_wait = 0, lds_wait = 0;

 private:
  [[nodiscard]] std::uint64_t port(const TimedWave& timed, const Op& op) const {
    using isa::Class;
    if (op.kind == Class::lds) return ports_.lds;
    if (op.kind == Class::valu || op.kind == Class::transcendental)
      return ports_.vector[timed.simd];
    if (op.kind == Class::matrix)
      return std::max(ports_.vector[timed.simd], ports_.matrix[timed.simd]);
    return op.kind == Class::salu ? ports_.scalar[timed.simd] : 0;
  }

  /// When the last byte of a line is there, asked for at `start`; takes its share of each level's bandwidth.
  std::uint64_t fetch(double start, std::uint64_t address) {
    const double line = p_.line_bytes;
    ports_.l1 = std::max(ports_.l1, start) + line / p_.l1_bytes_per_cycle;
    ++caches_.l1_lookups;
    if (l1_.touch(address / p_.line_bytes)) return cycle(ports_.l1) + p_.l1_hit;
    ++caches_.l1_misses;
    return read_beyond_l1(ports_.l1, address, line);
  }

  std::uint64_t read_beyond_l1(double start, std::uint64_t address, double bytes) {
    const std::uint64_t misses = caches_.l2_misses;
    const std::uint64_t done = beyond_l1(start, address, bytes);
    caches_.l2_read_bytes += static_cast<std::uint64_t>(bytes);
    if (caches_.l2_misses != misses) caches_.memory_read_bytes += static_cast<std::uint64_t>(bytes);
    return done;
  }

  std::uint64_t beyond_l1(double start, std::uint64_t address, double bytes) {
    ports_.l2 = std::max(ports_.l2, start) + bytes / p_.l2_bytes_per_cycle;
    if (l2_.touch(address / p_.line_bytes)) {
      ++caches_.l2_hits;
      return cycle(ports_.l2) + p_.l2_hit;
    }
    ++caches_.l2_misses;
    ports_.memory = std::max(ports_.memory, ports_.l2) + bytes / memory_share_;
    return cycle(ports_.memory) + p_.memory;
  }

  static std::uint64_t cycle(double time) { return static_cast<std::uint64_t>(time); }

  void vector_memory(TimedWave& timed, std::uint64_t start, const Access& access) {
    if (access.space != Access::Space::global || access.active == 0) return;
    std::array<std::uint64_t, 2 * kLanes> lines;
    const std::size_t count = touched_lines(access, lines);
    std::uint64_t done = start;
    std::uint64_t previous = ~std::uint64_t{0};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t address = lines[i] * kLineBytes;
      if (address / p_.line_bytes == previous) continue;
      previous = address / p_.line_bytes;
      const auto from = static_cast<double>(start);
      // The L1 writes through and atomics are done by the L2.
      done = std::max(done,
                      access.store ? beyond_l1(from, address, kLineBytes) : fetch(from, address));
    }
    if (access.store) (access.atomic ? caches_.l2_atomics : caches_.l2_writes) += count;
    if (access.atomic) ports_.l2 += static_cast<double>(std::popcount(access.active));
    timed.vector_memory.add(done);
  }

  std::uint64_t scalar_load(std::uint64_t start, const Access& access) {
    if (access.space != Access::Space::scalar) return start;
    if (scalar_.touch(access.address[0] / kLineBytes)) return start + p_.scalar_hit;
    ++caches_.scalar_misses;
    return read_beyond_l1(static_cast<double>(start), access.address[0], kLineBytes);
  }

  void local(TimedWave& timed, std::uint64_t start, const Access& access) {
    std::uint64_t busy = kLanes * 4 / p_.lds_bytes_per_cycle;
    if (access.space == Access::Space::lds && access.active != 0) {
      const std::uint64_t bytes = std::uint64_t{kLanes} * access.bytes * (access.two_parts ? 2 : 1);
      busy = std::max<std::uint64_t>(busy, bytes / p_.lds_bytes_per_cycle) + lds_conflicts(access);
      if (access.atomic) busy *= 2;
    }
    ports_.lds = start + busy;
    timed.lds_and_scalar.add(start + busy + p_.lds_latency);
  }

  void wait(TimedWave& timed, const Op& op) {
    const unsigned immediate = op.instruction->immediate;
    const std::size_t vm = (immediate & 15U) | (immediate >> 14 & 3U) << 4,
                      lgkm = immediate >> 8 & 15U;
    const std::uint64_t memory = timed.vector_memory.wait(vm),
                        local = timed.lds_and_scalar.wait(lgkm);
    if (memory > timed.ready) vmem_wait += memory - timed.ready;
    if (local > std::max(timed.ready, memory)) lds_wait += local - std::max(timed.ready, memory);
    timed.ready = std::max({timed.ready, memory, local});
  }

  void branch(TimedWave& timed, const Op& op, std::uint64_t start) const {
    const bool conditional_not_taken =
        op.instruction->opcode->flags == "branch" && timed.wave->pc != op.target;
    timed.ready = start + (conditional_not_taken ? p_.issue : p_.branch_taken);
  }

  const CycleParameters& p_;
  TagCache& l2_;
  CacheCounts& caches_;
  TagCache l1_, scalar_;
  double memory_share_;  ///< bytes a cycle
  Ports ports_;
};

/// One compute unit's share of the launch: workgroups first, first + step, ...
class UnitRun {
 public:
  UnitRun(const Prepared& prepared, Machine& machine, Counts& counts, ComputeUnit& unit,
          std::uint32_t resident)
      : prepared_(prepared), machine_(machine), counts_(counts), counter_(counts, *machine.program), unit_(unit), slots_(resident) {}

  Result<std::uint64_t> run(std::uint32_t first, std::uint32_t step,
                            std::uint64_t max_instructions) {
    next_ = first;
    step_ = step;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) start(slot, 0);
    while (!waves_.empty()) {
      TRY(run_one());
      if (counts_.instructions % kTurn == 0) TRY(interrupt::check());
      if (max_instructions != 0 && counts_.instructions >= max_instructions) {
        const Wave& wave = *waves_.front().wave;
        return fail(Errc::limit,
                    fmt::format("{}: stopped after {} wave-instructions; {}", machine_.program->kernel, counts_.instructions,
                                place_of(*machine_.program, wave, machine_.program->ops[wave.pc])),
                    "raise the limit, or look for a loop that does not end");
      }
    }
    return end_;
  }

 private:
  void start(std::size_t slot, std::uint64_t cycle) {
    if (next_ >= prepared_.count()) return;
    Workgroup& workgroup = slots_[slot];
    start_workgroup(prepared_, next_, workgroup);
    ++counts_.workgroups;
    counts_.waves += workgroup.waves.size();
    next_ = step_ < prepared_.count() - next_ ? next_ + step_ : prepared_.count();
    for (Wave& wave : workgroup.waves) {
      waves_.push_back({.wave = &wave,
                        .slot = slot,
                        .simd = next_simd_,
                        .ready = cycle,
                        .vector_memory = {},
                        .lds_and_scalar = {}});
      next_simd_ = (next_simd_ + 1) % kSimds;
    }
  }

  Status run_one() {
    const Op* ops = machine_.program->ops.data();
    std::size_t best = waves_.size();
    std::uint64_t earliest = ~std::uint64_t{0};
    for (std::size_t i = 0; i < waves_.size(); ++i) {
      if (waves_[i].wave->state != Wave::State::ready) continue;
      const std::uint64_t at = unit_.start_of(waves_[i], ops[waves_[i].wave->pc]);
      if (at < earliest) {
        earliest = at;
        best = i;
      }
    }
    TimedWave& timed = waves_[best];
    Wave& wave = *timed.wave;
    const Op& op = ops[wave.pc++];
    const std::uint64_t exec = wave.exec();
    machine_.lds = slots_[timed.slot].lds;
    machine_.clock = earliest;
    op.handler(machine_, wave, op);
    if (machine_.fault) return fail(machine_.fault->code, std::move(machine_.fault->message));
    ++counts_.instructions;
    counter_.count(op, exec, machine_.access);
    unit_.issue(timed, op, earliest, machine_.access);
    if (wave.state != Wave::State::ready) settle(timed.slot);
    return {};
  }

  // A barrier opens when every wave that has not ended is at it; a workgroup ends with its last wave.
  void settle(std::size_t slot) {
    std::uint64_t last = 0;
    bool open = true, ended = true;
    for (const TimedWave& timed : waves_) {
      if (timed.slot != slot) continue;
      last = std::max(last, timed.ready);
      open = open && timed.wave->state != Wave::State::ready;
      ended = ended && timed.wave->state == Wave::State::ended;
    }
    if (ended) {
      end_ = std::max(end_, last);
      std::erase_if(waves_, [&](const TimedWave& timed) { return timed.slot == slot; });
      start(slot, last);
      return;
    }
    if (!open) return;
    for (TimedWave& timed : waves_) {
      if (timed.slot != slot || timed.wave->state != Wave::State::at_barrier) continue;
      timed.wave->state = Wave::State::ready;
      timed.ready = last;
    }
  }

  static constexpr std::uint32_t kSimds = 4;
  const Prepared& prepared_;
  Machine& machine_;
  Counts& counts_;
  Counter counter_;
  ComputeUnit& unit_;
  std::vector<Workgroup> slots_;
  std::vector<TimedWave> waves_;
  std::uint32_t next_ = 0, step_ = 1, next_simd_ = 0;
  std::uint64_t end_ = 0;
};

std::uint32_t resident_workgroups(const CycleParameters& p, const Prepared& prepared) {
  const std::uint32_t waves = prepared.waves_of_full_workgroup();
  const std::uint32_t by_registers = p.vgprs_per_simd / std::max(prepared.program->vgprs, 8U);
  const std::uint32_t slots = std::min(p.waves_per_simd, by_registers) * p.simds;
  const std::uint32_t by_lds = prepared.lds_bytes == 0 ? slots : p.lds_bytes / prepared.lds_bytes;
  return std::max(1U, std::min(slots / waves, by_lds));
}

}  // namespace

std::uint32_t resident_workgroups_of_device(const Prepared& prepared) {
  const CycleParameters& p = cycle_parameters(prepared.program->arch);
  return resident_workgroups(p, prepared) * p.compute_units;
}

Result<std::pair<Counts, Modelled>> execute_modelled(Memory& memory, const Prepared& prepared,
                                                     const ExecuteOptions& options) {
  const CycleParameters& p = cycle_parameters(prepared.program->arch);
  Machine machine;
  machine.program = prepared.program.get();
  machine.memory = &memory;
  machine.load_base = prepared.load_base;
  machine.scratch_bytes = prepared.scratch_bytes;
  machine.last_region.assign(prepared.program->ops.size(), nullptr);
  Counts counts;
  counts.by_instruction.resize(prepared.program->ops.size());
  Modelled modelled;
  modelled.model = p.name;
  const std::uint32_t resident = resident_workgroups(p, prepared);
  modelled.resident_waves = resident * prepared.waves_of_full_workgroup();
  const std::uint32_t units = std::min(p.compute_units, prepared.count());
  TagCache l2(p.l2_bytes, p.line_bytes);
  for (std::uint32_t i = 0; i < units; ++i) {
    ComputeUnit unit(p, l2, std::min(p.l2_bytes_per_cycle, p.memory_bytes_per_cycle / units),
                     modelled.caches);
    UnitRun run(prepared, machine, counts, unit, resident);
    modelled.cycles =
        std::max(modelled.cycles, TRY(run.run(i, p.compute_units, options.max_instructions)));
    modelled.vmem_wait_cycles += unit.vmem_wait;
    modelled.lds_wait_cycles += unit.lds_wait;
  }
  constexpr double kNsPerUs = 1000;
  modelled.time_ns = static_cast<double>(modelled.cycles) / p.clock_mhz * kNsPerUs;
  return std::make_pair(std::move(counts), std::move(modelled));
}

}  // namespace rpl::emu
