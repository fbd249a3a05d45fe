// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "tests/differential/compiled.h"

namespace rpl::differential {

/// What a function is run on.
struct Inputs {
  std::vector<std::byte> lanes, groups, table;
};

/// Random numbers with many corners; the same for equal functions.
Inputs inputs_for(const Function& function);

/// What every item wrote, kOutputBytes for each.
using Outputs = std::vector<std::byte>;

Outputs run_on_host(const Function& function, HostFunction code, const Inputs& inputs);

/// Runs one kernel on the emulated device. Fails as emu::run_kernel does.
Result<Outputs> run_emulated(const Function& function,
                             std::shared_ptr<const isa::CodeObject> object, const Inputs& inputs);

/// Where two runs differ first. NaNs are equal to each other, zeros of different sign are not.
struct Difference {
  unsigned item = 0;
  std::size_t result = 0;  ///< kMostResults: in the item's memory for atomics
  std::string text;        ///< parameters and both results
};
std::optional<Difference> difference(const Function& function, const Inputs& inputs,
                                     const Outputs& host, const Outputs& device);

}  // namespace rpl::differential
