// SPDX-License-Identifier: MIT
// The matrix instructions of gfx950: layouts of their operands, formats, scales and sparse indices, each beside a product in double.
#include <set>

#include "engine/base/half.h"
#include "tests/engine/device/execute/one_instruction.h"
#include "tests/engine/device/execute/small_oracle.h"

namespace rpl::emu::later_matrices {
namespace {

constexpr unsigned kA = 0, kB = 8, kC = 16, kD = 32, kScaleA = 48, kScaleB = 49, kIndex = 50,
                   kRegisters = 128;

/// A matrix instruction by its name: "v_smfmac_f32_16x16x64_bf8_fp8".
struct Named {
  unsigned m = 0, n = 0, k = 0;
  std::string a, b;
  bool sparse = false, scaled = false;
};

Named named(const std::string& name) {
  Named out;
  out.sparse = name.starts_with("v_smfmac");
  out.scaled = name.find("_scale_") != name.npos;
  const auto at = name.find('x') - 2;
  char types[32] = {};
  std::sscanf(name.c_str() + at, "%ux%ux%u_%31s", &out.m, &out.n, &out.k, types);
  const std::string both = types;
  const auto between = both.find('_');
  out.a = both.substr(0, between);
  out.b = between == both.npos ? out.a : both.substr(between + 1);
  return out;
}

double element_of(const std::string& type, std::uint32_t code) {
  if (type == "i8") return static_cast<std::int8_t>(code);
  if (type == "bf16") return std::bit_cast<float>(code << 16);
  if (type == "f16") return to_float(Half{static_cast<std::uint16_t>(code)});
  return small_oracle::number_of(small_oracle::format_named(type), code);
}
unsigned bits_of(const std::string& type) {
  if (type == "i8") return 8;
  return type.ends_with("16")
             ? 16
             : static_cast<unsigned>(small_oracle::bits_of(small_oracle::format_named(type)));
}

std::uint32_t field(Wave& wave, unsigned first, unsigned lane, unsigned bit, unsigned width) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < width; ++i)
    value |= (wave.vector(first + (bit + i) / 32)[lane] >> (bit + i) % 32 & 1U) << i;
  return value;
}

/// Elements whose numbers are of moderate size, so that only few bits can be lost.
std::uint32_t moderate(const std::string& type, small_oracle::Random& random) {
  const std::uint32_t any = random();
  if (type == "f16") return (any & 0x83ffU) | (12 + any % 6) << 10;
  if (type == "bf16") return (any & 0x807fU) | (124 + any % 6) << 7;
  if (type == "fp8") return (any & 0x87U) | (3 + any % 8) << 3;
  if (type == "bf8") return (any & 0x83U) | (11 + any % 8) << 2;
  return any;
}

/// k of item `i` of a lane, by the layouts of the CDNA4 ISA document; `rows` lanes are the rows of a matrix.
unsigned k_of(const Named& what, const std::string& type, bool chosen, unsigned items,
              unsigned lane, unsigned rows, unsigned i) {
  const unsigned group = lane / rows;
  if (chosen && bits_of(type) == 8) return i / 16 * (what.k / 2) + 16 * group + i % 16;
  return items * group + i;
}

class MatrixCheck {
 public:
  MatrixCheck(const isa::Opcode& opcode, small_oracle::Random& random)
      : opcode_(opcode),
        what_(named(std::string(opcode.mnemonic))),
        random_(random),
        one_(isa::Arch::gfx950, kUsualMode, kRegisters) {}

  void run(unsigned cbsz, unsigned blgp) {
    static const std::string kChosen[] = {"fp8", "bf8", "fp6", "bf6", "fp4"};
    chosen_ = what_.a == "f8f6f4";
    a_ = chosen_ ? kChosen[cbsz] : what_.a;
    b_ = chosen_ ? kChosen[blgp] : what_.b;
    abid_ = what_.sparse && bits_of(a_) == 16 ? random_() % 2 : 0;
    fill();
    sel_ = random_() % 4;
    sel_hi_ = random_() % 4;
    const Wave before = one_.wave;
    old_ = before;
    ASSERT_TRUE(one_.run(words(cbsz, blgp))) << opcode_.mnemonic;
    check();
  }

 private:
  std::vector<std::uint32_t> words(unsigned cbsz, unsigned blgp) const {
    const unsigned third = what_.sparse ? kIndex : kC;
    std::vector<std::uint32_t> out;
    if (what_.scaled) {
      out = {0xd3ac0000U | sel_ << 11, (256 + kScaleA) | (256 + kScaleB) << 9 | sel_hi_ << 27};
    }
    out.push_back(0xd3800000U | std::uint32_t{opcode_.code} << 16 | cbsz << 8 |
                  (what_.scaled ? 1U : abid_) << 11 | kD);
    out.push_back((256 + kA) | (256 + kB) << 9 | (256 + third) << 18 | blgp << 29);
    return out;
  }

