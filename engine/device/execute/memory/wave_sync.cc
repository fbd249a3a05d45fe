// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/wave_sync.h"

#include "engine/device/execute/memory/lds.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

// Which counter: its offset and M0[21:16] (LLVM, AMDGPUUsage, "ds_gws").
unsigned counter_of(const Wave& wave, const Op& op) {
  constexpr unsigned kBase = 16;
  return (op.instruction->offset + (wave.sgprs[isa::kM0] >> kBase)) % WaveSync::kCounters;
}

void accesses_nothing(Machine& machine) {
  machine.access.space = Access::Space::none;
  machine.access.active = 0;
}

// A driver sets the counter before a cooperative launch to what the barriers of the kernel say again: how many waves meet, less one.
bool wave_sync_init(Machine& machine, Wave&, const Op&) {
  accesses_nothing(machine);
  return true;
}

bool wave_sync_barrier(Machine& machine, Wave& wave, const Op& op) {
  accesses_nothing(machine);
  if (machine.wave_sync == nullptr) return run_refused(machine, wave, op);
  const std::uint64_t exec = wave.exec();
  const std::uint32_t others =
      wave.vector(op.sources[0].number)[exec == 0 ? 0 : std::countr_zero(exec)];
  const unsigned counter = counter_of(wave, op);
  // Read first: the last one to arrive may come at any time.
  const std::uint32_t met = machine.wave_sync->met(counter);
  if (machine.wave_sync->arrive(counter, others)) return true;
  wave.counter = static_cast<std::uint8_t>(counter);
  wave.met_at_counter = met;
  wave.state = Wave::State::at_grid_barrier;
  return false;
}

}  // namespace

Handler find_wave_sync_handler(std::string_view what) {
  if (what == "gws_init") return wave_sync_init;
  if (what == "gws_barrier") return wave_sync_barrier;
  return run_refused;
}

}  // namespace rpl::emu
