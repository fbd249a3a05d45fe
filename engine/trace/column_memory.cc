// SPDX-License-Identifier: MIT
#include "engine/trace/column_memory.h"

#include <sys/mman.h>

#include <new>

namespace rpl {
namespace {
constexpr std::size_t kMappedFrom = std::size_t{4} << 20;
}

void* allocate_column(std::size_t bytes) {
  if (bytes < kMappedFrom) return ::operator new(bytes);
  void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  ::madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

void free_column(void* block, std::size_t bytes) {
  if (bytes < kMappedFrom) {
    ::operator delete(block);
  } else {
    ::munmap(block, bytes);
  }
}

}  // namespace rpl
