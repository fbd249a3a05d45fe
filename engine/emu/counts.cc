// SPDX-License-Identifier: MIT
#include "engine/emu/counts.h"

#include <algorithm>
#include <bit>

namespace rpl::emu {
namespace {

constexpr unsigned kBanks = 32, kBankBytes = 4, kPassBytes = 128;

/// Cycles of the passes of one instruction: of each pass, the largest number of different dwords wanted of any one bank.
class Passes {
 public:
  explicit Passes(const Access& access) : access_(access), lanes_(std::min(kLanes / 2, kPassBytes / std::max(access.bytes, 4U))) {}

  /// Cycles beyond the first of every pass.
  std::uint64_t extra(const std::array<std::uint64_t, kLanes>& address) {
    std::uint64_t extra = 0;
    for (unsigned first = 0; first < kLanes; first += lanes_) {
      const std::uint64_t pass = ((std::uint64_t{1} << lanes_) - 1) << first;
      if ((access_.active & pass) != 0) extra += cycles(address, access_.active & pass) - 1;
    }
    return extra;
  }

 private:
  // Which dwords were met is kept in bits, without branches: random addresses would be guessed wrong again and again.
  std::uint64_t cycles(const std::array<std::uint64_t, kLanes>& address, std::uint64_t lanes) {
    std::array<std::uint8_t, kBanks> wanted{};
    for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
      const std::uint64_t first = address[static_cast<unsigned>(std::countr_zero(left))];
      const std::uint64_t last = (first + access_.bytes - 1) / kBankBytes;
      for (std::uint64_t dword = first / kBankBytes; dword <= last; ++dword) {
        std::uint64_t& word = met_[dword / 64 % kWords];
        const std::uint64_t is_new = ~word >> dword % 64 & 1;
        word |= is_new << dword % 64;
        wanted[dword % kBanks] = static_cast<std::uint8_t>(wanted[dword % kBanks] + is_new);
      }
    }
    for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
      const std::uint64_t first = address[static_cast<unsigned>(std::countr_zero(left))];
      const std::uint64_t last = (first + access_.bytes - 1) / kBankBytes;
      met_[first / kBankBytes / 64 % kWords] = met_[last / 64 % kWords] = 0;
    }
    return *std::max_element(wanted.begin(), wanted.end());
  }

  static constexpr std::size_t kWords = 256;  ///< for the dwords of 64 KiB, as much as the LDS has
  const Access& access_;
  unsigned lanes_;
  std::array<std::uint64_t, kWords> met_{};
};

}  // namespace

std::size_t touched_lines(const Access& access, LineNumbers& lines) {
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
  Passes passes(access);
  return passes.extra(access.address) + (access.two_parts ? passes.extra(access.second_address) : 0);
}

Counter::Counter(Counts& counts, const Program& program, std::uint32_t l1_line)
    : counts_(counts),
      program_(program),
      line_shift_(static_cast<unsigned>(std::countr_zero(std::bit_floor(std::max<std::uint64_t>(l1_line, kLineBytes))))),
      patterns_(program.ops.size()) {}

Counter::Pattern& Counter::pattern_of(const Op& op) {
  auto& pattern = patterns_[static_cast<std::size_t>(&op - program_.ops.data())];
  if (pattern == nullptr) pattern = std::make_unique<Pattern>();
  return *pattern;
}

bool Counter::is_known(Pattern& pattern, const Access& access) const {
  const auto first = static_cast<unsigned>(std::countr_zero(access.active));
  const std::uint64_t base = access.address[first];
  const auto begin = static_cast<std::uint32_t>(base & ((std::uint64_t{1} << line_shift_) - 1));
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

// The lines that the caches follow, from the 64-byte ones.
void Counter::set_lines(Pattern& pattern, const Access& access) const {
  LineNumbers lines;
  const std::size_t size = touched_lines(access, lines);
  pattern.cost = size;
  pattern.lines = 0;
  const unsigned shift = line_shift_ - static_cast<unsigned>(std::countr_zero(kLineBytes));
  const std::uint64_t base = access.address[static_cast<unsigned>(std::countr_zero(access.active))] >> line_shift_;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t line = lines[i] >> shift;
    if (line == last) continue;
    last = line;
    pattern.line[pattern.lines] = line - base;
    pattern.spread[pattern.lines++] = (line - base) * kLineFactor;
  }
}

