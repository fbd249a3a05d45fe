// SPDX-License-Identifier: MIT
// Every code object of examples/triton against its kernel in double precision. Tolerances are derived from what each step rounds to: 2^-24 of
// floats, 2^-11 of halves, 2^-8 of bfloat16.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/engine/device/execute/small_oracle.h"
#include "tests/engine/triton/triton_runs.h"

namespace rpl::triton {
namespace {

constexpr double kFloat = 0x1p-24, kHalf = 0x1p-11, kBfloat = 0x1p-8;
using Kind = emu::Fill::Kind;

std::uint32_t tiles(std::uint32_t size, std::uint32_t block) { return (size + block - 1) / block; }

template <class F>
void for_each_object(const std::string& kernel, std::size_t at_least, const F& check) {
  const auto objects = objects_of(kernel);
  EXPECT_GE(objects.size(), at_least);
  for (const std::string& path : objects) {
    SCOPED_TRACE(path);
    check(open_compiled(path));
  }
}

// The exponent is rounded (|x| <= 2), so are the power, some ten sums and a quotient.
TEST(TritonKernels, SoftmaxOfRows) {
  constexpr std::int32_t kRows = 5, kColumns = 1008;
  for_each_object("softmax", 9, [&](const Compiled& compiled) {
    const Numbers run = run_programs(
        compiled, {kRows, 1, 1},
        {unwritten(Element::f32, kRows * kColumns), random(Element::f32, kRows * kColumns, 1),
         scalar(kColumns), scalar(kColumns)});
    for (std::size_t row = 0; row < kRows; ++row) {
      const double* in = &run.before[1][row * kColumns];
      double sum = 0;
      for (std::size_t i = 0; i < kColumns; ++i) sum += std::exp(in[i]);
      for (std::size_t i = 0; i < kColumns; ++i) {
        const double wanted = std::exp(in[i]) / sum;
        ASSERT_NEAR(run.after[0][row * kColumns + i], wanted, 24 * kFloat * wanted) << row << i;
      }
    }
  });
}

TEST(TritonKernels, LayerNormOfRowsLongerThanABlock) {
  constexpr std::int32_t kRows = 3, kColumns = 1504;
  constexpr float kEpsilon = 1e-5F;
  for_each_object("layer_norm", 8, [&](const Compiled& compiled) {
    const Numbers run = run_programs(
        compiled, {kRows, 1, 1},
        {unwritten(Element::f32, kRows * kColumns), random(Element::f32, kRows * kColumns, 1),
         random(Element::f32, kColumns, 2), random(Element::f32, kColumns, 3),
         unwritten(Element::f32, kRows), unwritten(Element::f32, kRows), scalar(kColumns),
         scalar(kColumns), scalar(kEpsilon)});
    for (std::size_t row = 0; row < kRows; ++row) {
      const double* in = &run.before[1][row * kColumns];
      const double mean = std::accumulate(in, in + kColumns, 0.0) / kColumns;
      double variance = 0;
      for (std::size_t i = 0; i < kColumns; ++i) variance += (in[i] - mean) * (in[i] - mean);
      const double reciprocal = 1 / std::sqrt(variance / kColumns + kEpsilon);
      EXPECT_NEAR(run.after[4][row], mean, 32 * kFloat);
      EXPECT_NEAR(run.after[5][row], reciprocal, 32 * kFloat * reciprocal);
      for (std::size_t i = 0; i < kColumns; ++i) {
        const double wanted = (in[i] - mean) * reciprocal * run.before[2][i] + run.before[3][i];
        ASSERT_NEAR(run.after[0][row * kColumns + i], wanted, 64 * kFloat) << row << ' ' << i;
      }
    }
  });
}

TEST(TritonKernels, RmsNormKeepsTheSumWithTheResidual) {
  constexpr std::int32_t kRows = 4, kColumns = 1008;
  constexpr float kEpsilon = 1e-5F;
  for_each_object("rms_norm", 2, [&](const Compiled& compiled) {
    const Numbers run = run_programs(
        compiled, {kRows, 1, 1},
        {unwritten(Element::f16, kRows * kColumns), random(Element::f16, kRows * kColumns, 1),
         random(Element::f16, kRows * kColumns, 2), random(Element::f16, kColumns, 3),
         scalar(kColumns), scalar(kEpsilon)});
    for (std::size_t row = 0; row < kRows; ++row) {
      double squares = 0;
      const auto sum = [&](std::size_t i) {
        return run.before[1][row * kColumns + i] + run.before[2][row * kColumns + i];
      };
      for (std::size_t i = 0; i < kColumns; ++i) squares += sum(i) * sum(i);
      const double scale = 1 / std::sqrt(squares / kColumns + kEpsilon);
      for (std::size_t i = 0; i < kColumns; ++i) {
        const double wanted = sum(i) * scale * run.before[3][i];
        ASSERT_NEAR(run.after[1][row * kColumns + i], sum(i), kHalf * std::fabs(sum(i)) + 0x1p-25);
        ASSERT_NEAR(run.after[0][row * kColumns + i], wanted,
                    (kHalf + 32 * kFloat) * std::fabs(wanted) + 0x1p-25);
      }
    }
  });
}

/// A row of A times a column of B, and the same of magnitudes, of which each rounding of a sum is a part.
struct Product {
  double value = 0, size = 0;
  void add(double a, double b) {
    value += a * b;
    size += std::fabs(a * b);
  }
};

TEST(TritonKernels, ProductsOfHalvesThatNoBlockDivides) {
  constexpr std::int32_t kM = 100, kN = 208, kK = 80;
  for_each_object("matmul", 9, [&](const Compiled& compiled) {
    const std::uint32_t programs =
        tiles(kM, compiled.constant("BLOCK_M")) * tiles(kN, compiled.constant("BLOCK_N"));
    const Numbers run =
        run_programs(compiled, {programs, 1, 1},
                     {unwritten(Element::f16, kM * kN), random(Element::f16, kM * kK, 1),
                      random(Element::f16, kK * kN, 2), scalar(kM), scalar(kN), scalar(kK)});
    for (std::size_t row = 0; row < kM; ++row) {
      for (std::size_t column = 0; column < kN; ++column) {
        Product product;
        for (std::size_t k = 0; k < kK; ++k)
          product.add(run.before[1][row * kK + k], run.before[2][k * kN + column]);
        ASSERT_NEAR(run.after[0][row * kN + column], product.value,
                    kHalf * std::fabs(product.value) + kK * kFloat * product.size);
      }
    }
  });
}

// The two GPUs have formats of their own: that of the first has a bias of 8 and one NaN, 0x80, which is left out here.
TEST(TritonKernels, ProductsOfEightBitFloatsInTheFormatOfTheGpu) {
  constexpr std::int32_t kM = 64, kN = 96, kK = 192;
  using emu::small_oracle::Format;
  for_each_object("matmul_fp8", 2, [&](const Compiled& compiled) {
    const auto type = compiled.metadata.signature[1].second;
    const Format format = *type.as<std::string>() == "*fp8e4b8"
                              ? Format{4, 3, 8, false, false}
                              : emu::small_oracle::format_named("fp8");
    emu::small_oracle::Random words(7);
    const auto codes = [&](std::size_t count) {
      std::vector<std::uint8_t> out(count);
      for (auto& code : out)
        code = static_cast<std::uint8_t>((words() % 2 << 7) | (1 + words() % 0x5f));
      return out;
    };
    const auto a = codes(kM * kK), b = codes(kN * kK);
    const Numbers run = run_programs(
        compiled, {kM / compiled.constant("BLOCK_M"), kN / compiled.constant("BLOCK_N"), 1},
        {unwritten(Element::f32, kM * kN), given(Element::u8, a), given(Element::u8, b),
         random(Element::f32, kM, 3), random(Element::f32, kN, 4), scalar(kN), scalar(kK)});
    for (std::size_t row = 0; row < kM; ++row) {
      for (std::size_t column = 0; column < kN; ++column) {
        Product product;
        for (std::size_t k = 0; k < kK; ++k)
          product.add(emu::small_oracle::number_of(format, a[row * kK + k]),
                      emu::small_oracle::number_of(format, b[column * kK + k]));
        const double scale = run.before[3][row] * run.before[4][column];
        ASSERT_NEAR(run.after[0][row * kN + column], product.value * scale,
                    (kK + 2) * kFloat * product.size * std::fabs(scale));
      }
    }
  });
}

// Weights are rounded to halves, their sum is not.
TEST(TritonKernels, AttentionSeesNoLaterKeys) {
  constexpr std::int32_t kLength = 100;
  constexpr std::size_t kHeads = 2, kWidth = 64;
  constexpr float kScale = 0.125F;
  for_each_object("attention", 2, [&](const Compiled& compiled) {
    constexpr std::size_t kAll = kHeads * kLength * kWidth;
    const Numbers run =
        run_programs(compiled, {tiles(kLength, compiled.constant("BLOCK_Q")), kHeads, 1},
                     {unwritten(Element::f16, kAll), random(Element::f16, kAll, 1),
                      random(Element::f16, kAll, 2), random(Element::f16, kAll, 3), scalar(kLength),
                      scalar(kScale)});
    for (std::size_t head = 0; head < kHeads; ++head) {
      const std::size_t base = head * kLength * kWidth;
      for (std::size_t row = 0; row < kLength; ++row) {
        std::vector<double> weights(row + 1);
        double sum = 0;
        for (std::size_t key = 0; key <= row; ++key) {
          double score = 0;
          for (std::size_t i = 0; i < kWidth; ++i)
            score +=
                run.before[1][base + row * kWidth + i] * run.before[2][base + key * kWidth + i];
          sum += weights[key] = std::exp(score * kScale);
        }
        for (std::size_t i = 0; i < kWidth; ++i) {
          Product mixed;
          for (std::size_t key = 0; key <= row; ++key)
            mixed.add(weights[key] / sum, run.before[3][base + key * kWidth + i]);
          ASSERT_NEAR(run.after[0][base + row * kWidth + i], mixed.value,
                      (kHalf + 96 * kFloat) * mixed.size + kHalf * std::fabs(mixed.value) + 0x1p-25)
              << head << ' ' << row << ' ' << i;
        }
      }
    }
  });
}

// An angle of up to 3000 is rounded, as its frequency is.
TEST(TritonKernels, RotaryTurnsPairs) {
  constexpr std::int32_t kHalfWidth = 48;
  constexpr std::size_t kTokens = 6, kHeads = 2;
  const auto log_base = static_cast<float>(std::log(10000.0));
  const std::vector<std::int32_t> positions = {0, 1, 5, 70, 1000, 3000};
  for_each_object("rotary", 2, [&](const Compiled& compiled) {
    constexpr std::size_t kAll = kTokens * kHeads * 2 * kHalfWidth;
    const Numbers run = run_programs(compiled, {kTokens, kHeads, 1},
                                     {random(Element::f32, kAll, 1), given(Element::i32, positions),
                                      scalar(kHalfWidth), scalar(log_base)});
    for (std::size_t head = 0; head < kTokens * kHeads; ++head) {
      const double* in = &run.before[0][head * 2 * kHalfWidth];
      const double* out = &run.after[0][head * 2 * kHalfWidth];
      for (std::size_t i = 0; i < kHalfWidth; ++i) {
        const double frequency = std::exp(-double{log_base} * static_cast<double>(i) / kHalfWidth);
        const double angle = positions[head / kHeads] * frequency;
        const double allowed =
            (std::fabs(in[i]) + std::fabs(in[i + kHalfWidth])) * kFloat * (8 + 32 * angle);
        const double cosine = std::cos(angle), sine = std::sin(angle);
        ASSERT_NEAR(out[i], in[i] * cosine - in[i + kHalfWidth] * sine, allowed)
            << head << ' ' << i;
        ASSERT_NEAR(out[i + kHalfWidth], in[i + kHalfWidth] * cosine + in[i] * sine, allowed);
      }
    }
  });
}

TEST(TritonKernels, TopKIsExactAndTakesTheFirstOfEqualOnes) {
  constexpr std::int32_t kColumns = 400;
  constexpr std::size_t kRows = 4;
  emu::small_oracle::Random words(3);
  std::vector<float> values(kRows * kColumns);
  for (float& value : values) value = static_cast<float>(words() % 97) / 8 - 6;
  for_each_object("top_k", 2, [&](const Compiled& compiled) {
    const std::size_t count = compiled.constant("COUNT");
    const Numbers run = run_programs(
        compiled, {kRows, 1, 1},
        {unwritten(Element::f32, kRows * count), buffer(Element::i32, kRows * count, Kind::zero),
         given(Element::f32, values), scalar(kColumns)});
    for (std::size_t row = 0; row < kRows; ++row) {
      std::vector<std::size_t> order(kColumns);
      std::iota(order.begin(), order.end(), 0);
      const float* in = &values[row * kColumns];
      std::ranges::stable_sort(order, [&](auto a, auto b) { return in[a] > in[b]; });
      for (std::size_t rank = 0; rank < count; ++rank) {
        EXPECT_EQ(run.after[0][row * count + rank], in[order[rank]]);
        EXPECT_EQ(run.after[1][row * count + rank], static_cast<double>(order[rank]));
      }
    }
  });
}

TEST(TritonKernels, CrossEntropyAndItsGradient) {
  constexpr std::int32_t kColumns = 1200;
  constexpr std::size_t kRows = 4;
  const std::vector<std::int32_t> labels = {0, 7, 600, 1199};
  for_each_object("cross_entropy", 2, [&](const Compiled& compiled) {
    const Numbers run = run_programs(
        compiled, {kRows, 1, 1},
        {unwritten(Element::f32, kRows), unwritten(Element::f32, kRows * kColumns),
         random(Element::f32, kRows * kColumns, 1), given(Element::i32, labels), scalar(kColumns)});
    for (std::size_t row = 0; row < kRows; ++row) {
      const double* in = &run.before[2][row * kColumns];
      double sum = 0;
      for (std::size_t i = 0; i < kColumns; ++i) sum += std::exp(in[i]);
      const auto label = static_cast<std::size_t>(labels[row]);
      EXPECT_NEAR(run.after[0][row], std::log(sum) - in[label], 64 * kFloat);
      for (std::size_t i = 0; i < kColumns; ++i) {
        const double share = std::exp(in[i]) / sum;
        ASSERT_NEAR(run.after[1][row * kColumns + i], i == label ? share - 1 : share,
                    64 * kFloat * share + (i == label ? kFloat : 0))
            << row << ' ' << i;
      }
    }
  });
}

// One expert has no rows, one a single one.
TEST(TritonKernels, GroupedProductsOfExperts) {
  constexpr std::int32_t kN = 96, kK = 64, kExperts = 4;
  const std::vector<std::int32_t> bounds = {0, 33, 33, 34, 100};
  const auto rows = static_cast<std::size_t>(bounds.back());
  for_each_object("grouped_matmul", 2, [&](const Compiled& compiled) {
    for (const std::uint32_t programs : {1U, 3U, 40U}) {
      const Numbers run =
          run_programs(compiled, {programs, 1, 1},
                       {unwritten(Element::bf16, rows * kN), random(Element::bf16, rows * kK, 1),
                        random(Element::bf16, std::uint64_t{kExperts} * kK * kN, 2),
                        given(Element::i32, bounds), scalar(kExperts), scalar(kN), scalar(kK)});
      for (std::size_t row = 0; row < rows; ++row) {
        const auto expert = static_cast<std::size_t>(
            std::ranges::upper_bound(bounds, static_cast<std::int32_t>(row)) - bounds.begin() - 1);
        for (std::size_t column = 0; column < kN; ++column) {
          Product product;
          for (std::size_t k = 0; k < kK; ++k)
            product.add(run.before[1][row * kK + k],
                        run.before[2][(expert * kK + k) * kN + column]);
          ASSERT_NEAR(run.after[0][row * kN + column], product.value,
                      kBfloat * std::fabs(product.value) + kK * kFloat * product.size);
        }
      }
    }
  });
}

}  // namespace
}  // namespace rpl::triton
