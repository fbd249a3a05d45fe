// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rpl::emu {

/// Zeroed pages of this process at exactly `address`, read and write, without reserving swap. False when something is there already or
/// the operating system refuses. `address` and `bytes` are multiples of 4096. munmap() gives them back.
bool map_pages_at(std::uint64_t address, std::uint64_t bytes);

/// What Linux on x86-64 calls a transparent huge page; allocations of at least two are put on them where it allows that.
inline constexpr std::uint64_t kWidePage = std::uint64_t{2} << 20;

struct FreeHostBytes {
  std::uint64_t mapped = 0;  ///< bytes of a mapping; 0 for the heap
  void operator()(std::byte* bytes) const;
};

/// Zeroed memory of the host, wherever it is, which it owns. Throws std::bad_alloc.
class HostBytes {
 public:
  HostBytes() = default;
  explicit HostBytes(std::uint64_t bytes);

  [[nodiscard]] std::byte* get() const { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[], FreeHostBytes> bytes_;
};

/// Addresses that are handed out from low to high, never twice, with unmapped pages between them: the same in every run, whatever the
/// operating system's randomization did elsewhere.
class PageArea {
 public:
  static constexpr std::uint64_t kPage = 4096;
  /// Far from where Linux puts programs, heaps and libraries on x86-64 (0x55…, 0x7f…).
  static constexpr std::uint64_t kFirst = 0x1000'0000'0000;
  static constexpr std::uint64_t kBytes = std::uint64_t{1}
                                          << 40;  ///< between the beginnings of neighbouring areas

  /// The area of that number, from 0; 64 at most are apart from what else lives in the process.
  explicit PageArea(std::uint32_t number) : next_(kFirst + number * kBytes) {}

  /// Maps `bytes`, rounded up to whole pages, at a multiple of `alignment` (a power of two, at least a page). What is already there,
  /// another library's say, is stepped over. 0 when the operating system has no more. munmap() gives them back.
  std::uint64_t map(std::uint64_t bytes, std::uint64_t alignment = kPage);

 private:
  std::uint64_t next_;
};

/// `value` rounded up to a multiple of `to`, a power of two.
constexpr std::uint64_t round_up_to(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) & ~(to - 1);
}

}  // namespace rpl::emu
