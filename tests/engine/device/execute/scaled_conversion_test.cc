// SPDX-License-Identifier: MIT
// Every v_cvt_scalef32_*, and the conversions of 8-bit floats without scales, beside tables of all their codes.

#include "tests/engine/device/execute/one_instruction.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::scaled_conversions {
namespace {

using small_oracle::Format;

constexpr unsigned kA = 0, kB = 40, kC = 80, kD = 100, kRegisters = 160;

/// What the name says, read here and not with the emulator's code.
struct Named {
  std::string name, to, from;
  bool stochastic = false, interleaved = false, narrows = false;
  unsigned count = 1;
};

Named named(std::string_view whole) {
  Named out;
  out.name = whole;
  std::string rest(whole.substr(std::string_view("v_cvt_scalef32_").size()));
  const auto drop = [&](const std::string& part) {
    if (!rest.starts_with(part)) return false;
    rest.erase(0, part.size());
    return true;
  };
  out.stochastic = drop("sr_");
  if (drop("2xpk16_")) {
    out.interleaved = true;
    out.count = 32;
  } else if (drop("pk32_")) {
    out.count = 32;
  } else if (drop("pk_")) {
    out.count = 2;
  }
  out.to = rest.substr(0, rest.find('_'));
  out.from = rest.substr(rest.find('_') + 1);
  out.narrows =
      out.to == "fp8" || out.to == "bf8" || out.to == "fp6" || out.to == "bf6" || out.to == "fp4";
  return out;
}

unsigned width_of(const std::string& type) {
  return type == "f32" ? 32
         : type.ends_with("16")
             ? 16
             : static_cast<unsigned>(small_oracle::bits_of(small_oracle::format_named(type)));
}

/// Numbers of `width` bits in neighbouring registers of a lane.
std::uint32_t get_bits(Wave& wave, unsigned first, unsigned lane, unsigned bit, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= std::uint64_t{wave.vector(first + (bit + i) / 32)[lane] >> (bit + i) % 32 & 1U} << i;
  return static_cast<std::uint32_t>(value);
}

double wide_number(const std::string& type, std::uint32_t code) {
  if (type == "f32") return std::bit_cast<float>(code);
  if (type == "bf16") return std::bit_cast<float>(code << 16);
  const unsigned exponent = code >> 10 & 31U, mantissa = code & 1023U;
  const double sign = (code & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  return exponent == 0 ? sign * std::ldexp(mantissa, -24)
                       : sign * std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
}

/// Numbers near the small format's range after the division, and a few of any kind.
std::uint32_t any_wide(const std::string& type, int scale, small_oracle::Random& random) {
  const std::uint32_t any = random();
  if (type == "f16") return any & 0xffffU;
  std::uint32_t bits = any;
  if (any % 16 != 0) {
    const int exponent = std::clamp(scale + static_cast<int>(random() % 40) - 24, 0, 254);
    bits = (any & 0x807fffffU) | static_cast<std::uint32_t>(exponent) << 23;
    if (random() % 4 == 0) bits &= 0xfff00000U;  // ties are rare among random bits
  }
  return type == "f32" ? bits : bits >> 16;
}

std::array<std::uint32_t, 2> words_of(const isa::Opcode& opcode, unsigned op_sel) {
  const bool three = opcode.operands.find('C') != std::string_view::npos;
  return {0xd0000000U | std::uint32_t{opcode.code} << 16 | op_sel << 11 | kD,
          (256 + kA) | (256 + kB) << 9 | (three ? 256 + kC : 0U) << 18};
}

class ScaledConversionTest {
 public:
  ScaledConversionTest(const isa::Opcode& opcode, small_oracle::Random& random, std::uint32_t mode)
      : opcode_(opcode),
        what_(named(opcode.name())),
        random_(random),
        mode_(mode),
        one_(isa::Arch::gfx950, mode, kRegisters) {}

  void run() {
    three_ = opcode_.operands.find('C') != std::string_view::npos;
    fill();
    const auto before = one_.wave.vgprs;
    one_.wave.set_pair(isa::kExecLo, ~std::uint64_t{5});
    op_sel_ = random_() % 16;
    ASSERT_TRUE(one_.run(words_of(opcode_, op_sel_))) << what_.name;
    Wave old;
    old.vgprs = before;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((one_.wave.exec() >> lane & 1) == 0) {
        for (unsigned k = 0; k < 32; ++k)
          ASSERT_EQ(one_.wave.vector(kD + k)[lane], old.vector(kD + k)[lane]);
      } else {
        what_.narrows ? check_narrow(old, lane) : check_wide(old, lane);
      }
    }
  }

 private:
  void fill() {
    for (auto& reg : one_.wave.vgprs)
      for (auto& dword : reg.lane) dword = random_();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const int scale = random_() % 20 == 0 ? 255 : 100 + static_cast<int>(random_() % 50);
      scale_[lane] = scale;
      one_.wave.vector(three_ ? kC : kB)[lane] =
          (random_() & 0x807fffffU) | static_cast<std::uint32_t>(scale) << 23;
      if (!what_.narrows) continue;
      const unsigned numbers = 32 / width_of(what_.from);
      const bool two = three_ && !what_.stochastic;
      for (const unsigned first : {kA, kB}) {
        if (first == kB && !two) continue;
        for (unsigned k = 0; k < 32; ++k) {
          std::uint32_t dword = 0;
          for (unsigned i = 0; i < numbers; ++i)
            dword |= any_wide(what_.from, scale, random_) << (i * 16);
          one_.wave.vector(first + k)[lane] = dword;
        }
        // The registers of the seed and the scale lie behind.
        if (!two && !three_)
          one_.wave.vector(kB)[lane] = (random_() & 0x807fffffU) | static_cast<std::uint32_t>(scale)
                                                                       << 23;
      }
    }
  }

