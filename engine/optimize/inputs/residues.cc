// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/residues.h"

#include <algorithm>
#include <cstring>

namespace rpl {
namespace {

struct Residue {
  std::uint64_t of = 0, by = 0;
};

}  // namespace

void put_residues(const BufferTraits& traits, std::span<const std::int64_t> constants,
                  Random& random, std::vector<std::byte>& out) {
  const std::size_t size = size_of(traits.element);
  const bool free = traits.role == Role::value || traits.role == Role::branch;
  if (constants.empty() || !free || traits.mixed || is_float(traits.element) || size < 2) return;
  std::vector<Residue> all;
  for (const std::int64_t of : constants) {
    for (const std::int64_t next : {-1, 0, 1}) {
      const auto more = static_cast<std::uint64_t>(next);
      all.push_back({static_cast<std::uint64_t>(of), more});
      for (const std::int64_t by : constants) {
        all.push_back({static_cast<std::uint64_t>(of), static_cast<std::uint64_t>(by) + more});
        all.push_back({static_cast<std::uint64_t>(of), more - static_cast<std::uint64_t>(by)});
      }
    }
  }
  std::ranges::shuffle(all, random);
  const std::uint64_t turns = is_signed(traits.element) ? 17 : 9;
  for (std::size_t i = 0; (i + 1) * size <= out.size(); ++i) {
    const Residue& one = all[i % all.size()];
    // Unsigned numbers wrap around as the kernel's do.
    const std::uint64_t value = one.of * (random() % turns - (turns > 9 ? 8 : 0)) + one.by;
    std::memcpy(&out[i * size], &value, size);
  }
}

}  // namespace rpl
