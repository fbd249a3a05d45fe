// SPDX-License-Identifier: MIT
#include "engine/optimize/model/cassette.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/optimize/model/dialect.h"
#include "tests/support/temp_dir.h"

namespace rpl::llm {
namespace {

using ::testing::HasSubstr;

Record asked(const std::string& text, double temperature = 0.25) {
  return canonical_request(
      Dialect::chat,
      request_body(
          Dialect::chat,
          {.model = "m", .instructions = "i", .turns = {{false, text}}, .temperature = temperature},
          {}));
}

Recording recording(const Record& request, std::string body) {
  return {.key = request_key(request),
          .dialect = Dialect::chat,
          .request = request,
          .content_type = "text/event-stream",
          .body = std::move(body)};
}

TEST(Cassettes, KeepRepliesToTheByte) {
  const testing_support::TempDir folder;
  std::string bytes = "data: \xC3\xA4\r\n\"\\";
  std::string no_text;
  for (int i = 0; i < 256; ++i) no_text += static_cast<char>(i);
  auto cassette = Cassette::open(folder / "c.jsonl", CassetteMode::record).value();
  ASSERT_TRUE(cassette.append(recording(asked("a"), bytes)));
  ASSERT_TRUE(cassette.append(recording(asked("b"), no_text)));
  auto again = Cassette::open(folder / "c.jsonl", CassetteMode::replay).value();
  EXPECT_EQ(again.next(request_key(asked("a")))->body, bytes);
  EXPECT_EQ(again.next(request_key(asked("b")))->body, no_text);
  struct stat facts{};
  ASSERT_EQ(stat((folder / "c.jsonl").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST(Cassettes, OfTheProgramBeforeTheRedesignAreRead) {
  auto cassette = Cassette::open(RPL_SOURCE_DIR "/tests/fixtures/before_redesign/cassette.jsonl",
                                 CassetteMode::replay);
  ASSERT_TRUE(cassette) << cassette.error().message;
  ASSERT_EQ(cassette->recordings().size(), 1U);
  const Recording& kept = cassette->recordings().front();
  EXPECT_EQ(kept.key, "7ebbbd5d5d3683b829756c05237fa97944c7e6067b2874e8a7a96a3ca2378e8d");
  EXPECT_EQ(kept.key, request_key(kept.request)) << "keys are kept in files: they stay";
  EXPECT_EQ(kept.dialect, Dialect::chat);
  EXPECT_EQ(kept.content_type, "text/event-stream");
  EXPECT_THAT(cassette->next(kept.key)->body, HasSubstr("Strategy: unroll"));
}

TEST(Cassettes, GiveRepliesToTheSameRequestInTheirOrder) {
  const testing_support::TempDir folder;
  auto cassette = Cassette::open(folder / "c.jsonl", CassetteMode::record).value();
  for (const char* body : {"1", "2"}) ASSERT_TRUE(cassette.append(recording(asked("a"), body)));
  auto again = Cassette::open(folder / "c.jsonl", CassetteMode::replay).value();
  const std::string key = request_key(asked("a"));
  EXPECT_EQ(again.next(key)->body, "1");
  EXPECT_EQ(again.next(key)->body, "2");
  EXPECT_EQ(again.next(key)->body, "2");
  EXPECT_EQ(again.next("other"), nullptr);
}

TEST(Cassettes, DoNotCountHowARequestTravels) {
  Record body = request_body(
      Dialect::chat, {.model = "m", .instructions = {}, .turns = {{false, "q"}}, .temperature = {}},
      {});
  const std::string key = request_key(canonical_request(Dialect::chat, body));
  std::reverse(body.begin(), body.end());
  std::erase_if(body, [](const auto& field) {
    return field.first == "stream" || field.first == "stream_options";
  });
  EXPECT_EQ(request_key(canonical_request(Dialect::chat, body)), key);
  EXPECT_NE(request_key(canonical_request(Dialect::messages, body)), key);
}

TEST(Cassettes, SayInWhatTheNearestRecordingDiffers) {
  const testing_support::TempDir folder;
  auto cassette = Cassette::open(folder / "c.jsonl", CassetteMode::record).value();
  ASSERT_TRUE(cassette.append(recording(asked("something else entirely"), "1")));
  ASSERT_TRUE(cassette.append(recording(asked("line one\nline two\nline three"), "2")));
  EXPECT_THAT(cassette.missing(asked("line one\nline 2\nline three")).message,
              HasSubstr("that of line 2 is nearest: messages[1].content, line 2: there 'line two', "
                        "here 'line 2'"));
  EXPECT_THAT(cassette.missing(asked("line one\nline two\nline three", 0.75)).message,
              HasSubstr("temperature is 0.25 there and 0.75 here"));
}

TEST(Cassettes, ThatWereEditedOrAreNoneAreRefused) {
  const testing_support::TempDir folder;
  const std::string path = folder / "c.jsonl";
  auto cassette = Cassette::open(path, CassetteMode::record).value();
  ASSERT_TRUE(cassette.append(recording(asked("abc"), "1")));
  std::string text = folder.read("c.jsonl");
  text.replace(text.find("abc"), 3, "abd");
  folder.write("c.jsonl", "\n" + text);
  const auto edited = Cassette::open(path, CassetteMode::replay);
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().message,
              HasSubstr("c.jsonl:2: the key does not belong to the request"));
  for (const char* bad :
       {"{}", "[]", "{\"key\":1}", "x",
        R"({"key":"","dialect":"chat","request":{},"content_type":"","body_hex":"0"})"}) {
    EXPECT_FALSE(read_recording(bad)) << bad;
  }
  EXPECT_EQ(Cassette::open(folder / "absent", CassetteMode::replay).error().code, Errc::not_found);
  EXPECT_TRUE(Cassette::open(folder / "absent", CassetteMode::automatic));
}

}  // namespace
}  // namespace rpl::llm
