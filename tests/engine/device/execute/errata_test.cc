// SPDX-License-Identifier: MIT
// Where the pseudocode of AMD's public ISA documents is wrong, or silent, and what the instructions do instead. One who follows the
// documents gets wrong divisions and wrong sines; each test says what the document says and holds the emulator to what is right. The list
// is that of the emulators which took the pseudocode for their semantics and were then compared with hardware: tinygrad's corrections to
// it, and rocm-systems pull request 11613, whose author ran the division steps on gfx1100 and gfx1201.
#include <cmath>
#include <limits>
#include <random>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
constexpr bool kWide = sizeof(T) == 8;

template <class T>
u64 pattern_of(T value) {
  if constexpr (kWide<T>) {
    return std::bit_cast<u64>(value);
  } else {
    return std::bit_cast<u32>(value);
  }
}
template <class T>
T number_from(u64 bits) {
  if constexpr (kWide<T>) {
    return std::bit_cast<T>(bits);
  } else {
    return std::bit_cast<T>(static_cast<u32>(bits));
  }
}

template <class T>
std::string named(const char* stem) {
  return std::string(stem) + (kWide<T> ? "_f64" : "_f32");
}

template <class T>
T fmas(bool scaling, T error, T reciprocal, T quotient) {
  return number_from<T>(run_one({.name = named<T>("v_div_fmas"), .vcc = scaling ? kAllLanes : 0},
                                pattern_of(error), pattern_of(reciprocal), pattern_of(quotient)));
}

template <class T>
T fixup(T quotient, T denominator, T numerator) {
  return number_from<T>(run_one({.name = named<T>("v_div_fixup")}, pattern_of(quotient),
                                pattern_of(denominator), pattern_of(numerator)));
}

template <class T>
struct Scaling {
  T value;
  bool flag;
};

/// V_DIV_SCALE with its second result, a bit for each lane in s[20:21].
template <class T>
Scaling<T> div_scale(T value, T denominator, T numerator) {
  const Probe probe{.name = named<T>("v_div_scale")};
  OneInstruction one(probe.arch);
  one.set(0, all_lanes(pattern_of(value)));
  one.set(2, all_lanes(pattern_of(denominator)));
  one.set(4, all_lanes(pattern_of(numerator)));
  EXPECT_TRUE(
      one.run(long_words(*find_by_name(probe.name, probe.arch, {isa::Encoding::vop3}), probe)));
  return {number_from<T>(one.get(8, kWide<T>)[0]), (one.wave.pair(20) & 1) != 0};
}

// Documents: 2^32 times the sum, whatever it is. A quotient that was scaled up has to come down, and the other way around: by 2^64.
TEST(Errata, DivFmasF32ScalesBy64EitherWayByTheExponentOfItsAddend) {
  EXPECT_EQ(fmas(true, 1.0f, 1.0f, 0x1p-70f), 0x1p-64f);
  EXPECT_EQ(fmas(true, 0.0f, 1.0f, 0x1p-20f), 0x1p-84f);
  EXPECT_EQ(fmas(true, 1.0f, 1.0f, 0x1p50f), 0x1p114f + 0x1p64f);
  EXPECT_EQ(fmas(false, 1.0f, 1.0f, 0.0f), 1.0f);
}

// Documents: 2^64 times the sum.
TEST(Errata, DivFmasF64ScalesBy128EitherWayByTheExponentOfItsAddend) {
  EXPECT_EQ(fmas(true, 1.0, 1.0, 0.0), 0x1p-128);
  EXPECT_EQ(fmas(true, 0.0, 1.0, -0x1p-300), -0x1p-428);
  EXPECT_EQ(fmas(true, 0.0, 1.0, 0x1p300), 0x1p428);
  EXPECT_EQ(fmas(false, 3.0, 2.0, 1.0), 7.0);
}

// Documents: the sum is rounded, then the product. A quotient among the denormals would be rounded twice: the sum here is just above the
// middle of two denormals by less than single precision holds, so that rounding it first makes a tie of it, which goes down to even.
TEST(Errata, DivFmasRoundsSumAndScaleOnce) {
  constexpr float kUnit = 0x1p-149f, kScaled = 0x1p-85f;
  EXPECT_EQ(fmas(true, 0x1p-60f, 0x1p-60f, 2.5f * kScaled), 3 * kUnit);
  EXPECT_EQ(fmas(true, 0.0f, 0x1p-60f, 2.5f * kScaled), 2 * kUnit);
  EXPECT_EQ(fmas(true, -0x1p-60f, 0x1p-60f, 1.5f * kScaled), kUnit);
  EXPECT_EQ(fmas(true, 0.0f, 0x1p-60f, 1.5f * kScaled), 2 * kUnit);
}

