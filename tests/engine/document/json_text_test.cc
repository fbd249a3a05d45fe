// SPDX-License-Identifier: MIT
#include "engine/document/json.h"

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

TEST(JsonText, HasACompactAndAnIndentedStyle) {
  const Value value =
      Record{{"a", List{1, Record{{"b", 2.5}}}}, {"c", Record{{"d", nullptr}}}, {"e", Record()}};
  EXPECT_EQ(to_json(value, JsonStyle::compact), R"({"a":[1,{"b":2.5}],"c":{"d":null},"e":{}})");
  EXPECT_EQ(to_json(value, JsonStyle::indented),
            "{\n  \"a\": [1, {\"b\": 2.5}],\n  \"c\": {\n    \"d\": null\n  },\n  \"e\": {}\n}");
}

static_assert(!std::is_constructible_v<JsonText, std::string> &&
              !std::is_constructible_v<JsonText, const char*> &&
              !std::is_invocable_v<SinkOf<JsonText>, std::string>);

TEST(JsonText, AddsTextsAsStringsAndNumbersAsTheyAre) {
  const std::string foreign = "<b>\"\x1b";
  EXPECT_EQ(encoded<JsonText>("{{{}: {}, \"n\": {}}}", std::string_view("k"), foreign, 7),
            "{\"k\": \"<b>\\\"\\u001b\", \"n\": 7}");
}

TEST(JsonText, FailuresAreDocuments) {
  EXPECT_EQ(
      error_json(Error(Errc::io, "disk \"a\" is full")).bytes(),
      R"({"schema": "rpl.error/1", "code": "io", "message": "disk \"a\" is full", "hint": null})"
      "\n");
}

TEST(JsonStream, WritesMembersAndRowsAsTheLayoutSays) {
  const auto write = [](const JsonLayout& layout, int rows) {
    JsonStream out(layout);
    out.member("a", 1).member_text("b", OwnText("[]")).begin_rows("rows");
    for (int i = 0; i < rows; ++i) out.row(Record{{"i", i}, {"j", 0}});
    return out.end_rows().member("c", "x").text().string();
  };
  EXPECT_EQ(write(kJsonLine, 2),
            R"({"a": 1, "b": [], "rows": [{"i": 0, "j": 0}, {"i": 1, "j": 0}], "c": "x"})");
  EXPECT_EQ(write(kJsonCompact, 2),
            R"({"a":1,"b":[],"rows":[{"i":0,"j":0},{"i":1,"j":0}],"c":"x"})");
  EXPECT_EQ(
      write(kJsonDocument, 2),
      "{\n  \"a\": 1,\n  \"b\": [],\n  \"rows\": [\n    {\"i\": 0, \"j\": 0},\n    {\"i\": 1, "
      "\"j\": 0}\n  ],\n  \"c\": \"x\"\n}\n");
  EXPECT_EQ(write(kJsonDocument, 0),
            "{\n  \"a\": 1,\n  \"b\": [],\n  \"rows\": [],\n  \"c\": \"x\"\n}\n");
}

TEST(JsonStream, GivesASinkPiecesThatEndWithARowAndStopsWhenItFails) {
  std::vector<std::string> pieces;
  JsonStream out(kJsonDocument, [&](const JsonText& text) -> Status {
    pieces.push_back(text.string());
    return pieces.size() < 3 ? Status() : fail(Errc::io, "full");
  });
  out.begin_rows("rows");
  for (int i = 0; i < 100'000 && out.status(); ++i) out.row(i);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_GE(pieces[0].size(), 65536U);
  EXPECT_EQ(pieces[1].substr(0, 6), ",\n    ");
  const Status end = out.end_rows().finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "full");
  EXPECT_EQ(pieces.size(), 3U);
}

}  // namespace
}  // namespace rpl
