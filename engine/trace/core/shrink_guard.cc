// SPDX-License-Identifier: MIT
#include "engine/trace/core/shrink_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace rpl {
namespace {

std::array<ShrinkGuard::Slot, 64> slots;
struct sigaction handler_before = {};
std::size_t page_size = 0;
static_assert(std::atomic<std::size_t>::is_always_lock_free, "read by a signal handler");

ShrinkGuard::Slot* slot_of(std::size_t address) {
  for (ShrinkGuard::Slot& slot : slots) {
    if (address >= slot.base.load() && address < slot.end.load()) return &slot;
  }
  return nullptr;
}

/// mmap is a plain system call on Linux: it may be called here, though POSIX does not list it.
bool put_zeros_at(std::size_t address) {
  void* page = reinterpret_cast<void*>(address / page_size * page_size);
  return ::mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

void pass_on(int number, siginfo_t* info, void* context) {
  if ((handler_before.sa_flags & SA_SIGINFO) != 0)
    return handler_before.sa_sigaction(number, info, context);
  if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)
    return handler_before.sa_handler(number);
  // On return the touch is repeated and ends the program as it would have without us; what somebody sent is sent again.
  ::signal(SIGBUS, SIG_DFL);
  if (info->si_code <= 0) ::raise(SIGBUS);
}

extern "C" void on_bus_error(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::size_t>(info->si_addr);
  ShrinkGuard::Slot* slot = info->si_code == BUS_ADRERR ? slot_of(address) : nullptr;
  if (slot == nullptr || !put_zeros_at(address)) return pass_on(number, info, context);
  slot->shrank = true;
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
  });
}

}  // namespace

ShrinkGuard::ShrinkGuard(const void* base, std::size_t bytes) {
  install();
  for (Slot& slot : slots) {
    if (slot.taken.exchange(true)) continue;
    slot.shrank = false;
    slot.base = reinterpret_cast<std::size_t>(base);
    slot.end = reinterpret_cast<std::size_t>(base) + bytes;
    slot_ = &slot;
    return;
  }
}

ShrinkGuard::~ShrinkGuard() {
  if (slot_ == nullptr) return;
  slot_->end = 0;
  slot_->base = 0;
  slot_->taken = false;
}

bool ShrinkGuard::shrank() const { return slot_ != nullptr && slot_->shrank; }

}  // namespace rpl
