// SPDX-License-Identifier: MIT
#include "shell/core/terminal/modes.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <optional>

namespace rpl::terminal_modes {
namespace {

std::optional<termios> kept;

}  // namespace

void note() {
  termios now{};
  const bool ours = tcgetpgrp(STDIN_FILENO) == getpgrp();
  kept.reset();
  if (ours && tcgetattr(STDIN_FILENO, &now) == 0) kept = now;
}

void put_back() {
  if (!kept) return;
  // From the background both would stop us.
  sigset_t background, before;
  sigemptyset(&background);
  sigaddset(&background, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &background, &before);
  tcsetpgrp(STDIN_FILENO, getpgrp());
  tcsetattr(STDIN_FILENO, TCSADRAIN, &*kept);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace rpl::terminal_modes
