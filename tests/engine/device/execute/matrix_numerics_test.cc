// SPDX-License-Identifier: MIT
// The sums of matrix instructions bit by bit: probes that tell one order and one rounding from another, after those of MMA-Sim (arXiv
// 2511.10909), with results worked out by hand, and random numbers against the oracle of matrix_oracle.h.
#include <gtest/gtest.h>

#include "tests/engine/device/execute/matrix_cases.h"
#include "tests/engine/device/execute/matrix_oracle.h"

namespace rpl::emu {
namespace {

using matrix::Case;
using matrix::Number;

constexpr float kEndless = std::numeric_limits<float>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::uint32_t bits_of_float(float value) { return std::bit_cast<std::uint32_t>(value); }

/// The code of a value that the type has; a NaN, an infinity or a code itself where the type has no more than that.
std::uint32_t encoded(Number number, double value) {
  if (matrix::bytes_of(number) == 4) return bits_of_float(static_cast<float>(value));
  if (number == Number::bf16) return bits_of_float(static_cast<float>(value)) >> 16;
  if (number == Number::f16 && !std::isfinite(value))
    return std::isnan(value) ? 0x7e00 : value > 0 ? 0x7c00 : 0xfc00;
  if (std::isnan(value)) return 0x80;
  for (std::uint32_t code = 0; code < 0x10000; ++code)
    if (code != 0x8000 && matrix::value_of(number, code) == value) return code;
  ADD_FAILURE() << value << " is no number of the type";
  return 0;
}

std::vector<std::byte> packed(Number number, const std::vector<std::uint32_t>& elements) {
  const unsigned width = matrix::bytes_of(number);
  std::vector<std::byte> bytes(elements.size() * width);
  for (std::size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&bytes[i * width], &elements[i], width);
  return bytes;
}

/// One instruction whose rows of A are all alike, and so are the columns of B.
class Probes {
 public:
  Probes(const char* architecture, const std::string& kernel)
      : object_(isa::test_object("matrix", architecture)) {
    for (const Case& c : matrix::cases_of(architecture))
      if (c.kernel == kernel) case_ = c;
    EXPECT_NE(case_.k, 0U) << kernel;
  }

  /// Element 0 of D, which all are equal to.
  [[nodiscard]] std::uint32_t bits(const std::vector<double>& a, const std::vector<double>& b,
                                   float c = 0) const {
    const auto filled = [&](Number number, const std::vector<double>& values, unsigned items) {
      std::vector<std::uint32_t> elements;
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned item = 0; item < items; ++item) {
          const std::size_t k = matrix::input_of(case_, lane, items).k + item;
          elements.push_back(k < values.size() ? encoded(number, values[k]) : 0);
        }
      return packed(number, elements);
    };
    const std::vector<std::uint32_t> sums(std::size_t{64} * case_.results(), bits_of_float(c));
    const auto d = values_of<std::uint32_t>(
        matrix::run_matrix(object_, case_.kernel, filled(case_.a, a, case_.a_items()),
                           filled(case_.b, b, case_.b_items()), packed(Number::f32, sums)));
    for (const std::uint32_t one : d) EXPECT_EQ(one, d[0]);
    return d.empty() ? 0 : d[0];
  }
  /// With every element of B 1.
  [[nodiscard]] float sum(const std::vector<double>& a, float c = 0) const {
    return std::bit_cast<float>(bits(a, std::vector<double>(case_.k, 1.0), c));
  }
  [[nodiscard]] float dot(const std::vector<double>& a, const std::vector<double>& b,
                          float c = 0) const {
    return std::bit_cast<float>(bits(a, b, c));
  }

