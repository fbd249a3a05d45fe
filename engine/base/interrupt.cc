// SPDX-License-Identifier: MIT
#include "engine/base/interrupt.h"

#include <atomic>

namespace rpl::interrupt {
namespace {

std::atomic<bool> raised{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

}  // namespace

void raise() noexcept { raised.store(true, std::memory_order_relaxed); }

void clear() noexcept { raised.store(false, std::memory_order_relaxed); }

bool pending() noexcept { return raised.load(std::memory_order_relaxed); }

Status check() {
  if (pending()) return fail(Errc::interrupted, "interrupted");
  return {};
}

}  // namespace rpl::interrupt
