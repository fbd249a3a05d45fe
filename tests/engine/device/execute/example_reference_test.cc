// SPDX-License-Identifier: MIT
// Examples against references in double precision (long double for those in double), each within a bound that is derived beside it.
// kU is the unit roundoff of single precision: one operation is good to kU of its result.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/engine/device/execute/example_runs.h"
#include "tests/engine/device/execute/matrix_reference.h"

namespace rpl::emu {
namespace {

constexpr double kU = 0x1p-24;

class ExampleReference : public testing::TestWithParam<const char*> {
 protected:
  std::string arch_ = GetParam();
};

std::vector<double> halves_of(const std::vector<std::uint16_t>& bits) {
  std::vector<double> numbers;
  for (const std::uint16_t half : bits)
    numbers.push_back(matrix::value_of(matrix::Number::f16, half));
  return numbers;
}

struct Attended {
  double value = 0, magnitude = 0;  ///< the sum of p v, and of p |v|
};

/// One row of out, and the largest sum of magnitudes that a score had.
struct AttentionRow {
  std::vector<Attended> out;
  double largest_score = 0;
};

AttentionRow attention_row(const float* q, const std::vector<float>& k, const std::vector<float>& v,
                           std::size_t head) {
  const double scale = 1 / std::sqrt(static_cast<double>(head));
  const std::size_t keys = k.size() / head;
  AttentionRow row{std::vector<Attended>(head), 0};
  std::vector<double> scores(keys);
  for (std::size_t key = 0; key < keys; ++key) {
    double magnitude = 0;
    for (std::size_t i = 0; i < head; ++i) {
      scores[key] += scale * q[i] * k[key * head + i];
      magnitude += scale * std::fabs(double{q[i]} * k[key * head + i]);
    }
    row.largest_score = std::max(row.largest_score, magnitude);
  }
  double sum = 0;
  for (const double score : scores) sum += std::exp(score);
  for (std::size_t key = 0; key < keys; ++key) {
    const double p = std::exp(scores[key]) / sum;
    for (std::size_t i = 0; i < head; ++i) {
      row.out[i].value += p * v[key * head + i];
      row.out[i].magnitude += p * std::fabs(v[key * head + i]);
    }
  }
  return row;
}

// A score of magnitude S is good to (head + 2) S u, the argument of its exponential to 2 S u more; a weight is the ratio of two
// exponentials, hence 4 (head + 2) S u. Each key rounds three times in the sums above and below the line: 6 keys u. 32 u are for
// the exponentials themselves and the quotient.
TEST_P(ExampleReference, AttentionStaysWithinTheBoundOfItsSums) {
  constexpr std::size_t head = 32;
  for (const auto& [queries, keys] : {std::array{64U, 16U}, {70U, 37U}, {1U, 200U}, {130U, 1U}}) {
    const KernelRun run = attention(arch_, queries, keys);
    const auto out = values_of<float>(run_ok(run).buffers[3]);
    const auto q = inputs_of<float>(run.arguments[0]), k = inputs_of<float>(run.arguments[1]),
               v = inputs_of<float>(run.arguments[2]);
    ASSERT_EQ(out.size(), queries * head);
    for (std::size_t query = 0; query < queries; ++query) {
      const AttentionRow row = attention_row(&q[query * head], k, v, head);
      const double units = 6.0 * keys + 4 * (head + 2) * row.largest_score + 32;
      for (std::size_t i = 0; i < head; ++i)
        ASSERT_NEAR(out[query * head + i], row.out[i].value, units * kU * row.out[i].magnitude)
            << query << ' ' << i;
    }
  }
}

struct Moments {
  double mean = 0, magnitude = 0,
         scale = 0;  ///< mean of x and of |x|, 1 / sqrt(variance + epsilon)
};

Moments moments_of(const double* x, std::size_t n) {
  Moments moments;
  for (std::size_t i = 0; i < n; ++i) {
    moments.mean += x[i] / static_cast<double>(n);
    moments.magnitude += std::fabs(x[i]) / static_cast<double>(n);
  }
  double variance = 0;
  for (std::size_t i = 0; i < n; ++i)
    variance += (x[i] - moments.mean) * (x[i] - moments.mean) / static_cast<double>(n);
  moments.scale = 1 / std::sqrt(variance + kLayerNormEpsilon);
  return moments;
}

// The mean is good to n u of the mean magnitude, the scale to (n / 2 + 4) u of itself: the sum of both, times the gain, is what single
// precision may lose. The result is rounded to half precision: 2^-11 of it, or 2^-25 among the subnormals.
TEST_P(ExampleReference, LayerNormLosesLittleButTheLastRounding) {
  for (const auto& [rows, columns, workgroup] :
       {std::array{3U, 1000U, 128U}, {2U, 8U, 64U}, {1U, 4096U, 256U}, {1U, 3000U, 1024U}}) {
    const KernelRun run = layer_norm(arch_, rows, columns, workgroup);
    const auto out = halves_of(values_of<std::uint16_t>(run_ok(run).buffers[3]));
    const auto in = halves_of(inputs_of<std::uint16_t>(run.arguments[0])),
               gain = halves_of(inputs_of<std::uint16_t>(run.arguments[1])),
               shift = halves_of(inputs_of<std::uint16_t>(run.arguments[2]));
    ASSERT_EQ(out.size(), std::size_t{rows} * columns);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t column = i % columns;
      const Moments moments = moments_of(&in[i - column], columns);
      const double normal = (in[i] - moments.mean) * moments.scale,
                   expected = normal * gain[column] + shift[column];
      const double lost = (columns + 8.0) * kU * std::fabs(gain[column]) *
                              (std::fabs(normal) + moments.magnitude * moments.scale) +
                          2 * kU * std::fabs(expected);
      ASSERT_NEAR(out[i], expected, lost + 0x1p-11 * (std::fabs(expected) + lost) + 0x1p-25)
          << columns << ' ' << i;
    }
  }
}

// radius + 1 products are added, of sums of four: radius + 4 roundings of what their magnitudes come to.
TEST_P(ExampleReference, StencilStaysWithinTheBoundOfItsSums) {
  for (const auto& [width, height, radius] :
       {std::array{64, 16, 1}, {45, 19, 3}, {5, 3, 8}, {33, 9, 0}}) {
    const KernelRun run =
        stencil(arch_, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height),
                static_cast<std::uint32_t>(radius));
    const auto out = values_of<float>(run_ok(run).buffers[2]);
    const auto in = inputs_of<float>(run.arguments[0]),
               weights = inputs_of<float>(run.arguments[1]);
    ASSERT_EQ(out.size(), static_cast<std::size_t>(width * height));
    const auto at = [&, width = width, height = height](int x, int y) {
      return double{in[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width +
                                                std::clamp(x, 0, width - 1))]};
    };
    for (int i = 0; i < width * height; ++i) {
      const int x = i % width, y = i / width;
      double sum = weights[0] * at(x, y), magnitude = std::fabs(sum);
      for (int d = 1; d <= radius; ++d) {
        for (const double point : {at(x - d, y), at(x + d, y), at(x, y - d), at(x, y + d)}) {
          sum += weights[static_cast<std::size_t>(d)] * point;
          magnitude += std::fabs(weights[static_cast<std::size_t>(d)] * point);
        }
      }
      ASSERT_NEAR(out[static_cast<std::size_t>(i)], sum, (radius + 4) * kU * magnitude)
          << radius << ": " << x << ' ' << y;
    }
  }
}

