// SPDX-License-Identifier: MIT
#include "engine/metrics/recorded/machine_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace rpl::findings {
namespace {

/// Instructions of four bytes each, one after the other.
std::vector<ListedInstruction> code(std::initializer_list<const char*> text) {
  std::vector<ListedInstruction> out;
  for (const char* one : text) out.push_back({0x1000 + 4 * out.size(), one, "", 0});
  return out;
}

std::vector<Cause> causes_of(std::initializer_list<const char*> text) {
  const auto all = code(text);
  std::vector<Cause> out;
  for (const Finding& one : find_in_code(all)) {
    EXPECT_FALSE(one.worth.has_value());
    EXPECT_THAT(one.assumes, testing::HasSubstr("machine code alone"));
    out.push_back(one.cause);
  }
  return out;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MachineCode, OfAnOrdinaryLoopShowsNothing) {
  EXPECT_THAT(causes_of({"s_load_dwordx4 s[4:7], s[0:1], 0x0", "s_waitcnt lgkmcnt(0)",
                         "global_load_dwordx4 v[4:7], v[2:3], off", "s_waitcnt vmcnt(1)",
                         "v_add_f32_e32 v8, v4, v5", "s_cbranch_scc1 65531", "s_endpgm"}),
              IsEmpty());
}

TEST(MachineCode, ShowsScratchAndFlatAccesses) {
  EXPECT_THAT(causes_of({"scratch_store_dword off, v1, off offset:4", "s_endpgm"}),
              ElementsAre(Cause::spills));
  EXPECT_THAT(causes_of({"buffer_load_dword v1, v2, s[0:3], 0 offen offset:8", "s_endpgm"}),
              ElementsAre(Cause::spills));
  EXPECT_THAT(causes_of({"flat_load_dword v1, v[2:3]", "s_endpgm"}),
              ElementsAre(Cause::flat_access));
}

TEST(MachineCode, ShowsLoadsThatCouldBeOne) {
  EXPECT_THAT(
      causes_of({"global_load_dword v4, v[2:3], off", "global_load_dword v5, v[2:3], off offset:4",
                 "global_load_dword v6, v[2:3], off offset:8", "s_endpgm"}),
      ElementsAre(Cause::narrow_loads));
  EXPECT_THAT(causes_of({"global_load_dword v4, v[2:3], off",
                         "global_load_dword v5, v[2:3], off offset:256", "s_endpgm"}),
              IsEmpty())
      << "lines apart";
  EXPECT_THAT(causes_of({"global_load_dword v4, v[2:3], off", "v_add_u32_e32 v2, 4, v2",
                         "global_load_dword v5, v[2:3], off offset:4", "s_endpgm"}),
              IsEmpty())
      << "another address";
}

TEST(MachineCode, ShowsWhatIsDearInLoopsAlone) {
  EXPECT_THAT(causes_of({"v_rcp_iflag_f32_e32 v1, v2", "s_barrier", "s_endpgm"}), IsEmpty());
  EXPECT_THAT(
      causes_of({"v_rcp_iflag_f32_e32 v1, v2", "s_barrier", "s_cbranch_scc1 65533", "s_endpgm"}),
      ElementsAre(Cause::integer_division, Cause::barriers));
}

TEST(MachineCode, ShowsWaitsForAllLoadsOfALoopThatLoads) {
  EXPECT_THAT(causes_of({"global_load_dword v4, v[2:3], off", "s_waitcnt vmcnt(0)",
                         "v_add_f32_e32 v5, v4, v5", "s_cbranch_vccnz 65532", "s_endpgm"}),
              ElementsAre(Cause::strict_waits));
  EXPECT_THAT(causes_of({"global_load_dword v4, v[2:3], off", "s_waitcnt vmcnt(0)",
                         "v_add_f32_e32 v5, v4, v5", "s_endpgm"}),
              IsEmpty());
}

TEST(MachineCode, ReadsBranchesThatNameTheirTarget) {
  EXPECT_THAT(causes_of({"s_barrier", "s_nop 0", "s_branch 0x10001000", "s_endpgm"}), IsEmpty());
  auto all = code({"s_barrier", "s_nop 0", "s_branch 0x11000", "s_endpgm"});
  for (auto& one : all) one.address += 0x10000;
  ASSERT_EQ(find_in_code(all).size(), 1U);
  EXPECT_EQ(find_in_code(all)[0].cause, Cause::barriers);
}

TEST(MachineCode, NamesTheLineThatStallsMost) {
  auto all =
      code({"scratch_load_dword v1, off, off", "scratch_load_dword v2, off, off", "s_endpgm"});
  all[0].source = "a.hip:3";
  all[1].source = "a.hip:9";
  all[1].stall = 0.25;
  const auto found = find_in_code(all);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].where.at(0).source, "a.hip:9");
  EXPECT_THAT(found[0].remedy, testing::HasSubstr("a.hip:9"));
  EXPECT_EQ(found[0].evidence.at(1).value, 0.25);
}