// Documents: the sign and the magnitude of the quotient, so a NaN stays one. Steps that ran into a NaN mean a quotient that overflowed.
template <class T>
void nan_of_the_steps_is_an_overflow(T large, T small) {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(fixup(nan, small, large), infinity);
  EXPECT_EQ(fixup(nan, -small, large), -infinity);
  EXPECT_EQ(fixup(nan, -small, -large), infinity);
  EXPECT_TRUE(std::isnan(fixup(T(1), nan, large)));
  EXPECT_TRUE(std::isnan(fixup(T(1), small, nan)));
}
TEST(Errata, DivFixupF32TakesANanOfTheStepsForAnOverflow) {
  nan_of_the_steps_is_an_overflow(0x1p100f, 0x1p-100f);
}
TEST(Errata, DivFixupF64TakesANanOfTheStepsForAnOverflow) {
  nan_of_the_steps_is_an_overflow(0x1p1000, 0x1p-1000);
}

// Documents, in order: NaN operands, 0/0 and infinity/infinity, then 1/0 and infinity/1, then 1/infinity and 0/1. The sign is that of the
// operands in all of them, whatever the steps gave.
TEST(Errata, DivFixupSettlesSpecialCasesByTheOperandsAlone) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float steps : {1.0f, -1.0f, infinity, std::nanf("")}) {
    EXPECT_EQ(pattern_of(fixup(steps, 0.0f, 0.0f)), 0xffc00000U);
    EXPECT_EQ(pattern_of(fixup(steps, infinity, -infinity)), 0xffc00000U);
    EXPECT_EQ(fixup(steps, -0.0f, 1.0f), -infinity);
    EXPECT_EQ(fixup(steps, -2.0f, infinity), -infinity);
    EXPECT_EQ(pattern_of(fixup(steps, infinity, -3.0f)), 0x80000000U);
    EXPECT_EQ(pattern_of(fixup(steps, -3.0f, -0.0f)), 0U);
  }
  EXPECT_EQ(run_one({.name = "v_div_fixup_f16"}, 0x3c00, 0x7c00, 0x7c00), 0xfe00U);
  EXPECT_EQ(run_one({.name = "v_div_fixup_f16"}, 0x3c00, 0, 0xbc00), 0xfc00U);
}

// Documents: "1 / 64'F(S1) == DENORM.f64", which no reciprocal of a float ever is. Meant is the reciprocal in single precision.
TEST(Errata, DivScaleF32LooksAtTheReciprocalInItsOwnPrecision) {
  EXPECT_EQ(div_scale(0x1p127f, 0x1p127f, 0x1p127f).value, 0x1p63f);
  EXPECT_EQ(div_scale(0x1p125f, 0x1p125f, 0x1p125f).value, 0x1p125f);
  EXPECT_EQ(div_scale(0x1p1023, 0x1p1023, 0x1p1023).value, 0x1p895);
}

// Documents: no branch at all assigns the result where nothing is to be scaled, or where the other operand is scaled alone.
// Documents: when the quotient is a denormal. Half of the least one is one as well, though it rounds to zero: without scaling the steps
// round it several times.
TEST(Errata, DivScaleTakesAQuotientThatRoundsToZeroForADenormal) {
  EXPECT_EQ(div_scale(0x3p-149f, 6.0f, 0x3p-149f).value, 0x3p-85f);
  EXPECT_TRUE(div_scale(0x3p-149f, 6.0f, 0x3p-149f).flag);
  EXPECT_EQ(div_scale(0x3p-1074, 6.0, 0x3p-1074).value, 0x3p-946);
  EXPECT_TRUE(div_scale(0x3p-1074, 6.0, 0x3p-1074).flag);
}

