// SPDX-License-Identifier: MIT
#include "engine/device/execute/memory/lds.h"

#include <atomic>
#include <mutex>

namespace rpl::emu {
namespace {

template <class T>
std::uint64_t apply_whole(Atomic kind, std::byte* at, std::uint64_t data, std::uint64_t expected) {
  const std::atomic_ref<T> memory(*reinterpret_cast<T*>(at));
  T before = memory.load();
  for (;;) {
    T after = before;
    apply_atomic(kind, sizeof(T) / 4, reinterpret_cast<std::byte*>(&after), data, expected);
    if (memory.compare_exchange_weak(before, after)) return before;
  }
}

}  // namespace

std::uint64_t apply_shared_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                                  std::uint64_t expected) {
  const std::size_t bytes = std::size_t{dwords} * 4;
  if (reinterpret_cast<std::uintptr_t>(at) % bytes == 0)
    return dwords == 2 ? apply_whole<std::uint64_t>(kind, at, data, expected)
                       : apply_whole<std::uint32_t>(kind, at, data, expected);
  // Hardware would refuse an address that is not a multiple of the size.
  static std::mutex misaligned;
  const std::lock_guard lock(misaligned);
  return apply_atomic(kind, dwords, at, data, expected);
}

}  // namespace rpl::emu
