// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "shell/core/command/line.h"

namespace rpl {

/// A command called with typed values: its whole words ("info kernels", "info_kernels") and named arguments, spelled with dashes or underscores. Beside its
/// own it takes what every command takes: `trace`, `att`, `capture` (opened or made current first) and `limit`. Fails with usage.
Result<Invocation> invocation_of(const Registry& registry, std::string_view words,
                                 const Record& arguments);

/// The line that a person would have typed for it.
std::string line_of(const Invocation& invocation);

}  // namespace rpl
