// SPDX-License-Identifier: MIT
#include "tests/fuzz/memory_limit.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

namespace rpl::test {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

/// Memory that a sanitizer keeps of what was freed, and around what was not.
constexpr std::uint64_t kBudget = kSanitized ? 2 * kMemoryBudget : kMemoryBudget;

std::uint64_t held_at_start = 0;

std::uint64_t most_held() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

/// Address space in use, in bytes.
std::uint64_t mapped() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return std::uint64_t{pages} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Without allocating.
void give_up() {
  static constexpr char kWhy[] = "an input took more memory than an input may\n";
  static_cast<void>(!::write(2, kWhy, sizeof kWhy - 1));
  std::abort();
}

}  // namespace

void limit_memory() {
  held_at_start = most_held();
  std::set_new_handler(give_up);
  if (kSanitized) return;
  // Threads that readers start have stacks and arenas of their own, which take addresses without taking memory.
  constexpr std::uint64_t kForThreads = std::uint64_t{1} << 30;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = mapped() + kBudget + kForThreads;
  ::setrlimit(RLIMIT_AS, &limit);
}

std::uint64_t memory_taken() {
  const std::uint64_t now = most_held();
  return now > held_at_start ? now - held_at_start : 0;
}

void end_after(unsigned processor, unsigned clock) {
  itimerval timer{};
  timer.it_value.tv_sec = processor;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  ::alarm(clock);
}

void check_memory() {
  if (memory_taken() > kBudget) give_up();
}

}  // namespace rpl::test
