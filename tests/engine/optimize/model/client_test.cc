// SPDX-License-Identifier: MIT
// The client against a server on the loopback interface: every way in which a reply can fail to come.
#include "engine/optimize/model/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "engine/base/interrupt.h"
#include "tests/support/model_server.h"
#include "tests/support/temp_dir.h"

namespace rpl::llm {
namespace {

using namespace testing_support;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kKey = "sk-test-0123456789";
constexpr const char* kText = "a reply\nwith ä and ```\n";
constexpr Dialect kDialects[] = {Dialect::chat, Dialect::responses, Dialect::messages};

/// A client whose waits are noted instead of waited.
class Asking : public ::testing::Test {
 protected:
  void SetUp() override {
    interrupt::clear();
    setenv("RPL_TEST_KEY", kKey, 1);
    config.key.environment = "RPL_TEST_KEY";
    config.consent = true;
  }
  void TearDown() override { interrupt::clear(); }

  Result<Exchange> ask(const ModelServer& server) { return ask_at(server.url()); }
  Result<Exchange> ask_at(const std::string& url) {
    config.endpoint = url;
    return ask_again();
  }
  Result<Exchange> ask_again() {
    const Clock clock{.now_unix_s = [] { return std::int64_t{784111777}; },
                      .sleep = [this](milliseconds time) -> Status {
                        waits.push_back(time);
                        return {};
                      },
                      .random = [] { return 0.5; }};
    const auto on_attempt = [this](const Attempt& attempt) -> Status {
      attempts.push_back(std::string(to_string(attempt.trouble)));
      told += attempt.message + "\n";
      return {};
    };
    auto client = Client::make(
        config, budget, {.transport = transport.get(), .clock = clock, .on_attempt = on_attempt});
    if (!client) return Failure(client.error());
    auto exchange = client->ask(question, {});
    budget = client->budget();
    if (!exchange) told += exchange.error().message + exchange.error().hint;
    return exchange;
  }

