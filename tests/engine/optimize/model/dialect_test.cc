// SPDX-License-Identifier: MIT
#include "engine/optimize/model/dialect.h"

#include <gtest/gtest.h>

#include "engine/document/json.h"
#include "engine/optimize/model/transport.h"

namespace rpl::llm {
namespace {

ChatRequest question() {
  return {.model = "m",
          .instructions = "be brief",
          .turns = {{false, "q"}, {true, "a"}, {false, "again"}},
          .temperature = 0.5,
          .max_tokens = 64};
}

TEST(Dialects, SayTheSameInTheirOwnWords) {
  EXPECT_EQ(
      to_json(Value(request_body(Dialect::chat, question(), {}))),
      R"({"model": "m", "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}, {"role": "user", "content": "again"}], "max_tokens": 64, "stream_options": {"include_usage": true}, "temperature": 0.5, "stream": true})");
  EXPECT_EQ(
      to_json(Value(request_body(Dialect::responses, question(), {}))),
      R"({"model": "m", "instructions": "be brief", "input": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}, {"role": "user", "content": "again"}], "max_output_tokens": 64, "store": false, "temperature": 0.5, "stream": true})");
  EXPECT_EQ(
      to_json(Value(request_body(Dialect::messages, question(), {}))),
      R"({"model": "m", "system": "be brief", "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}, {"role": "user", "content": "again"}], "max_tokens": 64, "temperature": 0.5, "stream": true})");
}

TEST(Dialects, LeaveOutWhatWasRefused) {
  const std::string chat =
      to_json(Value(request_body(Dialect::chat, question(), {"max_tokens", "temperature"})));
  EXPECT_NE(chat.find(R"("max_completion_tokens": 64)"), std::string::npos);
  EXPECT_EQ(chat.find("temperature"), std::string::npos);
}

TEST(Dialects, PutTheirPathBehindAnyBase) {
  EXPECT_EQ(request_url(Dialect::chat, "http://h:1/v1/"), "http://h:1/v1/chat/completions");
  EXPECT_EQ(request_url(Dialect::responses, "https://h/api"), "https://h/api/responses");
  EXPECT_EQ(request_url(Dialect::messages, "https://h"), "https://h/v1/messages");
  EXPECT_EQ(request_url(Dialect::messages, "https://h/v1"), "https://h/v1/messages");
}

TEST(Dialects, CarryTheKeyInTheirHeaderOrAnother) {
  EXPECT_EQ(key_header(Dialect::chat, "", "k"), "Authorization: Bearer k");
  EXPECT_EQ(key_header(Dialect::messages, "", "k"), "x-api-key: k");
  EXPECT_EQ(key_header(Dialect::chat, "Ocp-Apim-Subscription-Key", "k"),
            "Ocp-Apim-Subscription-Key: k");
}

TEST(Dialects, FindTheParameterThatIsRefused) {
  const Record body = request_body(Dialect::chat, question(), {});
  EXPECT_EQ(refused_parameter(body, R"({"error":{"message":"no","param":"temperature"}})"),
            "temperature");
  EXPECT_EQ(
      refused_parameter(
          body,
          R"({"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}})"),
      "max_tokens");
  EXPECT_EQ(refused_parameter(body, R"({"error":{"message":"messages: too long"}})"), "");
  EXPECT_EQ(refused_parameter(body, R"({"error":{"message":"x","param":"messages"}})"), "")
      << "the question itself is not an option";
  EXPECT_EQ(refused_parameter(body, R"({"error":{"message":"my_temperature"}})"), "");
  EXPECT_EQ(refused_parameter(body, "<html>"), "");
}

TEST(Endpoints, AreReadAsLibcurlReadsThem) {
  EXPECT_EQ(check_endpoint("https://api.example.com/v1", false)->origin,
            "https://api.example.com:443");
  for (const char* here : {"http://127.0.0.1:8080/v1", "http://localhost:1/v1", "http://[::1]:8080",
                           "http://127.1:80", "http://0x7f000001/"}) {
    const auto address = check_endpoint(here, false);
    ASSERT_TRUE(address) << here << ": " << address.error().message;
    EXPECT_TRUE(address->loopback) << here;
  }
}

TEST(Endpoints, OfOtherMachinesWantHttps) {
  for (const char* there : {"http://10.0.0.1/v1", "http://localhost.example.com/",
                            "http://127.0.0.1.example.com/", "http://127.example.com.1/"}) {
    const auto address = check_endpoint(there, false);
    ASSERT_FALSE(address) << there;
    EXPECT_EQ(address.error().code, Errc::denied) << there;
    EXPECT_TRUE(check_endpoint(there, true)) << there;
  }
}

TEST(Endpoints, HoldNoSecretsAndNoOtherScheme) {
  for (const char* bad : {"", "https://user:secret@h/v1", "https://h/v1?key=secret", "https://h/#x",
                          "file:///etc/passwd", "ftp://h/", "not a url"}) {
    const auto address = check_endpoint(bad, true);
    ASSERT_FALSE(address) << bad;
    EXPECT_EQ(address.error().code, Errc::usage) << bad;
    EXPECT_EQ(address.error().message.find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace rpl::llm
