// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "engine/base/result.h"

/// The one flag that a Ctrl-C sets and that everything long-running looks at: engine loops every ~64 k rows,
/// SQLite's progress handler, waits for child processes. Async-signal-safe to raise.
namespace rpl::interrupt {

void raise() noexcept;
void clear() noexcept;
[[nodiscard]] bool pending() noexcept;

/// How many rows a loop handles between two looks at the flag: well below a tenth of a second of work.
inline constexpr std::size_t kRowsBetweenChecks = std::size_t{1} << 16;

/// Fails with Errc::interrupted while the flag is up. Does not clear it: the one who owns the prompt does.
[[nodiscard]] Status check();

}  // namespace rpl::interrupt
