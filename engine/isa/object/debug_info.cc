// SPDX-License-Identifier: MIT
#include "engine/isa/object/debug_info.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <unordered_map>

#include "engine/isa/object/debug_units.h"

namespace rpl::isa {
namespace {

constexpr std::size_t kMaxScopes = std::size_t{1} << 20;
constexpr std::size_t kDeepestScope = 1024;
constexpr int kMaxOrigins = 16;

enum DebugTag : std::uint64_t { kCompileUnit = 0x11, kInlined = 0x1d, kSubprogram = 0x2e };
enum DebugAttribute : std::uint64_t {
  kStmtList = 0x10,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kName = 0x03,
  kAbstractOrigin = 0x31,
  kSpecification = 0x47,
  kRanges = 0x55,
  kCallColumn = 0x57,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kStrOffsetsBase = 0x72,
  kAddrBase = 0x73,
  kRnglistsBase = 0x74,
};

using Attributes = std::map<std::uint64_t, DebugValue>;

class UnitReader {
 public:
  UnitReader(const DebugSections& sections, DebugUnitHeader header)
      : sections_(sections), header_(header), at_(sections.info, header.begin) {}

  Result<DebugUnit> read(std::uint64_t first_entry) {
    abbreviations_ = TRY(read_abbreviations(sections_.abbrev, header_.abbrev_offset));
    at_.seek(first_entry);
    TRY(read_entries());
    name_scopes();
    return std::move(unit_);
  }

 private:
  Status read_entries() {
    std::vector<std::uint32_t> depths;  // of scopes around the entry, by nesting level
    std::uint32_t depth = 0;
    while (at_.ok() && at_.offset() < header_.end) {
      const std::uint64_t offset = at_.offset();
      const std::uint64_t code = at_.uleb();
      if (code == 0) {
        if (depths.empty()) break;
        depth = depths.back();
        depths.pop_back();
        continue;
      }
      const auto known = abbreviations_.find(code);
      if (known == abbreviations_.end()) return broken_debug_info("an entry without abbreviation");
      const Attributes attributes = TRY(read_attributes(known->second));
      const bool scope = TRY(take(offset, known->second.tag, attributes, depth));
      if (unit_.scopes.size() > kMaxScopes || depths.size() > kDeepestScope) {
        return broken_debug_info("more scopes than code can have");
      }
      if (!known->second.children) continue;
      depths.push_back(depth);
      depth += scope ? 1 : 0;
    }
    return at_.ok() ? Status() : broken_debug_info("a unit is cut short");
  }

  Result<Attributes> read_attributes(const DebugAbbreviation& abbreviation) {
    Attributes attributes;
    for (const auto& [name, form, constant] : abbreviation.attributes) {
      attributes[name] = TRY(read_debug_value(at_, form, constant, header_));
    }
    if (!at_.ok()) return broken_debug_info("an entry is cut short");
    return attributes;
  }

  /// Whether the entry is a scope with code.
  Result<bool> take(std::uint64_t offset, std::uint64_t tag, const Attributes& attributes,
                    std::uint32_t depth) {
    if (tag == kCompileUnit) take_unit(attributes);
    if (tag != kSubprogram && tag != kInlined) return false;
    remember_name(offset, attributes);
    CodeScope scope;
    scope.ranges = TRY(ranges_of(attributes));
    if (scope.ranges.empty()) return false;
    scope.inlined = tag == kInlined;
    scope.depth = depth;
    scope.call_file = number<std::uint32_t>(attributes, kCallFile);
    scope.call_line = number<std::uint32_t>(attributes, kCallLine);
    scope.call_column = number<std::uint32_t>(attributes, kCallColumn);
    entries_.push_back(offset);
    unit_.scopes.push_back(std::move(scope));
    return true;
  }

  void take_unit(const Attributes& attributes) {
    header_.str_offsets_base = number<std::uint64_t>(attributes, kStrOffsetsBase);
    header_.addr_base = number<std::uint64_t>(attributes, kAddrBase);
    header_.rnglists_base = number<std::uint64_t>(attributes, kRnglistsBase);
    unit_.has_lines = attributes.contains(kStmtList);
    unit_.line_offset = number<std::uint64_t>(attributes, kStmtList);
    if (const auto low = attributes.find(kLowPc); low != attributes.end()) {
      header_.base_address = debug_address(sections_, header_, low->second).value_or(0);
    }
  }

  template <class T>
  static T number(const Attributes& attributes, std::uint64_t name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? T{} : static_cast<T>(found->second.number);
  }

  Result<CodeRanges> ranges_of(const Attributes& attributes) {
    if (const auto list = attributes.find(kRanges); list != attributes.end()) {
      return read_code_ranges(sections_, header_, list->second);
    }
    const auto low = attributes.find(kLowPc), high = attributes.find(kHighPc);
    if (low == attributes.end() || high == attributes.end()) return CodeRanges();
    const auto begin = debug_address(sections_, header_, low->second);
    if (!begin) return broken_debug_info("an address is outside its section");
    // A number is the length, an address the end.
    const auto absolute = debug_address(sections_, header_, high->second);
    const std::uint64_t end = absolute ? *absolute : *begin + high->second.number;
    return *begin < end ? CodeRanges{{*begin, end}} : CodeRanges();
  }

  void remember_name(std::uint64_t offset, const Attributes& attributes) {
    NameOf& name = names_[offset];
    if (const auto own = attributes.find(kName); own != attributes.end()) {
      name.text = debug_text(sections_, header_, own->second).value_or("");
    }
    for (const std::uint64_t way : {kAbstractOrigin, kSpecification}) {
      const auto elsewhere = attributes.find(way);
      if (elsewhere == attributes.end()) continue;
      name.origin = debug_reference(header_, elsewhere->second);
      break;
    }
  }

  /// The name often stands at the abstract function, or at the declaration that it refers to.
  void name_scopes() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      std::optional<std::uint64_t> at = entries_[i];
      for (int hop = 0; at && hop < kMaxOrigins; ++hop) {
        const auto found = names_.find(*at);
        if (found == names_.end()) break;
        if (!found->second.text.empty()) {
          unit_.scopes[i].function = found->second.text;
          break;
        }
        at = found->second.origin;
      }
    }
  }

  struct NameOf {
    std::string_view text;
    std::optional<std::uint64_t> origin;
  };

  const DebugSections& sections_;
  DebugUnitHeader header_;
  DwarfCursor at_;
  DebugAbbreviations abbreviations_;
  std::unordered_map<std::uint64_t, NameOf> names_;
  std::vector<std::uint64_t> entries_;  ///< offset of each scope's entry
  DebugUnit unit_;
};

}  // namespace

Result<std::vector<DebugUnit>> read_debug_info(const DebugSections& sections) {
  std::vector<DebugUnit> units;
  for (std::uint64_t offset = 0; offset < sections.info.size();) {
    const DebugUnitStart start = TRY(read_unit_header(sections, offset));
    if (start.compile) {
      units.push_back(TRY(UnitReader(sections, start.header).read(start.first_entry)));
    }
    offset = start.header.end;
  }
  return units;
}

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
    const auto address = debug_address(sections_, unit_, {kAddrx, at_.uleb(), {}, {}});
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