  /// Where number i of the destination lies; what surrounds a result of less than a dword stays.
  [[nodiscard]] unsigned first_bit() const {
    const unsigned all = what_.count * width_of(what_.to);
    if (all == 16) return 16 * (op_sel_ >> 3 & 1U);
    return all == 8 ? 8 * (op_sel_ >> 2 & 3U) : 0;
  }

  void check_around(Wave& old, unsigned lane) {
    const unsigned all = what_.count * width_of(what_.to), first = first_bit();
    for (unsigned bit = 0; bit < 32 * 33; ++bit) {
      if (bit >= first && bit < first + all) continue;
      ASSERT_EQ(get_bits(one_.wave, kD, lane, bit, 1), get_bits(old, kD, lane, bit, 1))
          << what_.name << " bit " << bit;
    }
  }

  void check_narrow(Wave& old, unsigned lane) {
    const Format format = small_oracle::format_named(what_.to);
    const unsigned width = width_of(what_.to), wide = width_of(what_.from);
    const bool saturate = (mode_ & kHalfOverflowBit) != 0;
    check_around(old, lane);
    for (unsigned i = 0; i < what_.count; ++i) {
      // Two sources of one number each, or of sixteen, take turns.
      const bool turns = three_ && !what_.stochastic;
      const unsigned index = turns ? i / 2 : i;
      const unsigned half = what_.count == 1 && wide == 16 ? op_sel_ & 1U : 0;
      const std::uint32_t code =
          get_bits(old, turns && i % 2 == 1 ? kB : kA, lane, (index + half) * wide, wide);
      double value = wide_number(what_.from, code);
      value = scale_[lane] == 255 ? std::nan("") : std::ldexp(value, 127 - scale_[lane]);
      const auto wanted = small_oracle::codes_of(format, value, what_.stochastic, saturate);
      const std::uint32_t found = get_bits(one_.wave, kD, lane, first_bit() + i * width, width);
      const bool is_nan = std::isnan(value) && std::isnan(small_oracle::number_of(format, found));
      ASSERT_TRUE(is_nan || wanted.contain(found) ||
                  (std::isnan(value) &&
                   (found & ~(1U << (width - 1))) == (wanted.first & ~(1U << (width - 1)))))
          << what_.name << " of " << value << " gives " << found << ", not " << wanted.first;
    }
  }

  void check_wide(Wave& old, unsigned lane) {
    const Format format = small_oracle::format_named(what_.from);
    const unsigned width = width_of(what_.from), wide = width_of(what_.to);
    const unsigned all = what_.count * width;
    const unsigned part = all == 16 ? op_sel_ & 1U : all == 8 ? op_sel_ & 3U : 0;
    check_around(old, lane);
    for (unsigned i = 0; i < what_.count; ++i) {
      const std::uint32_t code = get_bits(old, kA, lane, part * all + i * width, width);
      double value = small_oracle::number_of(format, code);
      value = scale_[lane] == 255 ? std::nan("") : std::ldexp(value, scale_[lane] - 127);
      const std::uint32_t found = get_bits(one_.wave, kD, lane, first_bit() + i * wide, wide);
      const double number = wide_number(what_.to, found);
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(number)) << what_.name;
      } else if (what_.to != "f16") {
        ASSERT_EQ(number, value) << what_.name;  // exact: few bits, far from the ends of the range
      } else if (std::fabs(value) >= 65520) {
        const bool saturates = (mode_ & kHalfOverflowBit) != 0 && std::isfinite(value);
        ASSERT_EQ(number, std::copysign(saturates ? 65504 : HUGE_VAL, value)) << what_.name;
      } else {
        const double unit =
            std::ldexp(1.0, std::max(value == 0 ? -14 : std::ilogb(value), -14) - 10);
        ASSERT_EQ(number, std::nearbyint(value / unit) * unit) << what_.name << " of " << value;
      }
    }
  }

  const isa::Opcode& opcode_;
  Named what_;
  small_oracle::Random& random_;
  std::uint32_t mode_;
  OneInstruction one_;
  bool three_ = false;
  unsigned op_sel_ = 0;
  std::array<int, kLanes> scale_{};
};

