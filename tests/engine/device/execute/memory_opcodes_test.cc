// SPDX-License-Identifier: MIT
// Which memory, LDS and matrix instructions have no semantics, so that what is left is visible.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/device/execute/launch/program.h"
#include "engine/isa/code/instruction.h"
#include "engine/isa/code/plain.h"

namespace rpl::emu {
namespace {

using isa::Arch;
using isa::Encoding;

/// The first word of an encoding, where its opcode lies, and a second word with operands that every instruction takes (ISA documents,
/// "Microcode Formats").
struct Form {
  Encoding encoding;
  std::uint32_t first;
  unsigned opcode_at;
  std::uint32_t second;
};
constexpr std::uint32_t kNoScalarBase = 0x7fU << 16;
constexpr Form kForms[] = {
    {Encoding::ds, 0xd8000000U, 17, 0},
    {Encoding::flat, 0xdc000000U, 18, kNoScalarBase},
    {Encoding::scratch, 0xdc004000U, 18, kNoScalarBase},
    {Encoding::global, 0xdc008000U, 18, kNoScalarBase},
    {Encoding::mubuf, 0xe0000000U, 18, 0x80000000U},
    {Encoding::mtbuf, 0xe8000000U, 15, 0x80000000U},
    {Encoding::smem, 0xc0020000U, 18, 0},
    {Encoding::vop3p, 0xd3800000U, 16, 256U | 256U << 9 | 256U << 18},
    {Encoding::vop3px, 0, 0, 0},
};

std::set<std::string> without_semantics(Arch arch) {
  std::set<std::string> names;
  for (const auto& form : kForms) {
    for (const auto& opcode : isa::opcodes()) {
      const bool matrix = opcode.flags == "mfma" || opcode.mnemonic.starts_with("v_accvgpr");
      if (opcode.encoding != form.encoding || (form.encoding == Encoding::vop3p && !matrix))
        continue;
      if (isa::find_opcode(arch, opcode.encoding, opcode.code) != &opcode) continue;
      const std::uint32_t words[] = {form.first | std::uint32_t{opcode.code} << form.opcode_at,
                                     form.second, 0};
      const auto instruction = form.encoding == Encoding::vop3px
                                   ? isa::plain_instruction(arch, opcode)
                                   : isa::decode(arch, words);
      EXPECT_TRUE(instruction && instruction->opcode == &opcode) << opcode.mnemonic;
      if (!instruction) continue;
      if (fidelity_of(arch, *instruction) == Fidelity::unsupported) names.emplace(opcode.mnemonic);
    }
  }
  return names;
}

// Semaphores of global wave sync and scalar access to the backing memory of scratch are refused on purpose.
TEST(MemoryOpcodes, TheseAreLeft) {
  const std::set<std::string> left = {
      "ds_gws_sema_br",          "ds_gws_sema_p",         "ds_gws_sema_release_all",
      "ds_gws_sema_v",           "s_scratch_load_dword",  "s_scratch_load_dwordx2",
      "s_scratch_load_dwordx4",  "s_scratch_store_dword", "s_scratch_store_dwordx2",
      "s_scratch_store_dwordx4",
  };
  EXPECT_THAT(without_semantics(Arch::gfx90a), testing::ContainerEq(left));
  EXPECT_THAT(without_semantics(Arch::gfx942), testing::ContainerEq(left));
  EXPECT_THAT(without_semantics(Arch::gfx950), testing::ContainerEq(left));
}

}  // namespace
}  // namespace rpl::emu
