// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// A second Ctrl-C or SIGTERM, which comes because the first was not heeded.
namespace rpl::interrupt {

/// Asks once more, for who waits for something that does not stop by itself. Async-signal-safe.
void insist() noexcept;
/// Whether somebody insisted since the last clear(): what is waited for is then ended by force.
[[nodiscard]] bool insisted() noexcept;
/// How many requests there were, ever: tells a new one from one that was there before.
[[nodiscard]] std::uint32_t requests() noexcept;

}  // namespace rpl::interrupt
