// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include "engine/document/json.h"

namespace rpl {
namespace {

/// What is read of `text`, as the writer has it, or the error.
std::string read(std::string_view text, const JsonLimits& limits = {}) {
  const auto value = parse_json(text, limits);
  return value ? to_json(*value) : value.error().message;
}

TEST(JsonParse, ReadsWhatTheWriterWrites) {
  for (const std::string_view text :
       {"null", "true", "-7", "2.0", "1e+300", "5e-324", R"("a\"b\\c\n\u0001\u007f")",
        R"({"b": 1, "a": [null, {"x": []}, {}]})", "\"\xF0\x9D\x84\x9E\""}) {
    EXPECT_EQ(read(text), text);
  }
}

TEST(JsonParse, KeepsIntegersApartFromRealNumbers) {
  EXPECT_EQ(read("[0, -0, -0.0, 1e3, 1.50]"), "[0, 0, -0.0, 1000.0, 1.5]");
  EXPECT_EQ(read("[9223372036854775807, -9223372036854775808]"),
            "[9223372036854775807, -9223372036854775808]");
  EXPECT_EQ(read("[9223372036854775808, 18446744073709551615, -9223372036854775809]"),
            "[9.223372036854776e+18, 1.8446744073709552e+19, -9.223372036854776e+18]");
  EXPECT_EQ(read("123456789012345678901234567890"), "1.2345678901234568e+29");
  EXPECT_EQ(read("1e400"), "bad JSON in line 1, column 5: a number out of range");
  EXPECT_EQ(read("1e-400"), "bad JSON: a number out of range");
}

TEST(JsonParse, TakesTheFirstOfEqualKeys) {
  const auto value = parse_json(R"({"a": 1, "b": 2, "a": 3})");
  ASSERT_TRUE(value);
  EXPECT_EQ(*value->find("a"), Value(1));
  EXPECT_EQ(to_json(*value), R"({"a": 1, "b": 2, "a": 3})");
}

TEST(JsonParse, ReadsEscapesAndMendsBytesThatAreNotUtf8) {
  EXPECT_EQ(read(R"("\u00e9\ud834\udd1e\/")"), "\"\xC3\xA9\xF0\x9D\x84\x9E/\"");
  EXPECT_EQ(read("[\"a\xff\", \"\xed\xa0\x80\"]"),
            "[\"a\xEF\xBF\xBD\", \"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"]");
}

TEST(JsonParse, NamesTheLineTheColumnAndWhatIsExpectedThere) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {"", "1, column 1: expected a value"},
      {"not json", "1, column 1: expected a value"},
      {"\xEF\xBB\xBF{}", "1, column 1: expected a value"},
      {"{", "1, column 2: expected a key"},
      {"{\n  1", "2, column 3: expected a key"},
      {"{\"a\" 1}", "1, column 6: expected ':'"},
      {"{\"a\": 1 \"b\"}", "1, column 10: expected ',' or '}'"},
      {"[1\n 2]", "2, column 2: expected ',' or ']'"},
      {"[1,\n\n tru]", "3, column 2: expected a value"},
      {"[1,]", "1, column 4: expected a value"},
      {"[.5]", "1, column 2: expected a value"},
      {"[1.]", "1, column 2: expected a value"},
      {"[+1]", "1, column 2: expected a value"},
      {"[01]", "1, column 2: expected ',' or ']'"},
      {"[nan]", "1, column 2: expected a value"},
      {"{} x", "1, column 4: something follows the document"},
      {std::string_view("1\0 2", 4), "1, column 2: something follows the document"},
      {"\"a\tb\"", "1, column 3: a control character in a string"},
      {"\"a", "1, column 3: a string does not end"},
      {R"("\q")", "1, column 3: an unknown escape"},
      {R"("\u12x4")", "1, column 6: \\u takes four hex digits"},
      {R"("\ude00")", "1, column 7: half of a surrogate pair"},
      {R"("\ud83d")", "1, column 8: half of a surrogate pair"},
  };
  for (const auto& [text, error] : cases)
    EXPECT_EQ(read(text), "bad JSON in line " + std::string(error)) << text;
}

TEST(JsonParse, StopsAtItsLimits) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(read(nested(257)), nested(257));
  EXPECT_EQ(read(nested(258)), "bad JSON: nested too deeply");
  EXPECT_EQ(read(std::string(1'000'000, '[')), "bad JSON: nested too deeply");
  EXPECT_EQ(read("[1, 2, {\"a\": 3}]", {.values = 5}), "[1, 2, {\"a\": 3}]");
  EXPECT_EQ(read("[1, 2, {\"a\": 3}]", {.values = 4}), "the JSON document has more than 4 values");
  EXPECT_EQ(read("[1, 2]", {.bytes = 5}), "the JSON document has 6 bytes; 5 at most are read");
}

}  // namespace
}  // namespace rpl
