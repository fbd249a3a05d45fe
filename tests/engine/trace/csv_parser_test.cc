// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_parser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;
using Records = std::vector<std::vector<std::string>>;

Result<Records> parse(std::string_view text) {
  CsvParser parser(ByteSource::from_memory("a.csv", text));
  Records records;
  while (TRY(parser.next())) {
    records.emplace_back(parser.fields().begin(), parser.fields().end());
  }
  return records;
}

struct Case {
  std::string_view name, text;
  Records records;
};

class CsvText : public testing::TestWithParam<Case> {};

TEST_P(CsvText, GivesTheseRecords) {
  const auto records = parse(GetParam().text);
  ASSERT_TRUE(records.has_value()) << records.error().message;
  EXPECT_EQ(*records, GetParam().records);
}

INSTANTIATE_TEST_SUITE_P(
    Rfc4180, CsvText,
    testing::Values(Case{"plain", "a,b\n1,2\n", {{"a", "b"}, {"1", "2"}}},
                    Case{"no_last_line_end", "a,b\n1,2", {{"a", "b"}, {"1", "2"}}},
                    Case{"crlf", "a,b\r\n1,2\r\n", {{"a", "b"}, {"1", "2"}}},
                    Case{"cr", "a,b\r1,2\r", {{"a", "b"}, {"1", "2"}}},
                    Case{"quoted_comma", "\"f<a, b>\",2\n", {{"f<a, b>", "2"}}},
                    Case{"doubled_quote", "\"say \"\"hi\"\"\",\"\"\n", {{"say \"hi\"", ""}}},
                    Case{"only_quotes", "\"\"\"\",1\n", {{"\"", "1"}}},
                    Case{"line_break_inside", "\"a\r\nb\",c\n", {{"a\r\nb", "c"}}},
                    Case{"byte_order_mark",
                         "\xef\xbb\xbf"
                         "a,b\n",
                         {{"a", "b"}}},
                    Case{"empty_fields", ",,\n", {{"", "", ""}}},
                    Case{"empty_lines", "a,b\n\n\r\n1,2\n\n", {{"a", "b"}, {"1", "2"}}},
                    Case{"quote_inside_unquoted", "a\"b,c\n", {{"a\"b", "c"}}},
                    Case{"not_utf8", "\xff\xfe,b\n", {{"\xff\xfe", "b"}}}, Case{"nothing", "", {}}),
    [](const auto& each) { return std::string(each.param.name); });

struct BadCase {
  std::string_view text, message;
};

class BadCsvText : public testing::TestWithParam<BadCase> {};

TEST_P(BadCsvText, NamesFileLineAndCause) {
  const auto records = parse(GetParam().text);
  ASSERT_FALSE(records.has_value());
  EXPECT_EQ(records.error().code, Errc::corrupt);
  EXPECT_EQ(records.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Malformed, BadCsvText,
    testing::Values(
        BadCase{"a\n\"open", "a.csv:2: a quoted field is not closed before the end of the file"},
        BadCase{"a,b\n1,\"x\"y\n", "a.csv:2: text follows the closing quote of field 2"},
        BadCase{"\"1\n2\"\n\"x\"y\n", "a.csv:3: text follows the closing quote of field 1"}));

TEST(CsvParser, ReadsRecordsThatCrossItsBuffer) {
  std::string text;
  const std::string filler(700, 'k');
  for (int i = 0; i < 5000; ++i) text += fmt::format("{},\"{} \"\"{}\"\"\"\r\n", i, filler, i);
  const auto records = parse(text);
  ASSERT_TRUE(records.has_value()) << records.error().message;
  ASSERT_EQ(records->size(), 5000U);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(
        (*records)[static_cast<std::size_t>(i)],
        (std::vector<std::string>{fmt::format("{}", i), fmt::format("{} \"{}\"", filler, i)}));
  }
}

TEST(CsvParser, StopsAtAQuoteThatIsNeverClosed) {
  const std::string text = "a,b\n1,\"" + std::string(CsvParser::kMaxRecordBytes * 2, 'x');
  const auto records = parse(text);
  ASSERT_FALSE(records.has_value());
  EXPECT_THAT(records.error().message, HasSubstr("longer than 16 MiB"));
}

TEST(CsvParser, CountsLinesInsideQuotesAndEmptyOnes) {
  CsvParser parser(ByteSource::from_memory("a.csv", "h\n\n\"x\ny\"\nz\n"));
  std::vector<std::uint64_t> lines;
  while (parser.next().value_or(false)) lines.push_back(parser.line());
  EXPECT_THAT(lines, testing::ElementsAre(1, 3, 5));
}

}  // namespace
}  // namespace rpl
