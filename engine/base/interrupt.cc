// SPDX-License-Identifier: MIT
#include "engine/base/interrupt.h"

#include <atomic>

namespace rpl::interrupt {
namespace {

// Requests are counted, so that lowering the flag hides none from a token made before.
std::atomic<std::uint32_t> requests{0}, answered{0}, own{0};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "set from a signal handler");

Status check_that(bool stopped) {
  if (stopped) return fail(Errc::interrupted, "interrupted");
  return {};
}

}  // namespace

void raise() noexcept { requests.fetch_add(1, std::memory_order_relaxed); }

void clear() noexcept { answered.store(requests.load(std::memory_order_relaxed)); }

bool pending() noexcept {
  return requests.load(std::memory_order_relaxed) != answered.load(std::memory_order_relaxed) ||
         own.load(std::memory_order_relaxed) != 0;
}

Status check() { return check_that(pending()); }

StopToken::StopToken() noexcept : answered_(answered.load()) {}

Status StopToken::check() const { return check_that(requests.load() != answered_); }

ForNow::ForNow() noexcept { own.fetch_add(1); }
ForNow::~ForNow() { own.fetch_sub(1); }

}  // namespace rpl::interrupt
