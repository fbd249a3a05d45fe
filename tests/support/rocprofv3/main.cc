// SPDX-License-Identifier: MIT
// A stand-in for rocprofv3: takes its command line, runs the program on the emulated device, and leaves what rocprofv3 would. Written to the
// documented interface; no line of rocprofv3's is in it. RPL_STAND_IN_LOG names a file that gets every command line; RPL_STAND_IN_FAILURE
// plays what can go wrong: see play.h.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "engine/base/interrupt.h"
#include "engine/process/run.h"
#include "tests/support/rocprofv3/play.h"

namespace {

extern "C" void on_signal(int) { rpl::interrupt::raise(); }

void log_call(int argc, char** argv) {
  const char* path = std::getenv("RPL_STAND_IN_LOG");
  if (path == nullptr) return;
  std::vector<std::string> words{"rocprofv3"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::ofstream(path, std::ios::app) << rpl::command_line(words) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  // It stands in a folder of its own.
  ::setenv("RPL_EMULATED_HIP", RPL_BUILT "/emulated-hip", 0);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    ::sigaction(number, &action, nullptr);
  }
  log_call(argc, argv);
  rpl::stand_in::Options options;
  rpl::stand_in::Refusal refusal;
  if (!rpl::stand_in::parse({argv + 1, argv + argc}, options, refusal)) {
    std::fputs(refusal.text.c_str(), stderr);
    return refusal.status;
  }
  if (options.on("help")) {
    std::fputs(rpl::stand_in::help_text().c_str(), stdout);
    return 0;
  }
  if (options.on("version")) {
    std::puts("    version: 1.1.0\n    rocm_version: 7.1.1");
    return 0;
  }
  const rpl::stand_in::Ending ending = rpl::stand_in::play(options);
  if (ending.signal != 0) {
    ::signal(ending.signal, SIG_DFL);
    std::fflush(nullptr);
    ::raise(ending.signal);
  }
  return ending.status;
}
