// SPDX-License-Identifier: MIT
#include "engine/device/expression/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace rpl::debug {
namespace {

using ::testing::HasSubstr;

/// Names and a little memory: floats 0, 0.5, 1, … from address 0x1000.
class Expressions : public testing::Test {
 protected:
  Scope scope() {
    return {
        .variable = [this](std::string_view name) { return found(name); },
        .name = [this](std::string_view name) { return found(name); },
        .call = [](std::string_view name, const std::vector<Datum>& arguments) -> Result<Datum> {
          if (name == "twice" && arguments.size() == 1)
            return computed("*", arguments[0], integer_datum(2));
          return fail(Errc::not_found, "no such function");
        },
        .read = [this](const Watched& where) -> Result<std::vector<std::byte>> {
          if (where.address < kBase || where.address - kBase + where.bytes > sizeof(memory))
            return fail(Errc::not_found, "outside");
          std::vector<std::byte> out(where.bytes);
          std::memcpy(out.data(), reinterpret_cast<std::byte*>(memory) + (where.address - kBase),
                      where.bytes);
          return out;
        },
        .write = [this](const Watched& where, const Datum& value, std::string text) -> Status {
          written = std::move(text);
          const auto bytes = bytes_of(value, value.type);
          std::memcpy(reinterpret_cast<std::byte*>(memory) + (where.address - kBase), bytes.data(),
                      bytes.size());
          return {};
        },
        .set = [this](std::string_view name, const Datum& value) -> Status {
          names["$" + std::string(name)] = value;
          return {};
        }};
  }
  Result<Datum> found(std::string_view name) {
    const auto at = names.find(std::string(name));
    if (at != names.end()) return at->second;
    return fail(Errc::not_found, "no '" + std::string(name) + "'");
  }
  std::string text(std::string_view expression, char format = 0) {
    const auto parsed = parse_expression(expression);
    if (!parsed) return parsed.error().message;
    const auto value = evaluate(*parsed, scope());
    if (!value) return value.error().message;
    return text_of(*value, format).value_or("?");
  }

  static constexpr std::uint64_t kBase = 0x1000;
  float memory[64] = {};
  std::string written;
  std::map<std::string, Datum> names;

