// SPDX-License-Identifier: MIT
#include "tests/support/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/document/json.h"

namespace rpl::testing_support {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> faults(const char* value, const char* schema) {
  return schema_faults(*parse_json(value), *parse_json(schema));
}

TEST(JsonSchema, TypesMayBeSeveral) {
  EXPECT_THAT(faults("3", R"({"type": "integer"})"), IsEmpty());
  EXPECT_THAT(faults("3", R"({"type": ["number", "null"]})"), IsEmpty());
  EXPECT_THAT(faults("3.5", R"({"type": ["integer", "null"]})"),
              ElementsAre("the document: is number, not integer or null"));
  EXPECT_THAT(faults("true", R"({"type": "integer"})"),
              ElementsAre("the document: is boolean, not integer"));
  EXPECT_THAT(faults("null", R"({"type": "string"})"),
              ElementsAre("the document: is null, not string"));
}

TEST(JsonSchema, FaultsTellTheirPlace) {
  constexpr const char* kSchema =
      R"({"type": "object", "required": ["rows"], "properties": {"rows": {"type": "array", "items": {"type": "object",
          "properties": {"at": {"type": "string", "pattern": "^0x[0-9a-f]+$"}, "kind": {"enum": ["a", "b"]}, "one": {"const": 1}}}}}})";
  EXPECT_THAT(faults(R"({"rows": [{"at": "0x1f", "kind": "b", "one": 1, "more": 7}]})", kSchema),
              IsEmpty());
  EXPECT_THAT(faults(R"({"rows": [{}, {"at": "31"}]})", kSchema),
              ElementsAre("rows[1].at: is '31', not like \"^0x[0-9a-f]+$\""));
  EXPECT_THAT(
      faults(R"({"rows": [{"kind": "c", "one": 2}]})", kSchema),
      ElementsAre("rows[0].kind: is \"c\", none of [\"a\", \"b\"]", "rows[0].one: is 2, not 1"));
  EXPECT_THAT(faults(R"({})", kSchema), ElementsAre("the document: lacks rows"));
}

TEST(JsonSchema, RecordsWhoseKeysAreDataHaveValuesOfOneType) {
  constexpr const char* kSchema =
      R"({"properties": {"name": {"type": "string"}}, "additionalProperties": {"type": "number"}})";
  EXPECT_THAT(faults(R"({"name": "k", "load": 1, "store": 2.5})", kSchema), IsEmpty());
  EXPECT_THAT(faults(R"({"name": "k", "load": "one"})", kSchema),
              ElementsAre("load: is string, not number"));
  EXPECT_THAT(faults("null", kSchema), IsEmpty());
}

TEST(JsonSchema, WordsThatItDoesNotKnowAreFaults) {
  EXPECT_THAT(faults("1", R"({"minimum": 0})"),
              ElementsAre("the document: the schema says minimum, which this test does not know"));
}

TEST(JsonSchema, DocumentsNameTheirs) {
  EXPECT_THAT(faults_of_document("{}", "/nowhere"), ElementsAre("the document names no schema"));
  EXPECT_FALSE(faults_of_document(R"({"schema": "rpl.none/1"})", "/nowhere").empty());
}

}  // namespace
}  // namespace rpl::testing_support
