// SPDX-License-Identifier: MIT
// `--interpreter mcp` message by message. mcp_client_test drives it with the protocol's own client.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/document/json.h"
#include "tests/shell/server/client.h"
#include "tests/support/generate.h"
#include "tests/support/json_schema.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::InterpreterClient;

std::string part(const Value& value, std::initializer_list<const char*> path) {
  const Value* found = &value;
  for (const char* key : path) {
    found = found->find(key);
    if (found == nullptr) return "(none)";
  }
  const auto* text = found->as<std::string>();
  return text == nullptr ? to_json(*found) : *text;
}

class McpTest : public testing::Test {
 protected:
  McpTest() {
    test::GenerateOptions options;
    options.path = folder_ / "small.db";
    options.workload.dispatches = 50;
    EXPECT_TRUE(test::generate_rocpd(options).has_value());
  }
  static Value ask(InterpreterClient& rpl, int id, std::string_view method,
                   std::string_view params = "{}") {
    rpl.send(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "method": "{}", "params": {}}})", id,
                         method, params));
    return rpl.reply();
  }
  Value call(InterpreterClient& rpl, std::string_view tool, std::string_view arguments) {
    const Value reply = ask(rpl, ++asked_, "tools/call",
                            fmt::format(R"({{"name": "{}", "arguments": {}}})", tool, arguments));
    const Value* document =
        reply.find("result") == nullptr ? nullptr : reply.find("result")->find("structuredContent");
    if (document != nullptr) {
      EXPECT_THAT(testing_support::faults_of_document(to_json(*document), RPL_SCHEMAS), IsEmpty());
    }
    return reply;
  }
  testing_support::TempDir folder_;
  int asked_ = 100;
};