  void SetUp() override {
    for (int i = 0; i < 64; ++i) memory[i] = static_cast<float>(i) / 2;
    names["in"] = {.type = {.base = Type::Base::f32, .pointers = 1}, .integer = kBase};
    names["n"] = integer_datum(200, Type::Base::i32);
    names["$v2"] = register_datum(3, 1);
    names["$exec"] = register_datum(~std::uint64_t{0}, 2);
    Datum grid{.type = {.base = Type::Base::structure, .name = "dim3"}};
    for (const char* part : {"x", "y", "z"})
      grid.parts.emplace_back(part, integer_datum(1, Type::Base::u32));
    names["threadIdx"] = grid;
  }
};

TEST_F(Expressions, AreCsArithmetic) {
  EXPECT_EQ(text("1 + 2 * 3"), "7");
  EXPECT_EQ(text("7 / 2"), "3");
  EXPECT_EQ(text("-7 / 2"), "-3");
  EXPECT_EQ(text("7 % 4"), "3");
  EXPECT_EQ(text("7.0 / 2"), "3.5");
  EXPECT_EQ(text("1 << 4 | 1"), "17");
  EXPECT_EQ(text("0x10 + 010"), "24");
  EXPECT_EQ(text("0b101 + 0B1"), "6");
  EXPECT_EQ(text("5 ^ 1"), "4");
  EXPECT_EQ(text("~0"), "-1");
  EXPECT_EQ(text("n > 100 ? 1 : 2"), "1");
  EXPECT_EQ(text("(n - 1) * 2"), "398");
  EXPECT_EQ(text("4000000000"), "4000000000");
  EXPECT_EQ(text("1 / 0"), "division by zero");
}

TEST_F(Expressions, CompareAndCombine) {
  EXPECT_EQ(text("5 > 3 && 1"), "true");
  EXPECT_EQ(text("5 > 3 and n == 200"), "true");
  EXPECT_EQ(text("not (1 ~= 2) or 0"), "false");
  EXPECT_EQ(text("!n"), "false");
  EXPECT_EQ(text("0 && nosuch"), "false") << "the right side is not looked at";
}

TEST_F(Expressions, RegistersDoNotWrap) {
  EXPECT_EQ(text("$v2 - 5"), "-2");
  EXPECT_EQ(text("$v2 > -1"), "true");
  EXPECT_EQ(text("$exec", 'x'), "0xffffffffffffffff");
  EXPECT_EQ(text("$v2", 't'), "11");
  EXPECT_EQ(text("(float)$v2 / 2"), "1.5");
}

TEST_F(Expressions, ReadMemoryThroughPointers) {
  EXPECT_EQ(text("*in"), "0");
  EXPECT_EQ(text("in[3]"), "1.5");
  EXPECT_EQ(text("in[0]@4"), "{0, 0.5, 1, 1.5}");
  EXPECT_EQ(text("*in@2"), "{0, 0.5}");
  EXPECT_EQ(text("*(in + 2)"), "1");
  EXPECT_EQ(text("&in[2]"), "(float *) 0x1008");
  EXPECT_EQ(text("*(float*)0x1004"), "0.5");
  EXPECT_EQ(text("{float}0x1004"), "0.5");
  EXPECT_EQ(text("*0x1004", 'x'), "0x3f000000") << "what is behind a bare number is an int";
  EXPECT_EQ(text("in[100]"), "outside");
  EXPECT_EQ(text("threadIdx.y + 1"), "2");
  EXPECT_EQ(text("sizeof(float*) + sizeof(int)"), "12");
  EXPECT_EQ(text("twice(4)"), "8");
}

TEST_F(Expressions, Assign) {
  EXPECT_EQ(text("in[2] = 7"), "7");
  EXPECT_EQ(memory[2], 7.0F);
  EXPECT_EQ(written, "in[2] = 7");
  EXPECT_EQ(text("in[2] += 1"), "8");
  EXPECT_EQ(text("$x = 5"), "5");
  EXPECT_EQ(text("$x * 2"), "10");
  EXPECT_EQ(text("n = 3"), "only registers, memory and variables can be written");
}

TEST_F(Expressions, SayWhereTheyEnd) {
  EXPECT_THAT(text("1 +"), HasSubstr("ends too early"));
  EXPECT_THAT(text("1 ) 2"), HasSubstr("column 3"));
  EXPECT_THAT(text("(1"), HasSubstr("ends too early"));
  EXPECT_THAT(text("\"open"), HasSubstr("a quote is not closed"));
  EXPECT_EQ(text("nosuch"), "no 'nosuch'");
  EXPECT_THAT(text(std::string(5000, '(')), HasSubstr("nested too deeply"));
}

TEST_F(Expressions, NameWhatTheyNeed) {
  std::string all;
  each_name(*parse_expression("v(3) > in[n] && $v2 && mem.f32(4) && threadIdx.x"),
            [&](const Expression& part) { all += part.text + " "; });
  EXPECT_EQ(all, "in n $v2 threadIdx ");
}

TEST_F(Expressions, AreShownInGdbsFormats) {
  EXPECT_EQ(text("65", 'c'), "65 'A'");
  EXPECT_EQ(text("255", 'x'), "0xff");
  EXPECT_EQ(text("-1", 'x'), "0xffffffff");
  EXPECT_EQ(text("8", 'o'), "010");
  EXPECT_EQ(text("5", 'z'), "0x00000005");
  EXPECT_EQ(text("1065353216", 'f'), "1");
  EXPECT_EQ(text("'A'"), "65 'A'");
  EXPECT_EQ(text("\"a\""), "\"a\"");
  EXPECT_EQ(text("in[2]@3", 'x'), "{0x1, 0x1, 0x2}") << "the whole part";
}

TEST(Types, AreReadAndWritten) {
  EXPECT_EQ(to_string(*parse_type("const float *")), "const float *");
  EXPECT_EQ(to_string(*parse_type("unsigned long long")), "unsigned long");
  EXPECT_EQ(parse_type("float const*")->pointers, 1);
  EXPECT_FALSE(parse_type("thing").has_value());
  EXPECT_FALSE(parse_type("void").has_value());
}

}  // namespace
}  // namespace rpl::debug
