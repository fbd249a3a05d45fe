// SPDX-License-Identifier: MIT
#include "engine/isa/code/operand_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <string_view>

namespace rpl::isa {
namespace {

std::string bitmask_text(unsigned mask_and, unsigned mask_or, unsigned mask_xor) {
  std::string mask;
  for (int bit = 4; bit >= 0; --bit) {
    const unsigned zero = mask_or ^ mask_xor, one = (mask_and | mask_or) ^ mask_xor;
    const unsigned from_zero = zero >> bit & 1, from_one = one >> bit & 1;
    if (from_zero == from_one) {
      mask += from_zero != 0 ? '1' : '0';
    } else {
      mask += from_zero == 0 ? 'p' : 'i';
    }
  }
  return fmt::format("swizzle(BITMASK_PERM,\"{}\")", mask);
}

}  // namespace

std::string range(std::string_view prefix, unsigned number, unsigned dwords) {
  if (dwords <= 1) return fmt::format("{}{}", prefix, number);
  return fmt::format("{}[{}:{}]", prefix, number, number + dwords - 1);
}

std::string_view float_text(std::uint16_t number, bool is_double) {
  constexpr std::string_view kFloats[] = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                          "-2.0", "4.0",  "-4.0", "0.15915494"};
  if (number == kLastFloat && is_double) return "0.15915494309189532";
  return kFloats[number - kFirstFloat];
}

bool fits_constant(std::uint32_t value, bool is_half) {
  const auto number = is_half ? static_cast<std::int16_t>(value) : static_cast<std::int32_t>(value);
  if (number >= -16 && number <= 64) return true;
  const auto is_one_of = [&](auto... bits) { return ((value == bits) || ...); };
  return is_half ? is_one_of(0x3800U, 0xb800U, 0x3c00U, 0xbc00U, 0x4000U, 0xc000U, 0x4400U, 0xc400U,
                             0x3118U)
                 : is_one_of(0x3f000000U, 0xbf000000U, 0x3f800000U, 0xbf800000U, 0x40000000U,
                             0xc0000000U, 0x40800000U, 0xc0800000U, 0x3e22f983U);
}

std::string literal_text(std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  if (number >= -16 && number <= 64) return fmt::format("{}", number);
  constexpr float kFloats[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f};
  for (std::uint16_t i = 0; i < std::size(kFloats); ++i) {
    if (std::bit_cast<std::uint32_t>(kFloats[i]) == value) {
      return std::string(float_text(static_cast<std::uint16_t>(kFirstFloat + i), false));
    }
  }
  return fmt::format("0x{:x}", value);
}

// Registers with a name of their own, whole or by halves.
std::string register_name(std::uint16_t number, unsigned dwords) {
  struct Pair {
    std::uint16_t low;
    std::string_view name;
  };
  constexpr Pair kPairs[] = {{kFlatScratchLo, "flat_scratch"},
                             {kXnackMaskLo, "xnack_mask"},
                             {kVccLo, "vcc"},
                             {kExecLo, "exec"}};
  for (const auto& pair : kPairs) {
    if (number != pair.low && number != pair.low + 1) continue;
    if (dwords == 2) return std::string(pair.name);
    return fmt::format("{}_{}", pair.name, number == pair.low ? "lo" : "hi");
  }
  switch (number) {
    case kM0:
      return "m0";
    case kNull:
      return "null";
    case kSharedBase:
      return "src_shared_base";
    case kSharedLimit:
      return "src_shared_limit";
    case kPrivateBase:
      return "src_private_base";
    case kPrivateLimit:
      return "src_private_limit";
    case kPopsId:
      return "src_pops_exiting_wave_id";
    case kVccz:
      return "src_vccz";
    case kExecz:
      return "src_execz";
    case kScc:
      return "src_scc";
    case kLdsDirect:
      return "src_lds_direct";
    default:
      return fmt::format("<{}>", number);
  }
}