TEST_F(McpTest, AgreesOnARevision) {
  InterpreterClient rpl({"--interpreter", "mcp"}, folder_.path());
  EXPECT_EQ(
      part(
          ask(rpl, 1, "initialize",
              R"({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})"),
          {"result", "protocolVersion"}),
      "2025-03-26");
  EXPECT_EQ(part(ask(rpl, 2, "initialize", R"({"protocolVersion": "1999-01-01"})"),
                 {"result", "protocolVersion"}),
            "2025-11-25");
  rpl.send(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
  EXPECT_EQ(part(ask(rpl, 3, "ping"), {"result"}), "{}");
  EXPECT_EQ(part(ask(rpl, 4, "prompts/list"), {"error", "code"}), "-32601");
  rpl.send("nonsense");
  EXPECT_EQ(part(rpl.reply(), {"error", "code"}), "-32700");
  EXPECT_EQ(rpl.wait(), 0);
}

TEST_F(McpTest, GivesDocumentsAndText) {
  InterpreterClient rpl({"--interpreter", "mcp", "small.db"}, folder_.path());
  const Value reply = call(rpl, "info_kernels", R"({"limit": 2})");
  EXPECT_EQ(part(reply, {"result", "isError"}), "false");
  EXPECT_EQ(part(reply, {"result", "structuredContent", "schema"}), "rpl.info.kernels/1");
  EXPECT_EQ(reply.find("result")->find("structuredContent")->find("rows")->as<List>()->size(), 2U);
  EXPECT_THAT(to_json(*reply.find("result")->find("structuredContent")),
              HasSubstr("softmax_kernel"));
  EXPECT_THAT(to_json(*reply.find("result")->find("content")), HasSubstr("further rows"));
  EXPECT_EQ(part(call(rpl, "lua", R"x({"code": "print('shown')"})x"), {"result", "isError"}),
            "false");
  const Value wrong = call(rpl, "whatif", R"({"kernal": "x"})");
  EXPECT_EQ(part(wrong, {"result", "isError"}), "true");
  EXPECT_EQ(part(wrong, {"result", "structuredContent", "code"}), "usage");
  EXPECT_EQ(part(call(rpl, "nothing", "{}"), {"error", "code"}), "-32602");
}

TEST_F(McpTest, CutsTablesAndSaysSo) {
  InterpreterClient rpl(
      {"--interpreter", "mcp", "-ex", "set mcp rows 3", "-ex", "set mcp bytes 0", "small.db"},
      folder_.path());
  const Value reply = call(rpl, "info_dispatches", "{}");
  EXPECT_EQ(reply.find("result")->find("structuredContent")->find("rows")->as<List>()->size(), 3U);
  EXPECT_THAT(to_json(*reply.find("result")->find("content")), HasSubstr(R"(r1@3)"));
  EXPECT_EQ(call(rpl, "info_dispatches", R"({"limit": 0})")
                .find("result")
                ->find("structuredContent")
                ->find("rows")
                ->as<List>()
                ->size(),
            50U);
}

TEST_F(McpTest, WhatChangesSourcesIsAPersonsDecision) {
  InterpreterClient rpl({"--interpreter", "mcp"}, folder_.path());
  for (const auto& [tool, arguments] : std::initializer_list<std::pair<const char*, const char*>>{
           {"approve", R"({"proposal": "p1", "accept_modelled": true})"},
           {"revert", R"({"proposal": "p1"})"},
           {"session_undo", "{}"},
           {"lua", R"x({"code": "rpl.cmd.approve{'p1'}"})x"},
           {"set", R"({"assignment": "mcp approve on"})"},
           {"llm_optimize", R"({"source": "a.hip", "auto_approve": true})"}}) {
    const Value reply = call(rpl, tool, arguments);
    EXPECT_EQ(part(reply, {"result", "isError"}), "true") << tool;
    EXPECT_EQ(part(reply, {"result", "structuredContent", "code"}), "denied")
        << tool << " " << to_json(reply);
    EXPECT_THAT(part(reply, {"result", "structuredContent", "hint"}),
                HasSubstr("set mcp approve on"))
        << tool;
  }
  // Nor does a program that it starts where it may: what it says is kept for the answer.
  InterpreterClient with_programs({"--interpreter", "mcp", "--allow", "run"}, folder_.path());
  const Value child = call(
      with_programs, "lua",
      fmt::format(R"x({{"code": "rpl.cmd.shell{{'{} -nx approve p1 2>&1'}}"}})x", RPL_PROGRAM));
  EXPECT_THAT(to_json(child), HasSubstr("a person's decision"));
}

TEST_F(McpTest, WhereAPersonAllowedItTheCommandDecides) {
  InterpreterClient rpl({"--interpreter", "mcp", "-ex", "set mcp approve on"}, folder_.path());
  const Value reply = call(rpl, "approve", R"({"proposal": "p1"})");
  EXPECT_EQ(part(reply, {"result", "isError"}), "true");
  EXPECT_EQ(part(reply, {"result", "structuredContent", "code"}), "not_found") << to_json(reply);
}

TEST_F(McpTest, AnOptionAtTheStartAllowsItToo) {
  InterpreterClient rpl({"--interpreter", "mcp", "--allow", "approve"}, folder_.path());
  const Value reply = call(rpl, "approve", R"({"proposal": "p1"})");
  EXPECT_EQ(part(reply, {"result", "structuredContent", "code"}), "not_found") << to_json(reply);
}

TEST_F(McpTest, TellsHowFarItIsToWhoGaveAToken) {
  InterpreterClient rpl({"--interpreter", "mcp", "small.db"}, folder_.path());
  rpl.send(
      R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "summary", "arguments": {}, "_meta": {"progressToken": "t"}}})");
  const Value first = rpl.reply();
  EXPECT_EQ(part(first, {"method"}), "notifications/progress") << to_json(first);
  EXPECT_EQ(part(first, {"params", "progressToken"}), "t");
  EXPECT_EQ(part(first, {"params", "progress"}), "1");
}

TEST_F(McpTest, ACancelledCallIsNotAnswered) {
  ASSERT_EQ(::mkfifo((folder_ / "running").c_str(), S_IRUSR | S_IWUSR), 0);
  InterpreterClient rpl({"--interpreter", "mcp", "--allow", "run"}, folder_.path());
  rpl.send(
      R"x({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lua", "arguments": {"code": "local f = io.open('running', 'w') f:write('x') f:close() while true do end"}}})x");
  std::ifstream(folder_ / "running").get();
  EXPECT_EQ(part(ask(rpl, 2, "ping"), {"id"}), "2");
  rpl.send(
      R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})");
  EXPECT_EQ(part(call(rpl, "print", R"({"expression": "1 + 1"})"),
                 {"result", "structuredContent", "value"}),
            "2");
}

}  // namespace
}  // namespace rpl
