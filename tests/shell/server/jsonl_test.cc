// SPDX-License-Identifier: MIT
// The program itself, as another program drives it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "engine/document/json.h"
#include "engine/process/run.h"
#include "shell/server/protocol/request.h"
#include "tests/shell/server/client.h"
#include "tests/support/generate.h"
#include "tests/support/json_schema.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::faults_of_document;
using testing_support::InterpreterClient;

std::string text_of(const Value& value, std::initializer_list<const char*> path) {
  const Value* at = &value;
  for (const char* key : path) {
    at = at->find(key);
    if (at == nullptr) return "(none)";
  }
  const auto* text = at->as<std::string>();
  return text == nullptr ? to_json(*at) : *text;
}

class JsonLinesTest : public testing::Test {
 protected:
  JsonLinesTest() {
    test::GenerateOptions options;
    options.path = folder_ / "small.db";
    options.workload.dispatches = 50;
    EXPECT_TRUE(test::generate_rocpd(options).has_value());
    EXPECT_EQ(::mkfifo((folder_ / "running").c_str(), S_IRUSR | S_IWUSR), 0);
  }
  void TearDown() override {
    if (rpl_.pid() > 0) {
      EXPECT_EQ(rpl_.wait(), 0);
    }
  }

  /// The next reply, which must be as its schema says, and what it carries, too.
  Value reply() {
    const Value reply = rpl_.reply();
    const std::string text = to_json(reply);
    EXPECT_THAT(faults_of_document(text, RPL_SCHEMAS), IsEmpty()) << text;
    int parts = 0;
    for (const char* part : {"progress", "result", "error"}) {
      const Value* found = reply.find(part);
      parts += found == nullptr ? 0 : 1;
      if (found == nullptr) continue;
      EXPECT_EQ(text_of(reply, {"event"}), part);
      if (found->find("schema") == nullptr) continue;  // of progress
      EXPECT_THAT(faults_of_document(to_json(*found), RPL_SCHEMAS), IsEmpty()) << text;
    }
    EXPECT_EQ(parts, 1) << text;
    return reply;
  }
  Value ask(std::string_view request) {
    rpl_.send(request);
    return reply();
  }
  /// Waits until what runs has opened the pipe "running".
  void wait_until_it_runs() { std::ifstream(folder_ / "running").get(); }

  testing_support::TempDir folder_;
  InterpreterClient rpl_{{"--interpreter", "jsonl", "--allow", "run"}, folder_.path()};
};

TEST_F(JsonLinesTest, AnswersLinesAndCommandsWithTheirDocuments) {
  EXPECT_EQ(text_of(ask(R"({"id": 1, "line": "open small.db"})"), {"result", "dispatches"}), "50");
  const Value typed = ask(R"({"id": "two", "line": "info kernels --limit 2"})");
  const Value called =
      ask(R"({"id": "two", "command": "info kernels", "arguments": {"limit": 2}})");
  EXPECT_EQ(typed, called);
  EXPECT_EQ(text_of(typed, {"id"}), "two");
  EXPECT_EQ(text_of(typed, {"result", "schema"}), "rpl.info.kernels/1");
  EXPECT_EQ(typed.find("result")->find("rows")->as<List>()->size(), 2U);
  // Variables, the value history, and what is current stay from request to request.
  EXPECT_EQ(text_of(ask(R"({"id": 3, "line": "print $.rows[1].calls"})"), {"result", "value"}),
            to_json(*(*typed.find("result")->find("rows")->as<List>())[0].find("calls")));
}

TEST_F(JsonLinesTest, AnErrorIsTypedAndNamesTheNextStep) {
  const Value reply = ask(R"({"id": 1, "command": "whatif", "arguments": {"kernal": "x"}})");
  EXPECT_EQ(text_of(reply, {"error", "code"}), "usage");
  EXPECT_THAT(text_of(reply, {"error", "hint"}), HasSubstr("kernel"));
  EXPECT_EQ(text_of(reply, {"exit_code"}), "2");
  EXPECT_EQ(text_of(ask(R"({"id": 2, "line": "info kernels"})"), {"error", "hint"}),
            "open one: open FILE, or name it in the command: summary FILE");
}

