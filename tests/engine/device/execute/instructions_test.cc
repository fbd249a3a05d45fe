// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "engine/device/execute/launch/coverage.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

class Instructions : public testing::TestWithParam<const char*> {
 protected:
  KernelOutcome outcome(const std::string& kernel, std::vector<Argument> arguments,
                        std::uint32_t n) {
    KernelRun run;
    run.object = isa::test_object("instructions", GetParam());
    run.kernel = kernel;
    run.grid = {round_up(n, 64), 1, 1};
    run.workgroup = {64, 1, 1};
    run.arguments = std::move(arguments);
    auto result = run_kernel(run);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result
               ? std::move(*result)
               : KernelOutcome{.buffers = std::vector<std::vector<std::byte>>(4), .executed = {}};
  }
};

std::uint32_t reversed(std::uint32_t x) {
  std::uint32_t y = 0;
  for (int i = 0; i < 32; ++i) y |= (x >> i & 1U) << (31 - i);
  return y;
}

std::uint32_t integer_mix(std::uint32_t x) {
  const std::uint64_t wide = std::uint64_t{x} * 0x9e3779b97f4a7c15U;
  const auto signed_x = static_cast<std::int32_t>(x);
  std::uint32_t y = static_cast<std::uint32_t>(std::popcount(x) + std::countl_zero(x) * 3) +
                    (x << (x & 7)) + (x >> 5) + x / 7 + x % 11;
  y ^= static_cast<std::uint32_t>(wide >> 32) + static_cast<std::uint32_t>(wide);
  y += static_cast<std::uint32_t>(std::min(signed_x, 1000)) + std::max(x, 77U) + reversed(x);
  y += static_cast<std::uint32_t>(signed_x / 13) + (x >> 8 & 0xff);
  return y + static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(x)});
}

TEST_P(Instructions, IntegersAreExact) {
  constexpr std::uint32_t n = 5000;
  const BufferArgument in = words(n, Fill::Kind::random, 11);
  const auto out =
      values_of<std::uint32_t>(outcome("integer_mix", {in, words(n), number(n)}, n).buffers[1]);
  const auto x = inputs_of<std::uint32_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], integer_mix(x[i])) << x[i];
}

TEST_P(Instructions, DoublesIncludingDivisionAreExact) {
  constexpr std::uint32_t n = 3000;
  const BufferArgument in = floats(n, Fill::Kind::random, 12);
  const BufferArgument result{.element = Element::f64, .count = n, .fill = {}};
  const auto out = values_of<double>(outcome("double_mix", {in, result, number(n)}, n).buffers[1]);
  const auto xs = inputs_of<float>(in);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double x = xs[i];
    const double expected = std::fma(x, x, 1.0) / std::fma(x, 3.0, 4.0) + std::floor(x * 10.0) +
                            std::sqrt(std::fabs(x));
    ASSERT_NEAR(out[i], expected, 1e-14) << x;
  }
}

TEST_P(Instructions, DeviceGlobalsAreReachedAndShared) {
  auto out = values_of<std::uint32_t>(outcome("device_global", {words(256)}, 256).buffers[0]);
  std::sort(out.begin(), out.end());
  std::vector<std::uint32_t> expected(256);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(out, expected);
}

TEST_P(Instructions, BytesAndShortsAreLoadedAndStored) {
  constexpr std::uint32_t n = 333;
  const BufferArgument in{.element = Element::u8,
                          .count = 2 * n,
                          .fill = {.kind = Fill::Kind::random, .seed = 5, .bytes = {}}};
  const BufferArgument result{.element = Element::u16, .count = n, .fill = {}};
  const auto out =
      values_of<std::uint16_t>(outcome("byte_swap", {in, result, number(n)}, n).buffers[1]);
  const auto bytes = inputs_of<std::uint8_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], bytes[2 * i] << 8 | bytes[2 * i + 1]) << i;
}

std::uint32_t private_array(const std::vector<std::uint32_t>& in, std::size_t i) {
  std::array<std::uint32_t, 40> table;
  std::array<std::uint8_t, 16> bytes;
  for (std::uint32_t k = 0; k < table.size(); ++k) table[k] = in[i] + k * k;
  for (std::uint32_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<std::uint8_t>(in[i] >> k);
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < 20; ++k) {
    const std::uint32_t at = in[(i + k) % in.size()] % 40;
    sum += table[at] * (k + 1) + bytes[at % 16];
    table[at] += k;
    bytes[(at + k) % 16] = static_cast<std::uint8_t>(bytes[(at + k) % 16] ^ k);
  }
  return sum;
}

TEST_P(Instructions, PrivateArraysLiveInScratch) {
  constexpr std::uint32_t n = 130;
  const BufferArgument in = words(n, Fill::Kind::random, 13);
  const auto out =
      values_of<std::uint32_t>(outcome("private_array", {in, words(n), number(n)}, n).buffers[1]);
  const auto x = inputs_of<std::uint32_t>(in);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], private_array(x, i)) << i;
}

using Indices = std::vector<std::uint32_t>;