  void fill() {
    for (auto& reg : one_.wave.vgprs)
      for (auto& dword : reg.lane) dword = random_();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      fill_elements(kA, a_, lane);
      fill_elements(kB, b_, lane);
      for (unsigned k = 0; k < 16; ++k) {
        const float c = static_cast<float>(static_cast<int>(random_() % 2000) - 1000) / 16;
        const auto bits = a_ == "i8" ? random_() % 100000 : std::bit_cast<std::uint32_t>(c);
        one_.wave.vector(kC + k)[lane] = bits;
        one_.wave.vector(kD + k)[lane] = bits;
      }
      for (const unsigned scale : {kScaleA, kScaleB}) {
        std::uint32_t dword = 0;
        for (unsigned i = 0; i < 4; ++i) dword |= (124 + random_() % 7) << (8 * i);
        one_.wave.vector(scale)[lane] = dword;
      }
      // Two different ones of each four.
      std::uint32_t indices = 0;
      for (unsigned i = 0; i < 32; i += 4) {
        const unsigned first = random_() % 3, second = first + 1 + random_() % (3 - first);
        indices |= (first | second << 2) << i;
      }
      one_.wave.vector(kIndex)[lane] = indices;
    }
  }
  void fill_elements(unsigned first, const std::string& type, unsigned lane) {
    const unsigned width = bits_of(type);
    if (width % 8 != 0) return;
    for (unsigned k = 0; k < 8; ++k) {
      std::uint32_t dword = 0;
      for (unsigned i = 0; i < 32; i += width)
        dword |= (moderate(type, random_) & ((1U << width) - 1)) << i;
      one_.wave.vector(first + k)[lane] = dword;
    }
  }

  double scale(unsigned reg, unsigned which, unsigned row, unsigned rows, unsigned k) {
    if (!what_.scaled) return 1;
    const unsigned byte = (sel_ >> which & 1U) + 2 * (sel_hi_ >> which & 1U);
    const unsigned code = old_.vector(reg)[k / 32 * rows + row] >> 8 * byte & 0xffU;
    return std::ldexp(1.0, static_cast<int>(code) - 127);
  }

  /// Rows of A, or columns of B, as numbers.
  std::vector<std::vector<double>> elements(unsigned first, const std::string& type, unsigned rows,
                                            bool stored_half) {
    std::vector<std::vector<double>> out(rows, std::vector<double>(what_.k));
    const unsigned items = rows * what_.k / kLanes / (stored_half ? 2 : 1), width = bits_of(type);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < items; ++i) {
        unsigned k = k_of(what_, type, chosen_, items, lane, rows, i);
        if (stored_half) {
          const std::uint32_t set = old_.vector(kIndex)[lane] >> (width == 16 ? 16 * abid_ : 0);
          k = lane / rows * items * 2 + i / 2 * 4 + (set >> 2 * i & 3U);
        }
        const unsigned which = first == kA ? 0 : 1;
        out[lane % rows][k] = element_of(type, field(old_, first, lane, i * width, width)) *
                              scale(which == 0 ? kScaleA : kScaleB, which, lane % rows, rows, k);
      }
    }
    return out;
  }

  void check() {
    const auto a = elements(kA, a_, what_.m, what_.sparse), b = elements(kB, b_, what_.n, false);
    for (unsigned row = 0; row < what_.m; ++row) {
      for (unsigned column = 0; column < what_.n; ++column) {
        const unsigned reg = row % 4 + row / (what_.m == 32 ? 8 : 16) * 4;
        const unsigned lane = column + what_.n * (row / 4 % (64 / what_.n));
        double sum = 0, size = 0;
        for (unsigned k = 0; k < what_.k; ++k) {
          sum += a[row][k] * b[column][k];
          size += std::fabs(a[row][k] * b[column][k]);
        }
        const std::uint32_t c = old_.vector((what_.sparse ? kD : kC) + reg)[lane],
                            d = one_.wave.vector(kD + reg)[lane];
        if (a_ == "i8") {
          ASSERT_EQ(d, c + static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)))
              << opcode_.mnemonic;
          continue;
        }
        const double wanted = sum + std::bit_cast<float>(c);
        ASSERT_NEAR(std::bit_cast<float>(d), wanted, (size + std::fabs(wanted)) * 0x1p-20)
            << opcode_.mnemonic << " " << a_ << " " << b_ << " row " << row << " column " << column;
      }
    }
  }

  const isa::Opcode& opcode_;
  Named what_;
  small_oracle::Random& random_;
  OneInstruction one_;
  std::string a_, b_;
  bool chosen_ = false;
  unsigned abid_ = 0, sel_ = 0, sel_hi_ = 0;
  Wave old_;
};

