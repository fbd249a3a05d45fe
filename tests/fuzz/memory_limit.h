// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl::test {

/// How much more memory than at the start one input may take: far more than any input of a fuzzer needs, far less than a machine has.
inline constexpr std::uint64_t kMemoryBudget = std::uint64_t{1} << 30;

/// Holds this process to the budget. An allocation that goes beyond it ends the process by SIGABRT, with a sentence on stderr, before anyone can catch that
/// memory is short; what libraries of C were refused, they report as they do. Under a sanitizer, whose own memory has no bounds, only memory_taken() tells.
void limit_memory();

/// The most memory that the process ever held beyond what it held when limit_memory() was called, in bytes. That is never less than before.
std::uint64_t memory_taken();

/// How long one input may take: of processor time, and by the clock, which is longer as other programs may keep the processors busy.
inline constexpr unsigned kMostSeconds = 5, kMostSecondsWaiting = 60;

/// Ends this process by SIGPROF or SIGALRM after so long; 0 seconds: no more.
void end_after(unsigned processor, unsigned clock);

/// Ends the process by SIGABRT, with a sentence, where memory_taken() is beyond the budget: after an input.
void check_memory();

}  // namespace rpl::test
