// SPDX-License-Identifier: MIT
#include "engine/isa/code/operand_text.h"

#include <fmt/format.h>

#include <bit>

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

}  // namespace rpl::isa