std::string dpp_text(unsigned control) {
  if (control < 0x100) {
    return fmt::format("quad_perm:[{},{},{},{}]", control & 3, control >> 2 & 3, control >> 4 & 3,
                       control >> 6);
  }
  if (control > 0x100 && control < 0x110) return fmt::format("row_shl:{}", control & 15);
  if (control > 0x110 && control < 0x120) return fmt::format("row_shr:{}", control & 15);
  if (control > 0x120 && control < 0x130) return fmt::format("row_ror:{}", control & 15);
  if (control >= 0x150 && control < 0x160) return fmt::format("row_newbcast:{}", control & 15);
  switch (control) {
    case 0x130:
      return "wave_shl:1";
    case 0x134:
      return "wave_rol:1";
    case 0x138:
      return "wave_shr:1";
    case 0x13c:
      return "wave_ror:1";
    case 0x140:
      return "row_mirror";
    case 0x141:
      return "row_half_mirror";
    case 0x142:
      return "row_bcast:15";
    case 0x143:
      return "row_bcast:31";
    default:
      return "/* invalid dpp_ctrl value */";
  }
}

std::string swizzle_text(unsigned offset) {
  constexpr unsigned kQuad = 0x8000, kQuadMask = 0xff00;
  if ((offset & kQuad) != 0 && (offset & kQuadMask) != kQuad) return fmt::format("{}", offset);
  if ((offset & kQuad) != 0) {
    return fmt::format("swizzle(QUAD_PERM,{},{},{},{})", offset & 3, offset >> 2 & 3,
                       offset >> 4 & 3, offset >> 6 & 3);
  }
  const unsigned mask_and = offset & 31, mask_or = offset >> 5 & 31, mask_xor = offset >> 10 & 31;
  const bool only_xor = mask_and == 31 && mask_or == 0;
  if (only_xor && std::has_single_bit(mask_xor)) return fmt::format("swizzle(SWAP,{})", mask_xor);
  if (only_xor && mask_xor > 0 && std::has_single_bit(mask_xor + 1)) {
    return fmt::format("swizzle(REVERSE,{})", mask_xor + 1);
  }
  const unsigned group = 32 - mask_and;
  if (group > 1 && std::has_single_bit(group) && mask_or < group && mask_xor == 0) {
    return fmt::format("swizzle(BROADCAST,{},{})", group, mask_or);
  }
  return bitmask_text(mask_and, mask_or, mask_xor);
}

