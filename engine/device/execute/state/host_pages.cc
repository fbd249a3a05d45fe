// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/host_pages.h"

#include <sys/mman.h>

#include <new>

#include "engine/device/execute/state/memory.h"

namespace rpl::emu {

namespace {

// Of an allocation that a kernel strides through, each access is a page of its own: with small pages, looking up where it is costs more than
// getting it. What the kernel does not grant is as before.
void* wide_pages(void* mapped, std::uint64_t bytes) {
  if (mapped != MAP_FAILED && bytes >= 2 * kWidePage) ::madvise(mapped, bytes, MADV_HUGEPAGE);
  return mapped;
}

}  // namespace

bool map_pages_at(std::uint64_t address, std::uint64_t bytes) {
  void* wanted = reinterpret_cast<void*>(address);
  void* got =
      wide_pages(::mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0),
                 bytes);
  if (got == MAP_FAILED) return false;
  if (got == wanted) return true;
  // A kernel that does not know MAP_FIXED_NOREPLACE takes the address as a hint.
  ::munmap(got, bytes);
  return false;
}

HostBytes::HostBytes(std::uint64_t bytes) {
  // Smaller ones come from the heap, where a sanitizer watches their ends.
  if (bytes >= 2 * kWidePage) {
    void* mapped = wide_pages(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                              bytes);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    bytes_ = {static_cast<std::byte*>(mapped), FreeHostBytes{bytes}};
    return;
  }
  bytes_ = {new std::byte[bytes](), FreeHostBytes{0}};
}

void FreeHostBytes::operator()(std::byte* bytes) const {
  if (mapped == 0) {
    delete[] bytes;
    return;
  }
  ::munmap(bytes, mapped);
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
