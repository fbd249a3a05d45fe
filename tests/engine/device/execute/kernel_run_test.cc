// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/kernel_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/base/interrupt.h"
#include "engine/device/cycle/launch_time.h"
#include "tests/engine/device/execute/example_runs.h"
#include "tests/engine/device/execute/matrix_reference.h"

namespace rpl::emu {
namespace {

using ::testing::HasSubstr;

TEST(Buffers, AreNotFilledOnceSomebodyAskedForAnEnd) {
  for (const Fill::Kind kind : {Fill::Kind::zero, Fill::Kind::iota, Fill::Kind::random,
                                Fill::Kind::chain, Fill::Kind::addresses}) {
    BufferArgument buffer{.element = Element::u64, .count = 1 << 20, .fill = {}};
    buffer.fill.kind = kind;
    buffer.fill.arguments = {1};
    const std::vector<std::uint64_t> places{0x1000};
    EXPECT_EQ(initial_bytes(buffer, {.own = 0x1000, .arguments = places})->size(), 8U << 20U);
    const interrupt::ForNow stopped;
    const auto bytes = initial_bytes(buffer, {.own = 0x1000, .arguments = places});
    ASSERT_FALSE(bytes.has_value());
    EXPECT_EQ(bytes.error().code, Errc::interrupted);
  }
}

class Kernels : public testing::TestWithParam<const char*> {
 protected:
  std::string arch_ = GetParam();
};

TEST_P(Kernels, VectorAddIsExact) {
  for (const std::uint32_t n : {1U, 63U, 64U, 256U, 1000U, 100003U}) {
    const KernelRun run = vector_add(arch_, n);
    const auto out = values_of<float>(run_ok(run).buffers[2]);
    const auto a = inputs_of<float>(run.arguments[0]), b = inputs_of<float>(run.arguments[1]);
    ASSERT_EQ(out.size(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], a[i] + b[i]) << i;
  }
}

TEST_P(Kernels, MatmulIsGoodToAFewUnits) {
  constexpr std::uint32_t m = 35, n = 50, k = 37;
  const KernelRun run = matmul(arch_, m, n, k);
  const auto out = values_of<float>(run_ok(run).buffers[2]);
  const auto a = inputs_of<float>(run.arguments[0]), b = inputs_of<float>(run.arguments[1]);
  ASSERT_EQ(out.size(), m * n);
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) sum += double{a[i / n * k + j]} * double{b[j * n + i % n]};
    ASSERT_NEAR(out[i], sum, 2e-6) << i;
  }
}

// Products of halves are exact in single precision, so that only the k sums round: to 2^-24 of the sum of magnitudes each.
TEST_P(Kernels, MatmulByMatrixInstructionsStaysWithinTheBoundOfItsSums) {
  for (const auto& [m, n, k] : {std::array{64U, 64U, 16U}, {35U, 77U, 53U}, {130U, 65U, 128U}}) {
    const KernelRun run = matmul_mfma(arch_, m, n, k);
    const auto out = values_of<float>(run_ok(run).buffers[2]);
    const auto a = inputs_of<std::uint16_t>(run.arguments[0]),
               b = inputs_of<std::uint16_t>(run.arguments[1]);
    ASSERT_EQ(out.size(), m * n);
    for (std::size_t i = 0; i < out.size(); ++i) {
      double sum = 0, magnitude = 0;
      for (std::size_t j = 0; j < k; ++j) {
        const double product = matrix::value_of(matrix::Number::f16, a[i / n * k + j]) *
                               matrix::value_of(matrix::Number::f16, b[j * n + i % n]);
        sum += product;
        magnitude += std::fabs(product);
      }
      ASSERT_NEAR(out[i], sum, k * 0x1p-24 * magnitude) << i;
    }
  }
}

TEST_P(Kernels, MatrixInstructionsAreCountedAsTheirOwnClass) {
  const KernelOutcome outcome = run_ok(matmul_mfma(arch_, 64, 128, 48));
  const auto& by_class = outcome.executed.counts.by_class;
  // 2 workgroups of 4 waves, 3 steps over k with 2 instructions each.
  EXPECT_EQ(by_class[static_cast<std::size_t>(isa::Class::matrix)], 2U * 4 * 3 * 2);
}

std::vector<double> softmax_of(const std::vector<float>& row) {
  const double highest = *std::max_element(row.begin(), row.end());
  std::vector<double> out;
  double sum = 0;
  for (const float x : row) sum += out.emplace_back(std::exp(x - highest));
  for (double& x : out) x /= sum;
  return out;
}