namespace {

/// By number; the snapshot registers are not on every architecture.
constexpr std::array<std::string_view, 25> kHardwareRegisters = {"",
                                                                 "MODE",
                                                                 "STATUS",
                                                                 "TRAPSTS",
                                                                 "HW_ID",
                                                                 "GPR_ALLOC",
                                                                 "LDS_ALLOC",
                                                                 "IB_STS",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "",
                                                                 "SH_MEM_BASES",
                                                                 "TBA_LO",
                                                                 "TBA_HI",
                                                                 "TMA_LO",
                                                                 "TMA_HI",
                                                                 "XCC_ID",
                                                                 "SQ_PERF_SNAPSHOT_DATA",
                                                                 "SQ_PERF_SNAPSHOT_DATA1",
                                                                 "SQ_PERF_SNAPSHOT_PC_LO",
                                                                 "SQ_PERF_SNAPSHOT_PC_HI"};
constexpr unsigned kFirstSnapshotRegister = 20;

constexpr std::array<std::string_view, 16> kMessages = {"",
                                                        "INTERRUPT",
                                                        "GS",
                                                        "GS_DONE",
                                                        "SAVEWAVE",
                                                        "STALL_WAVE_GEN",
                                                        "HALT_WAVES",
                                                        "ORDERED_PS_DONE",
                                                        "EARLY_PRIM_DEALLOC",
                                                        "GS_ALLOC_REQ",
                                                        "GET_DOORBELL",
                                                        "",
                                                        "",
                                                        "",
                                                        "",
                                                        "SYSMSG"};
constexpr unsigned kGs = 2, kGsDone = 3, kSystem = 15;
constexpr std::array<std::string_view, 4> kGsOperations = {"NOP", "CUT", "EMIT", "EMIT_CUT"};
constexpr std::array<std::string_view, 5> kSystemOperations = {"", "ECC_ERR_INTERRUPT", "REG_RD",
                                                               "", "TTRACE_PC"};

constexpr std::array<std::string_view, 16> kDataFormats = {
    "INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
    "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
    "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
constexpr std::array<std::string_view, 8> kNumberFormats = {
    "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};

/// The named form, or nothing when a part of the message has no name.
std::string named_message(unsigned id, unsigned operation, unsigned stream) {
  const bool geometry = id == kGs || id == kGsDone;
  if (kMessages[id].empty()) return {};
  if (!geometry && id != kSystem) {
    if (operation != 0 || stream != 0) return {};
    return fmt::format("sendmsg(MSG_{})", kMessages[id]);
  }
  if (id == kSystem) {
    if (operation >= kSystemOperations.size() || kSystemOperations[operation].empty() ||
        stream != 0)
      return {};
    return fmt::format("sendmsg(MSG_SYSMSG, SYSMSG_OP_{})", kSystemOperations[operation]);
  }
  if (operation >= kGsOperations.size()) return {};
  if (operation == 0) {
    return id == kGsDone && stream == 0 ? "sendmsg(MSG_GS_DONE, GS_OP_NOP)" : "";
  }
  return fmt::format("sendmsg(MSG_{}, GS_OP_{}, {})", kMessages[id], kGsOperations[operation],
                     stream);
}

}  // namespace

std::string hardware_register_text(Arch arch, std::uint16_t immediate) {
  const unsigned id = immediate & 63U, offset = immediate >> 6 & 31U, size = (immediate >> 11) + 1U;
  const bool known = id < kHardwareRegisters.size() && !kHardwareRegisters[id].empty() &&
                     (traits(arch).has_snapshot_registers || id < kFirstSnapshotRegister);
  const std::string name =
      known ? fmt::format("HW_REG_{}", kHardwareRegisters[id]) : fmt::format("{}", id);
  if (offset == 0 && size == 32) return fmt::format("hwreg({})", name);
  return fmt::format("hwreg({}, {}, {})", name, offset, size);
}

std::string message_text(std::uint16_t immediate) {
  const unsigned id = immediate & 15U, operation = immediate >> 4 & 7U,
                 stream = immediate >> 8 & 3U;
  std::string named = named_message(id, operation, stream);
  if (!named.empty()) return named;
  const bool whole = (id | operation << 4 | stream << 8) == immediate;
  return whole ? fmt::format("sendmsg({}, {}, {})", id, operation, stream)
               : fmt::format("{}", immediate);
}

std::string index_modes_text(std::uint16_t immediate) {
  constexpr std::array<std::string_view, 4> kModes = {"SRC0", "SRC1", "SRC2", "DST"};
  if (immediate >> kModes.size() != 0) return fmt::format("0x{:x}", immediate);
  std::string modes;
  for (std::size_t i = 0; i < kModes.size(); ++i) {
    if ((immediate >> i & 1) != 0)
      modes += fmt::format("{}{}", modes.empty() ? "" : ",", kModes[i]);
  }
  return fmt::format("gpr_idx({})", modes);
}

std::string buffer_format_text(std::uint8_t format) {
  const unsigned data = format & 15U, number = format >> 4 & 7U;
  std::string text;
  if (data != 1) text = fmt::format("BUF_DATA_FORMAT_{}", kDataFormats[data]);
  if (number != 0)
    text += fmt::format("{}BUF_NUM_FORMAT_{}", text.empty() ? "" : ",", kNumberFormats[number]);
  return text.empty() ? text : fmt::format("[{}]", text);
}

}  // namespace rpl::isa
