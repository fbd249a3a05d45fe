// SPDX-License-Identifier: MIT
// Counters against what can be counted by hand: a vector copy, products of matrices.
#include <gtest/gtest.h>

#include <map>

#include "engine/device/execute/launch/hardware_counters.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

using Counters = std::map<std::string, std::uint64_t>;

Executed modelled(KernelRun run) {
  run.options.mode = Mode::modelled;
  run.options.count_boundary = true;
  return run_ok(run).executed;
}

Counters by_name(const Executed& executed) {
  Counters out;
  for (const HardwareCounter& counter : hardware_counters(executed))
    out[counter.name] = counter.value;
  return out;
}

Counters counters_of(const KernelRun& run) { return by_name(modelled(run)); }

/// An FMA is two operations, an instruction 64 lanes; matrix operations are counted in units of 512.
std::uint64_t flops(Counters& c) {
  std::uint64_t out = 0;
  for (const std::string type : {"F16", "F32", "F64"}) {
    const auto of = [&](const char* what) {
      return c["SQ_INSTS_VALU_" + std::string(what) + "_" + type];
    };
    out += 64 * (of("ADD") + of("MUL") + of("TRANS") + 2 * of("FMA"));
  }
  for (const std::string type : {"F16", "BF16", "F32", "F64", "F8"})
    out += 512 * c["SQ_INSTS_VALU_MFMA_MOPS_" + type];
  return out;
}

std::uint64_t bytes(Counters& c, const std::string& arch) {
  const std::string ea = arch == "gfx90a" ? "TCC_EA_" : "TCC_EA0_";
  const std::uint64_t all = c[ea + "RDREQ_sum"], small = c[ea + "RDREQ_32B_sum"],
                      large = c["TCC_BUBBLE_sum"];
  const std::uint64_t writes = c[ea + "WRREQ_sum"], whole = c[ea + "WRREQ_64B_sum"];
  return 128 * large + 32 * small + 64 * (all - large - small) + 64 * whole + 32 * (writes - whole);
}

class HandCounts : public testing::TestWithParam<const char*> {};

TEST_P(HandCounts, AVectorCopyMovesEachByteOnceEachWayAndComputesNothing) {
  for (const std::uint32_t n : {256U, 65536U, 1048576U}) {
    Counters counted = counters_of(vcopy(GetParam(), n));
    EXPECT_EQ(bytes(counted, GetParam()), std::uint64_t{2} * n * 8) << n;
    EXPECT_EQ(flops(counted), 0U);
  }
}

/// Operations of packed instructions that counters leave out, as those of hardware do: they count such an instruction once.
std::uint64_t second_halves(const Executed& executed) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < executed.counts.by_instruction.size(); ++i) {
    const std::uint64_t times = executed.counts.by_instruction[i].executed;
    const std::string_view name =
        times == 0 ? std::string_view() : executed.program->ops[i].instruction->opcode->name();
    if (name.starts_with("v_pk_")) out += times * 64 * (name.starts_with("v_pk_fma") ? 2 : 1);
  }
  return out;
}

TEST_P(HandCounts, AProductOfMatricesTakesTwoOperationsForEachTriple) {
  for (const std::uint32_t n : {64U, 128U}) {
    const std::uint64_t expected = std::uint64_t{2} * n * n * n;
    const Executed run = modelled(matmul(GetParam(), n, n, n));
    Counters plain = by_name(run), matrix = counters_of(matmul_mfma(GetParam(), n, n, n));
    EXPECT_EQ(flops(plain) + second_halves(run), expected) << n;
    EXPECT_EQ(plain["RPL_OPS_VALU_F32"], expected) << n;
    EXPECT_EQ(flops(matrix), expected) << n;
    EXPECT_EQ(512 * matrix["SQ_INSTS_VALU_MFMA_MOPS_F16"], expected) << n;
    // All of c is written once; a and b are read at least once, by each XCD at most.
    const std::uint64_t matrix_bytes = std::uint64_t{n} * n * 4, all = bytes(plain, GetParam());
    EXPECT_GE(all, 3 * matrix_bytes);
    EXPECT_LE(all, (2 * 8 + 1) * matrix_bytes);
  }
}

TEST_P(HandCounts, CountingChangesNoTime) {
  KernelRun run = softmax(GetParam(), 512, 300);
  run.options.mode = Mode::modelled;
  const Executed plain = run_ok(run).executed, counted = modelled(run);
  EXPECT_EQ(plain.modelled->cycles, counted.modelled->cycles);
  EXPECT_FALSE(plain.modelled->boundary.has_value());
}

TEST_P(HandCounts, WhatIsKnownIsWhatIsCounted) {
  const isa::Arch arch =
      std::string_view(GetParam()) == "gfx90a" ? isa::Arch::gfx90a : isa::Arch::gfx942;
  const auto known = known_hardware_counters(arch);
  const auto counted = hardware_counters(modelled(vcopy(GetParam(), 256)));
  ASSERT_EQ(known.size(), counted.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(known[i].name, counted[i].name);
    EXPECT_EQ(known[i].modelled, counted[i].modelled) << known[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HandCounts, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl::emu