 private:
  std::shared_ptr<const isa::CodeObject> object_;
  Case case_;
};

std::vector<double> at(std::initializer_list<std::pair<unsigned, double>> elements) {
  std::vector<double> values(32);
  for (const auto& [k, value] : elements) values[k] = value;
  return values;
}

// 2^-25 beside 1: cut off where both are in one group, kept in a later one.
TEST(MatrixGroups, AreEightProductsOfHalvesOneAfterTheOther) {
  for (const char* kernel : {"f32_16x16x16_f16", "f32_16x16x16_bf16"}) {
    const Probes unit("gfx942", kernel);
    const auto b = at({{0, 1}, {1, 1}, {2, 0x1p-13}, {7, 0x1p-13}, {8, 0x1p-13}, {15, 0x1p-13}});
    EXPECT_EQ(unit.dot(at({{0, 1}, {1, -1}, {2, 0x1p-12}}), b), 0) << kernel;
    EXPECT_EQ(unit.dot(at({{0, 1}, {1, -1}, {7, 0x1p-12}}), b), 0) << kernel;
    EXPECT_EQ(unit.dot(at({{0, 1}, {1, -1}, {8, 0x1p-12}}), b), 0x1p-25F) << kernel;
    EXPECT_EQ(unit.dot(at({{0, 1}, {1, -1}, {15, 0x1p-12}}), b), 0x1p-25F) << kernel;
    // Between groups the sum is a float: 1 + 2^-25 is 1 there, and -1 comes too late.
    const auto late = at({{0, 1}, {8, 1}, {9, 0x1p-13}, {1, 0x1p-13}});
    EXPECT_EQ(unit.dot(at({{0, 1}, {1, 0x1p-12}, {8, -1}}), late), 0) << kernel;
  }
}

TEST(MatrixGroups, AreAllProductsWhereThereAreFewer) {
  for (const char* kernel : {"f32_32x32x4_2b_f16", "f32_4x4x4_16b_bf16"}) {
    const Probes unit("gfx942", kernel);
    const std::vector<double> b{1, 1, 0x1p-13, 0x1p-13};
    EXPECT_EQ(unit.dot({1, -1, 0x1p-12, 0}, b), 0) << kernel;
    EXPECT_EQ(unit.dot({1, -1, 0, 0x1p-11}, b), 0x1p-24F) << kernel;
  }
}

TEST(MatrixGroups, CutProductsOffTowardZeroAtTheTwentyFourthBit) {
  const Probes unit("gfx942", "f32_16x16x16_f16");
  const std::vector<double> b{1, 1, 0x1p-12, 0x1p-12};
  EXPECT_EQ(unit.dot({1, -1, 0x1p-12}, b), 0x1p-24F);
  EXPECT_EQ(unit.dot({1, -1, 0x1.8p-12}, b), 0x1p-24F);
  EXPECT_EQ(unit.dot({1, -1, -0x1.8p-12}, b), -0x1p-24F);
  EXPECT_EQ(unit.dot({1, -1, -0x1p-13}, b), 0);
  // Each by itself: two halves of the last bit are nothing.
  EXPECT_EQ(unit.dot({1, -1, 0x1p-13, 0x1p-13}, b), 0);
  // The exponent is that of the factors: 1.5 * 1.5 = 2.25 cuts off as 1 does.
  EXPECT_EQ(unit.dot({1.5, -1.5, 0x1p-12}, {1.5, 1.5, 0x1p-12}), 0x1p-24F);
  EXPECT_EQ(unit.dot({2, -2, 0x1p-12}, b), 0);
}

// -14 is the exponent of every subnormal half, so that 2^-48 is below 2^(-14-24).
TEST(MatrixGroups, KeepSubnormalNumbersAndDoNotNormalizeThem) {
  const Probes unit("gfx942", "f32_16x16x16_f16");
  EXPECT_EQ(unit.sum({0x1p-24}), 0x1p-24F);
  EXPECT_EQ(unit.dot({0x1p-24}, {0x1p-24}), 0x1p-48F);
  EXPECT_EQ(unit.dot({0x1p-24, -0x1p-24, 0x1p-24}, {1, 1, 0x1p-24}), 0);
  EXPECT_EQ(unit.dot({0x1p-24, -0x1p-24, 0x1p-24}, {1, 1, 0x1p-14}), 0x1p-38F);
  const Probes wide("gfx942", "f32_16x16x16_bf16");
  EXPECT_EQ(wide.sum({0x1p-133}), 0x1p-133F);
  EXPECT_EQ(wide.sum({}, 0x1p-149F), 0x1p-149F);
  // Below the last bit of a float: a tie, more than it, and what is negative and below 2^-158, where the sum is cut downward.
  EXPECT_EQ(wide.dot({0x1p-75}, {0x1p-75}), 0);
  EXPECT_EQ(wide.dot({0x1.8p-75}, {0x1p-75}), 0x1p-149F);
  EXPECT_EQ(wide.bits({-0x1p-80}, {0x1p-90}), 0U);  // a second group has made +0 of -0
  EXPECT_EQ(Probes("gfx942", "f32_32x32x8_bf16").bits({-0x1p-80}, {0x1p-90}), 0x80000000U);
}

// C is none of the products, and is cut off downward: whatever is negative and small is 2^-24.
TEST(MatrixGroups, CutCOffDownwardAtTheTwentyFourthBit) {
  for (const char* kernel : {"f32_16x16x16_f16", "f32_16x16x16_bf16", "f32_32x32x4_xf32"}) {
    const Probes unit("gfx942", kernel);
    EXPECT_EQ(unit.sum({1, -1}, 0x1p-24F), 0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({1, -1}, 0x1.8p-24F), 0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({1, -1}, 0x1p-25F), 0) << kernel;
    EXPECT_EQ(unit.sum({1, -1}, -0x1.8p-24F), -0x1p-23F) << kernel;
    EXPECT_EQ(unit.sum({1, -1}, -0x1p-25F), -0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({1, -1}, -0x1p-149F), -0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({}, -0x1p-149F), -0x1p-149F) << kernel;
  }
}

// Beside C = 1 products have 32 bits and the total 31, and all is cut off downward: the tie of 2^-24 is broken by 2^-31, by 2^-32 in
// negative numbers alone.
TEST(MatrixGroups, RoundTheTotalToNearestEvenAfterThirtyOneBits) {
  const Probes unit("gfx942", "f32_16x16x16_f16");
  const std::vector<double> a{0x1p-12, 0x1p-14}, minus{-0x1p-12, -0x1p-14};
  EXPECT_EQ(unit.dot({0x1p-12}, {0x1p-12}, 1), 1);
  EXPECT_EQ(unit.dot({0x1p-12}, {0x1p-12}, 0x1.000002p0F), 0x1.000004p0F);
  EXPECT_EQ(unit.dot(a, {0x1p-12, 0x1p-17}, 1), 0x1.000002p0F);
  EXPECT_EQ(unit.dot(a, {0x1p-12, 0x1p-18}, 1), 1);
  EXPECT_EQ(unit.dot(minus, {0x1p-12, 0x1p-18}, -1), -0x1.000002p0F);
  // Below 1 the total has a bit more, and 2^-32 of the products breaks the tie of 3 * 2^-25.
  EXPECT_EQ(unit.dot({-0x1.8p-12}, {0x1p-12}, 1), 0x1.fffffcp-1F);
  EXPECT_EQ(unit.dot({-0x1.8p-12, 0x1p-14}, {0x1p-12, 0x1p-18}, 1), 0x1.fffffep-1F);
  // Without a tie it changes nothing.
  EXPECT_EQ(unit.dot({0, -0x1p-14}, {0, 0x1p-18}, 1), 1);
  EXPECT_EQ(unit.dot({0, -0x1p-14}, {0, 0x1p-18}, -1), -1);
}

TEST(MatrixGroups, OfXf32AreFourProductsWithoutTheLowBits) {
  const Probes unit("gfx942", "f32_16x16x8_xf32");
  EXPECT_EQ(unit.sum({1, -1, 0, 0x1p-25}), 0);
  EXPECT_EQ(unit.sum({1, -1, 0, 0, 0x1p-25}), 0x1p-25F);
  EXPECT_EQ(unit.sum({1, -1, 0, 0x1p-24}), 0x1p-24F);
  EXPECT_EQ(unit.sum({0x1.002p0, 0}), 1);
  EXPECT_EQ(unit.sum({0x1.007ffep0, 0}), 0x1.004p0F);
  EXPECT_EQ(unit.sum({0x1p-136}), 0x1p-136F);
  EXPECT_EQ(unit.sum({0x1p-137}), 0);
  EXPECT_EQ(unit.dot({0x1p64, 1}, {0x1p64, 1}), kEndless);
}

// Even and odd k are summed for themselves, each toward zero, then the two sums downward.
TEST(MatrixGroups, OfBytesAreSixteenProductsInTwoHalves) {
  const Probes unit("gfx942", "f32_16x16x32_bf8_bf8");
  const auto b =
      at({{0, 0x1p9}, {1, 0x1p9}, {2, 0x1p9}, {3, 1}, {4, 1}, {14, 1}, {15, 1}, {16, 1}});
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {4, 0.5}}), b), 0);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {4, -0.5}}), b), 0);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {14, -1.5}}), b), -1);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {3, 0.5}}), b), 0);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {3, -0.5}}), b), -1);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {15, -1.5}}), b), -2);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {1, -0x1p15}, {3, 0.5}}), b), 0);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {16, 0.5}}), b), 0.5F);
  EXPECT_EQ(unit.dot(at({{0, 0x1p15}, {2, -0x1p15}, {16, -0.5}}), b), -0.5F);
}

