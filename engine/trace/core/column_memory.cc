// SPDX-License-Identifier: MIT
#include "engine/trace/core/column_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
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

/// A few blocks that were given back: memory that the system has just zeroed costs as much as filling it, and columns are often made to
/// take the place of others.
class Kept {
 public:
  /// At least so many bytes, whole huge pages; nullptr where none is kept.
  void* take(std::size_t mapped) {
    const std::lock_guard lock(mutex_);
    Block* best = nullptr;
    for (Block& block : blocks_) {
      if (block.bytes >= mapped && (best == nullptr || block.bytes < best->bytes)) best = &block;
    }
    if (best == nullptr) return nullptr;
    char* const start = static_cast<char*>(best->start);
    if (best->bytes > mapped) ::munmap(start + mapped, best->bytes - mapped);
    *best = {};
    return start;
  }

  /// False where there is no room.
  bool keep(void* start, std::size_t mapped) {
    const std::lock_guard lock(mutex_);
    std::size_t held = 0;
    for (const Block& block : blocks_) held += block.bytes;
    const auto room = std::ranges::find(blocks_, nullptr, &Block::start);
    if (room == blocks_.end() || held + mapped > kMost) return false;
    *room = {start, mapped};
    return true;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{64} << 20;
  struct Block {
    void* start = nullptr;
    std::size_t bytes = 0;
  };

  std::mutex mutex_;
  std::array<Block, 16> blocks_;
};

Kept& kept() {
  // Columns may be given back while the program ends.
  static Kept& all = *new Kept;
  return all;
}

}  // namespace

void* allocate_column(std::size_t bytes) {
  if (bytes < kMappedFrom) return ::operator new(bytes);
  const std::size_t mapped = mapped_bytes(bytes);
  void* block = kept().take(mapped);
  if (block == nullptr) {
    block = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    ::madvise(block, mapped, MADV_HUGEPAGE);
  }
  return static_cast<char*>(block) + next_offset();
}

void free_column(void* block, std::size_t bytes) {
  if (bytes < kMappedFrom) {
    ::operator delete(block);
    return;
  }
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(block) % kPage;
  void* const start = static_cast<char*>(block) - offset;
  if (!kept().keep(start, mapped_bytes(bytes))) ::munmap(start, mapped_bytes(bytes));
}

}  // namespace rpl
