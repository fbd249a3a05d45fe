// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

class Model : public testing::TestWithParam<const char*> {
 protected:
  /// Modelled cycles of one kernel of modelled.hip.
  std::uint64_t cycles(const std::string& kernel, std::vector<Argument> arguments,
                       std::uint32_t grid) {
    KernelRun run;
    run.object = isa::test_object("modelled", GetParam());
    run.kernel = kernel;
    run.grid = {grid, 1, 1};
    run.workgroup = {64, 1, 1};
    run.arguments = std::move(arguments);
    run.options.mode = Mode::modelled;
    const auto outcome = run_kernel(run);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    return outcome ? outcome->executed.modelled->cycles : 0;
  }
};

TEST_P(Model, StridedCopiesCostMoreThanCoalescedOnes) {
  constexpr std::uint32_t n = 1U << 20;
  const auto good = cycles("copy_coalesced", {floats(n), floats(n), number(n)}, n);
  const auto bad = cycles("copy_strided", {floats(n), floats(n), number(n / 1024)}, n);
  EXPECT_GT(bad, 2 * good);
}

TEST_P(Model, BankConflictsCost) {
  const auto good = cycles("lds_free", {floats(4096), number(200)}, 4096);
  const auto bad = cycles("lds_conflicting", {floats(4096), number(200)}, 4096);
  EXPECT_GT(bad, good);
}

TEST_P(Model, UnrollingOverlapsLoads) {
  constexpr std::uint32_t rows = 4096, columns = 203;
  const std::vector<Argument> arguments = {floats(rows * columns), floats(rows), number(columns)};
  const auto plain = cycles("sum_rows", arguments, rows);
  const auto unrolled = cycles("sum_rows_unrolled", arguments, rows);
  EXPECT_LT(unrolled, plain);
}

TEST_P(Model, MoreWorkTakesLonger) {
  const auto little = cycles("lds_free", {floats(64), number(100)}, 64);
  const auto more = cycles("lds_free", {floats(64), number(1000)}, 64);
  EXPECT_GT(more, 4 * little);
}

// MI250X multiplies 32x32x2 f32 and 32x32x8 f16 in 64 cycles; MI300X the latter in 32 (AMD's CDNA ISA documents, lists of dense
// matrix instructions), which is less than the loop around it takes one wave.
TEST_P(Model, MatrixInstructionsTakeTheCyclesOfTheirShape) {
  const auto of = [&](const char* kernel) {
    const std::vector<Argument> few = {floats(64), number(100)}, many = {floats(64), number(300)};
    return static_cast<double>(cycles(kernel, many, 64) - cycles(kernel, few, 64)) / 200;
  };
  const bool mi300 = std::string(GetParam()) == "gfx942";
  EXPECT_NEAR(of("matrix_single"), 64, 1);
  if (mi300) {
    EXPECT_GE(of("matrix_half"), 32);
    EXPECT_LE(of("matrix_half"), 48);
  } else {
    EXPECT_NEAR(of("matrix_half"), 64, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Model, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
