// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace rpl {

/// Whether a kernel may call this function of the compiler's or HIP's headers though it did not before: mathematics, conversions, hints, copies within
/// registers, and the built-ins that read the place in the grid. No barriers, atomics, cross-lane operations, clocks, traps or output.
bool may_be_called_anew(std::string_view name);

}  // namespace rpl
