// SPDX-License-Identifier: MIT
#include "shell/core/session/values.h"
#include "engine/document/held_bytes.h"
#include "shell/core/session/context.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ShellTest;

std::shared_ptr<const Document> document(std::size_t bytes) {
  auto out = std::make_shared<Document>();
  out->set("text", Value(std::string(bytes, 'x')));
  return out;
}

TEST(Values, KeepsAsManyAsItMay) {
  Values values;
  for (std::size_t i = 1; i <= 5; ++i) EXPECT_EQ(values.add(document(i), {.count = 3}), i);
  EXPECT_EQ(values.first(), 3U);
  EXPECT_EQ(values.last(), 5U);
  EXPECT_EQ(values.at(2), nullptr);
  EXPECT_EQ(*values.lookup("$3.text"), Value("xxx"));
  EXPECT_EQ(*values.lookup("$$2.text"), Value("xxx"));
  EXPECT_EQ(*values.lookup("$.text"), Value("xxxxx"));
  for (const char* gone : {"$2", "$$3"}) {
    const auto found = values.lookup(gone);
    ASSERT_FALSE(found) << gone;
    EXPECT_THAT(found.error().message, HasSubstr("is kept no longer"));
    EXPECT_THAT(found.error().hint, HasSubstr("$3 to $5 are; for more: set history values N"));
  }
  EXPECT_THAT(values.lookup("$6").error().hint, HasSubstr("values go from $3 to $5"));
  EXPECT_THAT(values.lookup("$$5").error().message, HasSubstr("no value"));
}

TEST(Values, KeepsAsManyBytesAsItMay) {
  Values values;
  const Values::Limits limits{.bytes = 100'000};
  for (int i = 0; i < 100; ++i) values.add(document(10'000), limits);
  EXPECT_EQ(values.last(), 100U);
  EXPECT_GT(values.first(), 90U);
  EXPECT_LT(values.first(), 94U);
  values.add(document(1'000'000), limits);
  EXPECT_EQ(values.first(), 101U) << "the last one always is kept";
  values.add(document(10), limits);
  EXPECT_EQ(values.first(), 102U);
  Values all;
  for (int i = 0; i < 100; ++i) all.add(document(10'000), {});
  EXPECT_EQ(all.first(), 1U);
}

TEST(HeldBytes, CountsTextsListsAndRecords) {
  const std::string text(1000, 'x');
  EXPECT_LT(held_bytes(Value("short")), 100U);
  EXPECT_GE(held_bytes(Value(text)), 1000U);
  EXPECT_GE(held_bytes(Value(List{Value(text), Value(Record{{text, Value(text)}})})), 3000U);
  Document document;
  document.text = document.heading = text;
  document.notes = document.next = {text};
  document.rows = {{Value(text)}, {Value(text), Value(text)}};
  EXPECT_GE(held_bytes(document), 7000U);
  EXPECT_LT(held_bytes(document), 9000U);
}

class ValueHistory : public ShellTest {};

TEST_F(ValueHistory, FollowsItsSettings) {
  EXPECT_EQ(shown("set history values 2"), "");
  for (int i = 0; i < 4; ++i) EXPECT_NE(shown("show version"), "");
  EXPECT_EQ(shown("show/c values"),
            "value,schema,fields,rows\n$3,rpl.show.version/1,3,0\n$4,rpl.show.version/1,3,0\n");
  EXPECT_THAT(err, HasSubstr("$1 to $2 are kept no longer; for more: set history values N"));
  EXPECT_EQ(shown("set history bytes 1"), "");
  EXPECT_NE(shown("show version"), "");
  EXPECT_EQ(context.values().first(), context.values().last());
}

}  // namespace
}  // namespace rpl
