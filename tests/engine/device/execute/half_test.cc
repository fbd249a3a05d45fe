// SPDX-License-Identifier: MIT
// f16 arithmetic beside a reference in 128-bit integers: exact, then rounded once.
#include <bit>
#include <cmath>
#include <random>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr unsigned kHalves = 1U << 16, kNanBits = 0x7e00, kInfinity = 0x7c00;
constexpr int kPoint = 48;  ///< fixed point: products of two halves are whole

bool is_nan_half(unsigned h) { return (h & 0x7fffU) > kInfinity; }
bool is_infinite_half(unsigned h) { return (h & 0x7fffU) == kInfinity; }

/// In units of 2^-24.
std::int64_t steps_of(unsigned h) {
  const unsigned exponent = h >> 10 & 31U, fraction = h & 0x3ffU;
  const std::int64_t magnitude =
      exponent == 0 ? fraction : std::int64_t{fraction | 0x400U} << (exponent - 1);
  return (h & 0x8000U) != 0 ? -magnitude : magnitude;
}

/// value * 2^-48 as a half. `zero_sign` is for a value of zero.
unsigned rounded(Wide value, Rounding rounding, unsigned zero_sign) {
  if (value == 0) return zero_sign;
  const unsigned sign = value < 0 ? 0x8000U : 0U;
  const auto magnitude = static_cast<UnsignedWide>(value < 0 ? -value : value);
  int top = 0;
  while (magnitude >> top > 1) ++top;
  const int shift = std::max(top - 10, kPoint - 24);
  const auto kept = static_cast<std::uint64_t>(magnitude >> shift);
  const auto lost = magnitude & ((static_cast<UnsignedWide>(1) << shift) - 1);
  const auto half = static_cast<UnsignedWide>(1) << (shift - 1);
  bool up = false;
  switch (rounding) {
    case Rounding::nearest_even:
      up = lost > half || (lost == half && (kept & 1) != 0);
      break;
    case Rounding::up:
      up = lost != 0 && sign == 0;
      break;
    case Rounding::down:
      up = lost != 0 && sign != 0;
      break;
    case Rounding::to_zero:
      break;
  }
  // Codes of halves count up through the exponents.
  const std::uint64_t code =
      kept + (up ? 1 : 0) + (static_cast<std::uint64_t>(shift - (kPoint - 24)) << 10);
  if (code < kInfinity) return sign | static_cast<unsigned>(code);
  const bool outward =
      rounding == Rounding::nearest_even || rounding == (sign != 0 ? Rounding::down : Rounding::up);
  return sign | (outward ? kInfinity : kInfinity - 1);
}

unsigned fma_reference(unsigned a, unsigned b, unsigned c, Rounding rounding) {
  if (is_nan_half(a) || is_nan_half(b) || is_nan_half(c)) return kNanBits;
  const unsigned product_sign = (a ^ b) & 0x8000U;
  const bool infinite = is_infinite_half(a) || is_infinite_half(b);
  if (infinite) {
    if (steps_of(a) == 0 || steps_of(b) == 0) return kNanBits;
    if (is_infinite_half(c) && (c & 0x8000U) != product_sign) return kNanBits;
    return product_sign | kInfinity;
  }
  if (is_infinite_half(c)) return c;
  const Wide product = Wide{steps_of(a)} * steps_of(b);
  const Wide sum = product + (Wide{steps_of(c)} << 24);
  const bool same_sign = product_sign == (c & 0x8000U);
  const unsigned cancelled = rounding == Rounding::down ? 0x8000U : 0U;
  const unsigned zero = product == 0 && steps_of(c) == 0 && same_sign ? product_sign : cancelled;
  return rounded(sum, rounding, zero);
}

/// NaNs are compared as NaNs here; which one is looked at elsewhere.
unsigned same_nan(unsigned h) { return is_nan_half(h) ? kNanBits : h; }

std::vector<unsigned> corners() {
  std::vector<unsigned> halves;
  for (const unsigned h :
       {0x0000U, 0x0001U, 0x0002U, 0x03ffU, 0x0400U, 0x0401U, 0x1400U, 0x3bffU, 0x3c00U, 0x3c01U,
        0x3555U, 0x4000U, 0x6400U, 0x77ffU, 0x7bffU, 0x7c00U, 0x7e00U, 0x7d01U})
    halves.insert(halves.end(), {h, h | 0x8000U});
  return halves;
}

/// Triples of corners, then of random halves.
std::vector<std::array<unsigned, 3>> triples() {
  std::vector<std::array<unsigned, 3>> all;
  for (const unsigned a : corners()) {
    for (const unsigned b : corners()) {
      for (const unsigned c : corners()) all.push_back({a, b, c});
    }
  }
  std::mt19937 random(7);
  const auto half = [&] { return static_cast<unsigned>(random() % kHalves); };
  constexpr int kRandom = 60000;
  for (int i = 0; i < kRandom; ++i) all.push_back({half(), half(), half()});
  while (all.size() % kLanes != 0) all.push_back({0, 0, 0});
  return all;
}

