// SPDX-License-Identifier: MIT
#include "tests/support/rocprofv3/counter_limits.h"

#include <map>

namespace rpl::stand_in {
namespace {

const std::map<std::string, unsigned>& limits() {
  static const std::map<std::string, unsigned> all{{"SQ", 8},  {"TA", 2},  {"TD", 2},  {"TCP", 4},
                                                   {"TCC", 4}, {"CPC", 2}, {"CPF", 2}, {"GRBM", 2},
                                                   {"SPI", 6}, {"GDS", 4}};
  return all;
}

/// Derived counters take the slots of what they are made of.
std::pair<std::string, unsigned> slots_of(const std::string& counter) {
  if (counter == "FETCH_SIZE") return {"TCC", 3};
  if (counter == "WRITE_SIZE") return {"TCC", 2};
  const std::string block = counter.substr(0, counter.find('_'));
  return {block == "SQC" ? "SQ" : block, 1};
}

}  // namespace

Fit fit_of(const std::vector<std::string>& counters, std::vector<std::string>& which) {
  std::map<std::string, std::vector<std::string>> by_block;
  std::map<std::string, unsigned> used;
  for (const std::string& counter : counters) {
    const auto [block, slots] = slots_of(counter);
    if (!limits().contains(block)) which.push_back(counter);
    used[block] += slots;
    by_block[block].push_back(counter);
  }
  if (!which.empty()) return Fit::unknown;
  for (const auto& [block, slots] : used) {
    if (slots > limits().at(block)) which = by_block[block];
  }
  return which.empty() ? Fit::fits : Fit::too_many;
}

}  // namespace rpl::stand_in
