// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace rpl::kfd {

/// Copies from or to an address that the program gave, as the kernel does: false where nothing is mapped there, which is EFAULT.
bool copy_in(void* to, std::uint64_t from, std::size_t bytes);
bool copy_out(std::uint64_t to, const void* from, std::size_t bytes);

template <class T>
bool copy_in(T& to, std::uint64_t from) {
  static_assert(std::is_trivially_copyable_v<T>);
  return copy_in(&to, from, sizeof(to));
}

/// Whether every page of a range is mapped in this process.
bool is_mapped(std::uint64_t address, std::uint64_t bytes);

}  // namespace rpl::kfd
