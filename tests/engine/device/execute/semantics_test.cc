// SPDX-License-Identifier: MIT
// Which vector and scalar instructions have no semantics: the list is the whole of them, so that it can only change knowingly.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

using isa::Encoding;

/// The opcode with register 0 everywhere, and v0 where a source may be one.
std::optional<std::array<std::uint32_t, 2>> plain_words(const isa::Opcode& opcode) {
  const std::uint32_t code = opcode.code;
  switch (opcode.encoding) {
    case Encoding::sop1:
      return {{0xbe800000U | code << 8, 0}};
    case Encoding::sop2:
      return {{0x80000000U | code << 23, 0}};
    case Encoding::sopc:
      return {{0xbf000000U | code << 16, 0}};
    case Encoding::sopk:
      return {{0xb0000000U | code << 23 | 1U, 0}};
    case Encoding::sopp:
      return {{0xbf800000U | code << 16, 0}};
    case Encoding::vop1:
      return {{0x7e000000U | code << 9 | 256U, 0}};
    case Encoding::vop2:
      return {{code << 25 | 256U, 0}};
    case Encoding::vopc:
      return {{0x7c000000U | code << 17 | 256U, 0}};
    case Encoding::vop3:
    case Encoding::vop3p:
      return long_words(opcode, {});
    default:
      return std::nullopt;
  }
}

std::set<std::string> arithmetic_without_semantics(isa::Arch arch) {
  const unsigned sets = isa::traits(arch).instructions;
  std::set<std::string> names;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    const auto words = plain_words(opcode);
    if ((opcode.archs & sets) == 0 || !words || opcode.flags == "mfma") continue;
    const auto instruction = isa::decode(arch, *words);
    if (!instruction) {
      ADD_FAILURE() << opcode.mnemonic << " is not decoded";
    } else if (fidelity_of(arch, *instruction) == Fidelity::unsupported) {
      names.emplace(opcode.name());
    }
  }
  return names;
}

// Traps and halting belong to a debugger or to graphics; the table of
// v_screen_partition_4se_b32 is not published in a form that could be checked.
TEST(Semantics, OnlyTheseHaveNone) {
  std::set<std::string> expected = {
      "s_endpgm_ordered_ps_done",  "s_rfe_b64", "s_rfe_restore_b64", "s_sendmsghalt", "s_setkill",
      "v_screen_partition_4se_b32"};
  for (const auto arch : isa::architectures()) {
    // Read together with the instruction behind it where that asks for scales.
    if (arch == isa::Arch::gfx950) expected.insert("v_mfma_ld_scale_b32");
    EXPECT_EQ(fmt::format("{}", fmt::join(arithmetic_without_semantics(arch), "\n")),
              fmt::format("{}", fmt::join(expected, "\n")));
  }
}

}  // namespace
}  // namespace rpl::emu
