// SPDX-License-Identifier: MIT
#include "engine/isa/object/debug_values.h"

#include <fmt/format.h>

namespace rpl::isa {
namespace {

/// DW_FORM_*, DWARF 5, table 7.5.
enum DebugForm : std::uint64_t {
  kFormAddr = 0x01,
  kFormBlock2 = 0x03,
  kFormBlock4,
  kFormData2,
  kFormData4,
  kFormData8,
  kFormString,
  kFormBlock,
  kFormBlock1,
  kFormData1,
  kFormFlag,
  kFormSdata,
  kFormStrp,
  kFormUdata,
  kFormRefAddr,
  kFormRef1,
  kFormRef2,
  kFormRef4,
  kFormRef8,
  kFormRefUdata,
  kFormIndirect,
  kFormSecOffset,
  kFormExprloc,
  kFormFlagPresent,
  kFormStrx,
  kFormAddrx,
  kFormRefSup4,
  kFormStrpSup,
  kFormData16,
  kFormLineStrp,
  kFormRefSig8,
  kFormImplicitConst,
  kFormLoclistx,
  kFormRnglistx,
  kFormRefSup8,
  kFormStrx1,
  kFormStrx2,
  kFormStrx3,
  kFormStrx4,
  kFormAddrx1,
  kFormAddrx2,
  kFormAddrx3,
  kFormAddrx4,
};

std::uint64_t three_bytes(DwarfCursor& at) {
  const std::uint64_t low = at.sized(2);
  return low | std::uint64_t{at.u8()} << 16;
}

ByteView block(DwarfCursor& at, std::uint64_t bytes) {
  const ByteView part = at.rest(bytes);
  at.skip(bytes);
  return part;
}

/// Bytes of a form of fixed size; 0 for any other.
unsigned fixed_size(std::uint64_t form, const DebugUnitHeader& unit) {
  switch (form) {
    case kFormData1:
    case kFormFlag:
    case kFormRef1:
    case kFormStrx1:
    case kFormAddrx1:
      return 1;
    case kFormData2:
    case kFormRef2:
    case kFormStrx2:
    case kFormAddrx2:
      return 2;
    case kFormData4:
    case kFormRef4:
    case kFormStrx4:
    case kFormAddrx4:
    case kFormRefSup4:
      return 4;
    case kFormData8:
    case kFormRef8:
    case kFormRefSig8:
    case kFormRefSup8:
      return 8;
    case kFormAddr:
      return unit.address_bytes;
    case kFormStrp:
    case kFormLineStrp:
    case kFormSecOffset:
    case kFormRefAddr:
    case kFormStrpSup:
      return unit.offset_bytes;
    default:
      return 0;
  }
}

bool is_strx(std::uint64_t form) {
  return form == kFormStrx || (form >= kFormStrx1 && form <= kFormStrx4);
}
bool is_addrx(std::uint64_t form) {
  return form == kFormAddrx || (form >= kFormAddrx1 && form <= kFormAddrx4);
}

/// Entry `index` of a table of `bytes`-wide entries at `base`.
std::optional<std::uint64_t> table_entry(ByteView table, std::uint64_t base, std::uint64_t index,
                                         unsigned bytes) {
  if (index > table.size()) return std::nullopt;
  DwarfCursor at(table, base);
  at.skip(index * bytes);
  const std::uint64_t value = at.sized(bytes);
  return at.ok() ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<DebugValue> read_debug_value(DwarfCursor& at, std::uint64_t form, std::int64_t constant,
                                    const DebugUnitHeader& unit) {
  DebugValue value;
  for (int depth = 0; form == kFormIndirect && depth < 4; ++depth) form = at.uleb();
  value.form = form;
  if (const unsigned bytes = fixed_size(form, unit)) {
    value.number = at.sized(bytes);
    return value;
  }
  switch (form) {
    case kFormString:
      value.text = at.text();
      break;
    case kFormSdata:
      value.number = static_cast<std::uint64_t>(at.sleb());
      break;
    case kFormUdata:
    case kFormRefUdata:
    case kFormStrx:
    case kFormAddrx:
    case kFormLoclistx:
    case kFormRnglistx:
      value.number = at.uleb();
      break;
    case kFormStrx3:
    case kFormAddrx3:
      value.number = three_bytes(at);
      break;
    case kFormImplicitConst:
      value.number = static_cast<std::uint64_t>(constant);
      break;
    case kFormFlagPresent:
      value.number = 1;
      break;
    case kFormData16:
      value.block = block(at, 16);
      break;
    case kFormBlock1:
      value.block = block(at, at.u8());
      break;
    case kFormBlock2:
      value.block = block(at, at.sized(2));
      break;
    case kFormBlock4:
      value.block = block(at, at.sized(4));
      break;
    case kFormBlock:
    case kFormExprloc:
      value.block = block(at, at.uleb());
      break;
    default:
      return fail(Errc::unsupported, fmt::format("debug information: unknown form {:#x}", form));
  }
  return value;
}

std::optional<std::string_view> debug_text(const DebugSections& sections,
                                           const DebugUnitHeader& unit, const DebugValue& value) {
  if (value.form == kFormString) return value.text;
  if (value.form == kFormStrp) return sections.str.text(value.number);
  if (value.form == kFormLineStrp) return sections.line_str.text(value.number);
  if (!is_strx(value.form)) return std::nullopt;
  const auto offset =
      table_entry(sections.str_offsets, unit.str_offsets_base, value.number, unit.offset_bytes);
  return offset ? sections.str.text(*offset) : std::nullopt;
}

std::optional<std::uint64_t> debug_address(const DebugSections& sections,
                                           const DebugUnitHeader& unit, const DebugValue& value) {
  if (value.form == kFormAddr) return value.number;
  if (!is_addrx(value.form)) return std::nullopt;
  return table_entry(sections.addr, unit.addr_base, value.number, unit.address_bytes);
}

std::optional<std::uint64_t> debug_reference(const DebugUnitHeader& unit, const DebugValue& value) {
  switch (value.form) {
    case kFormRef1:
    case kFormRef2:
    case kFormRef4:
    case kFormRef8:
    case kFormRefUdata:
      return unit.begin + value.number;
    case kFormRefAddr:
      return value.number;
    default:
      return std::nullopt;
  }
}

}  // namespace rpl::isa
