// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/counts.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

Access lds_access(std::uint32_t bytes, std::uint64_t stride) {
  Access access;
  access.space = Access::Space::lds;
  access.bytes = bytes;
  access.active = kAllLanes;
  for (unsigned i = 0; i < kLanes; ++i) access.address[i] = i * stride;
  return access;
}

TEST(Lds, ConflictsFollowTheStride) {
  EXPECT_EQ(lds_conflicts(lds_access(4, 4), 32), 0U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 0), 32), 0U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 8), 32), 2U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 132), 32), 0U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 128), 32), 62U);
  EXPECT_EQ(lds_conflicts(lds_access(16, 16), 32), 0U);
  // Twice as many banks: what met in one lies in two of them.
  EXPECT_EQ(lds_conflicts(lds_access(4, 8), 64), 0U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 128), 64), 30U);
  EXPECT_EQ(lds_conflicts(lds_access(4, 256), 64), 62U);
}

TEST(Counter, KnowsAPatternAgainOnlyWhereItCostsTheSame) {
  const auto object = isa::example("matmul", "gfx942");
  const auto program = make_program(*object, **object->kernel(""));
  Counts counts;
  counts.by_instruction.resize(program->ops.size());
  Counter counter(counts, *program, 128);
  const Op& lds = *std::ranges::find(program->ops, isa::Class::lds, &Op::kind);
  const Op& vmem = *std::ranges::find(program->ops, isa::Class::vmem, &Op::kind);
  std::uint64_t conflicts = 0, transactions = 0;
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t bytes = 4U << random() % 3;
    Access access = lds_access(bytes, 4 * (random() % 3 + 1));
    if (random() % 4 == 0) access.active = random() | 1;
    const std::uint64_t shift = 4 * (random() % 40);
    for (auto& address : access.address) address += shift;
    if (random() % 5 == 0) access.address[random() % kLanes] = 4 * (random() % 10000);
    access.two_parts = random() % 3 == 0;
    for (unsigned i = 0; i < kLanes; ++i) access.second_address[i] = access.address[i] + 64;
    conflicts += lds_conflicts(access, isa::traits(program->arch).lds_banks);
    counter.count_access(lds, access);
    access.space = Access::Space::global;
    access.two_parts = false;
    if (random() % 10 == 0) access.address[5] = std::uint64_t{1} << 40;
    LineNumbers lines;
    transactions += touched_lines(access, lines);
    counter.count_access(vmem, access);
  }
  EXPECT_EQ(counts.lds_conflicts, conflicts);
  EXPECT_EQ(counts.transactions, transactions);
}

TEST(Lines, AreCountedOnceInAnyOrder) {
  LineNumbers lines;
  EXPECT_EQ(touched_lines(lds_access(4, 4), lines), 4U);
  EXPECT_EQ(touched_lines(lds_access(4, 64), lines), 64U);
  EXPECT_EQ(touched_lines(lds_access(4, 0), lines), 1U);
  Access access = lds_access(4, 4);
  std::reverse(access.address.begin(), access.address.end());
  EXPECT_EQ(touched_lines(access, lines), 4U);
  access.address[0] = 62;
  EXPECT_EQ(touched_lines(access, lines), 4U);
}

TEST(Counts, OfVectorAddAreWhatTheProgramSays) {
  const auto outcome = run_kernel(vector_add("gfx942", 1024));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  const Counts& counts = outcome->executed.counts;
  EXPECT_EQ(counts.workgroups, 4U);
  EXPECT_EQ(counts.waves, 16U);
  EXPECT_EQ(counts.by_class[static_cast<std::size_t>(isa::Class::vmem)], 48U);
  EXPECT_EQ(counts.load_bytes, 8192U);
  EXPECT_EQ(counts.store_bytes, 4096U);
  EXPECT_EQ(counts.transactions, 16U * 3 * 4);
  EXPECT_EQ(counts.active_lanes, counts.vector_instructions * kLanes);
}

TEST(Counts, AtomicsOfTheHistogramAreItsElements) {
  const auto outcome = run_kernel(histogram("gfx90a", 5000, 3));
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_GT(outcome->executed.counts.lds_accesses, 5000U / kLanes);
  EXPECT_LE(outcome->executed.counts.atomics, 3U * 256);
}

}  // namespace
}  // namespace rpl::emu
