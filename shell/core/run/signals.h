// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>

namespace rpl::signals {

/// What else a Ctrl-C has to stop; async-signal-safe.
using Also = void (*)() noexcept;

/// From now on SIGINT raises the interrupt flag and calls `also`, SIGTERM and SIGHUP ask the program to end in the same way, SIGWINCH and
/// SIGCONT are remembered, SIGPIPE is a failed write, and SIGUSR1 is what stop() sends. No work is done in a handler.
/// Asked again before the first was heeded, they insist (engine/base/insist.h), and the program ends within a second whatever it does.
void install(Also also);

/// From now on a person sits at a prompt, to which a second Ctrl-C leads back: it insists, and ends nothing but what runs.
void keep_prompt() noexcept;

/// Stops what runs in `thread` as a Ctrl-C does, from another thread: the flag is up when this returns, and a wait in `thread` comes back soon. A wait that
/// is only about to begin may miss it: whoever waits for the end calls again.
void stop(pthread_t thread) noexcept;

/// Shells report a signal as this and its number.
inline constexpr int kStatus = 128;

/// What the program exits with: that of the signal that asked it to end, else `otherwise`.
int exit_status(int otherwise) noexcept;

/// The signal that asked the program to end, 0 for none.
int ending() noexcept;

/// Whether the window changed its size since the last call.
bool take_resized() noexcept;
/// Whether the program was continued after a stop since the last call: the terminal's modes are then the shell's.
bool take_continued() noexcept;

}  // namespace rpl::signals