TEST(MatrixGroups, OfBytesLeaveASmallCOut) {
  for (const char* kernel : {"f32_16x16x32_fp8_fp8", "f32_32x32x16_bf8_fp8"}) {
    const Probes unit("gfx942", kernel);
    EXPECT_EQ(unit.sum({1, 0, -1}, 0x1p-24F), 0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1}, 0x1.8p-25F), 0) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1}, -0x1.8p-24F), -0x1p-23F) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1}, -0x1p-25F), -0x1p-24F) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1}, -0x1.fffffep-26F), 0) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1}, -0x1p-149F), 0) << kernel;
    EXPECT_EQ(unit.sum({1, 1}, kEndless), kEndless) << kernel;
  }
}

// FNUZ: 0x80 is NaN, the largest numbers are 240 and 57344, subnormal ones begin below 2^-7 and 2^-15.
TEST(MatrixGroups, ReadBytesWithoutInfinitiesAndNegativeZero) {
  const Probes fp8("gfx942", "f32_16x16x32_fp8_fp8"), bf8("gfx942", "f32_16x16x32_bf8_bf8"),
      mixed("gfx942", "f32_16x16x32_fp8_bf8");
  EXPECT_EQ(fp8.bits({kNoNumber}, {1}), 0x7fc00000U);
  EXPECT_EQ(bf8.bits({1}, {kNoNumber}), 0x7fc00000U);
  EXPECT_EQ(fp8.dot({240, 240}, {240, -240}), 0);
  EXPECT_EQ(fp8.dot({240}, {240}), 57600);
  EXPECT_EQ(bf8.dot({57344}, {57344}), 0x1.88p31F);
  EXPECT_EQ(mixed.dot({240}, {57344}), 13762560);
  EXPECT_EQ(fp8.dot({0x1p-10}, {0x1p-10}), 0x1p-20F);
  EXPECT_EQ(bf8.dot({0x1p-17}, {0x1p-17}), 0x1p-34F);
  // The product of subnormal numbers is cut off as others are.
  EXPECT_EQ(fp8.dot({1, 0, -1, 0, 0x1p-10}, {1, 0, 1, 0, 0x1p-10}), 0x1p-20F);
  EXPECT_EQ(fp8.dot({16, 0, -16, 0, 0x1p-10}, {16, 0, 16, 0, 0x1p-10}), 0);
}

