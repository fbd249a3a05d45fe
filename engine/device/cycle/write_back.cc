// SPDX-License-Identifier: MIT
#include "engine/device/cycle/write_back.h"

#include <algorithm>
#include <bit>

namespace rpl::cycle {

WriteBackTraffic::WriteBackTraffic(const Parameters& p)
    : line_(std::max(kSector, std::bit_floor(p.l1_line))),
      sectors_(line_ / kSector),
      sets_(std::bit_floor(std::max<std::uint64_t>(1, p.l2_bytes / line_ / kWays))),
      caches_(p.xcds),
      index_(p.xcds) {
  counts_.read_bytes = line_;
}

// The sets are made as they are used: most launches touch few of them.
WriteBackTraffic::Way& WriteBackTraffic::way_of(std::uint64_t line, std::uint32_t workgroup) {
  const std::size_t xcd = workgroup % caches_.size();
  std::vector<std::uint32_t>& index = index_[xcd];
  std::vector<Way>& ways = caches_[xcd];
  if (index.empty()) index.resize(sets_);
  std::uint32_t& begin = index[line_hash(line) & (sets_ - 1)];
  if (begin == 0) {
    begin = static_cast<std::uint32_t>(ways.size()) + 1;
    ways.resize(ways.size() + kWays);
  }
  Way* const set = ways.data() + begin - 1;
  Way* oldest = set;
  ++now_;
  for (Way* way = set; way != set + kWays; ++way) {
    if (way->line_1 == line + 1) {
      way->used = now_;
      return *way;
    }
    if (way->used < oldest->used) oldest = way;
  }
  write_out(*oldest);
  *oldest = {.line_1 = line + 1, .used = now_};
  return *oldest;
}

// Pairs of sectors leave together.
void WriteBackTraffic::write_out(Way& way) {
  for (std::uint32_t dirty = way.dirty; dirty != 0; dirty >>= 2) {
    if ((dirty & 3U) == 3U)
      ++counts_.write_64;
    else if ((dirty & 3U) != 0)
      ++counts_.write_32;
  }
  way.dirty = 0;
}

void WriteBackTraffic::load(std::uint64_t line, std::uint32_t workgroup) {
  Way& way = way_of(line, workgroup);
  const std::uint32_t whole = sectors_ >= 32 ? ~0U : (1U << sectors_) - 1;
  if (way.filled || way.dirty == whole) return;
  way.filled = true;
  ++counts_.read_requests;
}

void WriteBackTraffic::store(std::uint64_t address, std::uint32_t bytes, std::uint32_t workgroup) {
  const std::uint64_t last = (address + std::max(bytes, 1U) - 1) / kSector;
  for (std::uint64_t sector = address / kSector; sector <= last; ++sector) {
    way_of(sector / sectors_, workgroup).dirty |= 1U << (sector % sectors_);
  }
}

BoundaryCounts WriteBackTraffic::finish() {
  for (std::vector<Way>& ways : caches_) {
    for (Way& way : ways) write_out(way);
  }
  return counts_;
}

}  // namespace rpl::cycle
