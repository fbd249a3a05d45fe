// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/device/expression/variables.h"
#include "shell/commands/debug/debugging.h"

/// The source's variables in the kernel that is stopped.
namespace rpl {

/// Those of its code object, read once. Fails with corrupt, unsupported or limit for debug information that cannot be read.
Result<isa::Variables*> variables_of(const Debugger& debugger, const debug::Session& session);

/// The functions of standing_frames(), with their variables; empty where the code was built without.
const std::vector<isa::VariableFrame>& variable_frames(const Debugger& debugger,
                                                       const debug::Session& session);

/// Whether the variables of a frame are known: its function was built with them.
bool is_described(const Debugger& debugger, const debug::Session& session, std::size_t frame);

/// A variable of a frame, references followed; a parameter of the kernel without a place comes from the kernarg segment.
Result<debug::Datum> frame_datum(const Debugger& debugger, const debug::Session& session,
                                 std::size_t frame, const isa::SourceVariable& variable);

/// What a name means where the wave stands: a variable of the selected frame, then of those around it. Fails with not_found.
Result<debug::Datum> source_datum(const Debugger& debugger, const debug::Session& session,
                                  std::string_view name);
/// The same of variables of files and namespaces, and of enumerators.
Result<debug::Datum> global_datum(const Debugger& debugger, const debug::Session& session,
                                  std::string_view name);

/// A structure, enumeration or alias of the source. Fails with not_found.
Result<debug::Type> source_type(const Debugger& debugger, std::string_view name);

/// "void (const float *, float *, int)": the type of a function or kernel of the open code objects, `name` as people write it; of "&name" of a pointer to
/// it. By its debug information, else by the source or the symbol. Fails with not_found.
Result<std::string> function_type(const Debugger& debugger, std::string_view name);

/// Whether a function that is at `place` has a variable of this name; without a place, or one that the kernel has not, any function of the code object.
bool is_variable_name(const Debugger& debugger, const debug::Session& session,
                      std::string_view name, const debug::Place* place = nullptr);
/// Names of the frames at where the wave stands, for completion.
std::vector<std::string> variable_names(const Debugger& debugger, const debug::Session& session);

/// An expression in another lane than the selected one. Fails as datum_of().
Result<debug::Datum> datum_in_lane(const Debugger& debugger, const std::string& text,
                                   unsigned lane);
/// What an expression comes to in each lane, as an array; "-" in those that do not execute. Fails as datum_of(), of the first active lane.
Result<debug::Datum> datum_of_lanes(const Debugger& debugger, const std::string& text);

/// A value as tables show it; a pointer with the buffer that it points into, what cannot be read by why.
std::string shown_text(const debug::Session& session, const Result<debug::Datum>& datum);
/// "sum = 0": the variables of a frame that are in scope, those of inner blocks first; nothing where the code was built without.
std::vector<std::string> locals_of(const Debugger& debugger, const debug::Session& session,
                                   std::size_t frame);
/// "row=3, columns=<optimized out>": the parameters of a frame.
std::string parameters_text(const Debugger& debugger, const debug::Session& session,
                            std::size_t frame);

}  // namespace rpl
