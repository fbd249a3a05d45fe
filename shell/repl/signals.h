// SPDX-License-Identifier: MIT
#pragma once

namespace rpl::signals {

/// What else a Ctrl-C has to stop; async-signal-safe.
using Also = void (*)() noexcept;

/// From now on SIGINT raises the interrupt flag and calls `also`, SIGTERM and SIGHUP ask the program to end in the same way, SIGWINCH and
/// SIGCONT are remembered, and SIGPIPE is a failed write. No work is done in a handler.
void install(Also also);

/// The signal that asked the program to end, 0 for none.
int ending() noexcept;

/// Whether the window changed its size since the last call.
bool take_resized() noexcept;
/// Whether the program was continued after a stop since the last call: the terminal's modes are then the shell's.
bool take_continued() noexcept;

}  // namespace rpl::signals