KernelRun run_through_lds(const char* arch, const Indices& index, std::uint32_t lds_bytes) {
  KernelRun run;
  run.object = isa::test_object("instructions", arch);
  run.kernel = "through_lds";
  run.grid = run.workgroup = {64, 1, 1};
  run.dynamic_lds_bytes = lds_bytes;
  BufferArgument indices = words(index.size());
  indices.fill.kind = Fill::Kind::bytes;
  indices.fill.bytes.resize(index.size() * sizeof(index[0]));
  std::memcpy(indices.fill.bytes.data(), index.data(), indices.fill.bytes.size());
  run.arguments = {indices, words(256), number(static_cast<std::int32_t>(index.size()))};
  return run;
}

Indices written_through_lds(const Indices& index) {
  Indices local(256), out(256);
  for (std::uint32_t i = 0; i < index.size(); ++i) local[index[i]] = i;
  for (std::size_t i = 0; i < index.size(); ++i) out[index[i]] = local[index[index.size() - 1 - i]];
  return out;
}

// Rows, broadcasts and all else are moved in different ways; each must do what 64 single accesses do.
TEST_P(Instructions, EveryPatternOfAddressesIsMoved) {
  const auto pattern = [](std::size_t lanes, auto of_lane) {
    Indices index(lanes);
    for (std::uint32_t i = 0; i < lanes; ++i) index[i] = of_lane(i);
    return index;
  };
  for (const std::size_t lanes : {64, 63, 17, 1}) {
    for (const auto& index : {
             pattern(lanes, [](std::uint32_t i) { return i + 5; }),
             pattern(lanes, [](std::uint32_t i) { return 255 - i; }),
             pattern(lanes, [](std::uint32_t) { return 77U; }),
             pattern(lanes, [](std::uint32_t i) { return i / 16 * 40; }),
             pattern(lanes, [](std::uint32_t i) { return i / 16 * 33 + i % 16; }),
             pattern(lanes, [](std::uint32_t i) { return i / 16 * 8 + i % 16; }),
             pattern(lanes, [](std::uint32_t i) { return i < 16 ? i : 100; }),
             pattern(lanes, [](std::uint32_t i) { return i == 60 ? 200 : i; }),
             pattern(lanes, [](std::uint32_t i) { return i * 37 % 251; }),
         }) {
      const auto outcome = run_kernel(run_through_lds(GetParam(), index, 1024));
      ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
      ASSERT_EQ(values_of<std::uint32_t>(outcome->buffers[1]), written_through_lds(index));
    }
  }
}

TEST_P(Instructions, AnAccessPastTheEndOfLdsNamesTheFirstLane) {
  Indices index(64);
  std::iota(index.begin(), index.end(), 0U);
  std::swap(index[9], index[63]);
  const auto outcome = run_kernel(run_through_lds(GetParam(), index, 242));
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::verification_failed);
  EXPECT_NE(outcome.error().message.find(
                "lane 9 writes 4 bytes at LDS address 252, but the workgroup has 242 bytes"),
            std::string::npos)
      << outcome.error().message;
}

// As on hardware, a barrier waits for the waves that have not ended.
TEST_P(Instructions, BarriersWaitForTheWavesThatAreLeft) {
  KernelRun run;
  run.object = isa::test_object("instructions", GetParam());
  run.kernel = "leaving_waves";
  run.grid = run.workgroup = {256, 1, 1};
  run.arguments = {words(256)};
  for (const Mode mode : {Mode::functional, Mode::counted, Mode::modelled}) {
    run.options.mode = mode;
    const auto outcome = run_kernel(run);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    const auto out = values_of<std::uint32_t>(outcome->buffers[0]);
    std::uint32_t sum = 0, arrived = 0;
    for (std::uint32_t wave = 0; wave < 4; ++wave) {
      arrived += 256 - 64 * wave;
      sum = sum * 7 + arrived;
      for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(out[wave * 64 + i], sum);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Instructions, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

// No compiler makes any of them; a new one needs semantics or a reason.
TEST(Coverage, WhatHasNoSemanticsHasAReason) {
  std::size_t without = 0;
  for (const auto& [name, covered] : instruction_coverage()) {
    const bool is_unsupported = covered.is_anywhere(Fidelity::unsupported);
    if (is_unsupported) ++without;
    EXPECT_EQ(is_unsupported, !why_unsupported(name).empty()) << name;
  }
  EXPECT_EQ(without, 17U);
}

TEST(Coverage, WhatIsApproximateHasAReasonAndWhatIsOpenIsOfMatrixInstructions) {
  for (const auto& [name, covered] : instruction_coverage()) {
    EXPECT_EQ(covered.is_anywhere(Fidelity::approximate), !why_approximate(name).empty()) << name;
    const bool on_floats = name.starts_with("v_mfma_f");
    EXPECT_EQ(on_floats, !what_is_open(name).empty()) << name;
    const bool measured = covered.on(isa::Arch::gfx90a) || covered.on(isa::Arch::gfx942);
    EXPECT_EQ(on_floats && measured, on_floats && covered.is_anywhere(Fidelity::exact)) << name;
  }
}

}  // namespace
}  // namespace rpl::emu
