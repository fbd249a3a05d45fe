// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "engine/isa/object/source_lines.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/wait_reason.h"

namespace rpl {

/// Why a run on the emulated device took its time; found once for each run. Fails with unsupported for one that was not modelled, with interrupted.
Result<const findings::Findings*> findings_of(const EmulatedRun& run);

/// What an instruction or a source line cost in a run on the emulated device.
struct PlaceCost {
  std::uint64_t executed = 0;      ///< by waves; of a line: of its instruction that ran most often
  std::uint64_t stall_caused = 0;  ///< wave-cycles that waves waited because of it, modelled
  double share = 0;                ///< of all such cycles of the run
  std::string cause = {};          ///< of the first finding that names the place; "" for none
  std::string causes = {};         ///< of all of them: "uncoalesced-store, small-grid"
  ByWaitReason<std::uint64_t> caused_by{};              ///< stall_caused by what the instruction is
  std::uint64_t active_lanes = 0, vector_executed = 0;  ///< over vector instructions
  std::uint64_t lines = 0;                              ///< that global accesses touched
  double least_lines = 0;                               ///< that they had to
  std::uint64_t conflicts = 0;                          ///< extra LDS cycles
  std::uint64_t spills = 0;  ///< executions of instructions on scratch memory
};

/// The costs of a run by address and by line.
class RunCosts {
 public:
  /// Reads the line table of the code object, where there is one. Fails with interrupted.
  static Result<RunCosts> of(const EmulatedRun& run);

  /// Null for what did not run.
  [[nodiscard]] const PlaceCost* at(std::uint64_t address) const;
  /// `file` as the line table names it. What was inlined from the kernel's own folder counts where it was written, the rest where it was called.
  [[nodiscard]] const PlaceCost* at(const std::string& file, std::uint32_t line) const;
  /// By file and line.
  [[nodiscard]] const std::map<std::pair<std::string, std::uint32_t>, PlaceCost>& lines() const {
    return by_line_;
  }
  /// Wave-cycles that waves waited in all, modelled.
  [[nodiscard]] std::uint64_t all_stall() const { return all_; }
  /// Of all wave-cycles of the run that waves waited.
  [[nodiscard]] double share_of(std::uint64_t caused) const {
    return all_ == 0 ? 0 : static_cast<double>(caused) / static_cast<double>(all_);
  }
  /// The line that most waits are because of, of a run without times the one executed most; line 0 without a line table.
  [[nodiscard]] isa::SourcePlace worst() const;

 private:
  void add(const EmulatedRun& run, const isa::SourceLines& lines);
  void name_causes(const findings::Findings& found, const isa::SourceLines& lines);

  std::uint64_t all_ = 0;
  std::map<std::uint64_t, PlaceCost> by_address_;
  std::map<std::pair<std::string, std::uint32_t>, PlaceCost> by_line_;
};

}  // namespace rpl
