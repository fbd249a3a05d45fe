// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/device/execute/launch/program.h"
#include "engine/isa/object/source_lines.h"
#include "shell/core/command/command.h"
#include "shell/core/inputs/emulated_run.h"

/// What commands share that divide the counts of an emulated run.
namespace rpl {

/// The run of the capture `reference`, else the last `kernel run`, else that of the current capture. Fails with not_found when there is none, and when the
/// run kept no counts.
Result<std::shared_ptr<const EmulatedRun>> counted_run(const Inputs& inputs,
                                                       const std::string& reference);

/// Which run it is: the fields below.
void set_run(const EmulatedRun& run, Document& out);
std::vector<Column> counted_run_columns();

/// The sums of the instructions of one place.
struct CountedPlace {
  std::string name;         ///< "reduce.hip:12", "0x1900" or "v_add_f32"; "unknown" without a line
  std::string instruction;  ///< the function, the instruction or its class
  std::string mnemonic;     ///< by pc, else empty
  emu::InstructionCounts counts;
  emu::Fidelity fidelity = emu::Fidelity::exact;
};

struct Places {
  std::string by;  ///< "line", "pc" or "mnemonic"
  std::vector<CountedPlace> rows;
};

/// What was executed; every executed instruction is in one place. The most executed first, by pc in the order of the code. `by` may be empty: by line where
/// there is a line table, else by mnemonic. Fails with missing_capability for "line" without a line table.
Result<Places> places_of(const EmulatedRun& run, std::string by);

}  // namespace rpl