template <class Reference>
void check(const Probe& probe, Reference reference) {
  const auto all = triples();
  for (std::size_t first = 0; first < all.size(); first += kLanes) {
    LaneValues a{}, b{}, c{};
    for (unsigned i = 0; i < kLanes; ++i) {
      // The upper halves must not matter.
      a[i] = all[first + i][0] | 0x5a5a0000U;
      b[i] = all[first + i][1] | 0xffff0000U;
      c[i] = all[first + i][2] | 0x12340000U;
    }
    const LaneValues found = run(probe, a, b, c);
    for (unsigned i = 0; i < kLanes; ++i) {
      const auto& [x, y, z] = all[first + i];
      ASSERT_EQ(same_nan(found[i] & 0xffffU), reference(x, y, z))
          << probe.name << std::hex << " " << x << " " << y << " " << z << " mode " << probe.mode;
    }
  }
}

constexpr unsigned kOne = 0x3c00, kMinusZero = 0x8000;

std::uint32_t mode_with(Rounding rounding) {
  return kUsualMode | static_cast<std::uint32_t>(rounding) << 2;
}

class HalfRounding : public testing::TestWithParam<Rounding> {};

TEST_P(HalfRounding, AddMulAndFmaRoundOnce) {
  const Rounding r = GetParam();
  const std::uint32_t mode = mode_with(r);
  check({.name = "v_fma_f16", .mode = mode},
        [r](unsigned a, unsigned b, unsigned c) { return fma_reference(a, b, c, r); });
  check({.name = "v_add_f16", .mode = mode},
        [r](unsigned a, unsigned b, unsigned) { return fma_reference(a, kOne, b, r); });
  check({.name = "v_sub_f16", .mode = mode},
        [r](unsigned a, unsigned b, unsigned) { return fma_reference(a, kOne, b ^ 0x8000U, r); });
  check({.name = "v_mul_f16", .mode = mode}, [r](unsigned a, unsigned b, unsigned) {
    // Adding a zero of the product's sign changes nothing.
    return fma_reference(a, b, (a ^ b) & kMinusZero, r);
  });
}

TEST_P(HalfRounding, ConversionsRoundOnce) {
  const Rounding r = GetParam();
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    LaneValues a{};
    for (auto& value : a) {
      const float wide = std::ldexp(static_cast<float>(static_cast<int>(random())),
                                    static_cast<int>(random() % 60) - 60);
      value = std::bit_cast<std::uint32_t>(wide);
    }
    const auto found = run({.name = "v_cvt_f16_f32", .mode = mode_with(r)}, a);
    for (unsigned i = 0; i < kLanes; ++i) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(a[i]));
      // Below 2^-48 only whether there is anything matters.
      const double scaled = std::ldexp(static_cast<double>(value), kPoint);
      const Wide exact =
          std::fabs(scaled) < 1 && scaled != 0 ? (scaled < 0 ? -1 : 1) : static_cast<Wide>(scaled);
      ASSERT_EQ(found[i], rounded(exact, r, 0)) << value;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HalfRounding,
                         testing::Values(Rounding::nearest_even, Rounding::up, Rounding::down,
                                         Rounding::to_zero));

/// Runs `name` on every half.
std::vector<unsigned> on_every_half(const std::string& name) {
  std::vector<unsigned> out;
  for (unsigned first = 0; first < kHalves; first += kLanes) {
    LaneValues a{};
    for (unsigned i = 0; i < kLanes; ++i) a[i] = first + i;
    for (const auto value : run({.name = name}, a)) out.push_back(static_cast<unsigned>(value));
  }
  return out;
}

double value_of(unsigned h) {
  if (is_nan_half(h)) return std::nan("");
  if (is_infinite_half(h)) return (h & 0x8000U) != 0 ? -HUGE_VAL : HUGE_VAL;
  const double value = std::ldexp(static_cast<double>(steps_of(h)), -24);
  return (h & 0x8000U) != 0 ? -std::fabs(value) : value;
}

void expect_every(const std::string& name, double (*reference)(double)) {
  const auto found = on_every_half(name);
  for (unsigned h = 0; h < kHalves; ++h) {
    ASSERT_EQ(found[h] >> 16, 0U) << name << " leaves something above the half";
    const double expected = reference(value_of(h));
    if (std::isnan(expected)) {
      ASSERT_TRUE(is_nan_half(found[h])) << name << std::hex << h;
    } else {
      ASSERT_EQ(value_of(found[h]), expected) << name << std::hex << h;
      ASSERT_EQ((found[h] & 0x8000U) != 0, std::signbit(expected)) << name << std::hex << h;
    }
  }
}

TEST(Half, EveryValueIsRoundedToAWholeNumber) {
  expect_every("v_floor_f16", [](double x) { return std::floor(x); });
  expect_every("v_ceil_f16", [](double x) { return std::ceil(x); });
  expect_every("v_trunc_f16", [](double x) { return std::trunc(x); });
  expect_every("v_rndne_f16", [](double x) { return std::nearbyint(x); });
}

