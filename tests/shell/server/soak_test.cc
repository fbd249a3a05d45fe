// SPDX-License-Identifier: MIT
// Random requests, right and wrong, one after the other: every reply is as its schema says, rpl lives on, and what it holds stays within bounds. RPL_SOAK says how many
// (600), RPL_SOAK_SEED which (11); scripts/test --sanitize asks for 10 000.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "engine/document/json.h"
#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "tests/shell/server/client.h"
#include "tests/shell/server/random_requests.h"
#include "tests/support/json_schema.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::IsEmpty;
using testing_support::InterpreterClient;
using testing_support::RandomRequests;

constexpr std::uint64_t kUsual = 600, kUsualSeed = 11;
// What may come on top of what is held after the warm-up (docs/testing.md): definitions, breakpoints, names that were seen. Results kept as $1, $2, ... are bounded by the
// settings below, and what was opened is closed again.
constexpr std::int64_t kMostGrowth = std::int64_t{16} << 20;
constexpr const char* kKept = "set history values 100";
// After so long a request is cancelled, which must end it: a slow machine makes no failure, and a loop without end makes one.
constexpr std::chrono::seconds kPatience{20};

std::uint64_t wanted(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

class Soak {
 public:
  /// The reply to one request, checked; nullopt once something is wrong, which is then said.
  std::optional<Value> ask(const std::string& request, const std::string& id) {
    rpl_.send(request);
    auto line = rpl_.line(kPatience);
    if (!line && !rpl_.ended() && !id.empty()) {
      ++cancelled_;
      rpl_.send(fmt::format(R"({{"id": "stop", "cancel": {}}})", id));
      // The cancel says what it met; the reply that came in the meantime may be before it.
      line = rpl_.line();
      const auto other = rpl_.line();
      if (line && line->find(R"("id": "stop")") != std::string::npos) line = other;
    }
    if (!line) {
      ADD_FAILURE() << "no reply to " << request << "; it ended with " << rpl_.wait();
      return std::nullopt;
    }
    EXPECT_THAT(faults_of(*line), IsEmpty()) << request << "\n" << *line;
    return parse_json(*line).value_or(Value());
  }

  /// Recordings, captures, objects and thread traces that were opened stay open until they are closed: that is the session's data, and not what is looked for.
  void close_all() {
    ask(R"x({"id": "c", "line": "lua for _, l in ipairs{'trace', 'capture', 'object', 'att'} do for _, e in ipairs(rpl.cmd[l].list().rows) do if e.id and e.id ~= 't1' then pcall(rpl.cmd.close, {e.id}) end end end"})x",
        "");
  }

  /// Bytes on the heap.
  std::int64_t held() {
    const auto reply = ask(R"({"id": "m", "command": "maint memory"})", "");
    const Value* result = reply ? reply->find("result") : nullptr;
    const Value* bytes = result == nullptr ? nullptr : result->find("heap_bytes");
    EXPECT_NE(bytes, nullptr);
    return bytes == nullptr ? 0 : static_cast<std::int64_t>(bytes->number().value_or(0));
  }

  int end() { return rpl_.wait(); }
  [[nodiscard]] std::size_t cancelled() const { return cancelled_; }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

 private:
  /// Of the reply and of the document in it. What users define has no schema in the folder.
  static std::vector<std::string> faults_of(const std::string& line) {
    std::vector<std::string> faults = testing_support::faults_of_document(line, RPL_SCHEMAS);
    const auto reply = parse_json(line);
    for (const char* part : {"result", "error"}) {
      const Value* document = reply ? reply->find(part) : nullptr;
      const Value* schema = document == nullptr ? nullptr : document->find("schema");
      if (schema == nullptr || schema->as<std::string>() == nullptr) continue;
      std::string name = *schema->as<std::string>();
      std::ranges::replace(name, '/', '-');
      if (!std::filesystem::exists(fmt::format("{}/{}.json", RPL_SCHEMAS, name))) continue;
      for (std::string& fault :
           testing_support::faults_of_document(to_json(*document), RPL_SCHEMAS))
        faults.push_back(std::move(fault));
    }
    return faults;
  }

  /// The folder has what requests name, and the address sanitizer gives memory back soon.
  static const std::string& prepared(const std::string& folder) {
    ::setenv("ASAN_OPTIONS", "quarantine_size_mb=8", 0);
    RandomRequests::prepare(folder);
    return folder;
  }

  testing_support::TempDir folder_;
  InterpreterClient rpl_{{"-nx", "--interpreter", "jsonl", "--allow", "run", "--allow", "approve",
                          "--allow", "write", ".", "-ex", kKept, "small.db"},
                         prepared(folder_.path())};
  std::size_t cancelled_ = 0;
};

TEST(SoakTest, WhatIsLeftOutIsThere) {
  Context context;
  add_all_commands(context.registry());
  for (const auto* list : {&RandomRequests::left_out(), &RandomRequests::only_refused()}) {
    for (const auto& [path, why] : *list) {
      EXPECT_NE(context.registry().find(path), nullptr) << path;
      EXPECT_FALSE(why.empty()) << path;
    }
  }
}

TEST(SoakTest, EqualSeedsGiveEqualRequests) {
  RandomRequests a(3), b(3), c(4);
  std::string first, second, third;
  for (std::size_t i = 0; i < 100; ++i) {
    first += a.next(i);
    second += b.next(i);
    third += c.next(i);
  }
  EXPECT_EQ(first, second);
  EXPECT_NE(first, third);
}

TEST(SoakTest, EveryRequestIsAnsweredAsItsSchemaSaysAndMemoryStays) {
  const std::uint64_t count = wanted("RPL_SOAK", kUsual),
                      seed = wanted("RPL_SOAK_SEED", kUsualSeed);
  const std::uint64_t warm = std::min<std::uint64_t>(count / 2, 2000);
  RandomRequests requests(seed);
  ASSERT_GT(requests.examples(), 200U);
  ASSERT_GT(requests.commands(), 150U);
  Soak soak;
  std::size_t results = 0;
  std::int64_t settled = 0;
  for (std::uint64_t number = 1; number <= count; ++number) {
    const std::string request = requests.next(number);
    const auto reply = soak.ask(request, std::to_string(number));
    if (!reply || ::testing::Test::HasFailure())
      FAIL() << "RPL_SOAK_SEED=" << seed << " RPL_SOAK=" << number << " ends with it";
    results += reply->find("result") != nullptr ? 1 : 0;
    if (number % 50 == 0) soak.close_all();
    if (number == warm) settled = soak.held();
  }
  soak.close_all();
  const std::int64_t growth = soak.held() - settled;
  fmt::print(
      "seed {}: {} results, {} errors, {} cancelled; {} KiB held after {} requests, {} KiB more at "
      "the end\n",
      seed, results, count - results, soak.cancelled(), settled / 1024, warm, growth / 1024);
  EXPECT_GT(settled, 0);
  EXPECT_LT(growth, kMostGrowth);
  EXPECT_GT(results, count / 6);
  EXPECT_GT(count - results, count / 6);
  EXPECT_EQ(soak.end(), 0);
}

}  // namespace
}  // namespace rpl
