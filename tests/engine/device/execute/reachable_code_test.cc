// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/reachable_code.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/device/execute/launch/program.h"

namespace rpl::emu {
namespace {

// Words of GFX9's documents: SOPP and SOP1 with the operands that the names say.
constexpr std::uint32_t kNop = 0xbf800000, kEnd = 0xbf810000, kBranch = 0xbf820000,
                        kSetPc = 0xbe801d02, kCall = 0xbe9e1e02, kGetPc = 0xbe821c00,
                        kAddLiteral = 0x8002ff02, kAddCarry = 0x82038003;
constexpr std::uint64_t kCode = 0x10000, kWord = sizeof(std::uint32_t);

std::shared_ptr<const isa::CodeObject> object_of(const std::vector<std::uint32_t>& words,
                                                 std::size_t entry) {
  isa::KernelInMemory kernel;
  kernel.arch = isa::Arch::gfx90a;
  kernel.name = "k";
  kernel.code_address = kCode;
  kernel.descriptor = kCode - 0x1000;
  kernel.fields.entry_offset = static_cast<std::int64_t>(0x1000 + entry * kWord);
  kernel.code.resize(words.size() * kWord);
  std::memcpy(kernel.code.data(), words.data(), kernel.code.size());
  auto object = isa::CodeObject::of_memory(std::move(kernel));
  EXPECT_TRUE(object.has_value());
  return *object;
}

/// Number of the first word of the program that the kernel at word `entry` becomes.
std::size_t first_word(const std::vector<std::uint32_t>& words, std::size_t entry) {
  const auto object = object_of(words, entry);
  const auto program = make_program(*object, object->kernels()[0]);
  EXPECT_EQ(program->ops.at(program->entry).address, kCode + entry * kWord);
  return (program->first_address - kCode) / kWord;
}

TEST(ReachableCode, IsTheFunctionOfAKernelThatStaysInIt) {
  EXPECT_EQ(first_word({kNop, kEnd, kNop, kEnd}, 2), 2U);
  EXPECT_EQ(first_word({kNop, kEnd, kNop, kBranch | 0xfffe, kEnd, kNop, 0, 0}, 2), 2U);
}

TEST(ReachableCode, IsTheSegmentWhereItMayLeaveTheFunction) {
  EXPECT_EQ(first_word({kNop, kEnd, kCall, kEnd}, 2), 0U) << "calls";
  EXPECT_EQ(first_word({kNop, kEnd, kSetPc}, 2), 0U) << "jumps by a register";
  EXPECT_EQ(first_word({kNop, kEnd, kBranch | 0xfffd, kEnd}, 2), 0U) << "branches in front of it";
  EXPECT_EQ(first_word({kNop, kEnd, kEnd, kNop, kBranch | 9}, 2), 0U) << "branches behind it";
}

TEST(ReachableCode, FollowsBranchesThatAreTooFarForAnImmediate) {
  // The distance counts from the instruction behind s_getpc_b64.
  EXPECT_EQ(first_word({kNop, kEnd, kGetPc, kAddLiteral, 16, kAddCarry, kSetPc, kEnd}, 2), 2U);
  EXPECT_EQ(first_word({kNop, kEnd, kGetPc, kAddLiteral, 0xfffffff4, kAddCarry, kSetPc, kEnd}, 2),
            0U);
}

TEST(ReachableCode, IsTheFunctionOfAJumpByARegisterInALargeSegment) {
  std::vector<std::uint32_t> large((1 << 18) + 2, kNop);
  large[1] = kEnd;
  large.insert(large.end(), {kNop, kSetPc, kEnd});
  EXPECT_EQ(first_word(large, large.size() - 3), large.size() - 3);
  large[large.size() - 2] = kCall;
  EXPECT_EQ(first_word(large, large.size() - 3), 0U);
}

TEST(ReachableCode, OfAKernelThatRunsOffItsEndIsTheSegment) {
  EXPECT_EQ(first_word({kNop, kEnd, kNop, 0x7e000280}, 2), 0U);
}

}  // namespace
}  // namespace rpl::emu