TEST_P(Kernels, SoftmaxIsGoodToAFewUnits) {
  constexpr std::uint32_t rows = 131, columns = 77;
  const KernelRun run = softmax(arch_, rows, columns);
  const auto out = values_of<float>(run_ok(run).buffers[1]);
  const auto in = inputs_of<float>(run.arguments[0]);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = in.begin() + static_cast<std::ptrdiff_t>(row * columns);
    const auto expected = softmax_of({begin, begin + columns});
    for (std::size_t i = 0; i < columns; ++i) {
      ASSERT_NEAR(out[row * columns + i] / expected[i], 1.0, 1e-6) << row << ' ' << i;
    }
  }
}

TEST_P(Kernels, ReduceSumsEverythingOnce) {
  for (const std::uint32_t n : {1U, 255U, 10007U}) {
    const KernelRun run = reduce(arch_, n, 7);
    const auto out = values_of<float>(run_ok(run).buffers[1]);
    double sum = 0;
    for (const float x : inputs_of<float>(run.arguments[0])) sum += x;
    EXPECT_NEAR(out.at(0), sum, 1e-3) << n;
  }
}

TEST_P(Kernels, TransposeIsExactForOddShapes) {
  constexpr std::uint32_t rows = 45, columns = 99;
  const auto out = values_of<float>(run_ok(transpose(arch_, rows, columns)).buffers[1]);
  ASSERT_EQ(out.size(), rows * columns);
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<float>(i % rows * columns + i / rows)) << i;
  }
}

TEST_P(Kernels, HistogramCountsEveryValue) {
  const KernelRun run = histogram(arch_, 30011, 5);
  const auto out = values_of<std::uint32_t>(run_ok(run).buffers[1]);
  std::vector<std::uint32_t> expected(256);
  for (const std::uint32_t x : inputs_of<std::uint32_t>(run.arguments[0])) ++expected[x % 256];
  EXPECT_EQ(out, expected);
}

TEST_P(Kernels, AnEndLimitStopsALaunch) {
  KernelRun run = softmax(arch_, 64, 100);
  run.options.max_instructions = 1000;
  const auto outcome = run_kernel(run);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::limit);
}

TEST_P(Kernels, AnAccessPastTheEndNamesEverything) {
  KernelRun run = vector_add(arch_, 1000);
  std::get<BufferArgument>(run.arguments[1]).count = 997;
  const auto outcome = run_kernel(run);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::verification_failed);
  EXPECT_THAT(outcome.error().message, HasSubstr("wave 3 of workgroup 3"));
  EXPECT_THAT(outcome.error().message, HasSubstr("global_load_dword"));
  EXPECT_THAT(outcome.error().message, HasSubstr("lane 37 reads 4 bytes at 0x7f"));
  EXPECT_THAT(outcome.error().message, HasSubstr("0 bytes past the end of argument 2 (3988 bytes"));
}

TEST_P(Kernels, AFaultNamesTheSourceWhereTheCodeObjectKnowsIt) {
  KernelRun run = vector_add(arch_, 1000);
  run.kernel.clear();
  run.object = isa::object_at(
      fmt::format("{}/../../tests/engine/isa/kernels/objects/lines.{}.co", RPL_EXAMPLES, arch_));
  run.arguments = {floats(997, Fill::Kind::one), floats(1000, Fill::Kind::nan), number(1000)};
  const auto outcome = run_kernel(run);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_THAT(outcome.error().message, HasSubstr(" (lines.hip:16:23 in evaluate), global_load"));
}

TEST_P(Kernels, EveryModeComputesTheSameBits) {
  KernelRun run = matmul(arch_, 33, 65, 40);
  run.options.mode = Mode::functional;
  const auto functional = run_ok(run);
  for (const Mode mode : {Mode::counted, Mode::modelled}) {
    run.options.mode = mode;
    const auto other = run_ok(run);
    EXPECT_EQ(other.buffers, functional.buffers);
    EXPECT_EQ(other.executed.counts.instructions, functional.executed.counts.instructions);
  }
}