TEST(ScaledConversion, EachGivesTheNearestOfItsFormat) {
  small_oracle::Random random(1);
  std::size_t converted = 0;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    if (!opcode.name().starts_with("v_cvt_scalef32_")) continue;
    ++converted;
    for (int round = 0; round < 12; ++round)
      ScaledConversionTest(opcode, random,
                           round % 3 == 0 ? kUsualMode | kHalfOverflowBit : kUsualMode)
          .run();
  }
  EXPECT_EQ(converted, 49U);
}

TEST(ScaledConversion, TheSeedDecidesInProportion) {
  // 1.25 / 1 lies a quarter between the FP4 numbers 1 and 1.5, at one half of the step: half of all seeds round up.
  const Probe probe{.name = "v_cvt_scalef32_sr_pk_fp4_f16", .arch = isa::Arch::gfx950};
  small_oracle::Random random(2);
  unsigned up = 0;
  constexpr unsigned kRounds = 2000;
  for (unsigned round = 0; round < kRounds; ++round)
    up += run_one(probe, 0x3d003d00U, random(), bits(1.0F)) % 16 == 3 ? 1 : 0;
  EXPECT_NEAR(up, kRounds / 2.0, 120);
}

TEST(OcpBytes, AreThoseOfTheOpenComputeProject) {
  for (const std::string type : {"fp8", "bf8"}) {
    const Format format = small_oracle::format_named(type);
    for (unsigned code = 0; code < 256; ++code) {
      const double value = small_oracle::number_of(format, code);
      const auto found = real(
          run_one({.name = "v_cvt_f32_" + type, .op_sel_hi = 0, .arch = isa::Arch::gfx950}, code));
      const auto pair = run_one(
          {.name = "v_cvt_pk_f32_" + type, .op_sel_hi = 0, .arch = isa::Arch::gfx950}, code << 8);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(found) && std::isnan(real(pair >> 32))) << type << " " << code;
      } else {
        EXPECT_EQ(found, value) << type << " " << code;
        EXPECT_EQ(real(pair >> 32), value) << type << " " << code;
      }
    }
  }
  // FNUZ stays what gfx942 has: 0x80 is its NaN, and one exponent is half as much.
  EXPECT_TRUE(std::isnan(real(run_one({.name = "v_cvt_f32_fp8"}, 0x80))));
  EXPECT_EQ(real(run_one({.name = "v_cvt_f32_fp8"}, 0x38)), 0.5F);
  EXPECT_EQ(real(run_one({.name = "v_cvt_f32_fp8", .arch = isa::Arch::gfx950}, 0x38)), 1.0F);
}

TEST(OcpBytes, PacksRoundToNearestAndOverflowAsTheModeSays) {
  small_oracle::Random random(3);
  for (const std::string type : {"fp8", "bf8"}) {
    const Format format = small_oracle::format_named(type);
    for (int round = 0; round < 4000; ++round) {
      const std::uint32_t code = any_wide("f32", 127, random);
      const bool saturate = round % 2 == 0;
      const std::uint32_t mode = kUsualMode | (saturate ? kHalfOverflowBit : 0);
      const auto packed = run_one({.name = "v_cvt_pk_" + type + "_f32",
                                   .mode = mode,
                                   .before = 0xabcd0000U,
                                   .arch = isa::Arch::gfx950},
                                  code, bits(1.0F));
      const auto seeded =
          run_one({.name = "v_cvt_sr_" + type + "_f32", .mode = mode, .arch = isa::Arch::gfx950},
                  code, random());
      const double value = std::bit_cast<float>(code);
      const auto wanted = small_oracle::codes_of(format, value, false, saturate);
      const auto either = small_oracle::codes_of(format, value, true, saturate);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(small_oracle::number_of(format, packed & 0xff)));
      } else {
        EXPECT_EQ(packed & 0xff, wanted.first) << type << " of " << value;
        EXPECT_TRUE(either.contain(seeded & 0xff)) << type << " of " << value;
      }
      EXPECT_EQ(packed >> 8 & 0xff, type == "fp8" ? 0x38U : 0x3cU);
      EXPECT_EQ(packed >> 16, 0xabcdU);
    }
  }
}

}  // namespace
}  // namespace rpl::emu::scaled_conversions
