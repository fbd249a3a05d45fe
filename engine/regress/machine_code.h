// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rpl::regress {

/// The instructions of a function after one pass of code generation, as -print-changed shows them.
struct Snapshot {
  std::string pass;                              ///< "machine-scheduler"
  std::map<std::string, std::uint64_t> opcodes;  ///< how often each stands there
  std::uint64_t instructions = 0;
};

/// Reads what clang prints for -print-changed=quiet; passes that change nothing have no snapshot.
std::vector<Snapshot> read_snapshots(std::string_view printed);

/// Two compilers after the same pass on the same input.
struct MachineStep {
  std::string pass;
  std::uint64_t instructions_a = 0, instructions_b = 0;
  std::uint64_t apart =
      0;  ///< instructions that one of them has and the other one has not, by opcode
};

/// By the passes that both have, the k-th of a name with the k-th; in the order of A.
std::vector<MachineStep> compare_snapshots(const std::vector<Snapshot>& a,
                                           const std::vector<Snapshot>& b);

/// The pass after which `apart` has grown most; null for none.
const MachineStep* widest_step(const std::vector<MachineStep>& steps);

}  // namespace rpl::regress
