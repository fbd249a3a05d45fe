// SPDX-License-Identifier: MIT
#include "engine/isa/variables/variables.h"

namespace rpl::isa {
namespace {

constexpr int kMostLocations = 1 << 16;
constexpr std::uint64_t kFormLoclistIndex = 0x22;
constexpr std::uint64_t kFormAddressIndex = 0x1b;

ByteView taken(DwarfCursor& at, std::uint64_t bytes) {
  const ByteView block = at.rest(bytes);
  at.skip(bytes);
  return block;
}

/// DWARF 4, 2.6.2.
std::optional<ByteView> location_4(const DebugSections& sections, const DebugUnitHeader& unit,
                                   std::uint64_t offset, std::uint64_t address) {
  DwarfCursor at(sections.loc, offset);
  std::uint64_t base = unit.base_address;
  const std::uint64_t highest = unit.address_bytes == 4 ? 0xffffffffULL : ~std::uint64_t{0};
  for (int i = 0; i < kMostLocations && at.ok(); ++i) {
    const std::uint64_t begin = at.sized(unit.address_bytes), end = at.sized(unit.address_bytes);
    if (!at.ok() || (begin == 0 && end == 0)) return std::nullopt;
    if (begin == highest) {
      base = end;
      continue;
    }
    const ByteView expression = taken(at, at.sized(2));
    if (at.ok() && base + begin <= address && address < base + end) return expression;
  }
  return std::nullopt;
}

/// DWARF 5, 2.6.2 and 7.29.
class LocationList {
 public:
  LocationList(const DebugSections& sections, const DebugUnitHeader& unit, std::uint64_t offset)
      : sections_(sections),
        unit_(unit),
        at_(sections.loclists, offset),
        base_(unit.base_address) {}

  std::optional<ByteView> find(std::uint64_t address) {
    std::optional<ByteView> otherwise;
    for (int i = 0; i < kMostLocations && at_.ok(); ++i) {
      const std::uint8_t kind = at_.u8();
      if (!at_.ok() || kind == kEnd) return otherwise;
      if (kind == kBaseX || kind == kBase) {
        base_ = kind == kBase ? at_.sized(unit_.address_bytes) : indexed();
        continue;
      }
      std::uint64_t begin = 0, end = ~std::uint64_t{0};
      if (kind != kDefault && !bounds(kind, begin, end)) return std::nullopt;
      const ByteView expression = taken(at_, at_.uleb());
      if (!at_.ok()) return std::nullopt;
      if (kind == kDefault) {
        otherwise = expression;
      } else if (begin <= address && address < end) {
        return expression;
      }
    }
    return otherwise;
  }

 private:
  enum : std::uint8_t {
    kEnd,
    kBaseX,
    kStartEndX,
    kStartLengthX,
    kOffsetPair,
    kDefault,
    kBase,
    kStartEnd,
    kStartLength
  };

  bool bounds(std::uint8_t kind, std::uint64_t& begin, std::uint64_t& end) {
    switch (kind) {
      case kStartEndX:
        begin = indexed();
        end = indexed();
        return true;
      case kStartLengthX:
        begin = indexed();
        end = begin + at_.uleb();
        return true;
      case kOffsetPair:
        begin = base_ + at_.uleb();
        end = base_ + at_.uleb();
        return true;
      case kStartEnd:
        begin = at_.sized(unit_.address_bytes);
        end = at_.sized(unit_.address_bytes);
        return true;
      case kStartLength:
        begin = at_.sized(unit_.address_bytes);
        end = begin + at_.uleb();
        return true;
      default:
        return false;
    }
  }

  std::uint64_t indexed() {
    DebugValue index;
    index.form = kFormAddressIndex;
    index.number = at_.uleb();
    return debug_address(sections_, unit_, index).value_or(0);
  }

  const DebugSections& sections_;
  const DebugUnitHeader& unit_;
  DwarfCursor at_;
  std::uint64_t base_;
};

}  // namespace

std::optional<ByteView> location_at(const DebugSections& sections, const DebugUnitHeader& unit,
                                    const DebugValue& list, std::uint64_t address) {
  std::uint64_t offset = list.number;
  if (unit.version < 5) return location_4(sections, unit, offset, address);
  if (list.form == kFormLoclistIndex) {
    if (offset > sections.loclists.size()) return std::nullopt;
    DwarfCursor at(sections.loclists, unit.loclists_base);
    at.skip(offset * unit.offset_bytes);
    offset = unit.loclists_base + at.sized(unit.offset_bytes);
    if (!at.ok()) return std::nullopt;
  }
  return LocationList(sections, unit, offset).find(address);
}

}  // namespace rpl::isa
