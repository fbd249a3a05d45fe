// SPDX-License-Identifier: MIT
#include "engine/emu/host_pages.h"

#include <sys/mman.h>

#include "engine/emu/memory.h"

namespace rpl::emu {

bool map_pages_at(std::uint64_t address, std::uint64_t bytes) {
  void* wanted = reinterpret_cast<void*>(address);
  void* got = ::mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return false;
  if (got == wanted) return true;
  // A kernel that does not know MAP_FIXED_NOREPLACE takes the address as a hint.
  ::munmap(got, bytes);
  return false;
}

std::uint64_t PageArea::map(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes == 0 || bytes > kBytes / 2) return 0;
  const std::uint64_t mapped = round_up_to(bytes, kPage);
  // In strides that grow: what is there may be large, such as the shadow memory of a sanitizer.
  constexpr int kTries = 24;
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t base = round_up_to(next_, alignment);
    next_ = base + mapped + Memory::kGuardBytes;
    if (map_pages_at(base, mapped)) return base;
    next_ += Memory::kGuardBytes << i;
  }
  return 0;
}

}  // namespace rpl::emu
