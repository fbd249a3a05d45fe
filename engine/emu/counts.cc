// SPDX-License-Identifier: MIT
#include "engine/emu/counts.h"

#include <algorithm>
#include <bit>

namespace rpl::emu {
namespace {

constexpr unsigned kBanks = 32, kBankBytes = 4, kPassBytes = 128;

/// The dwords that one pass wants.
struct Wanted {
  std::array<std::uint64_t, kLanes> dword;
  std::size_t size = 0;
};

Wanted wanted_by(const std::array<std::uint64_t, kLanes>& address, const Access& access,
                 unsigned first, unsigned lanes) {
  Wanted wanted;
  for (unsigned i = first; i < first + lanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    const std::uint64_t last = (address[i] + access.bytes - 1) / kBankBytes;
    for (std::uint64_t dword = address[i] / kBankBytes; dword <= last && wanted.size < kLanes;
         ++dword) {
      wanted.dword[wanted.size++] = dword;
    }
  }
  return wanted;
}

// Cycles of one pass: the largest number of different dwords wanted of any one bank.
std::uint64_t pass_cycles(const Wanted& wanted) {
  constexpr std::uint8_t kNone = 255;
  std::array<std::uint8_t, kBanks> first, count{};
  std::array<std::uint8_t, kLanes> next;
  first.fill(kNone);
  std::uint8_t highest = 1;
  for (std::uint8_t i = 0; i < wanted.size; ++i) {
    const auto bank = static_cast<std::size_t>(wanted.dword[i] % kBanks);
    std::uint8_t at = first[bank];
    while (at != kNone && wanted.dword[at] != wanted.dword[i]) at = next[at];
    if (at != kNone) continue;
    next[i] = first[bank];
    first[bank] = i;
    highest = std::max(highest, ++count[bank]);
  }
  return highest;
}

std::uint64_t conflicts_of(const std::array<std::uint64_t, kLanes>& address, const Access& access) {
  const unsigned lanes = std::min(kLanes / 2, kPassBytes / std::max(access.bytes, 4U));
  std::uint64_t extra = 0;
  for (unsigned first = 0; first < kLanes; first += lanes) {
    extra += pass_cycles(wanted_by(address, access, first, lanes)) - 1;
  }
  return extra;
}

}  // namespace

std::size_t touched_lines(const Access& access, std::array<std::uint64_t, 2 * kLanes>& lines) {
  std::size_t size = 0;
  bool sorted = true;
  const auto add = [&](std::uint64_t line) {
    if (size > 0 && lines[size - 1] == line) return;
    sorted = sorted && (size == 0 || lines[size - 1] < line);
    lines[size++] = line;
  };
  for (unsigned i = 0; i < kLanes; ++i) {
    if ((access.active >> i & 1) == 0) continue;
    add(access.address[i] / kLineBytes);
    const std::uint64_t last = (access.address[i] + access.bytes - 1) / kLineBytes;
    if (last != access.address[i] / kLineBytes) add(last);
  }
  if (sorted) return size;
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(size);
  std::sort(lines.begin(), end);
  return static_cast<std::size_t>(std::unique(lines.begin(), end) - lines.begin());
}

std::uint64_t lds_conflicts(const Access& access) {
  return conflicts_of(access.address, access) +
         (access.two_parts ? conflicts_of(access.second_address, access) : 0);
}

Counter::Counter(Counts& counts, const Program& program) : counts_(counts), program_(program), patterns_(program.ops.size()) {}

Counter::Pattern& Counter::pattern_of(const Op& op) {
  auto& pattern = patterns_[static_cast<std::size_t>(&op - program_.ops.data())];
  if (pattern == nullptr) pattern = std::make_unique<Pattern>();
  return *pattern;
}

bool Counter::is_known(Pattern& pattern, const Access& access) {
  const auto first = static_cast<unsigned>(std::countr_zero(access.active));
  const std::uint64_t base = access.address[first];
  const auto begin = static_cast<std::uint32_t>(base % kLineBytes);
  alignas(64) std::array<std::uint32_t, kLanes> lane;
  std::uint64_t far = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    const std::uint64_t distance = access.address[i] - base;
    lane[i] = static_cast<std::uint32_t>(distance);
    far |= distance + (std::uint64_t{1} << 31);
  }
  std::uint32_t different = 0;
  for (unsigned i = 0; i < kLanes; ++i) different |= lane[i] ^ pattern.lane[i];
  const bool same = different == 0 && pattern.active == access.active && pattern.bytes == access.bytes && pattern.begin == begin &&
                    pattern.two_parts == access.two_parts && far >> 32 == 0;
  if (same) return true;
  // Distances that do not fit are never known again: no access has no active lane.
  pattern.active = far >> 32 == 0 ? access.active : 0;
  pattern.bytes = access.bytes;
  pattern.begin = begin;
  pattern.two_parts = access.two_parts;
  pattern.lane = lane;
  return false;
}

void Counter::count(const Op& op, std::uint64_t exec, const Access& access) {
  auto& row = counts_.by_instruction[static_cast<std::size_t>(&op - program_.ops.data())];
  ++row.executed;
  row.active_lanes += exec == kAllLanes ? kLanes : static_cast<std::uint64_t>(std::popcount(exec));
  const bool global = op.kind == isa::Class::vmem && access.space == Access::Space::global;
  const bool lds = op.kind == isa::Class::lds && access.space == Access::Space::lds;
  if ((!global && !lds) || access.active == 0) return;
  Pattern& pattern = pattern_of(op);
  if (!is_known(pattern, access)) {
    std::array<std::uint64_t, 2 * kLanes> lines;
    pattern.cost = lds ? lds_conflicts(access) : touched_lines(access, lines);
  }
  if (lds) {
    row.lds_conflicts += pattern.cost;
    counts_.lds_conflicts += pattern.cost;
    ++counts_.lds_accesses;
    return;
  }
  row.transactions += pattern.cost;
  counts_.transactions += pattern.cost;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(access.active));
  row.bytes += lanes * access.bytes;
  if (access.atomic) counts_.atomics += lanes;
  (access.store ? counts_.store_bytes : counts_.load_bytes) += lanes * access.bytes;
}

void add(Counts& counts, const Counts& other) {
  counts.workgroups += other.workgroups;
  counts.waves += other.waves;
  counts.instructions += other.instructions;
  counts.load_bytes += other.load_bytes;
  counts.store_bytes += other.store_bytes;
  counts.transactions += other.transactions;
  counts.lds_accesses += other.lds_accesses;
  counts.lds_conflicts += other.lds_conflicts;
  counts.atomics += other.atomics;
  for (std::size_t i = 0; i < other.by_instruction.size(); ++i) {
    InstructionCounts& row = counts.by_instruction[i];
    const InstructionCounts& more = other.by_instruction[i];
    row.executed += more.executed;
    row.active_lanes += more.active_lanes;
    row.bytes += more.bytes;
    row.transactions += more.transactions;
    row.lds_conflicts += more.lds_conflicts;
  }
}

void finish(Counts& counts, const Program& program) {
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const isa::Class kind = program.ops[i].kind;
    const InstructionCounts& row = counts.by_instruction[i];
    counts.by_class[static_cast<std::size_t>(kind)] += row.executed;
    const bool is_vector = kind == isa::Class::valu || kind == isa::Class::transcendental ||
                           kind == isa::Class::matrix || kind == isa::Class::vmem ||
                           kind == isa::Class::lds;
    if (!is_vector) continue;
    counts.vector_instructions += row.executed;
    counts.active_lanes += row.active_lanes;
  }
}

}  // namespace rpl::emu
