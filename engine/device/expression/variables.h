// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/device/debug/examine.h"
#include "engine/device/debug/session.h"
#include "engine/device/expression/datum.h"
#include "engine/isa/variables/variables.h"

/// Variables of the source in a launch that is stopped.
namespace rpl::debug {

/// What a variable of a frame holds in the selected wave and lane, where that stands now, or in a function that called: what was in registers then, and
/// memory as it is now. Missing where it is optimized out, or in a register that was written to since the call. A reference is the pointer that it is.
/// `caller` is null for the function where the wave stands. `by_lane` is set when it depends on the lane. Fails with not_found while no wave is selected,
/// and for memory that is not there.
Result<Datum> variable_datum(const Session& session, const isa::Variables& variables,
                             const isa::VariableFrame& frame, const isa::SourceVariable& variable,
                             const Caller* caller, bool& by_lane);

/// A register that gives no value: what to show instead of one.
inline constexpr const char* kNotSaved = "not saved";

/// Where a value is, as people name it: "v16", "s[4:5]", "private_lane#0x40", "local#0x0", "0x7f0000001000".
std::string place_text(const Watched& where);

/// A place of memory without the spaces that flat addresses reach: in LDS and in the private memory of the selected lane it is told so.
Watched placed(const Session& session, Watched where);
/// The same place as `x` takes it. Of memory, LDS and private memory.
Address address_at(const Watched& where);
/// The flat address of a place in memory, LDS or private memory.
std::uint64_t flat_address(const Watched& where);

}  // namespace rpl::debug