TEST_P(ExampleReference, VcopyCopiesEveryBit) {
  const KernelRun run = vcopy(arch_, 1000);
  EXPECT_EQ(values_of<std::uint64_t>(run_ok(run).buffers[2]),
            inputs_of<std::uint64_t>(run.arguments[0]));
}

TEST_P(ExampleReference, PointerChaseEndsWhereTheListLeads) {
  constexpr std::uint64_t nodes = 100, n = 90, steps = 250;  // more than twice around
  const KernelOutcome outcome = run_ok(pointer_chase(arch_, nodes, n, steps));
  const auto list = values_of<std::uint64_t>(outcome.buffers[0]),
             ends = values_of<std::uint64_t>(outcome.buffers[1]),
             sums = values_of<std::uint64_t>(outcome.buffers[2]);
  std::uint64_t base = list[0];
  for (std::uint64_t i = 0; i < nodes; ++i) base = std::min(base, list[2 * i]);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t at = i, sum = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      sum += list[2 * at + 1];
      at = (list[2 * at] - base) / 16;
    }
    ASSERT_EQ(ends[i], base + 16 * at) << i;
    ASSERT_EQ(sums[i], sum) << i;
  }
}

std::uint32_t divergent_of(std::uint32_t x) {
  std::uint32_t result = 0;
  if (x % 2 == 0) {
    for (std::uint32_t factor = 2; factor <= x; ++factor)
      for (; x % factor == 0; x /= factor) result += factor;
  } else if (x % 3 == 0) {
    for (; x != 1; ++result) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  } else {
    for (std::uint32_t a = 4096; x != 0; ++result) a = std::exchange(x, a % x);
  }
  return result;
}

