// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/arch/resolve.h"

namespace rpl::arch {

/// A memory bank as recorded.
struct MemoryBank {
  double width_bits = 0, clock_mhz = 0;
};

/// What the recorder's JSON about an agent says in our keys. Values that are absent, zero or no numbers are left out.
struct AgentReading {
  std::vector<Fact> facts;
  std::vector<MemoryBank> banks;  ///< those with both values
  std::optional<std::uint32_t> device_id;
  std::string note;  ///< "" or why nothing could be read
};
AgentReading read_agent(const RecordedAgent& agent);

/// HBM bandwidth from the recorded width and clock of the memory banks: width / 8 x clock x transfers, summed over banks. `transfers` is the
/// file's memory_transfers_per_clock, without which the recorded memory clock gives no bandwidth. `id` is the agent's, for the source.
std::optional<Fact> recorded_memory_bandwidth(const std::string& id, const AgentReading& reading,
                                              double transfers);

}  // namespace rpl::arch
