// SPDX-License-Identifier: MIT
// The core of tools for agents: what it costs, what its errors name, how the rest of a reply is had.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/document/json.h"
#include "tests/shell/server/client.h"
#include "tests/support/generate.h"
#include "tests/support/json_schema.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing_support::InterpreterClient;

/// An agent that counts what it reads.
class McpCoreTest : public testing::Test {
 protected:
  McpCoreTest() {
    test::GenerateOptions options;
    options.path = folder_ / "many.db";
    options.workload.dispatches = 2000;
    options.workload.kernels = 200;
    EXPECT_TRUE(test::generate_rocpd(options).has_value());
  }
  void start(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"--interpreter", "mcp"});
    rpl_ = std::make_unique<InterpreterClient>(options, folder_.path());
  }
  std::string ask(std::string_view method, std::string_view params = "{}") {
    rpl_->send(fmt::format(R"({{"jsonrpc": "2.0", "id": {}, "method": "{}", "params": {}}})",
                           ++asked_, method, params));
    std::string line = rpl_->line().value_or("");
    bytes_ += line.size();
    return line;
  }
  /// A reply that fits, with its document as its schema wants it.
  Value call(std::string_view tool, std::string_view arguments = "{}") {
    ++calls_;
    const std::string line =
        ask("tools/call", fmt::format(R"({{"name": "{}", "arguments": {}}})", tool, arguments));
    EXPECT_LE(line.size(), 8192U + 512U) << tool << arguments;
    Value reply = parse_json(line).value_or(Value());
    const Value* result = reply.find("result");
    const Value* document = result == nullptr ? nullptr : result->find("structuredContent");
    if (document != nullptr) {
      EXPECT_THAT(testing_support::faults_of_document(to_json(*document), RPL_SCHEMAS), IsEmpty())
          << tool << arguments;
    }
    return result == nullptr ? reply : *result;
  }
  static std::string text(const Value& result) { return to_json(*result.find("content")); }
  static std::string document(const Value& result) {
    return to_json(*result.find("structuredContent"));
  }
  static std::size_t rows(const Value& result) {
    return result.find("structuredContent")->find("rows")->as<List>()->size();
  }

  testing_support::TempDir folder_;
  std::unique_ptr<InterpreterClient> rpl_;
  int asked_ = 0, calls_ = 0;
  std::size_t bytes_ = 0;
};

TEST_F(McpCoreTest, IsFewToolsInFewBytes) {
  start();
  const std::string list = ask("tools/list");
  EXPECT_LE(list.size(), 12U * 1024U);
  const Value reply = parse_json(list).value_or(Value());
  const List& tools = *reply.find("result")->find("tools")->as<List>();
  EXPECT_LE(tools.size(), 15U);
  for (const Value& tool : tools) EXPECT_NE(tool.find("outputSchema"), nullptr) << to_json(tool);
}

TEST_F(McpCoreTest, AllCommandsAreToolsWhereThatIsAskedFor) {
  start({"--tools", "all"});
  const Value reply = parse_json(ask("tools/list")).value_or(Value());
  EXPECT_GT(reply.find("result")->find("tools")->as<List>()->size(), 100U);
  EXPECT_EQ(*call("info_kernels", R"({"trace": "many.db", "limit": 2})").find("isError"),
            Value(false));
}

TEST_F(McpCoreTest, FindsTheWorstKernelAndSaysWhyInFewBytes) {
  start();
  EXPECT_THAT(document(call("open", R"({"path": "many.db"})")), HasSubstr("rpl.summary/1"));
  EXPECT_THAT(document(call("critical_path")),
              AllOf(HasSubstr("rpl.critpath/1"), HasSubstr("rpl.gaps/1")));
  EXPECT_THAT(
      document(call("diagnose")),
      AllOf(HasSubstr("rpl.classify/1"), HasSubstr("rpl.headroom/1"), HasSubstr("rpl.advise/1")));
  call("kernels");
  call("explain", R"({"what": "critpath.ceiling_speedup"})");
  call("query", R"({"sql": "select count(*) as n from kernels"})");
  call("status");
  EXPECT_LE(calls_, 10);
  EXPECT_LE(bytes_, 40U * 1024U);
}

