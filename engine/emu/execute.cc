// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <time.h>

#include "engine/base/interrupt.h"
#include "engine/emu/cycle_model.h"
#include "engine/emu/grid.h"
#include "engine/emu/modelled.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1}
                                << 16;  ///< wave-instructions between looks at the interrupt flag

class Execution {
 public:
  Execution(Memory& memory, const Prepared& prepared, const ExecuteOptions& options)
      : prepared_(prepared), options_(options) {
    machine_.program = prepared.program.get();
    machine_.memory = &memory;
    machine_.load_base = prepared.load_base;
    machine_.scratch_bytes = prepared.scratch_bytes;
    machine_.last_region.assign(prepared.program->ops.size(), nullptr);
    if (options.mode != Mode::functional)
      counts_.by_instruction.resize(prepared.program->ops.size());
  }

  Result<Counts> run() {
    Workgroup workgroup;
    for (std::uint32_t number = 0; number < prepared_.count(); ++number) {
      start_workgroup(prepared_, number, workgroup);
      ++counts_.workgroups;
      counts_.waves += workgroup.waves.size();
      machine_.lds = workgroup.lds;
      TRY(run_workgroup(workgroup));
    }
    return std::move(counts_);
  }

 private:
  // Waves run one after another from barrier to barrier.
  Status run_workgroup(Workgroup& workgroup) {
    for (;;) {
      std::size_t waiting = 0;
      for (Wave& wave : workgroup.waves) {
        if (wave.state == Wave::State::ready) TRY(run_wave(wave));
        waiting += wave.state == Wave::State::at_barrier ? 1 : 0;
      }
      if (waiting == 0) return {};
      // A wave that has ended no longer takes part in barriers.
      for (Wave& wave : workgroup.waves) {
        if (wave.state == Wave::State::at_barrier) wave.state = Wave::State::ready;
      }
    }
  }

  Status run_wave(Wave& wave) {
    while (wave.state == Wave::State::ready) {
      const std::uint64_t left =
          options_.max_instructions == 0 ? kTurn : options_.max_instructions - counts_.instructions;
      if (left == 0) return too_long(wave);
      const std::uint64_t turn = std::min(kTurn, left);
      const std::uint64_t done = options_.mode == Mode::functional ? run_turn<false>(wave, turn)
                                                                   : run_turn<true>(wave, turn);
      counts_.instructions += done;
      machine_.clock += done;
      if (machine_.fault) return fail(machine_.fault->code, std::move(machine_.fault->message));
      TRY(interrupt::check());
    }
    return {};
  }

  template <bool kCounted>
  std::uint64_t run_turn(Wave& wave, std::uint64_t turn) {
    const Op* ops = prepared_.program->ops.data();
    for (std::uint64_t done = 1; done <= turn; ++done) {
      const Op& op = ops[wave.pc++];
      if constexpr (kCounted) {
        const std::uint64_t exec = wave.exec();
        const bool more = op.handler(machine_, wave, op);
        count(counts_, *prepared_.program, op, exec, machine_.access);
        if (!more) return done;
      } else {
        if (!op.handler(machine_, wave, op)) return done;
      }
    }
    return turn;
  }

  [[nodiscard]] Status too_long(const Wave& wave) const {
    return fail(Errc::limit,
                fmt::format("{}: stopped after {} wave-instructions, in workgroup {} of {}",
                            prepared_.program->kernel, counts_.instructions, wave.workgroup,
                            prepared_.count()),
                "raise the limit, or look for a loop that does not end");
  }

  const Prepared& prepared_;
  const ExecuteOptions& options_;
  Machine machine_;
  Counts counts_;
};

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNsPerS = 1e9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / kNsPerS;
}

}  // namespace

Result<Executed> execute(Memory& memory, const Launch& launch, const ExecuteOptions& options) {
  const Prepared prepared = TRY(prepare(memory, launch));
  Executed result;
  result.program = prepared.program;
  const double started = processor_seconds();
  if (options.mode == Mode::modelled) {
    auto [counts, modelled] = TRY(execute_modelled(memory, prepared, options));
    result.counts = std::move(counts);
    result.modelled = std::move(modelled);
  } else {
    result.counts = TRY(Execution(memory, prepared, options).run());
  }
  result.emulation_s = processor_seconds() - started;
  if (options.mode != Mode::functional) finish(result.counts, *result.program);
  return result;
}

}  // namespace rpl::emu
