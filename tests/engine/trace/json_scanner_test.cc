// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/json/json_rows.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

JsonScanner scanner(std::string_view text) {
  return JsonScanner(ByteSource::from_memory("a.json", text));
}

/// Scans `text` as one value and says how far it got, or why not.
std::string skipped(std::string_view text) {
  JsonScanner scan = scanner(text);
  const auto done = scan.skip();
  return done ? std::string(text.substr(0, scan.offset())) : done.error().message;
}

TEST(JsonScanner, FindsTheEndOfEveryKindOfValue) {
  for (const std::string_view value :
       {"1", "-1.5e3", "true", "null", "\"\"", "\"a\\\"b\"", "\"\\\\\"", "[]", "{}", "[1,[2]]",
        "{\"a\": [\"]\", {\"b\": \"}\"}]}"}) {
    EXPECT_EQ(skipped(std::string(value) + " ,rest"), value);
  }
}

TEST(JsonScanner, NamesTheByteWhereTheFileEnds) {
  EXPECT_EQ(skipped("{\"a\": [1"), "a.json: byte 8: the file ends inside the document");
  EXPECT_EQ(skipped("\"abc\\\""),
            "a.json: byte 6: a string is not closed before the end of the file");
  EXPECT_EQ(skipped("  "), "a.json: byte 2: the file ends inside the document");
  EXPECT_EQ(skipped(","), "a.json: byte 0: expected a value, found ','");
}

TEST(JsonScanner, WalksMembersAndElements) {
  JsonScanner scan = scanner("{\"a\": 1, \"b\" : [10, \"x\", {}], \"c\":{}}");
  ASSERT_TRUE(scan.enter('{'));
  std::string key, seen;
  while (scan.next_member(key).value_or(false))
    seen += key + "=" + std::string(scan.value().value()) + ";";
  EXPECT_EQ(seen, "a=1;b=[10, \"x\", {}];c={};");
}

TEST(JsonScanner, HandsOutElementsThatCrossItsBuffer) {
  std::string text = "[";
  for (int i = 0; i < 30000; ++i) {
    text += (i == 0 ? "" : " ,\n") + ("{\"i\": " + std::to_string(i) + ", \"s\": \"" +
                                      std::string(static_cast<std::size_t>(i % 300), '\\') +
                                      (i % 2 == 0 ? "" : "\\") + "]\"}");
  }
  text += "]";
  JsonScanner scan = scanner(text);
  ASSERT_TRUE(scan.enter('['));
  int elements = 0;
  JsonRows rows("x", {{"i"}});
  while (true) {
    const auto batch = scan.elements();
    ASSERT_TRUE(batch.has_value()) << batch.error().message;
    if (batch->empty()) break;
    const auto read = rows.read(*batch, [&](std::span<const JsonCell> cells) -> Status {
      EXPECT_EQ(cells[0].integer, elements++);
      return {};
    });
    ASSERT_TRUE(read.has_value()) << read.error().message;
  }
  EXPECT_EQ(elements, 30000);
}

/// The cells of the first element, or the error.
std::string first_cells(std::string_view elements, std::vector<JsonField> fields) {
  JsonRows rows("root.rows", std::move(fields));
  std::string shown;
  const auto read = rows.read(elements, [&](std::span<const JsonCell> cells) -> Status {
    for (const JsonCell& cell : cells) {
      shown += cell.present ? std::to_string(cell.integer) + std::string(cell.text) + ";" : "-;";
    }
    return {};
  });
  return read ? shown : read.error().message;
}

TEST(JsonRows, FindsFieldsInAnyOrderAndDepth) {
  EXPECT_EQ(first_cells(R"({"z": [1], "b": {"y": {}, "x": 7}, "a": "text", "n": null})",
                        {{"a", JsonType::text}, {"b.x"}, {"n"}, {"absent"}}),
            "0text;7;-;-;");
  EXPECT_EQ(first_cells(R"({"h": "0xff"}, {"h": 18446744073709551615})", {{"h", JsonType::handle}}),
            "255;-1;");
  EXPECT_EQ(first_cells(R"({"r": [ {"a":1}, 2 ], "q": 1})", {{"r", JsonType::raw}}),
            R"(0[ {"a":1}, 2 ];)");
}

TEST(JsonRows, NamesThePathOfWhatIsWrong) {
  EXPECT_EQ(first_cells(R"({"a": {"b": "x"}})", {{"a.b"}}),
            "root.rows[0].a.b: expected a whole number");
  EXPECT_EQ(first_cells(R"({"a": 5})", {{"a.b"}}), "root.rows[0].a: expected an object");
  EXPECT_EQ(first_cells(R"({"a": 1}, {})", {{"a", JsonType::integer, true}}),
            "root.rows[1].a: is missing");
  EXPECT_EQ(first_cells(R"({"a": -1})", {{"a", JsonType::count}}),
            "root.rows[0].a: expected a whole number from 0 to 4294967295");
  EXPECT_EQ(first_cells("3", {{"a"}}), "root.rows[0]: expected an object");
  EXPECT_THAT(first_cells(R"({"a" 1})", {{"a"}}), HasSubstr("malformed JSON"));
}

TEST(JsonRows, ReplacesBytesThatAreNotUtf8) {
  JsonRows rows("r", {{"a", JsonType::text}});
  std::string text;
  const auto read = rows.read("{\"a\": \"raw-\x8d\xc3\xa4\"}", [&](auto cells) -> Status {
    text = std::string(cells[0].text);
    return {};
  });
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(text, "raw-?\xc3\xa4");
  EXPECT_TRUE(rows.repaired());
}

}  // namespace
}  // namespace rpl
