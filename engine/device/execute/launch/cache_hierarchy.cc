// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/cache_hierarchy.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kFollowed = std::uint64_t{1}
                                    << 14;  ///< lines until every second set is given up

std::uint64_t share_of_lines(std::uint64_t lines, std::uint64_t part, std::uint64_t all) {
  return static_cast<std::uint64_t>(
      static_cast<double>(lines) * static_cast<double>(part) / static_cast<double>(all) + 0.5);
}

}  // namespace

void divide_lines(InstructionCounts& row, const FollowedLines& followed,
                  const FollowedLines& others) {
  FollowedLines like = followed.all > 0 ? followed : others;
  if (row.writes) like.l1 = 0;
  row.l1_lines =
      like.all == 0 ? 0 : std::min(row.lines, share_of_lines(row.lines, like.l1, like.all));
  row.l2_lines = like.all == 0 ? 0
                               : std::min(row.lines - row.l1_lines,
                                          share_of_lines(row.lines, like.l2, like.all));
  row.memory_lines = row.lines - row.l1_lines - row.l2_lines;
}

CacheHierarchy::CacheHierarchy(const cycle::Parameters& parameters, std::uint32_t workgroups,
                               std::size_t operations)
    : p_(parameters),
      units_(std::max(1U, std::min(parameters.compute_units, workgroups))),
      rows_(operations) {
  for (std::uint32_t i = 0; i < p_.xcds; ++i) l2_.emplace_back(p_.l2_bytes, p_.l1_line);
}

CacheHierarchy::Unit& CacheHierarchy::unit_of(std::uint32_t workgroup) {
  auto& unit = units_[workgroup % units_.size()];
  if (unit == nullptr)
    unit = std::make_unique<Unit>(
        Unit{{p_.l1_bytes, p_.l1_line}, {p_.scalar_cache_bytes, p_.l1_line}});
  return *unit;
}

void CacheHierarchy::follow(Unit& unit, cycle::TagCache& l2, const LineLog::Touch& touch,
                            std::uint64_t weight) {
  FollowedLines& row = rows_[touch.operation];
  const std::uint64_t hash = cycle::line_hash(touch.line);
  row.all += weight;
  if (touch.kind == LineLog::Kind::load && unit.l1.touch(touch.line, hash)) {
    row.l1 += weight;
  } else if (touch.kind == LineLog::Kind::scalar && unit.scalar.touch(touch.line, hash)) {
    row.l1 += weight;
  } else if (l2.touch(touch.line, hash)) {
    row.l2 += weight;
  }
}

void CacheHierarchy::follow(std::uint32_t workgroup, const LineLog& log) {
  const std::uint64_t skipped = skipped_ | log.skipped();
  Unit& unit = unit_of(workgroup);
  cycle::TagCache& l2 = l2_[workgroup % l2_.size()];
  std::size_t longest = 0;
  for (const auto& wave : log.waves()) longest = std::max(longest, wave.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (const auto& wave : log.waves()) {
      if (i >= wave.size() || (cycle::line_hash(wave[i].line) & skipped) != 0) continue;
      follow(unit, l2, wave[i], skipped + 1);
      ++followed_;
    }
  }
  while (followed_ >= kFollowed && skipped_ < LineLog::kMostSkipped) {
    followed_ -= kFollowed;
    skipped_ = 2 * skipped_ + 1;
  }
}

void CacheHierarchy::take(std::uint32_t turn, std::uint32_t workgroup, LineLog& log) {
  const std::lock_guard lock(mutex_);
  if (turn != next_) {
    waiting_.emplace(turn, Waiting{workgroup, std::move(log)});
    log = LineLog();
    return;
  }
  follow(workgroup, log);
  for (++next_; !waiting_.empty() && waiting_.begin()->first == next_; ++next_) {
    follow(waiting_.begin()->second.workgroup, waiting_.begin()->second.log);
    waiting_.erase(waiting_.begin());
  }
}

void CacheHierarchy::divide(Counts& counts) const {
  FollowedLines all;
  for (const FollowedLines& row : rows_) all.add(row);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    divide_lines(counts.by_instruction[i], rows_[i], all);
}

}  // namespace rpl::emu
