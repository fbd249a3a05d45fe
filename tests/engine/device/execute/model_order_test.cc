// SPDX-License-Identifier: MIT
// Variants of one kernel are put in the order that hardware puts them in, by roughly what it gives. The limits are wide: the model orders, it does not predict.
#include <gtest/gtest.h>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

class Order : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] KernelRun run_of(const std::string& source, const std::string& kernel, Size3 grid,
                                 Size3 workgroup, std::vector<Argument> arguments) const {
    KernelRun run;
    run.object = isa::test_object(source, GetParam());
    run.kernel = kernel;
    run.grid = grid;
    run.workgroup = workgroup;
    run.arguments = std::move(arguments);
    return run;
  }
  /// Cycles without those of launch and drain, which are equal for all.
  static double cycles(KernelRun run) {
    run.options.mode = Mode::modelled;
    const KernelOutcome outcome = run_ok(run);
    constexpr double kLaunchAndDrain = 2000;
    return static_cast<double>(outcome.executed.modelled.value_or(Modelled()).cycles) -
           kLaunchAndDrain;
  }
  [[nodiscard]] double transposed(const std::string& kernel, std::uint32_t n) const {
    return cycles(run_of("ordering", kernel, {n, n / 4, 1}, {32, 8, 1},
                         {floats(n * n), floats(n * n), number(static_cast<std::int32_t>(n))}));
  }
  /// A chain of dependent loads by workgroups of 256 that each take `lds` bytes.
  [[nodiscard]] double followed(std::uint32_t workgroups, std::uint32_t lds) const {
    const auto numbers = static_cast<std::int32_t>(workgroups * 256 * 2);
    KernelRun run = run_of("ordering", "follow", {workgroups * 256, 1, 1}, {256, 1, 1},
                           {words(static_cast<std::uint64_t>(numbers)), words(workgroups * 256),
                            number(numbers), number(32)});
    run.dynamic_lds_bytes = lds;
    return cycles(run);
  }
};

// Measured on MI200 and its kin: 2 to 10 times. Each strided element costs a line.
TEST_P(Order, CoalescedBeforeStrided) {
  constexpr std::uint32_t n = 1U << 20;
  const double good = cycles(run_of("modelled", "copy_coalesced", {n, 1, 1}, {256, 1, 1},
                                    {floats(n), floats(n), number(n)}));
  const double bad = cycles(run_of("modelled", "copy_strided", {n, 1, 1}, {256, 1, 1},
                                   {floats(n), floats(n), number(n / 1024)}));
  EXPECT_GT(bad, 2 * good);
  EXPECT_LT(bad, 40 * good);
}

// A tile without padding reads one bank 32 times over. Much larger matrices hide that behind the memory.
TEST_P(Order, PaddedBeforeUnpaddedTranspose) {
  constexpr std::uint32_t n = 512;
  const double padded = transposed("transpose_padded", n),
               unpadded = transposed("transpose_unpadded", n);
  EXPECT_GT(unpadded, 1.1 * padded);
  EXPECT_LT(unpadded, 6 * padded);
}

TEST_P(Order, TransposeThroughLdsBeforeStridedWrites) {
  constexpr std::uint32_t n = 2048;
  EXPECT_GT(transposed("transpose_plain", n), 1.05 * transposed("transpose_padded", n));
}

TEST_P(Order, UnrolledBeforeRolled) {
  constexpr std::uint32_t rows = 4096, columns = 203;
  const std::vector<Argument> arguments = {floats(rows * columns), floats(rows), number(columns)};
  const double rolled = cycles(run_of("modelled", "sum_rows", {rows, 1, 1}, {64, 1, 1}, arguments));
  const double unrolled =
      cycles(run_of("modelled", "sum_rows_unrolled", {rows, 1, 1}, {64, 1, 1}, arguments));
  EXPECT_GT(rolled, 1.1 * unrolled);
  EXPECT_LT(rolled, 4.5 * unrolled);
}

// 8 workgroups of four waves at once against one: as much work in nearly an eighth of the time, as nothing but latency counts.
TEST_P(Order, HighBeforeLowOccupancyWhereLatencyCounts) {
  const std::uint32_t workgroups = 8 * (GetParam() == std::string("gfx90a") ? 110 : 304);
  const double low = followed(workgroups, 40000), high = followed(workgroups, 0);
  EXPECT_GT(low, 2.5 * high);
  EXPECT_LT(low, 9 * high);
}

// The peaks are 8 times apart on gfx90a and on gfx942; memory and LDS are equally busy.
TEST_P(Order, MatrixBeforeVectorInstructionsForProducts) {
  constexpr std::uint32_t n = 512;
  const auto product = [&](const char* kernel, const BufferArgument& input) {
    return cycles(run_of("ordering", kernel, {n / 64 * 256, n / 64, 1}, {256, 1, 1},
                         {input, input, floats(n * n), number(n)}));
  };
  const double vector = product("product_vector", floats(n * n)),
               matrix = product("product_matrix", halves(n * n, 1));
  EXPECT_GT(vector, 1.3 * matrix);
  EXPECT_LT(vector, 8 * matrix);
}

// Four times the waves copy four times as much in nearly the same time, until the memory is busy; from then on they take four times the time.
TEST_P(Order, MoreWavesUntilTheBandwidthIsUsedUp) {
  const auto copy = [&](std::uint32_t workgroups) {
    const std::uint32_t count = workgroups * 256 * 16;
    return cycles(run_of("ordering", "copy_wide", {workgroups * 256, 1, 1}, {256, 1, 1},
                         {floats(count), floats(count)})) /
           workgroups;
  };
  const double few = copy(4), more = copy(16), full = copy(2048), beyond = copy(4096);
  EXPECT_GT(few, 3 * more);
  EXPECT_GT(more, 2 * full);
  EXPECT_NEAR(beyond / full, 1, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Order, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
