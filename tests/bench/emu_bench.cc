// SPDX-License-Identifier: MIT
// Million wave-instructions a second of every example kernel: functional with checked memory, counted, modelled.
#include <benchmark/benchmark.h>

#include "tests/engine/emu/example_runs.h"

namespace rpl::emu {
namespace {

KernelRun run_of(std::int64_t kernel, const std::string& arch) {
  switch (kernel) {
    case 0:
      return vector_add(arch, 1U << 20);
    case 1:
      return matmul(arch, 256, 256, 256);
    case 2:
      return softmax(arch, 1024, 200);
    case 3:
      return reduce(arch, 1U << 20, 104);
    case 4:
      return transpose(arch, 1024, 1024);
    case 5:
      return histogram(arch, 1U << 20, 104);
    default:
      return matmul_mfma(arch, 256, 256, 256);
  }
}

void kernel(benchmark::State& state) {
  const auto index = state.range(0);
  KernelRun run = run_of(index, isa::kArchitectures[static_cast<std::size_t>(state.range(2))]);
  run.options.mode = static_cast<Mode>(state.range(1));
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    const auto outcome = run_kernel(run);
    if (!outcome) return state.SkipWithError(outcome.error().message.c_str());
    state.SetIterationTime(outcome->executed.emulation_s);
    instructions += outcome->executed.counts.instructions;
  }
  constexpr const char* kModes[] = {"functional", "counted", "modelled"};
  state.SetLabel(std::string(isa::kExampleKernels[static_cast<std::size_t>(index)]) + " " +
                 kModes[state.range(1)]);
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}
BENCHMARK(kernel)
    ->ArgsProduct({{0, 1, 2, 3, 4, 5, 6}, {0, 1, 2}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

}  // namespace
}  // namespace rpl::emu

BENCHMARK_MAIN();
