// SPDX-License-Identifier: MIT
// Any bytes as the recorder's JSON about an agent: what is read is finite and positive, and the GPU that follows has peaks that are.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/arch/agent.h"
#include "engine/arch/peaks.h"
#include "engine/arch/resolve.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rpl::arch;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const RecordedAgent agent{"a4", "gfx942", "AMD Instinct MI300X", text};
  const AgentReading reading = read_agent(agent);
  for (const Fact& fact : reading.facts) require(std::isfinite(fact.number) && fact.number > 0);
  for (const MemoryBank& bank : reading.banks) require(bank.width_bits > 0 && bank.clock_mhz > 0);
  if (const auto rate = recorded_memory_bandwidth("a4", reading, 2))
    require(std::isfinite(rate->number));
  const auto gpu = resolve(Catalogue::builtin(), agent, {});
  require(gpu.has_value());
  for (const Level level : kLevels) {
    if (const auto peak = peak_bandwidth(*gpu, level)) require(std::isfinite(*peak->value));
  }
  return 0;
}
