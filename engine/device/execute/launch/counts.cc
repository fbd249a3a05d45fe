// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/counts.h"

#include <algorithm>
#include <bit>

#include "engine/device/execute/state/primitives.h"

namespace rpl::emu {
namespace {

constexpr unsigned kMostBanks = isa::kMostLdsBanks, kBankBytes = isa::kLdsBankBytes,
                   kPassBytes = isa::kLdsCycleBytes;

/// Which dwords of LDS a pass has met, as the number of the pass: nothing has to be cleared between passes.
struct MetDwords {
  static constexpr std::size_t kDwords = std::bit_ceil(isa::kMostLdsBytes / kBankBytes);
  std::array<std::uint8_t, kDwords> pass_of{};
  std::uint8_t pass = 0;

  void begin_pass() {
    if (++pass != 0) return;
    pass_of.fill(0);
    pass = 1;
  }
};

// A loop that is vectorized, other than std::max_element.
std::uint64_t largest(const std::array<std::uint8_t, kMostBanks>& wanted) {
  std::uint8_t most = 0;
  for (const std::uint8_t count : wanted) most = std::max(most, count);
  return most;
}

// Cycles of one pass: the largest number of different dwords wanted of any one bank. Without branches: random addresses would be guessed wrong again
// and again.
std::uint64_t pass_cycles(MetDwords& met, const std::array<std::uint64_t, kLanes>& address,
                          std::uint64_t lanes, std::uint32_t bytes, std::uint32_t banks) {
  constexpr std::uint64_t kHalf = (std::uint64_t{1} << kLanes / 2) - 1, kFewRows = 64;
  const auto from = static_cast<unsigned>(std::countr_zero(lanes));
  if (banks == isa::kFewestLdsBanks && bytes == kBankBytes && lanes >> from == kHalf) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < kLanes / 2; ++i) any |= address[from + i];
    if (any % kBankBytes == 0 && any < kFewRows * isa::kFewestLdsBanks * kBankBytes)
      return primitives().most_of_bank(&address[from]);
  }
  met.begin_pass();
  alignas(kMostBanks) std::array<std::uint8_t, kMostBanks> wanted{};
  const std::uint32_t mask = banks - 1;
  const std::uint8_t now = met.pass;
  const auto want = [&, now](std::uint64_t dword) {
    std::uint8_t& pass = met.pass_of[dword % MetDwords::kDwords];
    wanted[dword & mask] = static_cast<std::uint8_t>(wanted[dword & mask] + (pass != now ? 1 : 0));
    pass = now;
  };
  for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t first = address[static_cast<unsigned>(std::countr_zero(left))];
    want(first / kBankBytes);
    const std::uint64_t last = (first + bytes - 1) / kBankBytes;
    for (std::uint64_t dword = first / kBankBytes + 1; dword <= last; ++dword) want(dword);
  }
  return largest(wanted);
}

/// Cycles beyond the first of every pass.
std::uint64_t extra_cycles(MetDwords& met, const std::array<std::uint64_t, kLanes>& address,
                           const Access& access, std::uint32_t banks) {
  const unsigned lanes = std::min(kLanes / 2, kPassBytes / std::max(access.bytes, kBankBytes));
  std::uint64_t extra = 0;
  for (unsigned first = 0; first < kLanes; first += lanes) {
    const std::uint64_t pass = access.active & ((std::uint64_t{1} << lanes) - 1) << first;
    if (pass != 0) extra += pass_cycles(met, address, pass, access.bytes, banks) - 1;
  }
  return extra;
}

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

std::uint64_t lds_conflicts(const Access& access, std::uint32_t banks) {
  static thread_local MetDwords met;
  return extra_cycles(met, access.address, access, banks) +
         (access.two_parts ? extra_cycles(met, access.second_address, access, banks) : 0);
}

Counter::Counter(Counts& counts, const Program& program, std::uint32_t l1_line)
    : counts_(counts),
      program_(program),
      runs_(program.ops.size() + 1),
      line_shift_(static_cast<unsigned>(
          std::countr_zero(std::bit_floor(std::max<std::uint64_t>(l1_line, kLineBytes))))),
      patterns_(program.ops.size()) {}

Counter::Pattern& Counter::pattern_of(const Op& op) {
  auto& pattern = patterns_[static_cast<std::size_t>(&op - program_.ops.data())];
  if (pattern == nullptr) pattern = std::make_unique<Pattern>();
  return *pattern;
}

bool Counter::is_known(Pattern& pattern, const Access& access) const {
  const std::uint64_t base = access.first();
  // Banks move along with the first lane; lines do not.
  const std::uint64_t unit =
      access.space == Access::Space::lds ? kBankBytes : std::uint64_t{1} << line_shift_;
  const auto begin = static_cast<std::uint32_t>(base & (unit - 1));
  Starts starts = access.starts;
  for (std::uint64_t& start : starts) start -= base;
  const bool alike = pattern.active == access.active && pattern.bytes == access.bytes &&
                     pattern.begin == begin && pattern.two_parts == access.two_parts &&
                     pattern.shape == access.shape;
  if (access.shape != LaneShape::any) {
    std::uint64_t different = 0;
    for (unsigned g = 0; g < kGroups; ++g) different |= pattern.starts[g] ^ starts[g];
    if (alike && different == 0) return true;
  } else if (alike &&
             primitives().at_distances(access.address.data(), base, pattern.distance.data())) {
    return true;
  }
  pattern.active = access.active;
  pattern.bytes = access.bytes;
  pattern.begin = begin;
  pattern.two_parts = access.two_parts;
  pattern.shape = access.shape;
  pattern.starts = starts;
  if (access.shape != LaneShape::any) return false;
  for (unsigned i = 0; i < kLanes; ++i) pattern.distance[i] = access.address[i] - base;
  return false;
}

