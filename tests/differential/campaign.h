// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>

#include "tests/differential/comparison.h"
#include "tests/differential/writer.h"

namespace rpl::differential {

/// What to try. Function number i has the seed first_seed + i.
struct Plan {
  std::uint64_t first_seed = 1;
  std::size_t functions = 1;
  std::size_t functions_of_batch = 50;
  Features features;
  std::optional<int> level;  ///< of optimization on the devices; else by batch, 0 to 3
  unsigned threads = 2;
  std::string folder;  ///< for the compilers' files
  std::size_t most_findings = 5;
  std::function<void(std::size_t done, std::size_t findings)> progress;
};

/// Marks the messages of kernels that did not come to their end.
inline constexpr std::string_view kStopped = "stopped: ";

/// One function on one device that did not do what it does on the host.
struct Finding {
  std::uint64_t seed = 0;
  Target target = Target::gfx90a;
  int level = 0;
  std::string message;  ///< inputs and results, or why it stopped
  std::string
      reduced;  ///< IR of what is left after every statement without effect on it was taken out
  [[nodiscard]] bool stopped() const { return message.starts_with(kStopped); }
};

/// A function that could not be compiled, which is LLVM's doing.
struct Refused {
  std::uint64_t seed = 0;
  std::string message;
};

struct Tally {
  std::size_t functions = 0;  ///< compared on both devices
  std::uint64_t items = 0;    ///< evaluations on one device
  std::size_t reductions =
      0;  ///< findings whose functions were reduced; beyond Plan::most_findings they are not
  std::vector<Finding> findings;
  std::map<std::string, std::size_t> stops;  ///< why kernels stopped, by instruction
  std::vector<Refused> refused;
  std::map<std::string, std::vector<std::uint64_t>>
      miscompiled;  ///< seeds of functions that differed by the compiler's doing, by what showed it

  void add(Tally&& from);
};

Tally run_plan(const Plan& plan);

}  // namespace rpl::differential
