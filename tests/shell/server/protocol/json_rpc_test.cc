// SPDX-License-Identifier: MIT
#include "shell/server/protocol/json_rpc.h"

#include <gtest/gtest.h>

namespace rpl::rpc {
namespace {

TEST(JsonRpc, TellsRequestsNotificationsAndResponsesApart) {
  const Message request =
      read(R"({"jsonrpc": "2.0", "id": "a", "method": "ping", "params": {"x": 1}})");
  EXPECT_EQ(request.kind, Message::Kind::request);
  EXPECT_EQ(request.id, R"("a")");
  EXPECT_EQ(request.method, "ping");
  EXPECT_EQ(*request.params.find("x"), Value(1));
  EXPECT_EQ(read(R"({"jsonrpc": "2.0", "method": "x"})").kind, Message::Kind::notification);
  EXPECT_EQ(read(R"({"jsonrpc": "2.0", "id": 1, "result": {}})").kind, Message::Kind::response);
}

Code code_of(std::string_view line) {
  const Message message = read(line);
  EXPECT_EQ(message.kind, Message::Kind::invalid) << line;
  return message.code;
}

TEST(JsonRpc, SaysWhatIsWrong) {
  EXPECT_EQ(code_of("{"), Code::parse);
  EXPECT_EQ(code_of(R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])"), Code::invalid_request);
  EXPECT_EQ(code_of(R"({"id": 1, "method": "ping"})"), Code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc": "2.0", "id": null, "method": "ping"})"), Code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc": "2.0", "id": 1, "method": 2})"), Code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc": "2.0", "id": 1})"), Code::invalid_request);
  EXPECT_EQ(code_of(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]})"),
            Code::invalid_params);
  EXPECT_EQ(read(R"({"jsonrpc": "1.0", "id": 7, "method": "ping"})").id, "7");
}

}  // namespace
}  // namespace rpl::rpc
