// SPDX-License-Identifier: MIT
#include "engine/base/interrupt.h"

#include <atomic>

#include "engine/base/insist.h"

namespace rpl::interrupt {
namespace {

// Requests are counted, so that lowering the flag hides none from a token made before.
std::atomic<std::uint32_t> asked{0}, answered{0}, own{0};
std::atomic<bool> asked_again{false};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "set from a signal handler");

Status check_that(bool stopped) {
  if (stopped) return fail(Errc::interrupted, "interrupted");
  return {};
}

}  // namespace

void raise() noexcept { asked.fetch_add(1, std::memory_order_relaxed); }

void clear() noexcept {
  answered.store(asked.load(std::memory_order_relaxed));
  asked_again.store(false, std::memory_order_relaxed);
}

bool pending() noexcept {
  return asked.load(std::memory_order_relaxed) != answered.load(std::memory_order_relaxed) ||
         own.load(std::memory_order_relaxed) != 0;
}

void insist() noexcept { asked_again.store(true, std::memory_order_relaxed); }

bool insisted() noexcept { return pending() && asked_again.load(std::memory_order_relaxed); }

std::uint32_t requests() noexcept { return asked.load(std::memory_order_relaxed); }

Status check() { return check_that(pending()); }

StopToken::StopToken() noexcept : answered_(answered.load()) {}

Status StopToken::check() const { return check_that(asked.load() != answered_); }

ForNow::ForNow() noexcept { own.fetch_add(1); }
ForNow::~ForNow() { own.fetch_sub(1); }

}  // namespace rpl::interrupt