  ClientConfig config;
  Budget budget{.most_requests = 50, .most_tokens = 1'000'000};
  ChatRequest question{
      .model = "m", .instructions = "be brief", .turns = {{false, "faster?"}}, .temperature = 0.2};
  std::unique_ptr<Transport> transport = make_transport();
  std::vector<milliseconds> waits;
  std::vector<std::string> attempts;
  std::string told;  ///< all that a log or a person gets to see
};

TEST_F(Asking, GivesTheReplyInEachDialect) {
  for (const Dialect dialect : kDialects) {
    for (const ServerAnswer& answer :
         {streamed_answer(dialect, kText), whole_answer(dialect, kText)}) {
      const ModelServer server({answer}, kKey);
      config.dialect = dialect;
      const auto exchange = ask(server);
      ASSERT_TRUE(exchange) << exchange.error().message;
      EXPECT_EQ(exchange->reply.text, kText);
      EXPECT_EQ(exchange->attempts.back().input_tokens, 1200);
      EXPECT_EQ(exchange->attempts.back().output_tokens, 300);
    }
  }
  EXPECT_EQ(budget.requests, 6);
  EXPECT_EQ(budget.tokens, 6 * 1500);
}

TEST_F(Asking, SendsTheKeyInTheHeaderThatIsNamed) {
  const ModelServer server({streamed_answer(Dialect::chat, kText)}, kKey);
  config.key_header = "Ocp-Apim-Subscription-Key";
  ASSERT_TRUE(ask(server));
  const ServerRequest request = server.requests().at(0);
  EXPECT_EQ(request.headers.at("ocp-apim-subscription-key"), kKey);
  EXPECT_EQ(request.headers.count("authorization"), 0U);
  EXPECT_EQ(request.line, "POST /v1/chat/completions HTTP/1.1");
  EXPECT_THAT(request.body, Not(HasSubstr(kKey)));
}

TEST_F(Asking, WaitsAsLongAsTheServerAsks) {
  const ModelServer server(
      {error_answer(429, "rate_limit_error", "slow down", {"Retry-After: 7"}),
       error_answer(429, "rate_limit_error", "slow down", {"retry-after-ms: 250"}),
       error_answer(503, "x", "date", {"Retry-After: Sun, 06 Nov 1994 08:49:57 GMT"}),
       streamed_answer(Dialect::chat, kText)});
  const auto exchange = ask(server);
  ASSERT_TRUE(exchange) << exchange.error().message;
  EXPECT_THAT(waits, ElementsAre(milliseconds(7000), milliseconds(250), milliseconds(20'000)));
  EXPECT_THAT(attempts, ElementsAre("rate-limit", "rate-limit", "server-fault", "none"));
  EXPECT_EQ(budget.requests, 4);
}

TEST_F(Asking, BacksOffWhenTheServerDoesNotSay) {
  const ModelServer server({error_answer(529, "overloaded_error", "busy")});
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::io);
  EXPECT_THAT(exchange.error().message, AllOf(HasSubstr("status 529: overloaded_error: busy"),
                                              HasSubstr("after 5 requests")));
  EXPECT_THAT(waits, ElementsAre(milliseconds(500), milliseconds(1000), milliseconds(2000),
                                 milliseconds(4000)));
}

TEST_F(Asking, GivesUpOnAServerThatAsksForTooLong) {
  const ModelServer server(
      {error_answer(429, "rate_limit_error", "tomorrow", {"Retry-After: 86400"})});
  EXPECT_FALSE(ask(server));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(Asking, RepeatsACutStream) {
  for (const Dialect dialect : kDialects) {
    ServerAnswer broken = cut_answer(dialect, kText);
    broken.chunked = broken.break_off = true;
    const ModelServer server({cut_answer(dialect, kText), broken, streamed_answer(dialect, kText)});
    config.dialect = dialect;
    attempts.clear();
    const auto exchange = ask(server);
    ASSERT_TRUE(exchange) << exchange.error().message;
    EXPECT_EQ(exchange->reply.text, kText);
    EXPECT_THAT(attempts, ElementsAre("cut-stream", "cut-stream", "none"));
  }
}

TEST_F(Asking, ButNotForEver) {
  const ModelServer server({cut_answer(Dialect::chat, kText)});
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::corrupt);
  EXPECT_EQ(server.requests().size(), 3U) << "each began a reply, and costs";
}

TEST_F(Asking, RepeatsAfterAnErrorInTheStreamUnlessThatIsFinal) {
  for (const Dialect dialect : kDialects) {
    config.dialect = dialect;
    const ModelServer busy(
        {error_in_stream(dialect, kText, "overloaded_error"), streamed_answer(dialect, kText)});
    EXPECT_TRUE(ask(busy));
    const ModelServer wrong({error_in_stream(dialect, kText, "invalid_request_error")});
    const auto exchange = ask(wrong);
    ASSERT_FALSE(exchange);
    EXPECT_THAT(exchange.error().message, HasSubstr("invalid_request_error"));
    EXPECT_EQ(wrong.requests().size(), 1U);
  }
}

TEST_F(Asking, RefusesMalformedReplies) {
  ServerAnswer bad = streamed_answer(Dialect::chat, kText);
  bad.body = "data: {\"choices\":[{]}\n\ndata: [DONE]\n\n";
  const ModelServer server({bad});
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::corrupt);
  EXPECT_THAT(exchange.error().message, HasSubstr("not JSON"));
}

TEST_F(Asking, StopsReadingWhatIsTooLarge) {
  ServerAnswer flood;
  flood.body = std::string(1000, ':') + "\n";
  flood.endless = true;
  const ModelServer server({flood});
  config.limits.most_bytes = 100'000;
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::limit);
  EXPECT_THAT(attempts, ElementsAre("oversize"));
}

TEST_F(Asking, DoesNotWaitForASilentServer) {
  ServerAnswer half = cut_answer(Dialect::chat, kText);
  half.stall = true;
  ServerAnswer nothing = half;
  nothing.body = "";
  const ModelServer server({half, nothing});
  config.limits.total = milliseconds(150);
  config.retry.most = 1;
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::timeout);
  EXPECT_THAT(attempts, ElementsAre("time-out", "time-out"));
}

TEST_F(Asking, SaysThatNobodyListens) {
  std::string url;
  {
    url = ModelServer({streamed_answer(Dialect::chat, kText)}).url();
  }
  const auto exchange = ask_at(url);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::io);
  EXPECT_THAT(attempts, ElementsAre("connect", "connect", "connect", "connect", "connect"));
}

TEST_F(Asking, EndsOnCtrlC) {
  ServerAnswer silent;
  silent.stall = true;
  const ModelServer server({silent});
  std::thread person([&] {
    while (server.requests().empty()) std::this_thread::yield();
    interrupt::raise();
  });
  const auto exchange = ask(server);
  person.join();
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::interrupted);
}

TEST_F(Asking, NeverRepeatsAWrongKeyNorTheKeyItself) {
  const ModelServer server({streamed_answer(Dialect::chat, kText)}, "another key");
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::denied);
  EXPECT_THAT(exchange.error().message, HasSubstr("Incorrect API key provided: Bearer [key]"));
  EXPECT_THAT(told, Not(HasSubstr(kKey)));
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(Asking, FollowsNoRedirect) {
  const ModelServer other({streamed_answer(Dialect::chat, kText)});
  const ModelServer server({error_answer(307, "moved", "elsewhere",
                                         {"Location: " + other.url() + "/chat/completions"})});
  const auto exchange = ask(server);
  ASSERT_FALSE(exchange);
  EXPECT_EQ(exchange.error().code, Errc::denied);
  EXPECT_TRUE(other.requests().empty());
  EXPECT_THAT(attempts, ElementsAre("redirect"));
}