TEST_P(ExampleReference, DivergentIsExactWhicheverWayLanesGo) {
  constexpr std::uint32_t n = 5000;
  KernelRun run = divergent(arch_, n);
  const KernelOutcome outcome = run_ok(run);
  const auto out = values_of<std::uint32_t>(outcome.buffers[1]),
             in = inputs_of<std::uint32_t>(run.arguments[0]);
  ASSERT_EQ(out.size(), n);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], divergent_of(in[i] % 4096 + 1)) << in[i];
}

// x / root^2 rounds twice and a third of that is taken; the last subtraction rounds once: 5/3 of 2^-53, and 2^-60 for what Newton leaves.
TEST_P(ExampleReference, NewtonsCubeRootsAreGoodToTwoUnits) {
  KernelRun run = newton_f64(arch_, 1000);
  std::vector<double> numbers = inputs_of<double>(run.arguments[0]);
  const std::vector<double> corners = {0.0,
                                       -0.0,
                                       1.0,
                                       8.0,
                                       -27.0,
                                       1e300,
                                       -1e-300,
                                       std::numeric_limits<double>::max(),
                                       std::numeric_limits<double>::denorm_min(),
                                       std::numeric_limits<double>::infinity()};
  std::ranges::copy(corners, numbers.begin());
  for (std::size_t i = corners.size(); i < numbers.size() / 2; ++i)
    numbers[i] = std::ldexp(numbers[i], static_cast<int>(4 * i) - 1000);
  auto& fill = std::get<BufferArgument>(run.arguments[0]).fill;
  fill.kind = Fill::Kind::bytes;
  fill.bytes.resize(numbers.size() * sizeof(double));
  std::memcpy(fill.bytes.data(), numbers.data(), fill.bytes.size());
  const KernelOutcome outcome = run_ok(run);
  const auto roots = values_of<double>(outcome.buffers[1]);
  const auto steps = values_of<std::int32_t>(outcome.buffers[2]);
  ASSERT_EQ(roots.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const long double expected = std::cbrt(static_cast<long double>(numbers[i]));
    if (numbers[i] == 0 || std::isinf(numbers[i])) {
      EXPECT_EQ(roots[i], numbers[i]);
      EXPECT_EQ(std::signbit(roots[i]), std::signbit(numbers[i]));
      EXPECT_EQ(steps[i], 0);
      continue;
    }
    ASSERT_LE(std::fabs(roots[i] - expected), 0x1p-52L * std::fabs(expected)) << numbers[i];
    ASSERT_LT(steps[i], 12) << numbers[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, ExampleReference, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
