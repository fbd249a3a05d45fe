// SPDX-License-Identifier: MIT
#include "shell/core/run/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "engine/base/insist.h"
#include "engine/base/interrupt.h"

namespace rpl::signals {
namespace {

std::atomic<Also> also_stop{nullptr};
std::atomic<int> ending_signal{0};
std::atomic<bool> resized{false}, continued{false}, keeps_prompt{false};
// After who asks twice for the end has waited so long, it comes at once.
constexpr unsigned kLastSeconds = 1;

void stop_what_runs() {
  interrupt::raise();
  if (const Also also = also_stop.load()) also();
}

/// Whether it was asked before and nothing came of it. A thread of ours that hands a signal on asks for nothing new.
bool is_asked_again(const siginfo_t& info) {
  return interrupt::pending() && (info.si_code > 0 || info.si_pid != getpid());
}

void insist() {
  interrupt::insist();
  // What is waited for is ended by force now. Whatever does not even look at that ends with us.
  if (ending_signal != 0) alarm(kLastSeconds);
}

extern "C" void on_interrupt(int number, siginfo_t* info, void*) {
  if (is_asked_again(*info)) {
    if (!keeps_prompt) {
      int none = 0;
      ending_signal.compare_exchange_strong(none, number);
    }
    insist();
  }
  stop_what_runs();
}

extern "C" void on_end(int number, siginfo_t* info, void*) {
  const bool again = ending_signal != 0 && is_asked_again(*info);
  ending_signal = number;
  if (again) insist();
  stop_what_runs();
}

extern "C" void on_last_moment(int) { _exit(kStatus + ending_signal); }

/// The flag was raised by who sent this; when it is down again, what was to be stopped has ended by itself.
extern "C" void on_nudge(int) {
  if (interrupt::pending()) stop_what_runs();
}

extern "C" void on_resize(int) { resized = true; }
extern "C" void on_continue(int) { continued = true; }

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a blocking read has to come back and look at the flag.
  sigaction(number, &action, nullptr);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

/// What was ignored when we were started (nohup, a background job) stays so.
bool ignored(int number) {
  struct sigaction action = {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

void install(Also also) {
  also_stop = also;
  if (!ignored(SIGINT)) handle(SIGINT, on_interrupt);
  if (!ignored(SIGHUP)) handle(SIGHUP, on_end);
  handle(SIGTERM, on_end);
  handle(SIGWINCH, on_resize);
  handle(SIGCONT, on_continue);
  handle(SIGPIPE, SIG_IGN);
  handle(SIGUSR1, on_nudge);
  handle(SIGALRM, on_last_moment);
}

void keep_prompt() noexcept { keeps_prompt = true; }

void stop(pthread_t thread) noexcept {
  interrupt::raise();
  pthread_kill(thread, SIGUSR1);
}

int ending() noexcept { return ending_signal; }
int exit_status(int otherwise) noexcept { return ending() != 0 ? kStatus + ending() : otherwise; }
bool take_resized() noexcept { return resized.exchange(false); }
bool take_continued() noexcept { return continued.exchange(false); }

}  // namespace rpl::signals
