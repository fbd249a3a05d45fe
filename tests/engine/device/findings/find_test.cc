// SPDX-License-Identifier: MIT
// What is found of the example kernels, whose faults are known.
#include <algorithm>

#include "engine/device/findings/finding.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::findings {
namespace {

Findings found_of(emu::KernelRun run, std::span<const FarMemory> far = {}) {
  run.options.mode = emu::Mode::modelled;
  run.options.keep_record = true;
  const emu::KernelOutcome outcome = emu::run_ok(run);
  auto found = find(outcome.executed, *run.object, **cycle::builtin_parameters("MI300X"), far);
  EXPECT_TRUE(found.has_value()) << found.error().message;
  return found ? std::move(*found) : Findings();
}

const Finding* named(const Findings& found, Cause cause) {
  const auto at = std::ranges::find(found.all, cause, &Finding::cause);
  return at == found.all.end() ? nullptr : &*at;
}

TEST(Found, BankConflictsOfTilesThatAreNotPadded) {
  const Findings found = found_of(emu::transpose_unpadded("gfx942", 2048, 2048));
  const Finding* conflicts = named(found, Cause::bank_conflicts);
  ASSERT_NE(conflicts, nullptr);
  ASSERT_FALSE(conflicts->where.empty());
  EXPECT_NE(conflicts->where.front().instruction.find("ds_read"), std::string::npos);
  EXPECT_GT(conflicts->evidence.front().value, 0);
  ASSERT_TRUE(conflicts->worth.has_value());
  EXPECT_LT(conflicts->worth->low, conflicts->worth->high);
  EXPECT_GE(found.without_faults.high, conflicts->worth->low);
  EXPECT_EQ(named(found_of(emu::transpose("gfx942", 2048, 2048)), Cause::bank_conflicts), nullptr);
}

TEST(Found, RowsThatEachLaneWalks) {
  const Findings found = found_of(emu::softmax("gfx942", 65536, 200));
  const Cause first = found.all.front().cause;
  EXPECT_TRUE(first == Cause::uncoalesced_load || first == Cause::uncoalesced_store ||
              first == Cause::narrow_loads)
      << to_string(first);
}

/// What is left of a cause once the leading one is repaired says so.
bool is_left(const Finding& one) { return one.assumes.find(", once ") != std::string::npos; }

TEST(Found, WhatGoesAwayWithAnotherCauseStandsBelowIt) {
  std::size_t left = 0;
  for (const emu::KernelRun& run :
       {emu::transpose_unpadded("gfx942", 2048, 2048), emu::reduce("gfx942", 1 << 20, 256),
        emu::histogram("gfx942", 1 << 20, 256), emu::attention("gfx942", 256, 256),
        emu::matmul("gfx942", 256, 256, 256), emu::stencil("gfx942", 1024, 512, 2)}) {
    const Findings found = found_of(run);
    bool below = false;
    double most = 0;
    for (const Finding& one : found.all) {
      if (!one.worth || info(one.cause).symptom) continue;
      EXPECT_FALSE(below && !is_left(one)) << "causes that stand by themselves come first";
      most = std::max(most, one.worth->low + one.worth->high);
      if (!is_left(one)) continue;
      below = true;
      ++left;
      EXPECT_LE(one.worth->low + one.worth->high, most);
      EXPECT_NE(one.assumes.find(info(found.all.front().cause).name), std::string::npos);
    }
    EXPECT_FALSE(is_left(found.all.front()));
  }
  EXPECT_GE(left, 1U);
}

TEST(Found, NothingToMendInACopy) {
  const Findings found = found_of(emu::vcopy("gfx942", 4 << 20));
  EXPECT_NE(named(found, Cause::bandwidth_used_up), nullptr);
  EXPECT_EQ(named(found, Cause::uncoalesced_load), nullptr);
  EXPECT_EQ(found.without_faults.low, 0);
}

TEST(Found, MemoryThatIsNotTheDevicesOwn) {
  const auto copied = [](std::vector<FarMemory> far) {
    return found_of(emu::vcopy("gfx942", 1 << 20), far);
  };
  constexpr std::uint64_t kEnd = ~std::uint64_t{0};
  const Findings host = copied({{.begin = 0, .end = kEnd}}),
                 managed = copied({{.begin = 0, .end = kEnd, .managed = true}}),
                 elsewhere = copied({{.begin = 0, .end = 4096}}), own = copied({});
  const Finding* in_host = named(host, Cause::host_memory);
  ASSERT_NE(in_host, nullptr);
  EXPECT_FALSE(in_host->worth.has_value()) << "the model does not price the link";
  ASSERT_FALSE(in_host->where.empty());
  EXPECT_NE(in_host->where.front().instruction.find("global_"), std::string::npos);
  EXPECT_EQ(named(host, Cause::page_migration), nullptr);
  EXPECT_NE(named(managed, Cause::page_migration), nullptr);
  EXPECT_EQ(named(managed, Cause::host_memory), nullptr);
  for (const Findings* none : {&elsewhere, &own}) {
    EXPECT_EQ(named(*none, Cause::host_memory), nullptr);
    EXPECT_EQ(named(*none, Cause::page_migration), nullptr);
  }
}

TEST(Found, NotWithoutARecord) {
  emu::KernelRun run = emu::vector_add("gfx942", 512);
  run.options.mode = emu::Mode::modelled;
  const emu::KernelOutcome outcome = emu::run_ok(run);
  const auto found = find(outcome.executed, *run.object, **cycle::builtin_parameters("MI300X"));
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, Errc::unsupported);
}

TEST(Found, TheSameTwice) {
  const auto run = [] { return to_json(found_of(emu::histogram("gfx942", 65536, 64))); };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace rpl::findings
