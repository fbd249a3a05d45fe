// SPDX-License-Identifier: MIT
#include "engine/arch/occupancy.h"

#include <gmock/gmock.h>

namespace rpl::arch {
namespace {

using Meaning = RegisterCounts::Meaning;

TEST(RegisterTrap, IsProvenByACountThatCannotBe) {
  const RecordedRegisters kernels[] = {{"a", 128, 0}, {"b", 132, 0}};
  const RegisterCounts counts = register_counts("gfx950", kernels);
  EXPECT_EQ(counts.meaning, Meaning::halved);
  EXPECT_EQ(counts.total(kernels[0]), 256U);
  EXPECT_EQ(counts.total(kernels[1]), 264U);
  EXPECT_THAT(counts.note, testing::HasSubstr("1 of 2 kernels"));
}

TEST(RegisterTrap, IsNotAssumed) {
  const RecordedRegisters even[] = {{"a", 128, 0}, {"b", 64, 0}};
  EXPECT_EQ(register_counts("gfx950", even).meaning, Meaning::unknown);
  EXPECT_NE(register_counts("gfx950", even).note, "");
  const RecordedRegisters fixed[] = {{"a", 4, 4}, {"b", 64, 0}};
  EXPECT_EQ(register_counts("gfx950", fixed).meaning, Meaning::as_recorded);
  const RecordedRegisters none[] = {{"a", 0, 0}};
  EXPECT_EQ(register_counts("gfx950", none).meaning, Meaning::as_recorded);
}

TEST(RegisterTrap, IsThatOfOneFamily) {
  const RecordedRegisters kernels[] = {{"a", 132, 0}};
  EXPECT_EQ(register_counts("gfx942", kernels).meaning, Meaning::as_recorded);
  EXPECT_EQ(register_counts("gfx942", kernels).note, "");
  EXPECT_EQ(register_counts("gfx950", {}).meaning, Meaning::as_recorded);
}

}  // namespace
}  // namespace rpl::arch
