// SPDX-License-Identifier: MIT
#include "engine/base/stretches.h"

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

Result<std::vector<std::byte>> copied(std::span<const std::byte> bytes) {
  std::vector<std::byte> out;
  out.reserve(bytes.size());
  TRY(in_stretches(bytes.size(), kBytesBetweenChecks, [&](std::size_t begin, std::size_t end) {
    const auto part = bytes.subspan(begin, end - begin);
    out.insert(out.end(), part.begin(), part.end());
    return Status();
  }));
  return out;
}

}  // namespace rpl::interrupt
