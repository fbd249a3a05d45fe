// SPDX-License-Identifier: MIT
#include "engine/replay/elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace rpl {
namespace {

template <class T>
std::vector<std::byte> bytes_of(std::vector<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Elements, AreWrittenShortestAndExactly) {
  EXPECT_EQ(element_text(Element::i8, bytes_of<std::int8_t>({-3}).data()), "-3");
  EXPECT_EQ(element_text(Element::u64, bytes_of<std::uint64_t>({~0ULL}).data()),
            "18446744073709551615");
  EXPECT_EQ(element_text(Element::f32, bytes_of<float>({0.1f}).data()), "0.1");
  EXPECT_EQ(element_text(Element::f16, bytes_of<std::uint16_t>({0x3e00}).data()), "1.5");
  EXPECT_EQ(element_text(Element::bf16, bytes_of<std::uint16_t>({0xc000}).data()), "-2");
  EXPECT_EQ(element_text(Element::f64, bytes_of<double>({NAN}).data()), "nan");
}

TEST(Mismatch, IntegersMustBeEqual) {
  const auto expected = bytes_of<std::int32_t>({1, 2, 3, 4}),
             found = bytes_of<std::int32_t>({1, 2, 4, 9});
  const auto mismatch = mismatch_of(Element::i32, expected, found, default_tolerance(Element::i32));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->first, 2U);
  EXPECT_EQ(mismatch->count, 2U);
  EXPECT_EQ(mismatch->largest, 5.0);
  EXPECT_FALSE(mismatch_of(Element::i32, expected, expected, {}));
}

TEST(Mismatch, LargeIntegersThatADoubleCannotTellApart) {
  const auto expected = bytes_of<std::uint64_t>({1ULL << 60}),
             found = bytes_of<std::uint64_t>({(1ULL << 60) + 1});
  EXPECT_TRUE(mismatch_of(Element::u64, expected, found, {}));
}

TEST(Mismatch, FloatsAgreeWithinTheTolerance) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto expected = bytes_of<float>({1.0f, NAN, inf, 0.0f, 100.0f});
  const auto close = bytes_of<float>({1.000005f, NAN, inf, -0.0f, 100.0005f});
  const Tolerance tolerance = default_tolerance(Element::f32);
  EXPECT_FALSE(mismatch_of(Element::f32, expected, close, tolerance));
  const auto far = bytes_of<float>({1.0f, 0.0f, -inf, 0.0f, 100.01f});
  const auto mismatch = mismatch_of(Element::f32, expected, far, tolerance);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->first, 1U);
  EXPECT_EQ(mismatch->count, 3U);
}

}  // namespace
}  // namespace rpl
