// SPDX-License-Identifier: MIT
#include "engine/isa/variables/location_operations.h"

#include <algorithm>

namespace rpl::isa {

std::optional<std::uint64_t> location_result(std::uint8_t op, std::uint64_t x, std::uint64_t y) {
  const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
  switch (op) {
    case kOpAnd:
      return x & y;
    case kOpOr:
      return x | y;
    case kOpXor:
      return x ^ y;
    case kOpPlus:
      return x + y;
    case kOpMinus:
      return x - y;
    case kOpMul:
      return x * y;
    case kOpDiv:
      if (sy == 0) return std::nullopt;
      return sy == -1 ? 0 - x : static_cast<std::uint64_t>(sx / sy);
    case kOpMod:
      return y == 0 ? std::nullopt : std::optional(x % y);
    case kOpShl:
      return y < 64 ? x << y : 0;
    case kOpShr:
      return y < 64 ? x >> y : 0;
    case kOpShra:
      return static_cast<std::uint64_t>(sx >> std::min<std::uint64_t>(y, 63));
    case kOpEq:
      return x == y ? 1 : 0;
    case kOpNe:
      return x != y ? 1 : 0;
    case kOpGe:
      return sx >= sy ? 1 : 0;
    case kOpGt:
      return sx > sy ? 1 : 0;
    case kOpLe:
      return sx <= sy ? 1 : 0;
    case kOpLt:
      return sx < sy ? 1 : 0;
    default:
      return std::nullopt;
  }
}

std::optional<VariablePart::Space> location_space(std::uint64_t number, bool extension) {
  if (number == 0) return VariablePart::Space::device;
  if (extension) {
    // A generic address says itself where it goes.
    if (number == 1) return VariablePart::Space::device;
    if (number == 3) return VariablePart::Space::group;
    if (number == 5) return VariablePart::Space::lane;
    return std::nullopt;
  }
  if (number == 1) return VariablePart::Space::lane;
  if (number == 2) return VariablePart::Space::group;
  return std::nullopt;
}

std::uint64_t location_bits(std::uint64_t value, const StackType& type) {
  if (type.bits == 0 || type.bits >= 64) return value;
  const unsigned shift = 64 - type.bits;
  return type.is_signed
             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift)
             : value << shift >> shift;
}

std::optional<MachineRegister> machine_register(std::uint64_t number) {
  using Kind = MachineRegister::Kind;
  struct Range {
    std::uint64_t first, count;
    Kind kind;
    std::uint32_t number;
  };
  static constexpr Range kRanges[] = {
      {16, 1, Kind::pc, 0},
      {17, 1, Kind::exec, 0},
      {32, 64, Kind::scalar, 0},
      {768, 1, Kind::vcc, 0},
      {1088, 42, Kind::scalar, 64},
      {2560, 256, Kind::vector, 0},
      {3072, 256, Kind::accumulation, 0},
  };
  for (const Range& range : kRanges) {
    if (number < range.first || number - range.first >= range.count) continue;
    return MachineRegister{range.kind,
                           range.number + static_cast<std::uint32_t>(number - range.first)};
  }
  return std::nullopt;
}

}  // namespace rpl::isa
