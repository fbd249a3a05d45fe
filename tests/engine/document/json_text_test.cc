// SPDX-License-Identifier: MIT
#include "engine/document/json_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace rpl {
namespace {

struct Case {
  Value value;
  std::string_view json;
};

TEST(JsonText, WritesEveryKindOfValue) {
  const std::vector<Case> cases = {
      {Value(), "null"},
      {Value(true), "true"},
      {Value(std::int64_t{-7}), "-7"},
      {Value(2.0), "2.0"},
      {Value(0.1), "0.1"},
      {Value(1e300), "1e+300"},
      {Value(std::numeric_limits<double>::infinity()), "null"},
      {Value("a\"b\\c\n\x01"), R"("a\"b\\c\n\u0001")"},
      {Value(List{Value(1), Value("x")}), R"([1, "x"])"},
      {Value(Record{{"b", Value(1)}, {"a", Value()}}), R"({"b": 1, "a": null})"},
  };
  for (const Case& c : cases) EXPECT_EQ(to_json(c.value), c.json);
}

TEST(JsonText, KeepsUtf8AndReplacesWhatIsNone) {
  const std::vector<Case> cases = {
      {Value("é→𝄞"), "\"é→𝄞\""},
      {Value("a\xff"
             "b"),
       "\"a\xEF\xBF\xBD"
       "b\""},
      {Value("\xc3"), "\"\xEF\xBF\xBD\""},
      {Value("\xed\xa0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
  };
  for (const Case& c : cases) EXPECT_EQ(to_json(c.value), c.json);
}

}  // namespace
}  // namespace rpl
