// SPDX-License-Identifier: MIT
// The examples for gfx950 against references in double precision. Their objects are committed: clang 19 does not know the architecture.
#include <cmath>

#include "tests/engine/device/execute/gfx950_runs.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::gfx950_examples {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Scales of 2^-3 to 2^3.
Bytes scales(std::size_t count, small_oracle::Random& random) {
  Bytes out(count);
  for (auto& code : out) code = static_cast<std::uint8_t>(124 + random() % 7);
  return out;
}
double scale_of(std::uint8_t code) { return std::ldexp(1.0, code - 127); }

TEST(Gfx950Examples, ProductsOfEightBitFloatsAreThoseOfTheirNumbers) {
  constexpr std::size_t kM = 64, kN = 96, kK = 192;
  small_oracle::Random random(1);
  const auto codes = [&](std::size_t count) {
    Bytes out(count);
    // All but NaN, and not so large that sums lose their last bits.
    for (auto& code : out) code = static_cast<std::uint8_t>(random() % 2 << 7 | random() % 0x60);
    return out;
  };
  const Bytes a = codes(kM * kK), b = codes(kN * kK), a_scales = scales(kM * kK / 32, random),
              b_scales = scales(kN * kK / 32, random);
  KernelRun run = gfx950_run("matmul_fp8", "matmul_fp8", {kN / 32 * 64, kM / 32, 1});
  run.arguments = {
      filled(a),  filled(a_scales), filled(b), filled(b_scales), floats(kM * kN, Fill::Kind::nan),
      number(kN), number(kK)};
  const auto c = values_of<float>(run_ok(run).buffers[4]);
  const auto fp8 = small_oracle::format_named("fp8");
  for (std::size_t row = 0; row < kM; ++row) {
    for (std::size_t column = 0; column < kN; ++column) {
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < kK; ++k) {
        const double product = small_oracle::number_of(fp8, a[row * kK + k]) *
                               scale_of(a_scales[(row * kK + k) / 32]) *
                               small_oracle::number_of(fp8, b[column * kK + k]) *
                               scale_of(b_scales[(column * kK + k) / 32]);
        sum += product;
        size += std::fabs(product);
      }
      // One rounding for each of the three steps.
      ASSERT_NEAR(c[row * kN + column], sum, 3 * 0x1p-24 * size) << row << ' ' << column;
    }
  }
}

TEST(Gfx950Examples, FourBitFloatsAreMadeAndMultiplied) {
  constexpr std::size_t kM = 32, kN = 48, kK = 256;
  small_oracle::Random random(2);
  const auto numbers = [&](std::size_t count) {
    std::vector<float> out(count);
    for (auto& one : out)
      one = std::ldexp(static_cast<float>(random() % 2001) - 1000.0F,
                       static_cast<int>(random() % 3) - 8);
    return out;
  };
  struct Quantized {
    Bytes codes, scales;
  };
  const auto fp4 = small_oracle::format_named("fp4");
  const auto quantize = [&](const std::vector<float>& from) {
    const auto blocks = static_cast<std::int32_t>(from.size() / 32);
    KernelRun run = gfx950_run("matmul_fp4", "quantize_fp4",
                               {round_up(static_cast<std::uint32_t>(blocks), 64), 1, 1});
    run.arguments = {filled(from), words(from.size() / 8), filled(Bytes(from.size() / 32)),
                     number(blocks)};
    const KernelOutcome outcome = run_ok(run);
    Quantized out{values_of<std::uint8_t>(outcome.buffers[1]),
                  values_of<std::uint8_t>(outcome.buffers[2])};
    for (std::size_t i = 0; i < from.size(); ++i) {
      const unsigned code = out.codes[i / 2] >> 4 * (i % 2) & 15U;
      const double value = from[i] / scale_of(out.scales[i / 32]);
      EXPECT_EQ(code, small_oracle::codes_of(fp4, value, false, false).first) << from[i];
      EXPECT_LT(std::fabs(value), 8.0);
    }
    return out;
  };
  const Quantized a = quantize(numbers(kM * kK)), b = quantize(numbers(kN * kK));
  KernelRun run = gfx950_run("matmul_fp4", "matmul_fp4", {kN / 16 * 64, kM / 16, 1});
  run.arguments = {filled(a.codes),
                   filled(a.scales),
                   filled(b.codes),
                   filled(b.scales),
                   floats(kM * kN, Fill::Kind::nan),
                   number(kN),
                   number(kK)};
  const auto c = values_of<float>(run_ok(run).buffers[4]);
  const auto element = [&](const Quantized& from, std::size_t at) {
    return small_oracle::number_of(fp4, from.codes[at / 2] >> 4 * (at % 2) & 15U) *
           scale_of(from.scales[at / 32]);
  };
  for (std::size_t row = 0; row < kM; ++row) {
    for (std::size_t column = 0; column < kN; ++column) {
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < kK; ++k) {
        sum += element(a, row * kK + k) * element(b, column * kK + k);
        size += std::fabs(element(a, row * kK + k) * element(b, column * kK + k));
      }
      ASSERT_NEAR(c[row * kN + column], sum, 2 * 0x1p-24 * size) << row << ' ' << column;
    }
  }
}

// Scores of bfloat16 numbers are good to a few units of single precision; weights are rounded to bfloat16 (2^-9 of each), whose sum below the line is
// not. That is what is lost, and it is a part of the sum of p |v|.
TEST(Gfx950Examples, AttentionReadsValuesTransposed) {
  constexpr std::size_t kHead = 32;
  for (const auto& [queries, keys] : {std::array<std::size_t, 2>{32, 32}, {64, 128}, {96, 256}}) {
    small_oracle::Random random(static_cast<std::uint32_t>(keys));
    const auto numbers = [&](std::size_t count) {
      std::vector<std::uint16_t> out(count);
      for (auto& one : out) {
        const float value = (static_cast<float>(random() % 2001) - 1000.0F) / 500.0F;
        one = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
      }
      return out;
    };
    const auto q = numbers(queries * kHead), k = numbers(keys * kHead), v = numbers(keys * kHead);
    const auto real = [](std::uint16_t bits) {
      return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
    };
    KernelRun run = gfx950_run("attention_bf16", "attention_bf16",
                               {static_cast<std::uint32_t>(queries / 32 * 64), 1, 1});
    run.arguments = {filled(q), filled(k), filled(v), floats(queries * kHead, Fill::Kind::nan),
                     number(static_cast<std::int32_t>(keys))};
    const auto out = values_of<float>(run_ok(run).buffers[3]);
    for (std::size_t query = 0; query < queries; ++query) {
      std::vector<double> weights(keys);
      double all = 0;
      for (std::size_t key = 0; key < keys; ++key) {
        double score = 0;
        for (std::size_t i = 0; i < kHead; ++i)
          score += real(q[query * kHead + i]) * real(k[key * kHead + i]);
        all += weights[key] = std::exp(score / std::sqrt(32.0));
      }
      for (std::size_t i = 0; i < kHead; ++i) {
        double wanted = 0, size = 0;
        for (std::size_t key = 0; key < keys; ++key) {
          wanted += weights[key] / all * real(v[key * kHead + i]);
          size += weights[key] / all * std::fabs(real(v[key * kHead + i]));
        }
        ASSERT_NEAR(out[query * kHead + i], wanted, 0x1.1p-9 * size) << query << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace rpl::emu::gfx950_examples