// The lines that the caches follow, from the 64-byte ones.
void Counter::set_lines(Pattern& pattern, const Access& access) const {
  pattern.ascending = false;
  if (access.active == kAllLanes) {
    pattern.lines =
        primitives().ascending_lines(access.address.data(), access.bytes, line_shift_,
                                     pattern.line.data(), pattern.spread.data(), pattern.cost);
    pattern.ascending = pattern.lines != 0;
    if (pattern.ascending) return;
  }
  LineNumbers lines;
  const std::size_t size = touched_lines(access, lines);
  pattern.cost = size;
  pattern.lines = 0;
  const unsigned shift = line_shift_ - static_cast<unsigned>(std::countr_zero(kLineBytes));
  const std::uint64_t base =
      access.address[static_cast<unsigned>(std::countr_zero(access.active))] >> line_shift_;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t line = lines[i] >> shift;
    if (line == last) continue;
    last = line;
    pattern.line[pattern.lines] = line - base;
    pattern.spread[pattern.lines++] = (line - base) * kLineFactor;
  }
}

void Counter::count_global(std::uint32_t operation, InstructionCounts& row, Pattern& pattern,
                           bool known, Access& access) {
  const std::uint64_t base = access.first() >> line_shift_;
  if (!known) {
    spread(access);
    set_lines(pattern, access);
  }
  row.transactions += pattern.cost;
  row.lines += pattern.lines;
  row.writes = access.store;
  counts_.transactions += pattern.cost;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(access.active));
  row.bytes += lanes * access.bytes;
  if (access.atomic) counts_.atomics += lanes;
  (access.store ? counts_.store_bytes : counts_.load_bytes) += lanes * access.bytes;
  if (log_ == nullptr) return;
  const LineLog::Kind kind = access.store ? LineLog::Kind::write : LineLog::Kind::load;
  constexpr std::size_t kFew = 8;
  std::size_t i = 0;
  for (; pattern.lines - i > kFew && i < pattern.lines; i += kLanes) {
    std::uint64_t wanted = primitives().without_bits(&pattern.spread[i], base * kLineFactor,
                                                     log_->skipped() << kHashShift);
    if (pattern.lines - i < kLanes) wanted &= (std::uint64_t{1} << (pattern.lines - i)) - 1;
    for (; wanted != 0; wanted &= wanted - 1)
      log_->keep({base + pattern.line[i + static_cast<unsigned>(std::countr_zero(wanted))],
                  operation, kind});
  }
  if (i < pattern.lines)
    log_->note(operation, kind, base, {&pattern.line[i], pattern.lines - i}, &pattern.spread[i]);
}

void Counter::count_scalar(std::uint32_t operation, InstructionCounts& row, const Access& access) {
  constexpr std::array<std::uint64_t, 2> kLine = {0, 1}, kSpread = {0, kLineFactor};
  const std::uint64_t first = access.address[0] >> line_shift_,
                      last = (access.address[0] + access.bytes - 1) >> line_shift_;
  const std::size_t lines = first == last ? 1 : 2;
  row.lines += lines;
  row.writes = access.store;
  if (log_ != nullptr)
    log_->note(operation, access.store ? LineLog::Kind::write : LineLog::Kind::scalar, first,
               {kLine.data(), lines}, kSpread.data());
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

std::uint64_t Counter::conflicts_of(Pattern& pattern, Access& access, bool known) {
  if (!known) {
    spread(access);
    pattern.cost = lds_conflicts(access, isa::traits(program_.arch).lds_banks);
  }
  return pattern.cost;
}

void Counter::finish() {
  Run sum;
  for (std::size_t i = 0; i < counts_.by_instruction.size(); ++i) {
    sum.executed += runs_[i].executed;
    sum.lanes += runs_[i].lanes;
    counts_.by_instruction[i].executed += sum.executed;
    counts_.by_instruction[i].active_lanes += sum.lanes;
  }
  std::ranges::fill(runs_, Run{});
}

Counter::Seen Counter::count_access(const Op& op, Access& access) {
  const auto operation = static_cast<std::uint32_t>(&op - program_.ops.data());
  InstructionCounts& row = counts_.by_instruction[operation];
  if (op.kind == isa::Class::smem && op.dwords > 0 && access.space == Access::Space::scalar &&
      access.active != 0) {
    count_scalar(operation, row, access);
    return {};
  }
  const bool global = op.kind == isa::Class::vmem && access.space == Access::Space::global;
  const bool lds = op.kind == isa::Class::lds && access.space == Access::Space::lds;
  if ((!global && !lds) || access.active == 0) return {};
  Pattern& pattern = pattern_of(op);
  const bool known = recognize(pattern, access);
  if (global) {
    count_global(operation, row, pattern, known, access);
    const std::size_t ascending = pattern.ascending ? pattern.lines : 0;
    return {.known = known, .lines = {pattern.line.data(), ascending}};
  }
  const std::uint64_t conflicts = conflicts_of(pattern, access, known);
  row.lds_conflicts += conflicts;
  counts_.lds_conflicts += conflicts;
  ++counts_.lds_accesses;
  return {.known = known, .conflicts = conflicts};
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
