// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/debug_info.h"
#include "engine/isa/object/debug_units.h"

namespace rpl::isa {

/// DW_TAG_* and DW_AT_* that variables and types are described with (DWARF 5, tables 7.3 and 7.5).
enum EntryTag : std::uint64_t {
  kTagArray = 0x01,
  kTagClass = 0x02,
  kTagEnumeration = 0x04,
  kTagParameter = 0x05,
  kTagBlock = 0x0b,
  kTagMember = 0x0d,
  kTagPointer = 0x0f,
  kTagReference = 0x10,
  kTagUnit = 0x11,
  kTagStructure = 0x13,
  kTagFunctionType = 0x15,
  kTagTypedef = 0x16,
  kTagUnion = 0x17,
  kTagInheritance = 0x1c,
  kTagInlined = 0x1d,
  kTagSubrange = 0x21,
  kTagBase = 0x24,
  kTagConst = 0x26,
  kTagEnumerator = 0x28,
  kTagSubprogram = 0x2e,
  kTagVariable = 0x34,
  kTagVolatile = 0x35,
  kTagRestrict = 0x37,
  kTagNamespace = 0x39,
  kTagRvalue = 0x42,
  kTagAtomic = 0x47,
};
enum EntryAttribute : std::uint64_t {
  kAtLocation = 0x02,
  kAtName = 0x03,
  kAtSize = 0x0b,
  kAtBitOffset = 0x0c,
  kAtBitSize = 0x0d,
  kAtLowPc = 0x11,
  kAtHighPc = 0x12,
  kAtConstValue = 0x1c,
  kAtUpperBound = 0x2f,
  kAtOrigin = 0x31,
  kAtArtificial = 0x34,
  kAtCount = 0x37,
  kAtMemberLocation = 0x38,
  kAtLine = 0x3b,
  kAtDeclaration = 0x3c,
  kAtEncoding = 0x3e,
  kAtExternal = 0x3f,
  kAtFrameBase = 0x40,
  kAtSpecification = 0x47,
  kAtType = 0x49,
  kAtRanges = 0x55,
  kAtDataBitOffset = 0x6b,
  kAtStrOffsetsBase = 0x72,
  kAtAddrBase = 0x73,
  kAtRnglistsBase = 0x74,
  kAtEnumClass = 0x6d,
  kAtLinkageName = 0x6e,
  kAtLoclistsBase = 0x8c,
};

/// One entry of .debug_info. Its children stand behind it, up to `next`.
struct DebugEntry {
  std::uint64_t offset = 0;  ///< in .debug_info
  std::uint64_t values = 0;  ///< where its attributes' values begin
  const DebugAbbreviation* form = nullptr;
  std::uint32_t unit = 0, parent = 0;
  std::uint32_t next = 0;  ///< index of the entry behind the last one below this
};

/// All entries of an object's compilation units, in order; their attributes are read when they are asked for. Borrows the sections.
class DebugEntries {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Fails with corrupt, with unsupported for other versions than 4 and 5, and with limit for more than four million entries.
  static Result<DebugEntries> read(const DebugSections& sections);

  [[nodiscard]] const std::vector<DebugEntry>& all() const { return entries_; }
  [[nodiscard]] const DebugEntry& at(std::uint32_t index) const { return entries_[index]; }
  [[nodiscard]] std::uint64_t tag(std::uint32_t index) const { return entries_[index].form->tag; }
  /// The first entry below this, or the one at its `next` where there is none: for (i = first(e); i < at(e).next; i = at(i).next).
  [[nodiscard]] std::uint32_t first(std::uint32_t index) const { return index + 1; }
  [[nodiscard]] const DebugUnitHeader& unit(std::uint32_t index) const {
    return units_[entries_[index].unit];
  }
  [[nodiscard]] const DebugSections& sections() const { return sections_; }
  /// The entry at an offset of .debug_info; kNone for none.
  [[nodiscard]] std::uint32_t at_offset(std::uint64_t offset) const;

  // Attributes; nothing where it has none of that name, or not of that kind.
  [[nodiscard]] std::optional<DebugValue> value(std::uint32_t index, std::uint64_t name) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::uint32_t index, std::uint64_t name) const;
  [[nodiscard]] std::string_view text(std::uint32_t index, std::uint64_t name) const;
  [[nodiscard]] std::uint32_t reference(std::uint32_t index, std::uint64_t name) const;
  /// Those of an entry and of what it says that it is an instance of.
  [[nodiscard]] std::uint32_t holder(std::uint32_t index, std::uint64_t name) const;
  /// Its code; empty where it has none, or where that cannot be read.
  [[nodiscard]] CodeRanges ranges(std::uint32_t index) const;

 private:
  Status read_unit(const DebugUnitStart& start);
  void read_bases(std::uint32_t first);

  DebugSections sections_;
  std::vector<DebugUnitHeader> units_;
  std::deque<DebugAbbreviations> abbreviations_;
  std::vector<DebugEntry> entries_;
};

}  // namespace rpl::isa