/// The shares that each is charged, of a listing of which the instructions at `stalls` stalled.
std::vector<double> charged(std::initializer_list<const char*> text,
                            std::initializer_list<std::pair<std::size_t, double>> stalls) {
  auto listing = code(text);
  for (const auto& [at, stall] : stalls) listing[at].stall = stall;
  charge_waits(listing, 9);
  std::vector<double> out;
  for (const ListedInstruction& one : listing) out.push_back(one.caused);
  return out;
}

TEST(MachineCode, ChargesWaitsToTheYoungestAccessThatHadToComeBack) {
  EXPECT_THAT(charged({"global_load_dword v1, v[2:3], off", "global_load_dword v4, v[5:6], off",
                       "s_waitcnt vmcnt(1)", "s_waitcnt vmcnt(0)", "s_endpgm"},
                      {{2, 0.4}, {3, 0.1}}),
              ElementsAre(0.4, 0.1, 0, 0, 0));
}

TEST(MachineCode, ChargesWaitsToWhatTheTurnBeforeLeftOnItsWay) {
  // The wait stands in front of the load of its loop, and another load in front of the loop.
  EXPECT_THAT(charged({"global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)",
                       "v_add_f32_e32 v8, v4, v1", "global_load_dword v1, v[2:3], off",
                       "s_cbranch_scc1 65532", "s_endpgm"},
                      {{1, 0.5}}),
              ElementsAre(0, 0, 0, 0.5, 0, 0));
}

TEST(MachineCode, LeavesStallsOfOthersAndOfWaitsForNothingWhereTheyAre) {
  EXPECT_THAT(charged({"s_barrier", "s_waitcnt lgkmcnt(0)", "s_endpgm"}, {{0, 0.3}, {1, 0.2}}),
              ElementsAre(0.3, 0.2, 0));
  EXPECT_THAT(charged({"ds_read_b32 v1, v2", "global_load_dword v3, v[4:5], off",
                       "s_waitcnt vmcnt(0) lgkmcnt(0)", "s_endpgm"},
                      {{2, 0.2}}),
              ElementsAre(0.1, 0.1, 0, 0))
      << "two counters: a listing does not say which came down last";
}

TEST(MachineCode, SaysWhatWasWaitedFor) {
  auto listing = code({"s_load_dwordx2 s[4:5], s[0:1], 0x0", "global_load_dword v1, v[2:3], off",
                       "s_waitcnt vmcnt(0)", "s_endpgm"});
  listing[2].stall = 0.6;
  charge_waits(listing, 9);
  const auto found = find_in_code(listing);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().cause, Cause::dependent_loads);
  EXPECT_THAT(found.front().where.front().instruction, testing::HasSubstr("global_load_dword"));
}

}  // namespace
}  // namespace rpl::findings
