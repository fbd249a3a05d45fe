// SPDX-License-Identifier: MIT
#include "engine/isa/object/debug_ranges.h"

namespace rpl::isa {
namespace {

constexpr std::size_t kMaxRanges = std::size_t{1} << 16;

Failure broken_ranges() {
  return fail(Errc::corrupt, "debug information: a list of address ranges is cut short",
              "build the code object again");
}

Result<CodeRanges> ranges_4(const DebugSections& sections, const DebugUnitHeader& unit,
                            std::uint64_t offset) {
  CodeRanges ranges;
  DwarfCursor at(sections.ranges, offset);
  std::uint64_t base = unit.base_address;
  const std::uint64_t highest = unit.address_bytes == 4 ? 0xffffffffULL : ~std::uint64_t{0};
  while (ranges.size() < kMaxRanges) {
    const std::uint64_t begin = at.sized(unit.address_bytes);
    const std::uint64_t end = at.sized(unit.address_bytes);
    if (!at.ok()) return broken_ranges();
    if (begin == 0 && end == 0) return ranges;
    if (begin == highest) {
      base = end;
    } else {
      ranges.emplace_back(base + begin, base + end);
    }
  }
  return broken_ranges();
}

/// One list of .debug_rnglists.
class RangeList {
 public:
  RangeList(const DebugSections& sections, const DebugUnitHeader& unit, std::uint64_t offset)
      : sections_(sections),
        unit_(unit),
        at_(sections.rnglists, offset),
        base_(unit.base_address) {}

  Result<CodeRanges> read() {
    while (at_.ok() && ranges_.size() < kMaxRanges) {
      const std::uint8_t kind = at_.u8();
      if (kind == 0 && at_.ok()) return std::move(ranges_);
      if (!entry(kind)) return broken_ranges();
    }
    return broken_ranges();
  }

 private:
  enum : std::uint8_t {
    kBaseX = 1,
    kStartEndX,
    kStartLengthX,
    kOffsetPair,
    kBase,
    kStartEnd,
    kStartLength
  };

  bool entry(std::uint8_t kind) {
    switch (kind) {
      case kBaseX:
        base_ = indexed();
        break;
      case kBase:
        base_ = at_.sized(unit_.address_bytes);
        break;
      case kStartEndX: {
        const auto begin = indexed();
        add(begin, indexed());
        break;
      }
      case kStartLengthX: {
        const auto begin = indexed();
        add(begin, begin + at_.uleb());
        break;
      }
      case kOffsetPair: {
        const auto begin = at_.uleb();
        const auto end = at_.uleb();
        add(base_ + begin, base_ + end);
        break;
      }
      case kStartEnd: {
        const auto begin = at_.sized(unit_.address_bytes);
        add(begin, at_.sized(unit_.address_bytes));
        break;
      }
      case kStartLength: {
        const auto begin = at_.sized(unit_.address_bytes);
        add(begin, begin + at_.uleb());
        break;
      }
      default:
        return false;
    }
    return at_.ok() && known_;
  }

  std::uint64_t indexed() {
    constexpr std::uint64_t kAddrx = 0x1b;
    const auto address = debug_address(sections_, unit_, {kAddrx, at_.uleb(), {}});
    known_ = known_ && address.has_value();
    return address.value_or(0);
  }
  void add(std::uint64_t begin, std::uint64_t end) {
    if (begin < end) ranges_.emplace_back(begin, end);
  }

  const DebugSections& sections_;
  const DebugUnitHeader& unit_;
  DwarfCursor at_;
  std::uint64_t base_;
  bool known_ = true;
  CodeRanges ranges_;
};

}  // namespace

Result<CodeRanges> read_code_ranges(const DebugSections& sections, const DebugUnitHeader& unit,
                                    const DebugValue& value) {
  constexpr std::uint64_t kRnglistx = 0x23;
  if (unit.version < 5) return ranges_4(sections, unit, value.number);
  std::uint64_t offset = value.number;
  if (value.form == kRnglistx) {
    DwarfCursor at(sections.rnglists, unit.rnglists_base);
    if (value.number > sections.rnglists.size()) return broken_ranges();
    at.skip(value.number * unit.offset_bytes);
    offset = unit.rnglists_base + at.sized(unit.offset_bytes);
    if (!at.ok()) return broken_ranges();
  }
  return RangeList(sections, unit, offset).read();
}

}  // namespace rpl::isa
