// SPDX-License-Identifier: MIT
// Memory instructions against what the host computes from the same bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/device/execute/example_runs.h"
#include "tests/engine/device/execute/matrix_reference.h"

namespace rpl::emu {
namespace {

using Words = std::vector<std::uint32_t>;

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

BufferArgument buffer(const Words& words) {
  BufferArgument argument{.element = Element::u32, .count = words.size(), .fill = {}};
  argument.fill.kind = Fill::Kind::bytes;
  argument.fill.bytes.resize(words.size() * 4);
  std::memcpy(argument.fill.bytes.data(), words.data(), argument.fill.bytes.size());
  return argument;
}

/// The 1, 2 or 4 bytes at `at`, or zero when not all of them lie below `bytes`.
std::uint32_t bytes_at(const Words& words, std::size_t at, std::size_t size, std::size_t bytes) {
  std::uint32_t value = 0;
  if (at + size <= bytes)
    std::memcpy(&value, reinterpret_cast<const char*>(words.data()) + at, size);
  return value;
}

Words numbered(std::size_t count) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = static_cast<std::uint32_t>(0x01234567U * (i + 1));
  return words;
}

class MemoryTest : public testing::TestWithParam<const char*> {
 protected:
  Result<KernelOutcome> run(const std::string& kernel, std::vector<Argument> arguments) {
    KernelRun run;
    run.object = object_;
    run.kernel = kernel;
    run.grid = run.workgroup = {64, 1, 1};
    run.arguments = std::move(arguments);
    return run_kernel(run);
  }
  /// The buffers afterwards.
  std::vector<Words> buffers(const std::string& kernel, std::vector<Argument> arguments) {
    const auto outcome = run(kernel, std::move(arguments));
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    std::vector<Words> result;
    if (!outcome) return std::vector<Words>(4, Words(4096));
    for (const auto& bytes : outcome->buffers) result.push_back(values_of<std::uint32_t>(bytes));
    return result;
  }
  [[nodiscard]] bool is_gfx942() const { return std::string(GetParam()) == "gfx942"; }

  std::shared_ptr<const isa::CodeObject> object_ = isa::test_object("memory", GetParam());
};

TEST_P(MemoryTest, BufferLoadsGiveZeroOutOfRange) {
  const Words in = numbered(256);
  constexpr std::size_t kBytes = 401;
  const Words out = buffers("buffer_loads", {buffer(in), words(512), number(kBytes)})[1];
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      ASSERT_EQ(out[8 * i + k], bytes_at(in, 12 * i + 4 + 4 * k, 4, kBytes)) << i << ' ' << k;
    ASSERT_EQ(out[8 * i + 4], bytes_at(in, 4 * i + 8, 4, kBytes)) << i;
    ASSERT_EQ(out[8 * i + 5], bytes_at(in, 3 * i, 1, kBytes)) << i;
    ASSERT_EQ(out[8 * i + 6], bytes_at(in, 6 * i, 2, kBytes)) << i;
    ASSERT_EQ(out[8 * i + 7], bytes_at(in, 6 * i + 2, 2, kBytes) << 16 | 0xaaaaU) << i;
  }
}

TEST_P(MemoryTest, BufferStoresAreDroppedOutOfRange) {
  constexpr std::size_t kBytes = 700;
  const Words out = buffers("buffer_stores", {words(320), number(kBytes)})[0];
  Words expected(320);
  const auto put = [&](std::size_t at, std::uint32_t value, std::size_t size) {
    if (at + size <= kBytes)
      std::memcpy(reinterpret_cast<char*>(expected.data()) + at, &value, size);
  };
  for (std::uint32_t i = 0; i < 64; ++i) {
    for (std::uint32_t k = 0; k < 4; ++k) put(20 * i + 4 * k, 100 * (k + 1) + i, 4);
    put(20 * i + 17, i & 0xff, 1);
    put(20 * i + 18, i << 17 >> 16, 2);
  }
  EXPECT_EQ(out, expected);
}

TEST_P(MemoryTest, BuffersOfRecordsAreIndexedAndSwizzled) {
  const Words in = numbered(512);
  constexpr std::uint32_t kRecords = 50;
  const Words out = buffers("buffer_records", {buffer(in), words(192), number(kRecords)})[1];
  for (std::size_t i = 0; i < 64; ++i) {
    const bool inside = i < kRecords;
    ASSERT_EQ(out[i], inside ? in[3 * i + 1] : 0U) << i;
    // Of 16 neighbouring records the first dwords come first, then their second ones.
    ASSERT_EQ(out[64 + i], inside ? in[i / 16 * 48 + 16 + i % 16] : 0U) << i;
    ASSERT_EQ(out[128 + i], inside ? in[2 * i + 1] : 0U) << i;
  }
}

