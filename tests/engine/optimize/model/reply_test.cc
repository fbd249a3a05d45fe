// SPDX-License-Identifier: MIT
#include "engine/optimize/model/reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/optimize/model/client.h"
#include "tests/support/model_server.h"

namespace rpl::llm {
namespace {

using ::testing::HasSubstr;
using testing_support::cut_answer;
using testing_support::error_in_stream;
using testing_support::streamed_answer;
using testing_support::whole_answer;

constexpr Dialect kEach[] = {Dialect::chat, Dialect::responses, Dialect::messages};
constexpr const char* kSaid = "first line\nzweite Zeile: ä\n```cpp\nint x = 1;\n```\n";

Problem problem_in(const ReplyOrProblem& outcome) {
  const auto* problem = std::get_if<Problem>(&outcome);
  return problem ? *problem : Problem{};
}

TEST(Replies, AreTheSameTextWhetherStreamedOrWhole) {
  for (const Dialect dialect : kEach) {
    for (const auto& answer : {streamed_answer(dialect, kSaid), whole_answer(dialect, kSaid)}) {
      const auto outcome = reply_in(dialect, answer.content_type, answer.body);
      const auto* reply = std::get_if<ChatReply>(&outcome);
      ASSERT_TRUE(reply) << to_string(dialect) << ": " << problem_in(outcome).message;
      EXPECT_EQ(reply->text, kSaid) << to_string(dialect);
      EXPECT_EQ(reply->tokens.input, 1200) << to_string(dialect);
      EXPECT_EQ(reply->tokens.output, 300) << to_string(dialect);
      EXPECT_EQ(reply->model, "example-model");
      EXPECT_FALSE(reply->out_of_tokens);
    }
  }
}

TEST(Replies, CutAnywhereAreNeverTakenForWhole) {
  for (const Dialect dialect : kEach) {
    const std::string body = streamed_answer(dialect, kSaid).body;
    for (std::size_t size = 0; size < body.size(); ++size) {
      const auto outcome =
          reply_in(dialect, "text/event-stream", std::string_view(body).substr(0, size));
      const auto* reply = std::get_if<ChatReply>(&outcome);
      if (reply) {
        EXPECT_EQ(reply->text, kSaid) << to_string(dialect) << " cut at " << size;
      } else {
        EXPECT_EQ(problem_in(outcome).trouble, Trouble::cut_stream)
            << to_string(dialect) << " cut at " << size;
        EXPECT_TRUE(problem_in(outcome).again);
      }
    }
  }
}

TEST(Replies, WithAnErrorInTheStreamSayWhichAndWhetherToTryAgain) {
  for (const Dialect dialect : kEach) {
    const Problem busy = problem_in(reply_in(
        dialect, "text/event-stream", error_in_stream(dialect, kSaid, "overloaded_error").body));
    EXPECT_EQ(busy.trouble, Trouble::stream_error) << to_string(dialect);
    EXPECT_THAT(busy.message, HasSubstr("overloaded_error: the server has too much to do"));
    EXPECT_TRUE(busy.again);
    EXPECT_FALSE(problem_in(reply_in(dialect, "text/event-stream",
                                     error_in_stream(dialect, kSaid, "invalid_request_error").body))
                     .again);
  }
}

TEST(Replies, ThatAreNoJsonOrHoldNothingAreMalformed) {
  for (const Dialect dialect : kEach) {
    for (const char* body : {"data: {\"choices\": [}\n\n", "data: <html>\n\n"}) {
      EXPECT_EQ(problem_in(reply_in(dialect, "text/event-stream", body)).trouble,
                Trouble::malformed)
          << to_string(dialect);
    }
    for (const char* body : {"", "null", "[]", "{}", "{\"choices\": 7}",
                             "{\"output\":[{\"content\":{}}]}", "{\"content\":[1]}"}) {
      EXPECT_EQ(problem_in(reply_in(dialect, "application/json", body)).trouble, Trouble::malformed)
          << to_string(dialect) << body;
    }
  }
}

TEST(Replies, ThatEndForWantOfTokensSaySo) {
  const auto chat = read_reply(
      Dialect::chat, R"({"choices":[{"message":{"content":"x"},"finish_reason":"length"}]})");
  const auto responses = read_reply(
      Dialect::responses,
      R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]})");
  const auto messages = read_reply(
      Dialect::messages, R"({"content":[{"type":"text","text":"x"}],"stop_reason":"max_tokens"})");
  for (const auto& outcome : {chat, responses, messages}) {
    ASSERT_TRUE(std::holds_alternative<ChatReply>(outcome));
    EXPECT_TRUE(std::get<ChatReply>(outcome).out_of_tokens);
  }
}

TEST(ErrorTexts, AreOneShortLine) {
  EXPECT_EQ(error_text(R"({"error":{"type":"t","message":"a\nb\u0007c"}})"), "t: a b c");
  EXPECT_EQ(error_text(R"({"error":"plain"})"), "plain");
  EXPECT_EQ(error_text("<html>"), "");
  EXPECT_LE(error_text("{\"error\":\"" + std::string(5000, 'x') + "\"}").size(), 310U);
}

}  // namespace
}  // namespace rpl::llm
