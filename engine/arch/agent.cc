// SPDX-License-Identifier: MIT
#include "engine/arch/agent.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/numbers.h"
#include "engine/document/json.h"

namespace rpl::arch {
namespace {

struct Mapped {
  std::string_view recorded, key;
  double factor = 1;
};

// Names of rocprofiler-sdk's agent record, which rocpd, JSON and agent_info.csv share.
constexpr Mapped kMapped[] = {
    {"cu_count", "compute_units"},
    {"num_xcc", "xcds"},
    {"max_engine_clk_fcompute", "clock_mhz"},
    {"simd_per_cu", "simds_per_cu"},
    {"wave_front_size", "wave_size"},
    {"max_waves_per_simd", "waves_per_simd"},
    {"workgroup_max_size", "max_workgroup_size"},
    {"lds_size_in_kb", "lds_bytes", 1024},
};

/// A positive number; agent_info.csv has them as text.
std::optional<double> positive(const Value& object, std::string_view name) {
  const Value* value = object.find(name);
  if (value == nullptr) return std::nullopt;
  std::optional<double> number = value->number();
  if (const auto* text = value->as<std::string>()) {
    if (const auto parsed = whole_number<double>(*text)) number = parsed;
  }
  // What no processor has; products of larger ones would be no numbers.
  constexpr double kMost = 1e18;
  if (!number || !std::isfinite(*number) || *number <= 0 || *number > kMost) return std::nullopt;
  return number;
}

Fact recorded(const std::string& id, std::string_view key, double number, std::string_view from) {
  Fact fact;
  fact.key = key;
  fact.number = number;
  fact.unit = find_key(key)->unit;
  fact.origin = Origin::recording;
  fact.source = fmt::format("{} {}", id, from);
  return fact;
}

std::optional<Value> parsed(const RecordedAgent& agent) {
  if (agent.details.empty()) return std::nullopt;
  auto value = parse_json(agent.details);
  if (!value || value->as<Record>() == nullptr) return std::nullopt;
  return std::move(*value);
}

const List* banks_of(const Value& record) {
  const Value* banks = record.find("mem_banks");
  return banks == nullptr ? nullptr : banks->as<List>();
}

void add_memory(const RecordedAgent& agent, const Value& record, AgentReading& out) {
  const List* banks = banks_of(record);
  if (banks == nullptr) return;
  double bytes = 0;
  for (const Value& bank : *banks) {
    bytes += positive(bank, "size_in_bytes").value_or(0);
    const auto width = positive(bank, "width"), clock = positive(bank, "mem_clk_max");
    if (width && clock) out.banks.push_back({*width, *clock});
  }
  if (bytes > 0)
    out.facts.push_back(recorded(agent.id, "memory_bytes", bytes, "mem_banks.size_in_bytes"));
}

}  // namespace

AgentReading read_agent(const RecordedAgent& agent) {
  AgentReading out;
  const auto record = parsed(agent);
  if (!record) {
    out.note = agent.details.empty()
                   ? fmt::format("the recording has no details of agent {}", agent.id)
                   : fmt::format("the details of agent {} cannot be read", agent.id);
    return out;
  }
  for (const Mapped& mapped : kMapped) {
    if (const auto value = positive(*record, mapped.recorded))
      out.facts.push_back(recorded(agent.id, mapped.key, *value * mapped.factor, mapped.recorded));
  }
  add_memory(agent, *record, out);
  if (const auto id = positive(*record, "device_id"); id && *id <= UINT32_MAX)
    out.device_id = static_cast<std::uint32_t>(*id);
  return out;
}

std::optional<Fact> recorded_memory_bandwidth(const std::string& id, const AgentReading& reading,
                                              double transfers) {
  double gbps = 0;
  std::string terms;
  for (const MemoryBank& bank : reading.banks) {
    gbps += bank.width_bits / 8 * bank.clock_mhz * transfers / 1000;
    terms += fmt::format("{}{} bit x {} MHz x {}", terms.empty() ? "" : " + ", bank.width_bits,
                         bank.clock_mhz, transfers);
  }
  if (gbps <= 0) return std::nullopt;
  Fact fact = recorded(id, "bandwidth.hbm", gbps, "mem_banks");
  fact.unit = "GB/s";
  fact.note = terms;
  return fact;
}

}  // namespace rpl::arch