TEST(MatrixGroups, MakeInfinitiesAndNansOfWhatHasNoFiniteSum) {
  const Probes f16("gfx942", "f32_16x16x16_f16"), bf16("gfx942", "f32_16x16x16_bf16");
  EXPECT_EQ(f16.dot({kEndless, 1}, {2, 1}), kEndless);
  EXPECT_EQ(f16.bits({kEndless}, {0}), 0x7fc00000U);
  EXPECT_EQ(f16.bits({kEndless, -kEndless}, {1, 1}), 0x7fc00000U);
  EXPECT_EQ(f16.bits({kEndless}, {1}, -kEndless), 0x7fc00000U);
  EXPECT_EQ(f16.bits({1, kNoNumber}, {1, 0}), 0x7fc00000U);
  EXPECT_EQ(f16.sum({1}, -kEndless), -kEndless);
  // A product of 2^128 is infinite, though its opposite is in the group; less than that, and the sum may be more.
  EXPECT_EQ(bf16.dot({0x1p64}, {0x1p64}), kEndless);
  EXPECT_EQ(bf16.bits({0x1p64, 0x1p64}, {0x1p64, -0x1p64}), 0x7fc00000U);
  EXPECT_EQ(bf16.dot({0x1.8p63, -0x1p63}, {0x1.4p64, 0x1p64}), 0x1.cp126F);
  EXPECT_EQ(bf16.dot({0x1p64, 0x1p64, -0x1p64}, {0x1p63, 0x1p63, 0x1p63}), 0x1p127F);
  EXPECT_EQ(bf16.dot({0x1p64, 0x1p64}, {0x1p63, 0x1p63}), kEndless);
  EXPECT_EQ(bf16.sum({0x1p103}, 0x1.fffffep127F), kEndless);
  EXPECT_EQ(bf16.sum({0x1.fep102}, 0x1.fffffep127F), 0x1.fffffep127F);
  // What the first group overflows to, the second cannot take back.
  const auto ones = std::vector<double>(16, 1.0);
  EXPECT_EQ(bf16.dot(at({{0, 0x1p127}, {1, 0x1p127}, {8, -0x1p127}}), ones), kEndless);
}

