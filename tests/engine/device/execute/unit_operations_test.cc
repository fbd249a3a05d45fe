// SPDX-License-Identifier: MIT
// Operations of kernels whose number is known from what they compute.
#include "engine/device/execute/launch/hardware_counters.h"

#include <map>

#include "engine/isa/code/opcode.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

class Operations : public testing::TestWithParam<const char*> {
 protected:
  static std::map<std::string, std::uint64_t> of(KernelRun run) {
    run.options.mode = Mode::counted;
    std::map<std::string, std::uint64_t> out;
    for (const UnitOperations& each : unit_operations(run_ok(run).executed))
      out[each.unit] = each.operations;
    return out;
  }
};

using Expected = std::map<std::string, std::uint64_t>;

TEST_P(Operations, OfASumOfVectorsAreOneAnElement) {
  EXPECT_EQ(of(vector_add(GetParam(), 1000)), (Expected{{"vector f32", 1000}}))
      << "lanes beyond the end compute nothing";
}

TEST_P(Operations, OfProductsAreTwoAMultiplyAdd) {
  EXPECT_EQ(of(matmul(GetParam(), 64, 48, 32)),
            (Expected{{"vector f32", std::uint64_t{2} * 64 * 48 * 32}}));
  EXPECT_EQ(of(matmul_mfma(GetParam(), 64, 64, 32)),
            (Expected{{"matrix f16", std::uint64_t{2} * 64 * 64 * 32}}));
}

TEST_P(Operations, OfPackedInstructionsAreThoseOfBothParts) {
  constexpr std::uint32_t rounds = 10, items = 64;
  KernelRun run;
  run.object = isa::test_object("ordering", GetParam());
  run.kernel = "fma_chain";
  run.grid = run.workgroup = {items, 1, 1};
  run.arguments = {emu::floats(items), number(rounds)};
  const std::uint64_t before = of(run)["vector f32"];
  run.arguments = {emu::floats(items), number(2 * rounds)};
  EXPECT_EQ(of(run)["vector f32"] - before, std::uint64_t{rounds} * 128 * 2 * 2 * items);
}

TEST_P(Operations, OfACopyAreNone) { EXPECT_EQ(of(vcopy(GetParam(), 1000)), Expected()); }

TEST_P(Operations, ThatAnIntegerDivisionBorrowsAreNone) {
  // The number of workgroups is the grid divided by a workgroup: a reciprocal and a product, for each lane.
  constexpr std::uint32_t n = 1000, workgroup = 128, workgroups = 3;
  for (const char* version : {"versions.v4", "versions.v5", "versions.v6"}) {
    KernelRun run;
    run.object = isa::test_object(version, GetParam());
    run.grid = {workgroup * workgroups, 1, 1};
    run.workgroup = {workgroup, 1, 1};
    run.dynamic_lds_bytes = workgroup * sizeof(std::int32_t);
    run.arguments = {words(n, Fill::Kind::iota), words(n), number(static_cast<std::int32_t>(n))};
    EXPECT_EQ(of(run), Expected()) << version;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Operations, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