TEST(Errata, DivScalePassesOnWhatNeedsNoScaling) {
  EXPECT_EQ(div_scale(3.0f, 7.0f, 3.0f).value, 3.0f);
  EXPECT_FALSE(div_scale(3.0f, 7.0f, 3.0f).flag);
  const auto numerator = div_scale(0x1p60f, 0x1p-60f, 0x1p60f),
             denominator = div_scale(0x1p-60f, 0x1p-60f, 0x1p60f);
  EXPECT_EQ(numerator.value, 0x1p60f);
  EXPECT_EQ(denominator.value, 0x1p4f);
  EXPECT_TRUE(numerator.flag && denominator.flag);
  EXPECT_EQ(div_scale(3.0, 7.0, 3.0).value, 3.0);
}

// Documents: "(2 / pi << shift) & 0x1fffffffffffff", the last 53 of 1201 bits, which are never the wanted ones. Meant are the first.
TEST(Errata, TrigPreopTakesTheFirstBitsOfTwoOverPi) {
  const auto factor = [](double a, u32 segment) {
    return number_from<double>(run_one({.name = "v_trig_preop_f64"}, pattern_of(a), segment));
  };
  // The first 159 bits together are 2 / pi.
  const long double sum =
      static_cast<long double>(factor(1.0, 0)) + factor(1.0, 1) + factor(1.0, 2);
  EXPECT_NEAR(static_cast<double>(sum - 0.636619772367581343075535053490057448L), 0.0, 1e-19);
  EXPECT_EQ(factor(1.0, 0), 0x1.45f306dc9c882p-1);  // cut off, not rounded to ...883
  // Far exponents start further on, and are scaled.
  EXPECT_LT(factor(0x1p100, 0), 0x1p-40);
  EXPECT_GT(factor(0x1p1000, 0), 0.0);
}

/// The division that clang 19 makes of a / b: LLVM's SITargetLowering::LowerFDIV32 and LowerFDIV64.
template <class T>
T divided(T a, T b) {
  const T denominator = div_scale(b, b, a).value;
  const Scaling<T> numerator = div_scale(a, b, a);
  T reciprocal = number_from<T>(run_one({.name = named<T>("v_rcp")}, pattern_of(denominator)));
  for (int step = 0; step < (kWide<T> ? 2 : 1); ++step)
    reciprocal = std::fma(std::fma(-denominator, reciprocal, T(1)), reciprocal, reciprocal);
  T quotient = numerator.value * reciprocal;
  T error = std::fma(-denominator, quotient, numerator.value);
  if constexpr (!kWide<T>) {
    quotient = std::fma(error, reciprocal, quotient);
    error = std::fma(-denominator, quotient, numerator.value);
  }
  return fixup(fmas(numerator.flag, error, reciprocal, quotient), b, a);
}

template <class T>
void steps_divide_like_the_host(unsigned seed) {
  std::mt19937_64 random(seed);
  constexpr int kRounds = 4000;
  for (int round = 0; round < kRounds; ++round) {
    const T a = number_from<T>(random()), b = number_from<T>(random());
    const T expected = a / b, found = divided(a, b);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << a << " / " << b;
    } else {
      ASSERT_EQ(pattern_of(found), pattern_of(expected)) << a << " / " << b;
    }
  }
}

// Bit patterns at random, so that all exponents meet, denormals and overflows among them.
TEST(Errata, DivisionStepsTogetherDivideInSinglePrecision) { steps_divide_like_the_host<float>(1); }
TEST(Errata, DivisionStepsTogetherDivideInDoublePrecision) {
  steps_divide_like_the_host<double>(2);
}

// Quotients about the least denormals, where many are ties.
template <class T>
void least_quotients_divide_like_the_host() {
  for (int numerator = 1; numerator <= 12; ++numerator) {
    for (int denominator = -9; denominator <= 12; ++denominator) {
      if (denominator == 0) continue;
      const T a = static_cast<T>(numerator) * std::numeric_limits<T>::denorm_min(),
              b = static_cast<T>(denominator);
      ASSERT_EQ(pattern_of(divided(a, b)), pattern_of(a / b)) << a << " / " << b;
    }
  }
}
TEST(Errata, DivisionStepsRoundTheLeastQuotientsInSinglePrecisionOnce) {
  least_quotients_divide_like_the_host<float>();
}
TEST(Errata, DivisionStepsRoundTheLeastQuotientsInDoublePrecisionOnce) {
  least_quotients_divide_like_the_host<double>();
}

}  // namespace
}  // namespace rpl::emu