// 2^-24 beside 1 is a tie, and goes to 1: ((p0 + p1) + (p2 + p3)) + C.
TEST(MatrixPairs, AreAddedAndThenTheirSumsAndThenC) {
  for (const char* kernel : {"f32_16x16x16_f16", "f32_16x16x16_bf16", "f32_32x32x8_bf16"}) {
    const Probes unit("gfx90a", kernel);
    const std::vector<double> b(16, 0x1p-12);
    constexpr double kWhole = 0x1p12, kTie = 0x1p-12;
    EXPECT_EQ(unit.dot({kTie, kTie, kWhole, 0}, b), 0x1.000002p0F) << kernel;
    EXPECT_EQ(unit.dot({kWhole, 0, kTie, kTie}, b), 0x1.000002p0F) << kernel;
    EXPECT_EQ(unit.dot({kTie, kWhole, kTie, 0}, b), 1) << kernel;
    EXPECT_EQ(unit.dot({kWhole, kTie, 0, kTie}, b), 1) << kernel;
    EXPECT_EQ(unit.dot({kWhole, kTie, -kWhole, 0}, b), 0) << kernel;
    EXPECT_EQ(unit.dot({kWhole, -kWhole, kTie, 0}, b), 0x1p-24F) << kernel;
    // C is not in the group: -1 comes after the tie, 2^-25 after the opposites.
    EXPECT_EQ(unit.dot({kWhole, kTie, 0, 0}, b, -1), 0) << kernel;
    EXPECT_EQ(unit.dot({kWhole, 0, -kWhole, 0}, b, 0x1p-25F), 0x1p-25F) << kernel;
    // And is between the groups.
    EXPECT_EQ(unit.dot({kWhole, 0, 0, 0, -kWhole, 0, 0, 0}, b, 0x1p-25F), 0) << kernel;
  }
}

TEST(MatrixPairs, AreAloneInTheFirstInstructionsOnBf16) {
  for (const char* kernel : {"f32_32x32x4_bf16", "f32_16x16x8_bf16"}) {
    const Probes unit("gfx90a", kernel);
    EXPECT_EQ(unit.sum({1, -1, 0, 0}, 0x1p-25F), 0x1p-25F) << kernel;
    EXPECT_EQ(unit.sum({1, 0, -1, 0}, 0x1p-25F), 0) << kernel;
    EXPECT_EQ(unit.sum({0, 0x1p-24, 0x1p-24, 0}, 1), 1) << kernel;
    EXPECT_EQ(unit.sum({0x1p-24, 0x1p-24, 0, 0}, 1), 0x1.000002p0F) << kernel;
  }
}

TEST(MatrixPairs, HaveNoSubnormalNumbers) {
  const Probes f16("gfx90a", "f32_16x16x16_f16"), bf16("gfx90a", "f32_16x16x16_bf16");
  EXPECT_EQ(f16.bits({-0x1p-24}, {1}), 0U);
  EXPECT_EQ(f16.dot({0x1p-14}, {0x1p-14}), 0x1p-28F);
  EXPECT_EQ(f16.bits({0, 0}, {0, 0}, -0x1.8p-127F), 0U);
  EXPECT_EQ(bf16.sum({0x1p-127}), 0);
  EXPECT_EQ(bf16.sum({0x1p-126}), 0x1p-126F);
  // A product, a sum of two and one with C that are subnormal become zeros of their sign.
  EXPECT_EQ(bf16.dot({0x1p-70, 0x1p-70}, {0x1p-57, 0x1p-57}), 0);
  EXPECT_EQ(bf16.sum({0x1.8p-126, -0x1p-126, 0x1p-126}), 0x1p-126F);
  EXPECT_EQ(bf16.bits({-0x1.8p-126, 0x1p-126}, {1, 1}, 0x1p-126F), 0x00800000U);
  EXPECT_EQ(bf16.bits({-0x1p-126}, {1}, 0x1.8p-127F), 0x80800000U);
}

