// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/device/execute/launch/program.h"
#include "engine/document/bound.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/object/source_lines.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/inputs/emulated_run.h"

/// What commands share that divide the counts of an emulated run.
namespace rpl {

/// The run of the capture `reference`, else the last `kernel run`, else that of the current capture. Fails with not_found when there is none, and when the
/// run kept no counts.
Result<std::shared_ptr<const EmulatedRun>> counted_run(const Inputs& inputs,
                                                       const std::string& reference);

/// Which run it is: kernel, run, architecture, waves, instructions.
inline constexpr auto kCountedRunFields = bound_to<EmulatedRun>(
    column<&EmulatedRun::kernel>("kernel", "its name in the code object").as(Type::kernel),
    column<&EmulatedRun::of>("run", "the code object or capture that ran").as(Type::id),
    column<&EmulatedRun::object, &isa::CodeObject::arch>("architecture", isa::kArchitectureNames),
    column<&EmulatedRun::executed, &emu::Executed::counts, &emu::Counts::waves>("waves",
                                                                                "waves that ran"),
    column<&EmulatedRun::executed, &emu::Executed::counts, &emu::Counts::instructions>(
        "instructions", "instructions executed, counted once for a wave"));

/// The sums of the instructions of one place.
struct CountedPlace {
  std::string name;         ///< "reduce.hip:12", "0x1900" or "v_add_f32"; "unknown" without a line
  std::string instruction;  ///< the function, the instruction or its class
  std::string mnemonic;     ///< by pc, else empty
  emu::InstructionCounts counts;
  emu::Fidelity fidelity = emu::Fidelity::exact;
  double share = 0;  ///< of all instructions executed
};

using emu::InstructionCounts;
template <auto member>
consteval BoundColumn counted(Label name, Label description) {
  return column<&CountedPlace::counts, member>(name, description);
}
inline constexpr auto kPlaceColumn =
    column<&CountedPlace::name>("place", "source line, address or mnemonic");
inline constexpr auto kBytesColumn =
    counted<&InstructionCounts::bytes>(
        "global_bytes", "loaded or stored in global memory, as the lanes asked for it")
        .if_room();
inline constexpr auto kL2Column =
    counted<&InstructionCounts::l2_lines>("l2_lines", "of them, found in the L2");
inline constexpr auto kMemoryColumn =
    counted<&InstructionCounts::memory_lines>("memory_lines", "of them, found in neither");

struct Places {
  std::string by;  ///< "line", "pc" or "mnemonic"
  std::vector<CountedPlace> rows;
};

inline constexpr auto kByField =
    bound_to<Places>(column<&Places::by>("by", "line, pc or mnemonic"));

/// What was executed; every executed instruction is in one place. The most executed first, by pc in the order of the code. `by` may be empty: by line where
/// there is a line table, else by mnemonic. Fails with missing_capability for "line" without a line table.
Result<Places> places_of(const EmulatedRun& run, std::string by);

}  // namespace rpl
