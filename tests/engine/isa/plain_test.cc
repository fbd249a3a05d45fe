// SPDX-License-Identifier: MIT
#include "engine/isa/code/plain.h"

#include <gtest/gtest.h>

namespace rpl::isa {
namespace {

TEST(Plain, EveryOpcodeHasASimplestInstruction) {
  std::size_t found[kArchCount] = {};
  for (const Opcode& opcode : opcodes()) {
    for (const Arch arch : architectures()) {
      const auto index = static_cast<std::size_t>(arch);
      if ((opcode.archs & traits(arch).instructions) == 0) continue;
      const auto instruction = plain_instruction(arch, opcode);
      ASSERT_TRUE(instruction) << opcode.mnemonic << " on " << to_string(arch);
      EXPECT_EQ(disassemble(arch, *instruction).substr(0, opcode.mnemonic.size()), opcode.mnemonic);
      ++found[index];
    }
  }
  EXPECT_GT(found[0], 1400U);
  EXPECT_GT(found[1], 1400U);
}

}  // namespace
}  // namespace rpl::isa
