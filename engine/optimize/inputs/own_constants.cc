// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/own_constants.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "engine/optimize/inputs/control_flow.h"

namespace rpl {
namespace {

constexpr std::size_t kMostConstants = 64;
constexpr int kLargestExponent = 40, kLargestFloatExponent = 125;

/// By constant: whether something is compared with it.
struct Constants {
  std::map<double, bool> numbers;
  std::map<std::int64_t, bool> whole;

  void add_number(double value, bool compared, int largest = kLargestExponent) {
    const double size = std::abs(value);
    if (!(size >= std::exp2(-kLargestExponent) && size <= std::exp2(largest))) return;
    bool& seen = numbers[size];
    seen = seen || compared;
  }
  void add_whole(std::int64_t value, bool compared) {
    if (value <= 0 || value > std::int64_t{1} << kLargestExponent) return;
    bool& seen = whole[value];
    seen = seen || compared;
  }
  /// What 32 bits may stand for: a float, the high half of a double, two halves of a float of 16 bits, an integer.
  void add_dword(std::uint32_t bits, bool compared) {
    // Minima begin with numbers such as 1e30.
    add_number(std::bit_cast<float>(bits), compared, kLargestFloatExponent);
    add_number(std::bit_cast<double>(std::uint64_t{bits} << 32U), compared);
    add_whole(static_cast<std::int32_t>(bits), compared);
  }
};

void add(const emu::Op& op, Constants& out) {
  const isa::Instruction& in = *op.instruction;
  const auto name = name_of(op);
  const bool compared = name.find("_cmp") != std::string_view::npos;
  if (in.literal != 0) out.add_dword(in.literal, compared);
  if (name.starts_with("s_movk") || name.starts_with("s_cmpk"))
    out.add_whole(static_cast<std::int16_t>(in.immediate), compared);
  for (unsigned i = 0; i < op.source_count; ++i) {
    const emu::Source& source = op.sources[i];
    if (source.kind != emu::Source::Kind::constant) continue;
    if (source.type == emu::Type::f64)
      out.add_number(std::bit_cast<double>(source.value), compared);
    else
      out.add_dword(static_cast<std::uint32_t>(source.value), compared);
  }
  if (op.source_count > 0 || !compared) return;
  // Scalar comparisons have their small numbers in the encoding alone.
  for (unsigned i = 0; i < in.operand_count; ++i) {
    const unsigned code = in.operands[i].number;
    if (code > isa::kZero && code <= isa::kLastPositive)
      out.add_whole(std::int64_t{code} - isa::kZero, compared);
  }
}

Constants constants_of(const emu::Program& program) {
  Constants out;
  const std::vector<bool> can_run = reached_from_entry(program);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    if (can_run[i] && program.ops[i].instruction != nullptr) add(program.ops[i], out);
  }
  return out;
}

template <class T>
std::vector<T> only_in(const std::map<T, bool>& candidate, const std::map<T, bool>& baseline) {
  std::vector<T> out;
  for (const bool compared : {true, false}) {
    for (const auto& [value, is_compared] : candidate) {
      if (is_compared == compared && !baseline.contains(value) && out.size() < kMostConstants)
        out.push_back(value);
    }
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<std::int64_t> whole_constants(const emu::Program& program) {
  // The numbers that a division is multiplied by instead are larger.
  constexpr std::int64_t kLargest = std::int64_t{1} << 24;
  constexpr std::size_t kMost = 12;
  std::set<std::int64_t> found;
  const auto add = [&](std::int64_t value) {
    const std::int64_t size = std::abs(value);
    if (size > 2 && size <= kLargest) found.insert(size);
  };
  const std::vector<bool> can_run = reached_from_entry(program);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const emu::Op& op = program.ops[i];
    if (!can_run[i] || op.instruction == nullptr) continue;
    add(static_cast<std::int32_t>(op.instruction->literal));
    const auto name = name_of(op);
    if (name.starts_with("s_movk") || name.starts_with("s_addk") || name.starts_with("s_mulk"))
      add(static_cast<std::int16_t>(op.instruction->immediate));
  }
  std::vector<std::int64_t> out(found.rbegin(), found.rend());
  if (out.size() > kMost) out.resize(kMost);
  return out;
}

Thresholds own_constants(const emu::Program& baseline, const emu::Program& candidate) {
  const Constants base = constants_of(baseline), other = constants_of(candidate);
  return {.numbers = only_in(other.numbers, base.numbers),
          .whole = only_in(other.whole, base.whole)};
}

}  // namespace rpl
