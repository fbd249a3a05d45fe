// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

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

/// Sees every request since the last clear() before it was made, also when the flag is lowered again in between: for work of several stages, in
/// which others may use the flag.
class StopToken {
 public:
  StopToken() noexcept;
  /// Fails with Errc::interrupted when a stop was requested.
  [[nodiscard]] Status check() const;

 private:
  std::uint32_t answered_;
};

/// Holds the flag up while it lives, and hides no request that comes meanwhile.
class ForNow {
 public:
  ForNow() noexcept;
  ~ForNow();
  ForNow(const ForNow&) = delete;
  ForNow& operator=(const ForNow&) = delete;
};

}  // namespace rpl::interrupt
