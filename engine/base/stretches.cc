// SPDX-License-Identifier: MIT
#include "engine/base/stretches.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>

namespace rpl::interrupt {
namespace {
constexpr std::size_t kBytesBetweenChecks = std::size_t{32} << 20;
}

Status copy(std::span<const std::byte> from, std::byte* to) {
  return in_stretches(from.size(), kBytesBetweenChecks, [&](std::size_t begin, std::size_t end) {
    std::memcpy(to + begin, from.data() + begin, end - begin);
    return Status();
  });
}

std::vector<std::byte> room_for(std::size_t bytes) {
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  std::vector<std::byte> out;
  out.reserve(bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(out.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (begin + bytes) / kLargePage * kLargePage;
  // A system that has none leaves it as it is.
  if (last > first)
    static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
  return out;
}

Result<std::vector<std::byte>> copied(std::span<const std::byte> bytes) {
  std::vector<std::byte> out = room_for(bytes.size());
  TRY(in_stretches(bytes.size(), kBytesBetweenChecks, [&](std::size_t begin, std::size_t end) {
    const auto part = bytes.subspan(begin, end - begin);
    out.insert(out.end(), part.begin(), part.end());
    return Status();
  }));
  return out;
}

}  // namespace rpl::interrupt
