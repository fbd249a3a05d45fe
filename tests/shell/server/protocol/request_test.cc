// SPDX-License-Identifier: MIT
#include "shell/server/protocol/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "tests/support/json_schema.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string message(std::string_view line) {
  const ParsedRequest read = read_request(line);
  return read.request ? "(taken)" : read.id + ": " + read.request.error().message;
}

TEST(ParsedRequest, TakesTheThreeKinds) {
  const ParsedRequest line = read_request(R"({"id": 1, "line": "info kernels", "limit": 3})");
  ASSERT_TRUE(line.request.has_value());
  EXPECT_EQ(line.id, "1");
  EXPECT_EQ(line.request->kind, Request::Kind::line);
  EXPECT_EQ(line.request->text, "info kernels");
  EXPECT_EQ(line.request->limit, 3U);
  EXPECT_FALSE(line.request->progress);

  const ParsedRequest command = read_request(
      R"({"command": "whatif", "arguments": {"kernel": "gemm"}, "progress": true, "id": "a\"b"})");
  ASSERT_TRUE(command.request.has_value());
  EXPECT_EQ(command.id, R"("a\"b")");
  EXPECT_EQ(command.request->kind, Request::Kind::command);
  EXPECT_EQ(command.request->arguments, (Record{{"kernel", Value("gemm")}}));
  EXPECT_TRUE(command.request->progress);

  const ParsedRequest cancel = read_request(R"({"id": 2, "cancel": "a\"b"})");
  ASSERT_TRUE(cancel.request.has_value());
  EXPECT_EQ(cancel.request->kind, Request::Kind::cancel);
  EXPECT_EQ(cancel.request->cancels, command.id);
}

TEST(ParsedRequest, SaysWhatIsWrongToWhoAsked) {
  EXPECT_THAT(message("{"), HasSubstr("null: the request is not JSON"));
  EXPECT_EQ(message("[1]"), "null: a request is a JSON object");
  EXPECT_EQ(message(R"({"line": "x"})"), "null: a request needs an 'id'");
  EXPECT_EQ(message(R"({"id": 1.5, "line": "x"})"),
            "null: 'id' is neither a whole number nor a text");
  EXPECT_EQ(message(R"({"id": null, "line": "x"})"),
            "null: 'id' is neither a whole number nor a text");
  EXPECT_EQ(message(R"({"id": 1, "line": 2})"), "1: 'line' is not a text");
  EXPECT_EQ(message(R"({"id": 1})"), "1: a request holds one of 'line', 'command' and 'cancel'");
  EXPECT_EQ(message(R"({"id": 1, "line": "x", "cancel": 1})"),
            "1: a request holds one of 'line', 'command' and 'cancel'");
  EXPECT_EQ(message(R"({"id": 1, "line": "x", "line": "y"})"), "1: a request names 'line' twice");
  EXPECT_EQ(message(R"({"id": 1, "line": "x", "arguments": {"a": 1}})"),
            "1: 'arguments' belong to a 'command'");
  EXPECT_EQ(message(R"({"id": 1, "command": "x", "arguments": [1]})"),
            "1: 'arguments' is not an object");
  EXPECT_EQ(message(R"({"id": 1, "line": "x", "limit": -1})"),
            "1: 'limit' takes a count, 0 or more");
  EXPECT_EQ(message(R"({"id": 1, "line": "x", "progress": 1})"),
            "1: 'progress' takes true or false");
  EXPECT_EQ(message(R"({"id": 1, "cmd": "x"})"), "1: a request has no key 'cmd'");
  EXPECT_THAT(message(R"({"id": ")" + std::string(300, 'x') + R"(", "line": "x"})"),
              HasSubstr("longer than 256 bytes"));
  EXPECT_THAT(message(std::string(100'000, '[')), HasSubstr("null: the request is not JSON"));
}

TEST(ParsedRequest, TakesWhatItsSchemaAllows) {
  const auto schema = parse_json(*read_text_file(std::string(RPL_SCHEMAS) + "/rpl.request-1.json"));
  ASSERT_TRUE(schema.has_value());
  for (const char* line :
       {R"({"id": 1, "line": "x"})",
        R"({"id": "a", "command": "x", "arguments": {}, "limit": 0, "progress": false})",
        R"({"id": 2, "cancel": 1})"}) {
    EXPECT_TRUE(read_request(line).request.has_value()) << line;
    EXPECT_THAT(testing_support::schema_faults(*parse_json(line), *schema), IsEmpty());
  }
  // Each key that is taken is described.
  const Value* properties = schema->find("properties");
  for (const char* key : {"id", "line", "command", "arguments", "cancel", "limit", "progress"})
    EXPECT_NE(properties->find(key), nullptr) << key;
}

}  // namespace
}  // namespace rpl