TEST_F(JsonLinesTest, NothingButRepliesComesOutWhateverRuns) {
  EXPECT_EQ(
      text_of(ask(R"({"id": 1, "line": "shell echo from a program; echo twice"})"), {"printed"}),
      "from a program\ntwice\n");
  EXPECT_EQ(
      text_of(
          ask(R"x({"id": 2, "line": "lua print('from a script') rpl.cmd.shell{'echo and on'} print('end')"})x"),
          {"printed"}),
      "from a script\nand on\nend\n");
  EXPECT_EQ(text_of(ask(R"x({"id": 3, "line": "lua io.write('not ', 'print\\n')"})x"), {"printed"}),
            "not print\n");
  // What reads stdin finds nothing there, above all no requests.
  EXPECT_EQ(text_of(ask(R"({"id": 4, "line": "shell cat"})"), {"printed"}), "");
  EXPECT_EQ(text_of(ask(R"({"id": 5, "line": "show width | wc -l"})"), {"printed"}), "3\n");
  // The form of a line is what its pipe takes.
  EXPECT_EQ(text_of(ask(R"({"id": 6, "line": "show width --json | head -c 1"})"), {"printed"}),
            "{");
}

TEST_F(JsonLinesTest, MoreThanAReplyHoldsIsCounted) {
  const Value reply = ask(R"({"id": 1, "line": "shell head -c 3000000 /dev/zero | tr '\\0' x"})");
  EXPECT_EQ(text_of(reply, {"printed"}).size(), 1U << 20U);
  EXPECT_EQ(text_of(reply, {"printed_bytes_left_out"}), std::to_string(3'000'000 - (1 << 20)));
}

TEST_F(JsonLinesTest, WhatIsNoRequestIsAnsweredInItsPlace) {
  rpl_.send(
      "{\"id\": 1, \"line\": \"echo a\"}\n\n  \nnonsense\n\xff\xfe\n{\"id\": 2, \"lin\": "
      "1}\n{\"id\": 3, \"line\": \"echo b\"}");
  EXPECT_EQ(text_of(reply(), {"id"}), "1");
  EXPECT_THAT(text_of(reply(), {"error", "message"}), HasSubstr("not JSON"));
  EXPECT_EQ(text_of(reply(), {"id"}), "null");
  EXPECT_EQ(text_of(reply(), {"error", "hint"}), "did you mean 'line'?");
  EXPECT_EQ(text_of(reply(), {"id"}), "3");
  const Value long_line =
      ask(R"({"id": 4, "line": ")" + std::string(kLongestRequest, 'x') + R"("})");
  EXPECT_EQ(text_of(long_line, {"error", "code"}), "limit");
  EXPECT_EQ(text_of(ask(R"({"id": 5, "line": "print 1 + 1"})"), {"result", "value"}), "2");
}

TEST_F(JsonLinesTest, CancelsAProgramThatRuns) {
  rpl_.send(R"({"id": "slow", "line": "shell echo > running; exec sleep 1000"})");
  rpl_.send(R"({"id": "next", "line": "print 1 + 1"})");
  wait_until_it_runs();
  EXPECT_EQ(text_of(ask(R"({"id": "c", "cancel": "slow"})"), {"result", "cancelled"}), "running");
  EXPECT_EQ(text_of(reply(), {"id"}), "slow");
  // What is behind it runs as if nothing had been.
  EXPECT_EQ(text_of(reply(), {"result", "value"}), "2");
}

TEST_F(JsonLinesTest, CancelsAllThatALineOfTheHostShellStarted) {
  ASSERT_EQ(::mkfifo((folder_ / "held").c_str(), S_IRUSR | S_IWUSR), 0);
  rpl_.send(R"({"id": 1, "line": "shell sleep 1000 > held; echo late > after"})");
  std::ifstream held(folder_ / "held");
  EXPECT_EQ(text_of(ask(R"({"id": 2, "cancel": 1})"), {"result", "cancelled"}), "running");
  EXPECT_EQ(text_of(reply(), {"id"}), "1");
  EXPECT_EQ(held.get(), std::ifstream::traits_type::eof()) << "whoever wrote to it has ended";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "after"));
}

