// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/gpu.h"
#include "engine/base/result.h"

namespace rpl {

/// How the instances of a counter (XCCs, shader engines, channels) make one value of a dispatch.
enum class InstanceReduction {
  sum,  ///< they counted different events
  max,  ///< they counted the same time (GRBM): a sum is not a time
};
std::string_view to_string(InstanceReduction reduction);

/// One line of engine/metrics/counters/data/catalogue.txt, or of a user's file (user_file.h).
struct CounterInfo {
  std::string_view name;   ///< as recordings spell it: "SQ_WAVES", "TCC_HIT_sum"
  std::string_view block;  ///< "SQ", "TCC", …: whose slots it takes
  unsigned slots = 1;
  std::string_view
      unit;  ///< of one count: "waves", "cycles", "quad-cycles", "requests", "512 operations"
  InstanceReduction instances = InstanceReduction::sum;
  std::vector<std::string_view> architectures;
  std::vector<std::string_view> consumes;  ///< counters whose slots it takes instead of its own
  std::string_view description;
  std::string_view source = {};  ///< "mine.counters:3" for a user's; "" for the program's
};

/// What is known of hardware counters. Immutable.
class CounterCatalogue {
 public:
  static const CounterCatalogue& built_in();
  /// These and the user's, which go first; lives as long as the program.
  static const CounterCatalogue& current();
  /// The built-in ones behind `users`, whose texts must live as long as the program.
  explicit CounterCatalogue(std::vector<CounterInfo> users);

  /// The counter of an architecture, with or without "_sum" at the end of `name`; null for an unknown one.
  [[nodiscard]] const CounterInfo* find(std::string_view arch, std::string_view name) const;
  /// All of an architecture, in the order of the file; empty for an architecture that is not in it.
  [[nodiscard]] std::vector<const CounterInfo*> of(std::string_view arch) const;
  /// Architectures that occur, sorted.
  [[nodiscard]] std::vector<std::string_view> architectures() const;
  /// How a counter's instances are reduced, by name alone: what a user's file says, else `sum` for an unknown one.
  [[nodiscard]] static InstanceReduction reduction(std::string_view name);

 private:
  std::vector<CounterInfo> counters_;
};

/// Fails with unsupported for an architecture of which no counters are known.
Status counters_known(std::string_view arch);

/// Counters that one instance of each block counts at once, by block.
using BlockLimits = std::map<std::string, unsigned, std::less<>>;

/// The limits that are known of a GPU (keys `counters.SQ`, …); empty when none are.
BlockLimits block_limits(const arch::Gpu& gpu);

}  // namespace rpl