TEST(Half, EveryValueIsTakenApart) {
  expect_every("v_frexp_mant_f16", [](double x) {
    int ignored = 0;
    return std::isfinite(x) && x != 0 ? std::frexp(x, &ignored) : x;
  });
  const auto exponents = on_every_half("v_frexp_exp_i16_f16");
  for (unsigned h = 0; h < kHalves; ++h) {
    int exponent = 0;
    if (std::isfinite(value_of(h))) (void)std::frexp(value_of(h), &exponent);
    ASSERT_EQ(static_cast<std::int16_t>(exponents[h]), exponent) << h;
  }
}

TEST(Half, EveryValueBecomesAnInteger) {
  const auto to_unsigned = on_every_half("v_cvt_u16_f16"),
             to_signed = on_every_half("v_cvt_i16_f16");
  for (unsigned h = 0; h < kHalves; ++h) {
    const double x = std::isnan(value_of(h)) ? 0 : std::trunc(value_of(h));
    ASSERT_EQ(to_unsigned[h], static_cast<unsigned>(std::clamp(x, 0.0, 65535.0))) << h;
    ASSERT_EQ(static_cast<std::int16_t>(to_signed[h]), std::clamp(x, -32768.0, 32767.0)) << h;
  }
}

// The functions that the hardware approximates: here to within half a step and a little.
TEST(Half, EveryValueIsNearWhatMathematicsSays) {
  const auto near = [](const std::string& name, double (*reference)(double)) {
    const auto found = on_every_half(name);
    for (unsigned h = 0; h < kHalves; ++h) {
      const double expected = reference(value_of(h)), value = value_of(found[h]);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << name << std::hex << h;
      } else if (std::fabs(expected) >= 65520) {
        ASSERT_TRUE(std::isinf(value)) << name << std::hex << h;
      } else {
        const double step = std::max(std::fabs(expected) * 0x1p-10, 0x1p-24);
        ASSERT_NEAR(value, expected, 0.501 * step) << name << std::hex << h;
      }
    }
  };
  near("v_rcp_f16", [](double x) { return 1 / x; });
  near("v_sqrt_f16", [](double x) { return std::sqrt(x); });
  near("v_rsq_f16", [](double x) { return 1 / std::sqrt(x); });
  near("v_exp_f16", [](double x) { return std::exp2(x); });
  near("v_log_f16", [](double x) { return std::log2(x); });
}

TEST(Half, MinimaAndMaximaTreatNansAsIeeeModeSays) {
  const std::uint32_t no_ieee = kUsualMode & ~0x200U;
  constexpr unsigned kSignalling = 0x7d01, kQuiet = 0x7f01, kTwo = 0x4000;
  for (const char* name : {"v_min_f16", "v_max_f16"}) {
    EXPECT_EQ(run_one({.name = name}, kSignalling, kTwo), kQuiet);
    EXPECT_EQ(run_one({.name = name}, kTwo, kSignalling), kQuiet);
    EXPECT_EQ(run_one({.name = name}, kQuiet, kTwo), kTwo);
    EXPECT_EQ(run_one({.name = name, .mode = no_ieee}, kSignalling, kTwo), kTwo);
  }
  EXPECT_EQ(run_one({.name = "v_min_f16"}, 0, kMinusZero), kMinusZero);
  EXPECT_EQ(run_one({.name = "v_max_f16"}, kMinusZero, 0), 0U);
}

TEST(Half, TheRestOfTheRegisterIsClearedOrKept) {
  constexpr std::uint64_t kBefore = 0xdead'beef;
  EXPECT_EQ(run_one({.name = "v_add_f16", .before = kBefore}, kOne, kOne), 0x4000U);
  EXPECT_EQ(run_one({.name = "v_fma_f16", .before = kBefore}, kOne, kOne, kOne), 0xdead4000U);
  EXPECT_EQ(run_one({.name = "v_fma_f16", .op_sel = 8, .before = kBefore}, kOne, kOne, kOne),
            0x4000beefU);
  EXPECT_EQ(run_one({.name = "v_fma_legacy_f16", .before = kBefore}, kOne, kOne, kOne), 0x4000U);
  // Sources from the upper halves.
  EXPECT_EQ(
      run_one({.name = "v_mad_u16", .op_sel = 7, .before = kBefore}, 0x30000, 0x50000, 0x70000),
      0xdead0016U);
}

TEST(Half, ModifiersAndClamp) {
  EXPECT_EQ(run_one({.name = "v_add_f16", .neg = 1}, kOne, kOne), 0U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .neg = 2, .abs = 1}, kOne | kMinusZero, 0x4000), 0xbc00U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .clamp = true}, kOne, kOne), kOne);
  EXPECT_EQ(run_one({.name = "v_mul_f16", .clamp = true}, kOne, 0xc000), 0U);
  EXPECT_EQ(run_one({.name = "v_add_f16", .clamp = true}, kNanBits, kOne), 0U);
}

}  // namespace
}  // namespace rpl::emu
