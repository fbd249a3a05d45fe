// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/att/analyse/summary.h"

namespace rpl::att {

/// What the older Python tool (rocm-perf-lab, analyze_att) prints for a code.json. Kept to be shown beside the right numbers, never to be used.
struct LegacyNumbers {
  std::uint64_t total_cycles = 0;  ///< latency + stall + idle
  double stall_fraction = 0, idle_fraction = 0, ipc = 0;
  double avg_memory_latency = 0;  ///< latency of global_ and flat_ rows / number of such rows
  double headroom_fraction = 0;
  std::map<std::string, double>
      instruction_mix;  ///< share of executions; classes without any are left out
};
LegacyNumbers legacy_numbers(const CodeTable& code);

/// A number with what it was made of, so that a program can check it and a person can understand it.
struct Fact {
  std::string name;  ///< "stall_pct"
  std::optional<double> value;
  std::string unit;     ///< "pct", "cycles", "count", ""
  std::string formula;  ///< in terms of the inputs
  std::vector<std::pair<std::string, double>> inputs;
  std::string source;                                   ///< the files of the recording
  std::string legacy_name, legacy_formula, legacy_why;  ///< the older tool's, "" where it had none
  std::optional<double> legacy_value;
};

/// The facts about stalls on which a diagnosis rests, in a fixed order; those whose inputs are missing have no value.
std::vector<Fact> stall_facts(const ThreadTrace& trace, const Summary& summary);

}  // namespace rpl::att