void Counter::count_global(std::uint32_t operation, InstructionCounts& row, Pattern& pattern, bool known, const Access& access) {
  if (!known) set_lines(pattern, access);
  row.transactions += pattern.cost;
  row.lines += pattern.lines;
  row.writes = access.store;
  counts_.transactions += pattern.cost;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(access.active));
  row.bytes += lanes * access.bytes;
  if (access.atomic) counts_.atomics += lanes;
  (access.store ? counts_.store_bytes : counts_.load_bytes) += lanes * access.bytes;
  if (log_ == nullptr) return;
  const std::uint64_t base = access.address[static_cast<unsigned>(std::countr_zero(access.active))] >> line_shift_;
  log_->note(operation, access.store ? LineLog::Kind::write : LineLog::Kind::load, base, {pattern.line.data(), pattern.lines}, pattern.spread.data());
}

void Counter::count_scalar(std::uint32_t operation, InstructionCounts& row, const Access& access) {
  constexpr std::array<std::uint64_t, 2> kLine = {0, 1}, kSpread = {0, kLineFactor};
  const std::uint64_t first = access.address[0] >> line_shift_, last = (access.address[0] + access.bytes - 1) >> line_shift_;
  const std::size_t lines = first == last ? 1 : 2;
  row.lines += lines;
  row.writes = access.store;
  if (log_ != nullptr) log_->note(operation, access.store ? LineLog::Kind::write : LineLog::Kind::scalar, first, {kLine.data(), lines}, kSpread.data());
}

// Where accesses never come again in the same pattern, looking costs more than it saves; after many misses only some look.
bool Counter::recognize(Pattern& pattern, const Access& access) const {
  constexpr std::uint32_t kMisses = 16, kSometimes = 64;
  if (pattern.misses >= kMisses && pattern.misses % kSometimes >= 2) {
    ++pattern.misses;
    pattern.active = 0;
    return false;
  }
  const bool known = is_known(pattern, access);
  pattern.misses = known ? 0 : pattern.misses + 1;
  return known;
}

void Counter::count(const Op& op, std::uint64_t exec, const Access& access) {
  const auto operation = static_cast<std::uint32_t>(&op - program_.ops.data());
  InstructionCounts& row = counts_.by_instruction[operation];
  ++row.executed;
  row.active_lanes += exec == kAllLanes ? kLanes : static_cast<std::uint64_t>(std::popcount(exec));
  if (op.kind == isa::Class::smem && op.dwords > 0 && access.space == Access::Space::scalar && access.active != 0) {
    count_scalar(operation, row, access);
    return;
  }
  const bool global = op.kind == isa::Class::vmem && access.space == Access::Space::global;
  const bool lds = op.kind == isa::Class::lds && access.space == Access::Space::lds;
  if ((!global && !lds) || access.active == 0) return;
  Pattern& pattern = pattern_of(op);
  const bool known = recognize(pattern, access);
  if (global) {
    count_global(operation, row, pattern, known, access);
    return;
  }
  if (!known) pattern.cost = lds_conflicts(access);
  row.lds_conflicts += pattern.cost;
  counts_.lds_conflicts += pattern.cost;
  ++counts_.lds_accesses;
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
    row.lines += more.lines;
    row.writes = row.writes || more.writes;
  }
}

void finish(Counts& counts, const Program& program) {
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const isa::Class kind = program.ops[i].kind;
    const InstructionCounts& row = counts.by_instruction[i];
    counts.by_class[static_cast<std::size_t>(kind)] += row.executed;
    counts.lines += row.lines;
    counts.l1_lines += row.l1_lines;
    counts.l2_lines += row.l2_lines;
    counts.memory_lines += row.memory_lines;
    const bool is_vector = kind == isa::Class::valu || kind == isa::Class::transcendental ||
                           kind == isa::Class::matrix || kind == isa::Class::vmem ||
                           kind == isa::Class::lds;
    if (!is_vector) continue;
    counts.vector_instructions += row.executed;
    counts.active_lanes += row.active_lanes;
  }
}

}  // namespace rpl::emu