bool is_new(const isa::Opcode& opcode) {
  return opcode.archs == isa::kCdna4 && opcode.flags == "mfma";
}

TEST(LaterMatrix, EachIsTheProductOfItsLayouts) {
  small_oracle::Random random(1);
  std::set<std::string> checked;
  for (const isa::Opcode& opcode : isa::opcodes()) {
    if (!is_new(opcode)) continue;
    checked.emplace(opcode.mnemonic);
    const bool chosen = opcode.mnemonic.ends_with("f8f6f4");
    for (unsigned cbsz = 0; cbsz < (chosen ? 5 : 1); ++cbsz)
      for (unsigned blgp = 0; blgp < (chosen ? 5 : 1); ++blgp)
        for (int round = 0; round < (chosen ? 1 : 4); ++round)
          MatrixCheck(opcode, random).run(cbsz, blgp);
  }
  EXPECT_EQ(checked.size(), 24U);
}

// Bytes of one matrix beside four bits of another: what is k of one is k of the other.
TEST(LaterMatrix, AScaleIsOfThirtyTwoNeighboursWhereverTheyLie) {
  const isa::Opcode* opcode =
      find_by_name("v_mfma_scale_f32_32x32x64_f8f6f4", isa::Arch::gfx950, {isa::Encoding::vop3px});
  ASSERT_NE(opcode, nullptr);
  // As AMD's probe of a GPU: one element of A is 1, B is 1 in column 0, and lane i scales A by 2^i.
  for (unsigned at = 0; at < 64; ++at) {
    OneInstruction one(isa::Arch::gfx950, kUsualMode, kRegisters);
    const unsigned lane = at < 32 ? 1 : 33;
    one.wave.vector(kA + at % 32 / 4)[lane] = 0x38U << 8 * (at % 4);
    for (const unsigned column : {0U, 32U})
      for (unsigned k = 0; k < 8; ++k) one.wave.vector(kB + k)[column] = 0x38383838;
    for (unsigned i = 0; i < kLanes; ++i) {
      one.wave.vector(kScaleA)[i] = 127 + i;
      one.wave.vector(kScaleB)[i] = 127;
    }
    const std::uint32_t words[] = {0xd3ac0000U, (256 + kScaleA) | (256 + kScaleB) << 9,
                                   0xd3ae0800U | kD, (256 + kA) | (256 + kB) << 9 | 128U << 18};
    ASSERT_TRUE(one.run(words));
    // Row 1 of column 0: the first sixteen registers' bytes belong to the first 32 of k, in both halves of the wave.
    const float found = std::bit_cast<float>(one.wave.vector(kD + 1)[0]);
    EXPECT_EQ(found, std::ldexp(1.0F, at % 32 < 16 ? 1 : 33)) << at;
  }
}

TEST(LaterMatrix, NansOfElementsAndScalesComeThrough) {
  OneInstruction one(isa::Arch::gfx950, kUsualMode, kRegisters);
  one.wave.vector(kA)[0] = 0x7f;  // of row 0
  const std::uint32_t plain[] = {0xd3ad0000U | kD, (256 + kA) | (256 + kB) << 9 | 128U << 18};
  ASSERT_TRUE(one.run(plain));
  EXPECT_EQ(one.wave.vector(kD)[3], 0x7fc00000U);
  EXPECT_EQ(one.wave.vector(kD + 1)[3], 0U);
  one.wave.vector(kA)[0] = 0;
  for (unsigned i = 0; i < kLanes; ++i)
    one.wave.vector(kScaleA)[i] = one.wave.vector(kScaleB)[i] = 127;
  one.wave.vector(kScaleB)[5] = 255;  // of column 5
  const std::uint32_t scaled[] = {0xd3ac0000U, (256 + kScaleA) | (256 + kScaleB) << 9,
                                  0xd3ad0800U | kD, (256 + kA) | (256 + kB) << 9 | 128U << 18};
  ASSERT_TRUE(one.run(scaled));
  EXPECT_EQ(one.wave.vector(kD)[5], 0x7fc00000U);
  EXPECT_EQ(one.wave.vector(kD)[6], 0U);
}

TEST(LaterMatrix, CodesWithoutAFormatAreRefused) {
  OneInstruction one(isa::Arch::gfx950, kUsualMode, kRegisters);
  const std::uint32_t words[] = {0xd3ad0000U | 5U << 8 | kD,
                                 (256 + kA) | (256 + kB) << 9 | 128U << 18};
  EXPECT_FALSE(one.run(words));
}

}  // namespace
}  // namespace rpl::emu::later_matrices
