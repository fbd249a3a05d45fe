// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/signal.h"

#include <atomic>
#include <cstring>

namespace rpl::hsakmt {
namespace {

constexpr std::uint64_t kValue = 8, kMailbox = 16, kEvent = 24, kStart = 32, kEnd = 40;

std::byte* signal_at(const DeviceView& view, std::uint64_t signal) {
  return signal % kSignalBytes == 0 ? view.at(signal, kSignalBytes) : nullptr;
}

std::atomic_ref<std::int64_t> value_of(std::byte* signal) {
  return std::atomic_ref(*reinterpret_cast<std::int64_t*>(signal + kValue));
}

template <class T>
T field(const std::byte* signal, std::uint64_t offset) {
  T value;
  std::memcpy(&value, signal + offset, sizeof(value));
  return value;
}

// The mailbox first: who is woken looks there for what happened.
void tell(const DeviceView& view, std::uint64_t mailbox, std::uint32_t event,
          const Interrupt& interrupt) {
  if (mailbox == 0) return;
  if (std::byte* slot =
          mailbox % sizeof(std::uint64_t) == 0 ? view.at(mailbox, sizeof(std::uint64_t)) : nullptr;
      slot != nullptr) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(slot)).store(event);
  }
  if (interrupt) interrupt(event);
}

}  // namespace

std::optional<std::int64_t> signal_value(const DeviceView& view, std::uint64_t signal) {
  std::byte* at = signal_at(view, signal);
  if (at == nullptr) return std::nullopt;
  return value_of(at).load();
}

bool set_signal_times(const DeviceView& view, std::uint64_t signal, std::uint64_t start,
                      std::uint64_t end) {
  std::byte* at = signal_at(view, signal);
  if (at == nullptr) return false;
  std::memcpy(at + kStart, &start, sizeof(start));
  std::memcpy(at + kEnd, &end, sizeof(end));
  return true;
}

// Once the value is right the program may destroy the signal, so that everything else of it is read before.
bool complete_signal(const DeviceView& view, std::uint64_t signal, const Interrupt& interrupt) {
  std::byte* at = signal_at(view, signal);
  if (at == nullptr) return false;
  const auto mailbox = field<std::uint64_t>(at, kMailbox);
  const auto event = field<std::uint32_t>(at, kEvent);
  value_of(at).fetch_sub(1);
  tell(view, mailbox, event, interrupt);
  return true;
}

bool store_signal(const DeviceView& view, std::uint64_t signal, std::int64_t value,
                  const Interrupt& interrupt) {
  std::byte* at = signal_at(view, signal);
  if (at == nullptr) return false;
  const auto mailbox = field<std::uint64_t>(at, kMailbox);
  const auto event = field<std::uint32_t>(at, kEvent);
  value_of(at).store(value);
  tell(view, mailbox, event, interrupt);
  return true;
}

}  // namespace rpl::hsakmt