TEST_P(Kernels, ModelledRunsAreRepeatable) {
  KernelRun run = reduce(arch_, 50000, 40);
  run.options.mode = Mode::modelled;
  const auto first = run_ok(run), second = run_ok(run);
  ASSERT_TRUE(first.executed.modelled && second.executed.modelled);
  EXPECT_EQ(first.executed.modelled->cycles, second.executed.modelled->cycles);
  EXPECT_EQ(first.buffers, second.buffers);
  EXPECT_EQ(first.executed.modelled->model,
            arch_ == "gfx90a" ? "rpl-cycle/0.5 MI250X" : "rpl-cycle/0.5 MI300X");
}

// What executing gave is all that the model needs: times again are the same times.
TEST_P(Kernels, RecordsOfLaunchesAreTimedAlike) {
  KernelRun run = reduce(arch_, 50000, 40);
  run.options.mode = Mode::modelled;
  run.options.keep_record = true;
  const auto outcome = run_ok(run);
  ASSERT_NE(outcome.executed.record, nullptr);
  const auto parameters = cycle::builtin_parameters(arch_);
  ASSERT_TRUE(parameters.has_value());
  const auto again = cycle::time_launch(*outcome.executed.record, **parameters, false);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->cycles, outcome.executed.modelled->cycles);
}

// The second of two launches finds in the caches of the device what the first left there.
TEST_P(Kernels, LaunchesFindWhatThoseBeforeThemLeft) {
  KernelRun run = vector_add(arch_, 100'000);
  run.options.mode = Mode::modelled;
  const auto parameters = cycle::builtin_parameters(arch_);
  ASSERT_TRUE(parameters.has_value());
  run.options.memory_state = std::make_shared<cycle::MemoryState>(**parameters);
  const auto cold = run_ok(run), warm = run_ok(run);
  EXPECT_EQ(warm.buffers, cold.buffers);
  EXPECT_LT(warm.executed.modelled->cycles, cold.executed.modelled->cycles);
}

// Whoever made the object may have marked its code as data.
TEST_P(Kernels, WithoutCodeAreRefused) {
  KernelRun run = vector_add(arch_, 64);
  std::vector<std::byte> bytes(run.object->bytes().begin(), run.object->bytes().end());
  constexpr std::size_t kTable = 0x20, kEntryBytes = 0x36, kEntries = 0x38, kFlags = 4;
  const auto number = [&]<class T>(std::size_t at, T) {
    T value;
    std::memcpy(&value, &bytes[at], sizeof(value));
    return value;
  };
  const auto table = number(kTable, std::uint64_t{});
  for (unsigned i = 0; i < number(kEntries, std::uint16_t{}); ++i) {
    const std::size_t at = table + std::size_t{i} * number(kEntryBytes, std::uint16_t{}) + kFlags;
    const std::uint32_t data = number(at, std::uint32_t{}) & ~1U;
    std::memcpy(&bytes[at], &data, sizeof(data));
  }
  const auto object = isa::CodeObject::parse(bytes);
  ASSERT_TRUE(object.has_value()) << object.error().message;
  run.object = *object;
  EXPECT_TRUE(make_program(*run.object, run.object->kernels().front())->ops.empty());
  const auto outcome = run_kernel(run);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_NE(outcome.error().message, "");
}

INSTANTIATE_TEST_SUITE_P(Architectures, Kernels, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

TEST(KernelRun, ChecksArgumentsAgainstParameters) {
  KernelRun run = vector_add("gfx942", 10);
  run.arguments[3] = floats(4);
  EXPECT_THAT(run_kernel(run).error().message, HasSubstr("argument 4 is a value of 4 bytes"));
  run.arguments.pop_back();
  EXPECT_THAT(run_kernel(run).error().message, HasSubstr("has 4 parameters, but 3 arguments"));
  run = vector_add("gfx942", 10);
  run.workgroup = {2048, 1, 1};
  EXPECT_EQ(run_kernel(run).error().code, Errc::usage);
}

TEST(Fill, ParsesValuesOfEveryType) {
  EXPECT_EQ(parse_value(Element::i8, "-128")->bytes.size(), 1U);
  EXPECT_EQ(parse_value(Element::u8, "256").error().code, Errc::usage);
  EXPECT_EQ(values_of<std::uint16_t>(parse_value(Element::f16, "1.5")->bytes).at(0), 0x3e00);
  EXPECT_EQ(values_of<std::uint16_t>(parse_value(Element::bf16, "-2")->bytes).at(0), 0xc000);
  EXPECT_EQ(parse_value(Element::f32, "1x").error().code, Errc::usage);
}

}  // namespace
}  // namespace rpl::emu
