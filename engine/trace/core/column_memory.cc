// SPDX-License-Identifier: MIT
#include "engine/trace/core/column_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace rpl {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kMappedFrom = kHugePage;
/// Distance of the starts of columns allocated one after the other, modulo a page.
constexpr std::size_t kStagger = 320;

/// Whole huge pages: the kernel fills what is left of one with hundreds of small ones, each a fault of its own.
std::size_t mapped_bytes(std::size_t bytes) {
  return (bytes + kPage + kHugePage - 1) / kHugePage * kHugePage;
}

/// Processors compare addresses of loads with those of stores under way by their last twelve bits first. Columns that all start at a
/// page's beginning make every row of one look like the same row of another: a pass that writes one and reads others waits at each row.
std::size_t next_offset() {
  static std::atomic<std::size_t> columns = 0;
  return columns.fetch_add(1, std::memory_order_relaxed) * kStagger % kPage;
}

}  // namespace

void* allocate_column(std::size_t bytes) {
  if (bytes < kMappedFrom) return ::operator new(bytes);
  const std::size_t mapped = mapped_bytes(bytes);
  void* block = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  ::madvise(block, mapped, MADV_HUGEPAGE);
  return static_cast<char*>(block) + next_offset();
}

void free_column(void* block, std::size_t bytes) {
  if (bytes < kMappedFrom) {
    ::operator delete(block);
    return;
  }
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(block) % kPage;
  ::munmap(static_cast<char*>(block) - offset, mapped_bytes(bytes));
}

}  // namespace rpl
