// SPDX-License-Identifier: MIT
// The examples that are of the kinds of recorded kernels of gfx950 (docs/recorded-kernels.md), against references in double precision.
#include <cmath>

#include "tests/engine/device/execute/gfx950_runs.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::gfx950_recorded_kinds {
namespace {

using Words = std::vector<std::uint16_t>;
constexpr double kHalfUnit = 0x1p-8;  // of a bfloat16 number, at most

double real(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// bfloat16 numbers in [-2, 2].
Words numbers(std::size_t count, std::uint32_t seed) {
  small_oracle::Random random(seed);
  Words out(count);
  for (auto& one : out) {
    const float value = (static_cast<float>(random() % 2001) - 1000.0F) / 500.0F;
    one = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  }
  return out;
}

TEST(Gfx950RecordedKinds, VectorsAreAdded) {
  constexpr std::uint32_t kFours = 700;
  KernelRun run =
      gfx950_run("vector_add_wide", "vector_add_wide", {round_up(kFours, 256), 1, 1}, 256);
  run.arguments = {floats(kFours * 4, Fill::Kind::random, 1),
                   floats(kFours * 4, Fill::Kind::random, 2), floats(kFours * 4, Fill::Kind::nan),
                   number(kFours)};
  const auto a = inputs_of<float>(run.arguments[0]), b = inputs_of<float>(run.arguments[1]);
  const auto out = values_of<float>(run_ok(run).buffers[2]);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(out[i], a[i] + b[i]) << i;
}

TEST(Gfx950RecordedKinds, SoftmaxOfRows) {
  for (const std::uint32_t columns : {1U, 300U, 8192U}) {
    constexpr std::uint32_t kRows = 3;
    const Words in = numbers(std::size_t{kRows} * columns, columns);
    KernelRun run = gfx950_run("rows_bf16", "softmax_bf16", {kRows * 256, 1, 1}, 256);
    run.arguments = {filled(in), filled(Words(in.size(), 0x7FC0)),
                     number(static_cast<std::int32_t>(columns))};
    const auto out = values_of<std::uint16_t>(run_ok(run).buffers[1]);
    for (std::size_t row = 0; row < kRows; ++row) {
      double sum = 0;
      for (std::size_t i = row * columns; i < (row + 1) * columns; ++i)
        sum += std::exp(real(in[i]));
      for (std::size_t i = row * columns; i < (row + 1) * columns; ++i) {
        const double wanted = std::exp(real(in[i])) / sum;
        ASSERT_NEAR(real(out[i]), wanted, 1.01 * kHalfUnit * wanted) << columns << ' ' << i;
      }
    }
  }
}

TEST(Gfx950RecordedKinds, RowsAreNormalized) {
  for (const std::uint32_t columns : {8U, 1000U, 8192U}) {
    constexpr std::uint32_t kRows = 3;
    const Words in = numbers(std::size_t{kRows} * columns, 1), gain = numbers(columns, 2),
                shift = numbers(columns, 3);
    KernelRun run = gfx950_run("rows_bf16", "layer_norm_bf16", {kRows * 256, 1, 1}, 256);
    run.arguments = {filled(in),
                     filled(gain),
                     filled(shift),
                     filled(Words(in.size(), 0x7FC0)),
                     number(static_cast<std::int32_t>(columns)),
                     real_number(kLayerNormEpsilon)};
    const auto out = values_of<std::uint16_t>(run_ok(run).buffers[3]);
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::size_t begin = row * columns;
      double mean = 0, variance = 0;
      for (std::size_t i = 0; i < columns; ++i) mean += real(in[begin + i]) / columns;
      for (std::size_t i = 0; i < columns; ++i)
        variance += std::pow(real(in[begin + i]) - mean, 2) / columns;
      for (std::size_t i = 0; i < columns; ++i) {
        const double normal =
            (real(in[begin + i]) - mean) / std::sqrt(variance + double{kLayerNormEpsilon});
        const double wanted = normal * real(gain[i]) + real(shift[i]);
        // What single precision loses where the sum cancels.
        const double lost =
            0x1p-21 * (std::fabs(normal * real(gain[i])) + std::fabs(real(shift[i])));
        ASSERT_NEAR(real(out[begin + i]), wanted, 1.01 * kHalfUnit * std::fabs(wanted) + lost)
            << columns << ' ' << row << ' ' << i;
      }
    }
  }
}

TEST(Gfx950RecordedKinds, HeadsAreTurnedAndCached) {
  constexpr std::size_t kTokens = 3, kHeads = 4, kKvHeads = 2, kHead = 128, kSlots = 8;
  const Words q = numbers(kTokens * kHeads * kHead, 1), k = numbers(kTokens * kKvHeads * kHead, 2),
              v = numbers(kTokens * kKvHeads * kHead, 3), cosines = numbers(16 * kHead / 2, 4),
              sines = numbers(16 * kHead / 2, 5);
  const std::vector<std::int32_t> positions = {11, 0, 15}, slots = {6, 1, 3};
  KernelRun run = gfx950_run("rope_cache", "rope_cache", {kHeads * 64, kTokens, 1}, 64);
  const Words cache(kSlots * kKvHeads * kHead, 0x7FC0);
  run.arguments = {
      filled(q),     filled(k),       filled(v),        filled(positions),
      filled(slots), filled(cosines), filled(sines),    filled(Words(q.size(), 0x7FC0)),
      filled(cache), filled(cache),   number(kKvHeads), number(kSlots)};
  const KernelOutcome outcome = run_ok(run);
  const auto turned = [&](const Words& from, std::size_t row, std::size_t token, std::size_t i) {
    const std::size_t angle =
        static_cast<std::size_t>(positions[token]) * kHead / 2 + i % (kHead / 2);
    const double other = real(from[row * kHead + (i + kHead / 2) % kHead]) * real(sines[angle]);
    return real(from[row * kHead + i]) * real(cosines[angle]) + (i < kHead / 2 ? -other : other);
  };
  const auto near = [](std::uint16_t got, double wanted) {
    return std::fabs(real(got) - wanted) <= 1.01 * kHalfUnit * std::fabs(wanted) + 0x1p-20;
  };
  const auto q_out = values_of<std::uint16_t>(outcome.buffers[7]),
             keys = values_of<std::uint16_t>(outcome.buffers[8]),
             values = values_of<std::uint16_t>(outcome.buffers[9]);
  for (std::size_t token = 0; token < kTokens; ++token) {
    const auto slot = static_cast<std::size_t>(slots[token]);
    for (std::size_t i = 0; i < kHead; ++i) {
      for (std::size_t head = 0; head < kHeads; ++head) {
        const std::size_t row = token * kHeads + head;
        ASSERT_TRUE(near(q_out[row * kHead + i], turned(q, row, token, i))) << row << ' ' << i;
      }
      for (std::size_t head = 0; head < kKvHeads; ++head) {
        const std::size_t row = token * kKvHeads + head;
        ASSERT_TRUE(near(keys[(slot * kKvHeads + head) * kHead + i], turned(k, row, token, i)))
            << row << ' ' << i;
        ASSERT_EQ(values[(head * kHead + i) * kSlots + slot], v[row * kHead + i]);
      }
    }
  }
  EXPECT_EQ(keys[0], 0x7FC0) << "slot 0 is nobody's";
}

TEST(Gfx950RecordedKinds, ProductsOfRangesOfKAreAdded) {
  constexpr std::size_t kM = 32, kN = 128, kK = 1024, kRanges = 2;
  const Words a = numbers(kM * kK, 1), b = numbers(kN * kK, 2);
  KernelRun run = gfx950_run("matmul_splitk", "matmul_splitk", {kN / 64 * 256, kRanges, 1}, 256);
  run.arguments = {filled(a),  filled(b),  filled(Words(kM * kN)),
                   number(kN), number(kK), number(kK / kRanges)};
  const auto c = values_of<std::uint16_t>(run_ok(run).buffers[2]);
  for (std::size_t row = 0; row < kM; ++row) {
    for (std::size_t column = 0; column < kN; ++column) {
      double sum = 0, parts = 0;
      for (std::size_t range = 0; range < kRanges; ++range) {
        double part = 0;
        for (std::size_t k = range * kK / kRanges; k < (range + 1) * kK / kRanges; ++k)
          part += real(a[row * kK + k]) * real(b[column * kK + k]);
        sum += part;
        parts += std::fabs(part);
      }
      // Each range is rounded, and each addition; so is the least of the sums in single precision.
      ASSERT_NEAR(real(c[row * kN + column]), sum, 2.1 * kHalfUnit * parts + 0x1p-12)
          << row << ' ' << column;
    }
  }
}

TEST(Gfx950RecordedKinds, LogitsOfFourBitFloats) {
  constexpr std::size_t kHeads = 64, kHead = 128, kKeys = 512;
  small_oracle::Random random(9);
  const auto bytes = [&](std::size_t count, unsigned least, unsigned span) {
    std::vector<std::uint8_t> out(count);
    for (auto& one : out) one = static_cast<std::uint8_t>(least + random() % span);
    return out;
  };
  const auto q = bytes(kHeads * kHead / 2, 0, 256), k = bytes(kKeys * kHead / 2, 0, 256),
             q_scales = bytes(kHeads * kHead / 32, 124, 7),
             k_scales = bytes(kKeys * kHead / 32, 124, 7);
  KernelRun run = gfx950_run("logits_fp4", "logits_fp4", {kKeys, 1, 1}, 256);
  run.arguments = {filled(q),
                   filled(q_scales),
                   filled(k),
                   filled(k_scales),
                   floats(kHeads, Fill::Kind::random, 4),
                   floats(kKeys, Fill::Kind::nan)};
  const auto weights = inputs_of<float>(run.arguments[4]);
  const auto out = values_of<float>(run_ok(run).buffers[5]);
  const auto fp4 = small_oracle::format_named("fp4");
  const auto element = [&](const std::vector<std::uint8_t>& codes,
                           const std::vector<std::uint8_t>& scales, std::size_t at) {
    return small_oracle::number_of(fp4, codes[at / 2] >> 4 * (at % 2) & 15U) *
           std::ldexp(1.0, scales[at / 32] - 127);
  };
  for (std::size_t key = 0; key < kKeys; ++key) {
    double sum = 0, size = 0;
    for (std::size_t head = 0; head < kHeads; ++head) {
      double dot = 0;
      for (std::size_t i = 0; i < kHead; ++i)
        dot += element(q, q_scales, head * kHead + i) * element(k, k_scales, key * kHead + i);
      sum += double{weights[head]} * std::max(dot, 0.0);
      size += std::fabs(double{weights[head]} * dot);
    }
    ASSERT_NEAR(out[key], sum, 8 * 0x1p-24 * size) << key;
  }
}

TEST(Gfx950RecordedKinds, QueriesSeeTheKeysBeforeThem) {
  constexpr std::size_t kHead = 128, kHeads = 3, kKvHeads = 2, kQueries = 128;
  for (const std::size_t first : {std::size_t{0}, std::size_t{96}}) {
    const std::size_t all = first + kQueries;
    const Words q = numbers(kHeads * kQueries * kHead, 1), k = numbers(2 * all * kHead, 2),
                v = numbers(2 * all * kHead, 3);
    KernelRun run = gfx950_run("attention_causal", "attention_causal", {256, kHeads, 1}, 256);
    run.arguments = {filled(q),        filled(k),
                     filled(v),        filled(Words(q.size(), 0x7FC0)),
                     number(kQueries), number(static_cast<std::int32_t>(first)),
                     number(kKvHeads)};
    const auto out = values_of<std::uint16_t>(run_ok(run).buffers[3]);
    for (std::size_t row = 0; row < kHeads * kQueries; row += 3) {
      const std::size_t keys = row / kQueries % kKvHeads * all, seen = first + row % kQueries + 1;
      std::vector<double> weights(seen);
      double sum = 0;
      for (std::size_t key = 0; key < seen; ++key) {
        double score = 0;
        for (std::size_t i = 0; i < kHead; ++i)
          score += real(q[row * kHead + i]) * real(k[(keys + key) * kHead + i]);
        sum += weights[key] = std::exp(score / std::sqrt(128.0));
      }
      for (std::size_t i = 0; i < kHead; ++i) {
        double wanted = 0, size = 0;
        for (std::size_t key = 0; key < seen; ++key) {
          const double part = weights[key] / sum * real(v[(keys + key) * kHead + i]);
          wanted += part;
          size += std::fabs(part);
        }
        // Weights are rounded, and what comes out.
        ASSERT_NEAR(real(out[row * kHead + i]), wanted, 2.2 * kHalfUnit * size) << row << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace rpl::emu::gfx950_recorded_kinds