TEST_F(JsonLinesTest, CancelsAScriptAndAQueryThatRun) {
  rpl_.send(
      R"({"id": 1, "line": "lua local f = io.open('running', 'w') f:write('x') f:close() while true do end"})");
  wait_until_it_runs();
  EXPECT_EQ(text_of(ask(R"({"id": 2, "cancel": 1})"), {"result", "cancelled"}), "running");
  EXPECT_EQ(text_of(reply(), {"error", "code"}), "interrupted");
  rpl_.send(
      R"({"id": 3, "line": "lua local f = io.open('running', 'w') f:write('x') f:close() rpl.cmd.sql{'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n', trace = 'small.db'}"})");
  wait_until_it_runs();
  EXPECT_EQ(text_of(ask(R"({"id": 4, "cancel": 3})"), {"result", "cancelled"}), "running");
  EXPECT_EQ(text_of(reply(), {"error", "code"}), "interrupted");
  EXPECT_EQ(text_of(ask(R"({"id": 5, "line": "print 1 + 1"})"), {"result", "value"}), "2");
}

TEST_F(JsonLinesTest, CancelsWhatWaitsAndTellsOfWhatIsNotThere) {
  rpl_.send(R"({"id": 1, "line": "shell echo > running; exec sleep 1000"})");
  wait_until_it_runs();
  rpl_.send(R"({"id": 2, "line": "echo never"})");
  rpl_.send(R"({"id": 2, "line": "echo twice"})");
  EXPECT_THAT(text_of(reply(), {"error", "message"}), HasSubstr("another request with the id 2"));
  const Value never = ask(R"({"id": 3, "cancel": 2})");
  EXPECT_EQ(text_of(never, {"id"}), "2");
  EXPECT_EQ(text_of(never, {"error", "code"}), "interrupted");
  EXPECT_EQ(text_of(reply(), {"result", "cancelled"}), "waiting");
  EXPECT_EQ(text_of(ask(R"({"id": 4, "cancel": 2})"), {"result", "cancelled"}), "nothing");
  EXPECT_EQ(text_of(ask(R"({"id": 5, "cancel": 1})"), {"result", "cancelled"}), "running");
  EXPECT_EQ(text_of(reply(), {"id"}), "1");
}

TEST_F(JsonLinesTest, TellsHowFarItIsToWhoAskedForIt) {
  ask(R"({"id": 1, "line": "open small.db"})");
  rpl_.send(R"({"id": 2, "line": "summary", "progress": true})");
  int told = 0;
  Value last = reply();
  for (; text_of(last, {"event"}) == "progress"; last = reply()) ++told;
  EXPECT_GE(told, 1);
  EXPECT_EQ(text_of(last, {"result", "schema"}), "rpl.summary/1");
  EXPECT_EQ(text_of(ask(R"({"id": 3, "line": "summary"})"), {"event"}), "result");
}

TEST_F(JsonLinesTest, AsksNobodyAndKeepsWhatWasAsked) {
  EXPECT_THAT(text_of(ask(R"({"id": 1, "line": "define it"})"), {"error", "message"}),
              HasSubstr("has no 'end'"));
  ask(R"({"id": 2, "line": "open small.db"})");
  const Value log = ask(R"({"id": 3, "line": "session log"})");
  EXPECT_THAT(to_json(log), HasSubstr("open small.db"));
}

TEST_F(JsonLinesTest, QuitEndsItAndWhatWaitedIsToldSo) {
  rpl_.send("{\"id\": 1, \"line\": \"quit\"}\n{\"id\": 2, \"line\": \"echo late\"}");
  EXPECT_EQ(text_of(reply(), {"result", "schema"}), "rpl.quit/1");
  rpl_.end();
  // It was read before the end or not at all.
  if (const auto left = rpl_.line()) {
    EXPECT_THAT(*left, HasSubstr("interrupted"));
  }
}

// Its input ended, and nobody reads its replies: an endless loop would go on for ever. A shell waits for all that it started.
TEST_F(JsonLinesTest, WhoIsNotHeardEnds) {
  const std::string line = R"({"id": 1, "line": "lua while true do end"})";
  const auto exit =
      run({.argv = {"sh", "-c",
                    fmt::format("printf '%s\\n' '{}' | {} -nx --interpreter jsonl | true", line,
                                RPL_PROGRAM)},
           .cwd = folder_.path()});
  EXPECT_TRUE(exit && exit->ok());
}

TEST_F(JsonLinesTest, ASignalEndsIt) {
  rpl_.send(R"({"id": 1, "line": "shell echo > running; exec sleep 1000"})");
  wait_until_it_runs();
  ::kill(rpl_.pid(), SIGTERM);
  EXPECT_EQ(text_of(reply(), {"id"}), "1");
  EXPECT_EQ(rpl_.wait(), 128 + SIGTERM);
}

}  // namespace
}  // namespace rpl