TEST_F(Asking, LeavesOutARefusedParameterOnceAndRemembers) {
  const ModelServer server(
      {error_answer(400, "invalid_request_error", "Unsupported parameter: 'max_tokens'"),
       error_answer(400, "invalid_request_error", "temperature is not supported"),
       streamed_answer(Dialect::chat, kText)});
  const auto exchange = ask(server);
  ASSERT_TRUE(exchange) << exchange.error().message;
  EXPECT_EQ(exchange->attempts.at(0).dropped, "max_tokens");
  EXPECT_EQ(exchange->attempts.at(1).dropped, "temperature");
  EXPECT_THAT(server.requests().at(2).body,
              AllOf(HasSubstr("max_completion_tokens"), Not(HasSubstr("temperature"))));
  const ModelServer stubborn(
      {error_answer(400, "invalid_request_error", "temperature is not supported")});
  EXPECT_EQ(ask(stubborn).error().code, Errc::usage);
  EXPECT_EQ(stubborn.requests().size(), 2U);
}

TEST_F(Asking, KeepsToTheBudget) {
  const ModelServer server({streamed_answer(Dialect::chat, kText)});
  budget = {.most_requests = 2, .most_tokens = 1'000'000, .requests = 1, .tokens = 0};
  EXPECT_TRUE(ask(server));
  const auto beyond = ask(server);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, Errc::limit);
  budget = {.most_requests = 10, .most_tokens = 2000, .requests = 0, .tokens = 0};
  EXPECT_TRUE(ask(server));
  EXPECT_TRUE(ask(server));
  EXPECT_EQ(ask(server).error().code, Errc::limit) << "3000 of 2000 tokens";
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(Asking, SendsNothingUnlessSetUpAndAllowed) {
  const ModelServer server({streamed_answer(Dialect::chat, kText)});
  EXPECT_EQ(ask_at("").error().code, Errc::missing_capability);
  config.consent = false;
  const auto exchange = ask(server);
  EXPECT_EQ(exchange.error().code, Errc::denied);
  EXPECT_THAT(exchange.error().hint, HasSubstr("llm consent on"));
  config.consent = true;
  EXPECT_EQ(ask_at("http://198.51.100.1/v1").error().code, Errc::denied) << "not encrypted";
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Asking, ReplaysARecordingToTheByteWithoutServerKeyOrConsent) {
  const TempDir folder;
  config.cassette = folder / "c.jsonl";
  config.mode = CassetteMode::record;
  std::string echo = kText;
  {
    const ModelServer server({streamed_answer(Dialect::messages, echo + kKey)}, kKey);
    config.dialect = Dialect::messages;
    ASSERT_TRUE(ask(server));
  }
  const std::string kept = folder.read("c.jsonl");
  EXPECT_THAT(kept, Not(HasSubstr("0123456789"))) << "an echoed key is not kept";
  config = {.endpoint = {},
            .key = {.environment = "RPL_NO_SUCH_KEY", .file = {}, .command = {}},
            .key_header = {},
            .cassette = folder / "c.jsonl",
            .mode = CassetteMode::replay};
  question.model = "";
  const auto first = ask_again(), second = ask_again();
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second);
  EXPECT_THAT(first->reply.text, HasSubstr(kText));
  EXPECT_EQ(first->reply.text, second->reply.text);
  EXPECT_TRUE(first->attempts.back().replayed);
  EXPECT_EQ(folder.read("c.jsonl"), kept);
  EXPECT_EQ(budget.requests, 1) << "replays cost nothing";
  question.turns[0].text = "slower?";
  EXPECT_THAT(ask_again().error().message,
              HasSubstr("messages[0].content is \"faster?\" there and \"slower?\" here"));
}

TEST_F(Asking, AutomaticCassettesSendOnlyWhatIsMissing) {
  const TempDir folder;
  const ModelServer server({streamed_answer(Dialect::chat, kText)});
  config.cassette = folder / "c.jsonl";
  config.mode = CassetteMode::automatic;
  ASSERT_TRUE(ask(server));
  ASSERT_TRUE(ask(server));
  EXPECT_EQ(server.requests().size(), 1U);
  question.turns[0].text = "another";
  ASSERT_TRUE(ask(server));
  EXPECT_EQ(server.requests().size(), 2U);
}

}  // namespace
}  // namespace rpl::llm
