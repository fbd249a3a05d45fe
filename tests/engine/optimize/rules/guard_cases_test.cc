// SPDX-License-Identifier: MIT
// A corpus of answers and loops, honest and not: each is decided as wanted, or known to be open and by whom it is decided.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/document/json.h"
#include "engine/optimize/rules/loops.h"
#include "engine/source/text/guard.h"
#include "tests/support/shared_data.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

struct Case {
  std::string id, source, kernel, response, want;
};

std::string text_in(const Value& record, std::string_view key) {
  const Value* value = record.find(key);
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

std::vector<Case> cases_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Result<Value> parsed = parse_json(text);
  std::vector<Case> result;
  if (!parsed || parsed->as<List>() == nullptr) return result;
  for (const Value& record : *parsed->as<List>()) {
    result.push_back({text_in(record, "id"), text_in(record, "source"), text_in(record, "kernel"),
                      text_in(record, "response"), text_in(record, "want")});
  }
  return result;
}

/// What the text alone cannot decide, and the layer that does.
const std::map<std::string, std::string>& open_cases() {
  static const std::map<std::string, std::string> kOpen{{"asm", "code object"},
                                                        {"const-out", "verification"},
                                                        {"skip-work", "verification"},
                                                        {"sample", "verification"},
                                                        {"half", "verification"}};
  return kOpen;
}

bool is_unroll(const Case& one) { return one.id.starts_with("u-"); }

std::string verdict_of(const Case& one) {
  if (is_unroll(one)) {
    const auto outcome = propose_unroll(one.source, one.kernel);
    if (!outcome) return outcome.error().message;
    EXPECT_FALSE(outcome->edits.empty() && outcome->refusals.empty()) << one.id << " has no reason";
    return outcome->edits.empty() ? "reject" : "accept";
  }
  const auto verdict = check_response(one.source, one.kernel, one.response);
  if (!verdict) return verdict.error().message;
  EXPECT_EQ(verdict->accept, verdict->reasons.empty()) << one.id;
  return verdict->accept ? "accept" : "reject";
}

std::string reasons_of(const Case& one) {
  std::string result;
  if (is_unroll(one)) {
    if (const auto outcome = propose_unroll(one.source, one.kernel)) {
      for (const auto& refusal : outcome->refusals) result += refusal.reason + "; ";
    }
  } else if (const auto verdict = check_response(one.source, one.kernel, one.response)) {
    for (const auto& reason : verdict->reasons)
      result += reason.rule + ": " + reason.message + "; ";
  }
  return result;
}

TEST(GuardCases, AreDecidedAsWantedOrKnownToBeOpen) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto cases = cases_in(path);
  ASSERT_GE(cases.size(), 40U);
  std::vector<std::string> open, listed;
  for (const Case& one : cases) {
    const std::string verdict = verdict_of(one);
    if (verdict != one.want) open.push_back(one.id);
    const std::string shown =
        one.id + ": " + verdict + ", wanted " + one.want + ": " + reasons_of(one);
    EXPECT_TRUE(verdict == one.want || open_cases().contains(one.id)) << shown;
  }
  for (const auto& [id, layer] : open_cases()) listed.push_back(id);
  EXPECT_THAT(open, UnorderedElementsAreArray(listed))
      << "a case that is decided now is to be taken off the list of open ones";
}

TEST(GuardCases, OpenOnesAreSaidToBeOpen) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  for (const Case& one : cases_in(path)) {
    const auto layer = open_cases().find(one.id);
    if (layer == open_cases().end()) continue;
    const auto verdict = check_response(one.source, one.kernel, one.response);
    ASSERT_TRUE(verdict.has_value()) << one.id;
    EXPECT_THAT(verdict->open, Contains(HasSubstr("(" + layer->second + ")"))) << one.id;
  }
}

TEST(GuardCases, AcceptedOnesChangeTheBodyAlone) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  for (const Case& one : cases_in(path)) {
    if (is_unroll(one)) continue;
    const auto verdict = check_response(one.source, one.kernel, one.response);
    if (!verdict || !verdict->accept) continue;
    const auto again = check_edit(one.source, one.kernel, verdict->patched);
    ASSERT_TRUE(again.has_value()) << one.id;
    EXPECT_TRUE(again->accept) << one.id;
    EXPECT_EQ(again->patched, verdict->patched) << one.id;
  }
}

}  // namespace
}  // namespace rpl
