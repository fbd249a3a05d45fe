// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "engine/device/execute/launch/program.h"
#include "tests/engine/device/execute/matrix_cases.h"

namespace rpl::emu {
namespace {

using matrix::Case;
using matrix::Number;
using matrix::Values;

/// One buffer of elements, by bits and by value.
struct Data {
  Number number;
  std::vector<std::byte> bytes;
  Values values;

  void add(std::uint64_t bits) {
    const std::size_t at = bytes.size();
    bytes.resize(at + matrix::bytes_of(number));
    std::memcpy(bytes.data() + at, &bits, matrix::bytes_of(number));
    values.push_back(matrix::value_of(number, bits));
  }
};

bool is_finite(Number number, std::uint64_t bits) {
  switch (number) {
    case Number::f64:
      return (bits >> 52 & 0x7ff) != 0x7ff;
    case Number::f32:
    case Number::xf32:
      return (bits >> 23 & 0xff) != 0xff;
    case Number::f16:
      return (bits >> 10 & 0x1f) != 0x1f;
    case Number::bf16:
      return (bits >> 7 & 0xff) != 0xff;
    case Number::fp8:
    case Number::bf8:
      return bits != 0x80;
    case Number::i8:
      return true;
  }
  return true;
}

/// Random bits whose value is finite and moderate; `whole` asks for small whole numbers, whose products and sums are exact.
Data random_data(Number number, std::size_t count, std::mt19937_64& random, bool whole) {
  Data data{.number = number, .bytes = {}, .values = {}};
  const unsigned width = matrix::bytes_of(number) * 8;
  while (data.values.size() < count) {
    std::uint64_t bits = random() & (~std::uint64_t{0} >> (64 - width));
    if (number == Number::f64 || number == Number::f32 || number == Number::xf32 || whole) {
      // Of wide types random bits would almost never be near to each other.
      const auto small = static_cast<double>(static_cast<int>(bits % 17) - 8);
      const double wide =
          whole ? small : std::ldexp(static_cast<double>(bits >> 8 & 0xffffff) - 0x800000, -20);
      const auto single = static_cast<float>(wide);
      std::uint32_t word;
      std::memcpy(&word, &single, 4);
      std::memcpy(&bits, &wide, 8);
      if (number != Number::f64) bits = number == Number::xf32 ? word & 0xffffe000U : word;
      if (number == Number::bf16) bits = word >> 16;
      if (matrix::bytes_of(number) < 3 && number != Number::bf16) {
        for (bits = 0; !is_finite(number, bits) || matrix::value_of(number, bits) != small;
             ++bits) {
        }
      }
    }
    if (!is_finite(number, bits)) continue;
    const double value = std::fabs(matrix::value_of(number, bits));
    if (value > 0x1p40 || (value != 0 && value < 0x1p-40)) continue;
    // Subnormal halves are another test's.
    if (number == Number::f16 && value < 0x1p-14 && value != 0) continue;
    data.add(bits);
  }
  return data;
}

class Matrix : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::byte> run(const std::string& kernel, const Data& a, const Data& b, const Data& c,
                             const std::vector<std::uint32_t>& indices = {}) {
    return matrix::run_matrix(object_, kernel, a.bytes, b.bytes, c.bytes, indices);
  }

  static std::vector<Case> cases() { return matrix::cases_of(GetParam()); }

  void check(const Case& c, bool whole);