TEST(MatrixPairs, OverflowAsSumsOfFloatsDo) {
  const Probes unit("gfx90a", "f32_16x16x16_bf16");
  EXPECT_EQ(unit.dot({0x1p64}, {0x1p64}), kEndless);
  EXPECT_EQ(unit.bits({0x1p64, 0x1p64}, {0x1p64, -0x1p64}), 0x7fc00000U);
  EXPECT_EQ(unit.bits({0x1p127, 0x1p127, -0x1p127, -0x1p127}, {1, 1, 1, 1}), 0x7fc00000U);
  EXPECT_EQ(unit.sum({0x1p127, -0x1p127, 0x1p127, -0x1p127}), 0);
  EXPECT_EQ(unit.bits({kEndless}, {0}), 0x7fc00000U);
}

/// Ways in which random elements are unlike each other; `kinds` of them.
constexpr unsigned kKinds = 5;

std::uint32_t random_element(Number number, unsigned kind, std::mt19937_64& random) {
  struct Shape {
    int mantissa, exponent;
  };
  constexpr Shape kShapes[] = {{0, 0}, {23, 8}, {23, 8}, {10, 5}, {7, 8}, {3, 4}, {2, 5}};
  const Shape shape = kShapes[static_cast<std::size_t>(number)];
  const int width = 1 + shape.mantissa + shape.exponent;
  const auto any = static_cast<std::uint32_t>(random() >> (64 - width));
  if (kind == 0) return any;
  // The exponents of small ones begin with the subnormal numbers, others lie around 1.
  const int span = std::min(kind == 1   ? 3
                            : kind == 2 ? 12
                            : kind == 3 ? 30
                                        : 4,
                            (1 << shape.exponent) - 2);
  const int lowest = kind == 4 ? 0 : (1 << (shape.exponent - 1)) - 1 - span / 2;
  const auto exponent = static_cast<std::uint32_t>(
      lowest + static_cast<int>(random() % static_cast<unsigned>(span + 1)));
  const std::uint32_t sign = any >> (width - 1), fraction = any & ((1U << shape.mantissa) - 1);
  const std::uint32_t bits = sign << (width - 1) | exponent << shape.mantissa | fraction;
  return random() % 10 == 0 || (width == 8 && bits == 0x80) ? 0 : bits;
}

std::vector<std::uint32_t> random_elements(Number number, std::size_t count, unsigned kind,
                                           std::mt19937_64& random) {
  std::vector<std::uint32_t> elements(count);
  for (auto& one : elements) one = random_element(number, kind, random);
  return elements;
}

matrix::Values as_values(const std::vector<std::uint32_t>& elements) {
  return {elements.begin(), elements.end()};
}

class Numerics : public testing::TestWithParam<const char*> {
 protected:
  /// Elements of one row of A and one column of B, in the order in which a lane has them.
  struct Factors {
    std::vector<std::uint32_t> a, b;
  };
  static Factors factors_of(const Case& c, const matrix::Values& a, const matrix::Values& b,
                            const matrix::Values& stored, const matrix::Element& e) {
    Factors factors;
    for (unsigned k = 0; k < c.k; ++k) {
      const std::size_t at = (e.block * c.m + e.row) * c.k + k;
      if (c.sparse && stored[at] == 0) continue;
      factors.a.push_back(static_cast<std::uint32_t>(a[at]));
      factors.b.push_back(static_cast<std::uint32_t>(b[(e.block * c.k + k) * c.n + e.column]));
    }
    return factors;
  }

