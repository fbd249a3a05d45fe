// SPDX-License-Identifier: MIT
#include "engine/arch/resolve.h"

#include <fmt/format.h>

#include "engine/arch/agent.h"

namespace rpl::arch {
namespace {

void add_user(const Catalogue& catalogue, const Identity& identity, const Overrides& overrides,
              Gpu& gpu) {
  catalogue.apply(identity, Origin::user, gpu);
  for (Fact fact : overrides.facts) {
    fact.origin = Origin::user;
    gpu.put(std::move(fact));
  }
}

Gpu start(const Identity& identity) {
  Gpu gpu;
  gpu.arch = identity.arch;
  gpu.product = identity.product;
  return gpu;
}

/// The recording counts the dies of one partition, the file those of the device.
void note_partition(const RecordedAgent& agent, const Gpu& whole, Gpu& gpu) {
  const auto dies = whole.whole("xcds"), recorded = gpu.whole("xcds");
  if (!dies || !recorded || *recorded >= *dies) return;
  gpu.notes.push_back(
      fmt::format("agent {} is a partition: {} of {} XCDs; its peaks of device memory and MALL are "
                  "those of the whole device, which the partitions share",
                  agent.id, *recorded, *dies));
}

void note_product(const Catalogue& catalogue, const RecordedAgent& agent, Gpu& gpu) {
  if (!catalogue.knows(gpu.arch)) {
    gpu.notes.push_back(fmt::format(
        "there is no architecture file for {}; docs/architectures.md says how to add one",
        gpu.arch));
  } else if (gpu.product.empty()) {
    gpu.notes.push_back(fmt::format(
        "agent {} ('{}') is not a product of the file for {}; 'set arch product NAME' says which",
        agent.id, agent.product, gpu.arch));
  }
}

}  // namespace

Result<Gpu> resolve(const Catalogue& catalogue, std::string_view name, const Overrides& overrides) {
  const Identity identity =
      TRY(catalogue.named(overrides.product.empty() ? name : overrides.product));
  Gpu gpu = start(identity);
  catalogue.apply(identity, Origin::file, gpu);
  add_user(catalogue, identity, overrides, gpu);
  return gpu;
}

Result<Gpu> resolve(const Catalogue& catalogue, const RecordedAgent& agent,
                    const Overrides& overrides) {
  return resolve(catalogue, agent, read_agent(agent), overrides);
}

Result<Gpu> resolve(const Catalogue& catalogue, const RecordedAgent& agent,
                    const AgentReading& reading, const Overrides& overrides) {
  Identity identity = catalogue.recognise(agent.arch, agent.product, reading.device_id);
  if (!overrides.product.empty()) identity = TRY(catalogue.named(overrides.product));
  Gpu gpu = start(identity);
  catalogue.apply(identity, Origin::file, gpu);
  const Gpu whole = gpu;
  for (const Fact& fact : reading.facts) gpu.put(fact);
  if (const auto transfers = whole.number("memory_transfers_per_clock")) {
    if (const auto fact = recorded_memory_bandwidth(agent.id, reading, *transfers)) gpu.put(*fact);
  }
  add_user(catalogue, identity, overrides, gpu);
  note_partition(agent, whole, gpu);
  note_product(catalogue, agent, gpu);
  if (!reading.note.empty()) gpu.notes.push_back(reading.note);
  return gpu;
}

}  // namespace rpl::arch
