// SPDX-License-Identifier: MIT
#include "engine/device/cycle/line_sharers.h"

#include <algorithm>
#include <utility>

#include "engine/device/cycle/cache.h"

namespace rpl::cycle {

// The lowest bits of the hash are those by which lines are left out.
std::size_t LineSharers::place_of(std::uint64_t line, std::uint64_t hash) const {
  constexpr unsigned kLeftOutBits = 6;
  const std::size_t mask = places_.size() - 1;
  std::size_t place = (hash >> kLeftOutBits) & mask;
  while (places_[place].line_1 != 0 && places_[place].line_1 != line + 1)
    place = (place + 1) & mask;
  return place;
}

LineSharers::Sharers& LineSharers::of(std::uint64_t line, std::uint64_t hash,
                                      std::uint32_t operation, std::uint32_t workgroup) {
  constexpr std::size_t kLeast = 1024;
  if (2 * taken_ >= places_.size()) move_to(std::max(kLeast, 2 * places_.size()), 0);
  Sharers& out = places_[place_of(line, hash)];
  if (out.line_1 == 0) {
    ++taken_;
    out = {.line_1 = line + 1, .operation = operation, .first = workgroup};
  }
  return out;
}

void LineSharers::forget(std::uint64_t hash_bits) { move_to(places_.size(), hash_bits); }

void LineSharers::move_to(std::size_t places, std::uint64_t without_hash_bits) {
  const std::vector<Sharers> before = std::exchange(places_, std::vector<Sharers>(places));
  taken_ = 0;
  for (const Sharers& one : before) {
    if (one.line_1 == 0) continue;
    const std::uint64_t line = one.line_1 - 1, hash = line_hash(line);
    if ((hash & without_hash_bits) != 0) continue;
    places_[place_of(line, hash)] = one;
    ++taken_;
  }
}

}  // namespace rpl::cycle