TEST_F(McpCoreTest, TheRestOfAReplyHasAHandle) {
  start({"many.db"});
  const Value first = call("command", R"({"line": "info kernels"})");
  const std::size_t shown = rows(first);
  ASSERT_LT(shown, 200U);
  EXPECT_THAT(text(first), HasSubstr(fmt::format("r1@{}", shown)));
  const Value second = call("command", fmt::format(R"({{"more": "r1@{}"}})", shown));
  EXPECT_GT(rows(second), 0U);
  EXPECT_NE(document(first), document(second));
  EXPECT_THAT(ask("resources/list"), HasSubstr("rpl://result/r1"));
  EXPECT_THAT(ask("resources/read", R"({"uri": "rpl://result/r1"})"), HasSubstr("variation"));
  EXPECT_THAT(text(call("command", R"({"more": "r99"})")), HasSubstr("no result is kept"));
}

TEST_F(McpCoreTest, ErrorsNameKeysOfJson) {
  start({"many.db"});
  for (const auto& [tool, arguments, key] :
       std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {"open", R"({"file": "many.db"})", "'path'"},
           {"open", R"({"trace": "many.db"})", "'path'"},
           {"open", "{}", "'path'"},
           {"whatif", R"({"changes": "gemm"})", "'kernel'"},
           {"help", R"({"command": "whatif"})", "'topic'"},
           {"lua", R"({"text": "1"})", "'code'"},
           {"kernels", R"({"limit": true})", "'limit'"},
           {"metrics", R"({"view": "cake"})", "'view'"},
           {"info_kernels", R"({"sotr": "calls"})", "'sort'"}}) {
    const Value reply = call(tool, arguments);
    EXPECT_EQ(*reply.find("isError"), Value(true)) << tool << arguments;
    EXPECT_THAT(text(reply), AllOf(HasSubstr(key), Not(HasSubstr("usage:")))) << arguments;
  }
}

TEST_F(McpCoreTest, NextStepsAndHintsAreCallsOfTools) {
  start();
  constexpr std::string_view kOpens = R"(open {\"path\": [\")";
  for (const auto& [tool, arguments] : {std::pair{"kernels", "{}"},
                                        {"critical_path", "{}"},
                                        {"diagnose", "{}"},
                                        {"metrics", R"({"view": "roofline"})"},
                                        {"hotspots", "{}"},
                                        {"whatif", R"({"kernel": ["x"]})"},
                                        {"explain", R"({"what": "k1.share"})"},
                                        {"query", R"({"sql": "select 1"})"},
                                        {"run", R"({"action": "replay"})"},
                                        {"command", R"({"line": "timeline"})"},
                                        {"command", R"({"line": "findings"})"},
                                        {"command", R"({"line": "bt"})"}}) {
    const std::string said = text(call(tool, arguments));
    EXPECT_THAT(said, AllOf(HasSubstr(kOpens), Not(HasSubstr("open FILE")),
                            Not(HasSubstr("open DIR")), Not(HasSubstr("name it in the command"))))
        << tool;
  }
  for (const auto& [action, key] : {std::pair{"build", "source"},
                                    {"kernel", "object"},
                                    {"profile", "program"},
                                    {"capture", "program"}}) {
    EXPECT_THAT(text(call("run", fmt::format(R"({{"action": "{}"}})", action))),
                AllOf(HasSubstr(fmt::format("needs the key '{}'", key)), Not(HasSubstr("usage:"))));
  }
  EXPECT_THAT(text(call("command", R"({"line": "continue"})")),
              AllOf(HasSubstr(R"(debug {\"lines\": [\"break KERNEL\")"),
                    HasSubstr(R"(propose {\"action\": \"begin\")")));
  EXPECT_THAT(text(call("open", R"({"path": ["many.db"]})")),
              AllOf(HasSubstr(R"(critical_path {})"), HasSubstr(R"(kernels {})"),
                    HasSubstr(R"(command {\"line\": \"findings\"})")));
  EXPECT_THAT(text(call("critical_path")), HasSubstr(R"(whatif {\"kernel\": [\"k)"));
}

TEST_F(McpCoreTest, WhatRunsOrWritesNamesTheOptionThatAllowsIt) {
  start();
  EXPECT_THAT(text(call("run", R"({"action": "profile", "program": ["true"]})")),
              HasSubstr("--allow run"));
  EXPECT_THAT(text(call("command", R"({"line": "export csv -o x.csv"})")), HasSubstr("--allow"));
  EXPECT_THAT(ask("resources/read", R"({"uri": "rpl://source//etc/passwd"})"),
              HasSubstr("--allow read"));
}

TEST_F(McpCoreTest, AProposalSaysWhatThereIsToBeginWith) {
  start({"many.db"});
  EXPECT_THAT(text(call("propose", R"({"action": "begin", "kernel": "softmax"})")),
              AllOf(HasSubstr("capture"), HasSubstr("--allow run")));
  EXPECT_THAT(text(call("propose", R"({"action": "decide"})")), HasSubstr("begin"));
}

TEST_F(McpCoreTest, TextAloneWhereAClientReadsNothingElse) {
  start({"--mcp-text", "many.db"});
  const Value reply = call("kernels");
  EXPECT_EQ(reply.find("structuredContent"), nullptr);
  EXPECT_THAT(text(reply), HasSubstr("total"));
  EXPECT_THAT(ask("tools/list"), Not(HasSubstr("outputSchema")));
}

TEST_F(McpCoreTest, ReportsAndSourcesAreResources) {
  start({"many.db"});
  EXPECT_THAT(ask("resources/list"), HasSubstr("rpl://report/t1"));
  EXPECT_THAT(ask("resources/read", R"({"uri": "rpl://report/t1"})"), HasSubstr("text/markdown"));
  EXPECT_THAT(ask("resources/templates/list"), HasSubstr("rpl://source/{path}"));
  EXPECT_THAT(ask("resources/read", R"({"uri": "rpl://nothing"})"), HasSubstr("-32002"));
}

}  // namespace
}  // namespace rpl