TEST_P(MemoryTest, BufferAtomicsReturnWhatWasThere) {
  Words data(512);
  for (std::uint32_t i = 0; i < 64; ++i) {
    data[i] = 1000 * i;
    data[64 + i] = i % 2 == 0 ? 500 + i : 3;
    data[128 + i] = bits_of(0.25F * static_cast<float>(i));
    data[192 + i] = 0x3c003c00U;
  }
  constexpr std::size_t kBytes = 1536 + 8 * 50;
  const auto result = buffers("buffer_atomics", {buffer(data), words(256), number(kBytes)});
  const Words &after = result[0], &out = result[1];
  for (std::uint32_t i = 0; i < 64; ++i) {
    ASSERT_EQ(after[i], 1001 * i);
    ASSERT_EQ(out[i], 1000 * i);
    ASSERT_EQ(after[64 + i], i % 2 == 0 ? 1000 + i : 3);
    ASSERT_EQ(out[64 + i], data[64 + i]);
    ASSERT_EQ(after[128 + i], bits_of(0.25F * static_cast<float>(i) + 1));
    ASSERT_EQ(after[192 + i], 0x40004200U);
    double sum, low, before;
    std::memcpy(&sum, &after[256 + 2 * i], 8);
    std::memcpy(&low, &after[384 + 2 * i], 8);
    std::memcpy(&before, &out[128 + 2 * i], 8);
    ASSERT_EQ(sum, 0.5 * i);
    ASSERT_EQ(low, i < 50 ? std::min(0.0, i - 20.0) : 0.0) << i;
    ASSERT_EQ(before, 0.0);
  }
}

TEST_P(MemoryTest, GlobalAtomicsKnowDoublesAndPairs) {
  Words data(256);
  for (std::uint32_t i = 0; i < 64; ++i) {
    const double value = 90.0 - i;
    std::memcpy(&data[2 * i], &value, 8);
    data[128 + 2 * i] = 0x3c004400U;
    data[129 + 2 * i] = 0x3f804040U;
  }
  const auto result =
      buffers("global_atomics",
              {buffer(data), BufferArgument{.element = Element::f64, .count = 64, .fill = {}}});
  for (std::uint32_t i = 0; i < 64; ++i) {
    double after, before;
    std::memcpy(&after, &result[0][2 * i], 8);
    std::memcpy(&before, &result[1][2 * i], 8);
    ASSERT_EQ(after, std::max(90.0 - i, 2.0 * i));
    ASSERT_EQ(before, 90.0 - i);
    ASSERT_EQ(result[0][128 + 2 * i], 0x42004500U);                              // 1 + 2, 4 + 1
    ASSERT_EQ(result[0][129 + 2 * i], is_gfx942() ? 0x40404080U : 0x3f804040U);  // 1 + 2, 3 + 1
  }
}

TEST_P(MemoryTest, LoadsIntoLdsGoToTheDwordOfTheLane) {
  const Words in = numbered(128);
  constexpr std::size_t kBytes = 400;
  const Words out = buffers("through_lds", {buffer(in), words(256), number(kBytes)})[1];
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(out[i], in[63 - i]) << i;
    ASSERT_EQ(out[64 + i], bytes_at(in, 256 + 4 * (63 - i), 1, kBytes)) << i;
    ASSERT_EQ(out[128 + i], is_gfx942() ? in[63 - i] : 0U) << i;
  }
}

TEST_P(MemoryTest, ScalarMemoryKnowsBuffersStoresAndAtomics) {
  const Words data = numbered(16);
  const auto result = buffers("scalar_memory", {buffer(data), words(6), number(24)});
  EXPECT_EQ(result[1], (Words{data[4], data[5], 0, 0, data[1], data[2]}));
  Words expected = data;
  expected[2] += 5;
  expected[3] = data[2] + 1;
  EXPECT_EQ(result[0], expected);
}

std::uint32_t normalized(std::int32_t value, double most) {
  return bits_of(static_cast<float>(std::max(-1.0, value / most)));
}

TEST_P(MemoryTest, FormatsAreConvertedBothWays) {
  Words in = numbered(256);
  // Finite halves in the low words, which are also small floats of 10 and 11 bits.
  for (auto& word : in) word &= 0x7b9f7bbfU;
  const auto result = buffers("formats", {buffer(in), words(7 * 256), words(256)});
  const Words &out = result[1], &stored = result[2];
  const std::uint32_t one = bits_of(1.0F);
  const auto at = [&](std::size_t index, std::size_t i, std::size_t k) {
    return out[256 * index + 4 * i + k];
  };
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t* element = &in[4 * i];
    for (unsigned k = 0; k < 4; ++k) {
      ASSERT_EQ(at(0, i, k), normalized(element[0] >> (8 * k) & 0xff, 255)) << i << ' ' << k;
      const std::uint32_t half = element[k / 2] >> (16 * (k % 2)) & 0xffff;
      ASSERT_EQ(at(4, i, k),
                bits_of(static_cast<float>(matrix::value_of(matrix::Number::f16, half))));
      ASSERT_EQ(at(2, i, k), k < 3 ? element[k] : 1U);
    }
    ASSERT_EQ(at(1, i, 0), normalized(static_cast<std::int16_t>(element[0]), 32767));
    ASSERT_EQ(at(1, i, 1), normalized(static_cast<std::int16_t>(element[0] >> 16), 32767));
    ASSERT_EQ(at(1, i, 2), 0U);
    ASSERT_EQ(at(1, i, 3), one);
    ASSERT_EQ(at(3, i, 0),
              static_cast<std::uint32_t>(static_cast<std::int32_t>(element[0] << 22) >> 22));
    ASSERT_EQ(at(3, i, 3), static_cast<std::uint32_t>(static_cast<std::int32_t>(element[0]) >> 30));
    ASSERT_EQ(at(5, i, 1), bits_of(static_cast<float>(element[0] >> 8 & 0xff)));
    ASSERT_EQ(at(6, i, 0),
              bits_of(static_cast<float>(matrix::small_value(element[0] & 0x7ff, 5, 6, 15))));
    ASSERT_EQ(at(6, i, 2),
              bits_of(static_cast<float>(matrix::small_value(element[0] >> 22, 5, 5, 15))));
    // What was loaded is stored as it was.
    ASSERT_EQ(stored[4 * i], element[0]);
    ASSERT_EQ(stored[4 * i + 1], element[0]);
    ASSERT_EQ(stored[4 * i + 2], element[0]);
    ASSERT_EQ(stored[4 * i + 3], element[1]);
  }
}