  static float expected(const Case& c, const Factors& factors, float sum) {
    if (c.a == Number::f32) {
      for (std::size_t k = 0; k < factors.a.size(); ++k)
        sum = std::fma(std::bit_cast<float>(factors.a[k]), std::bit_cast<float>(factors.b[k]), sum);
      return sum;
    }
    const bool pairs = std::string(GetParam()) == "gfx90a";
    return matrix::row_times_column(c, factors.a, factors.b, sum, pairs ? c.a_items() : 0);
  }

  void check(const Case& c, unsigned kind, std::mt19937_64& random) {
    const auto a = random_elements(c.a, std::size_t{64} * c.a_items(), kind, random),
               b = random_elements(c.b, std::size_t{64} * c.b_items(), kind, random),
               sums = random_elements(Number::f32, std::size_t{64} * c.results(),
                                      random() % 2 == 0 ? kind : 2, random);
    const auto indices = c.sparse ? matrix::random_indices(random) : std::vector<std::uint32_t>();
    const auto d = values_of<std::uint32_t>(matrix::run_matrix(
        object_, c.kernel, packed(c.a, a), packed(c.b, b), packed(Number::f32, sums), indices));
    ASSERT_EQ(d.size(), sums.size());
    const auto dense_a = matrix::matrix_a(c, as_values(a), indices),
               dense_b = matrix::matrix_b(c, as_values(b)),
               stored = matrix::matrix_a(c, matrix::Values(a.size(), 1.0), indices);
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (unsigned r = 0; r < c.results(); ++r) {
        const std::size_t i = std::size_t{lane} * c.results() + r;
        const auto factors =
            factors_of(c, dense_a, dense_b, stored, matrix::result_element(c, lane, r));
        const float value = expected(c, factors, std::bit_cast<float>(sums[i]));
        const std::uint32_t bits = value != value ? 0x7fc00000U : bits_of_float(value);
        ASSERT_EQ(d[i], bits) << c.kernel << " kind " << kind << " lane " << lane << " result " << r
                              << ": " << std::bit_cast<float>(d[i]) << " for " << value;
      }
    }
  }

  std::shared_ptr<const isa::CodeObject> object_ = isa::test_object("matrix", GetParam());
};

// Of sparse instructions the oracle assumes what the emulator does: that stored elements form the groups.
TEST_P(Numerics, RandomProductsHaveTheBitsOfTheOracle) {
  std::mt19937_64 random(20);
  for (const Case& c : matrix::cases_of(GetParam())) {
    if (c.is_integer() || c.is_double() || c.kernel.find("f32_") == std::string::npos) continue;
    for (unsigned kind = 0; kind < kKinds; ++kind) check(c, kind, random);
  }
}

TEST_P(Numerics, ChainsOfF64AreFusedMultiplyAddsFromCOn) {
  std::mt19937_64 random(21);
  const auto doubles_of = [&](std::size_t count, int span) {
    matrix::Values values(count);
    for (double& value : values)
      value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                         -63 - static_cast<int>(random() % static_cast<unsigned>(span)));
    return values;
  };
  const auto bytes_of = [](const matrix::Values& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(double));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  for (const Case& c : matrix::cases_of(GetParam())) {
    if (!c.is_double() || c.blgp != 0) continue;
    // The products of the last are subnormal numbers.
    for (const int span : {3, 60, 540}) {
      const auto a = doubles_of(std::size_t{64} * c.a_items(), span),
                 b = doubles_of(std::size_t{64} * c.b_items(), span),
                 sums = doubles_of(std::size_t{64} * c.results(), 2 * span);
      const auto d = values_of<double>(
          matrix::run_matrix(object_, c.kernel, bytes_of(a), bytes_of(b), bytes_of(sums)));
      ASSERT_EQ(d.size(), sums.size());
      const auto rows = matrix::matrix_a(c, a, {}), columns = matrix::matrix_b(c, b);
      for (unsigned i = 0; i < d.size(); ++i) {
        const auto e = matrix::result_element(c, i / c.results(), i % c.results());
        double expected = sums[i];
        for (unsigned k = 0; k < c.k; ++k)
          expected = std::fma(rows[(e.block * c.m + e.row) * c.k + k],
                              columns[(e.block * c.k + k) * c.n + e.column], expected);
        ASSERT_EQ(d[i], expected) << c.kernel << " result " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Numerics, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
