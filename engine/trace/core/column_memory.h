// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace rpl {

/// Memory for columns: blocks of 2 MiB and more come from the system directly, in huge pages where it has them; up to 64 MiB
/// that were given back are kept for the next.
void* allocate_column(std::size_t bytes);
void free_column(void* block, std::size_t bytes);

/// Leaves new elements uninitialised on resize, because zeroing gigabytes that are overwritten at once costs as much as
/// filling them.
template <class T>
struct ColumnAllocator {
  using value_type = T;

  ColumnAllocator() = default;
  template <class U>
  ColumnAllocator(const ColumnAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_column(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) { free_column(block, count * sizeof(T)); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }

  bool operator==(const ColumnAllocator&) const { return true; }
};

template <class T>
using ColumnVector = std::vector<T, ColumnAllocator<T>>;

}  // namespace rpl