/// What local_operations of memory.hip leaves in its results and in LDS.
TEST_P(MemoryTest, LocalOperationsDoWhatTheirDocumentsSay) {
  const Words out = buffers("local_operations", {words(64 * 20)})[0];
  const auto result = [&](std::size_t k, std::size_t i) { return out[64 * k + i]; };
  const auto local = [&](std::size_t k, std::size_t i) { return out[64 * (12 + k) + i]; };
  for (std::uint32_t i = 0; i < 64; ++i) {
    ASSERT_EQ(result(0, i), (i * 3) << 16 | 0xaaaaU);
    ASSERT_EQ(result(1, i), i * 3);
    ASSERT_EQ(local(0, i), 1000 - i * 3);
    ASSERT_EQ(local(1, i), ((0x10000 + i * 3) & ~0xffU) | 0x11U);
    const std::uint32_t third = 0x20000 + i * 3;
    ASSERT_EQ(result(2, i), third);
    ASSERT_EQ(local(2, i), third >= 0x2001e ? third - 0x2001e : third + 7) << i;
    ASSERT_EQ(local(3, i), i % 2 == 0 ? i + 1 : i + 100) << i;
    ASSERT_EQ(result(3, i), i % 2 == 0 ? 0x30000 + i * 3 : i - 1) << i;
    ASSERT_EQ(result(4, i), i % 2 == 0 ? 0x30000 + (i + 1) * 3 : i + 99) << i;
    ASSERT_EQ(local(4, i), i == 0 ? 77U : 0x40000 + i * 3) << i;
    // Every second dword takes part only where bit 31 of the data is set.
    ASSERT_EQ(local(5, i), i % 2 == 0 ? 5U : 0x50000 + i * 3) << i;
    ASSERT_EQ(result(5, i), 0x50000 + (2 * (i % 32) + 1) * 3) << i;
    ASSERT_EQ(result(6, i), 0x60000U);
    ASSERT_EQ(result(7, i), 0x60040U);
    ASSERT_EQ(result(8, i), 0x70000 + i * 3);
    ASSERT_EQ(result(9, i), i / 32 * 32 + (i + 3) % 32) << i;
    ASSERT_EQ(local(7, i), (0x70000 + i * 3) | 0xcc00U) << i;
  }
  EXPECT_EQ(local(6, 0), 0x60000U);
}

TEST_P(MemoryTest, ABufferThatPromisesTooMuchIsAFaultWithItsLane) {
  const auto outcome = run("beyond_memory", {words(40)});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::verification_failed);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("lane 40 writes 4 bytes"));
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("past the end of argument 1"));
}

TEST_P(MemoryTest, RacesWithLoadsIntoLdsAreFound) {
  for (const bool waits : {true, false}) {
    KernelRun run;
    run.object = object_;
    run.kernel = waits ? "load_and_wait" : "load_and_race";
    run.grid = run.workgroup = {128, 1, 1};
    run.arguments = {buffer(numbered(64)), words(64)};
    run.options.find_races = true;
    const auto outcome = run_kernel(run);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    EXPECT_EQ(values_of<std::uint32_t>(outcome->buffers[1]), numbered(64));
    ASSERT_EQ(outcome->executed.races.size(), waits ? 0U : 1U);
    for (const Race& race : outcome->executed.races) EXPECT_TRUE(race.lds);
  }
}

TEST_P(MemoryTest, WideAccessesToSwizzledBuffersAreRefused) {
  const auto outcome = run("wide_swizzle", {words(256), words(256)});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::unsupported);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("swizzled buffer"));
}

TEST_P(MemoryTest, GlobalWaveSyncIsRefusedWithAReason) {
  const auto outcome = run("wave_sync", {words(1)});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::unsupported);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("global wave sync"));
}

INSTANTIATE_TEST_SUITE_P(Architectures, MemoryTest, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