  std::shared_ptr<const isa::CodeObject> object_ = isa::test_object("matrix", GetParam());
};

double result_value(const Case& c, const std::vector<std::byte>& d, std::size_t i) {
  if (c.is_double()) return values_of<double>(d)[i];
  std::uint32_t word;
  std::memcpy(&word, d.data() + 4 * i, 4);
  return c.is_integer() ? static_cast<std::int32_t>(word) : matrix::value_of(Number::f32, word);
}

void Matrix::check(const Case& c, bool whole) {
  std::mt19937_64 random(c.m * 1000 + c.k);
  const Data a = random_data(c.a, std::size_t{64} * c.a_items(), random, whole),
             b = random_data(c.b, std::size_t{64} * c.b_items(), random, whole);
  const auto result = c.is_double() ? Number::f64 : Number::f32;
  Data sums = random_data(result, std::size_t{64} * c.results(), random, whole);
  if (c.is_integer()) {
    sums.bytes.clear();
    for (double& value : sums.values) {
      value = static_cast<double>(static_cast<std::int64_t>(random() % 2000000) - 1000000);
      const auto word = static_cast<std::int32_t>(value);
      const auto* from = reinterpret_cast<const std::byte*>(&word);
      sums.bytes.insert(sums.bytes.end(), from, from + 4);
    }
  }
  const auto indices = c.sparse ? matrix::random_indices(random) : std::vector<std::uint32_t>();
  const auto expected = matrix::product(c, a.values, b.values, sums.values, indices);
  const auto d = run(c.kernel, a, b, sums, indices);
  ASSERT_EQ(d.size(), sums.bytes.size());
  const double unit = c.is_integer() || whole ? 0 : std::ldexp(1.0, c.is_double() ? -52 : -24);
  for (std::size_t i = 0; i < expected.d.size(); ++i) {
    const double bound = unit * (c.k + 1) * expected.magnitude[i];
    ASSERT_NEAR(result_value(c, d, i), expected.d[i], bound)
        << c.kernel << " lane " << i / c.results() << " result " << i % c.results();
  }
}

TEST_P(Matrix, WholeNumbersAreMultipliedExactlyInEveryLayout) {
  for (const Case& c : cases()) check(c, true);
}

// The bound holds for any order of summation in the accumulating type.
TEST_P(Matrix, SumsStayWithinTheBoundOfTheirType) {
  for (const Case& c : cases()) check(c, false);
}

TEST_P(Matrix, ConstantsAreAddedWhereTheInstructionHasThem) {
  std::mt19937_64 random(5);
  const auto with = [&](const Case& c, double constant) {
    const Data a = random_data(c.a, std::size_t{64} * c.a_items(), random, true),
               b = random_data(c.b, std::size_t{64} * c.b_items(), random, true);
    const Data unused = random_data(c.is_double() ? Number::f64 : Number::f32,
                                    std::size_t{64} * c.results(), random, true);
    const Values sums(unused.values.size(), constant);
    const auto expected = matrix::product(c, a.values, b.values, sums, {});
    const auto d = run(c.kernel, a, b, unused);
    for (std::size_t i = 0; i < sums.size(); ++i)
      ASSERT_EQ(result_value(c, d, i), expected.d[i]) << c.kernel;
  };
  with({"constant_float", 16, 16, 16, 1, Number::f16, Number::f16}, -4.0);
  with({"constant_integer", 16, 16, 4, 4, Number::i8, Number::i8}, -16.0);
  with({"constant_double", 16, 16, 4, 1, Number::f64, Number::f64}, 0.5);
}

TEST_P(Matrix, MovesBetweenRegisterFilesHeedExec) {
  std::mt19937_64 random(6);
  const Data unused = random_data(Number::f16, 256, random, true),
             c = random_data(Number::f32, 256, random, false);
  const auto d = values_of<float>(run("accumulation_moves", unused, unused, c));
  ASSERT_EQ(d.size(), 256U);
  for (std::size_t i = 0; i < 64; ++i) {
    const bool active = i == 1 || i == 2;
    EXPECT_EQ(d[4 * i], c.values[4 * i + (active ? 1 : 0)]) << i;
    EXPECT_EQ(d[4 * i + 1], c.values[4 * i + (active ? 1 : 2)]) << i;
    EXPECT_EQ(d[4 * i + 2], c.values[4 * i + 2]) << i;
  }
}

// gfx90a makes subnormal f16 and bf16 zero, gfx942 and every other type keep them.
TEST_P(Matrix, SubnormalHalvesAreKeptOrNotAsTheArchitectureSays) {
  const Case c{"f32_16x16x16_f16", 16, 16, 16, 1, Number::f16, Number::f16};
  Data a{.number = Number::f16, .bytes = {}, .values = {}}, b = a;
  Data sums{.number = Number::f32, .bytes = {}, .values = {}};
  for (int i = 0; i < 256; ++i) {
    a.add(1);       // 2^-24
    b.add(0x3c00);  // 1
    sums.add(0x3f800000);
  }
  const auto d = values_of<float>(run(c.kernel, a, b, sums));
  ASSERT_EQ(d.size(), 256U);
  const bool flushes = std::string(GetParam()) == "gfx90a";
  for (const float value : d) ASSERT_EQ(value, flushes ? 1.0F : 1.0F + 0x1p-20F);
}

TEST_P(Matrix, FidelityIsApproximateForSparseFloatsAlone) {
  const auto object = isa::test_object("matrix", GetParam());
  std::size_t seen = 0;
  for (const auto& kernel : object->kernels()) {
    const auto text = isa::decode_kernel(*object, kernel);
    ASSERT_TRUE(text.has_value());
    for (const auto& located : *text) {
      if (located.instruction.opcode->flags != "mfma") continue;
      ++seen;
      const auto name = located.instruction.opcode->mnemonic;
      const bool open = name.starts_with("v_smfmac_f32");
      EXPECT_EQ(fidelity_of(object->arch(), located.instruction),
                open ? Fidelity::approximate : Fidelity::exact)
          << name;
    }
  }
  EXPECT_GT(seen, 30U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Matrix, testing::ValuesIn(isa::kArchitectures),
                         [](const auto& arch) { return std::string(arch.param); });

}  // namespace
}  // namespace rpl::emu
