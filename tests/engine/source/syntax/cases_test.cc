// SPDX-License-Identifier: MIT
// The corpus of answers with both layers together: what is to be accepted passes the syntax tree too, what the text lets through and should be
// rejected is decided here or by verification.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "engine/source/syntax/check_syntax.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/shared_data.h"

namespace rpl {
namespace {

std::string text_of(const Value& record, std::string_view key) {
  const Value* value = record.find(key);
  const auto* text = value == nullptr ? nullptr : value->as<std::string>();
  return text == nullptr ? std::string() : *text;
}

TEST(GuardCasesWithSyntax, AreDecidedAsWanted) {
  const std::string path = testing_support::shared_data("guards/cases.json");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  Result<Compiler> compiler =
      find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const ScratchFolder folder = ScratchFolder::make("cases").value();
  compiler->cache = folder.path();
  std::ifstream file(path, std::ios::binary);
  const auto parsed = parse_json(std::string{std::istreambuf_iterator<char>(file), {}});
  ASSERT_TRUE(parsed.has_value());
  std::size_t ran = 0;
  for (const Value& one : *parsed->as<List>()) {
    const std::string id = text_of(one, "id"), source = text_of(one, "source"),
                      kernel = text_of(one, "kernel");
    if (text_of(one, "decided_by") == "unroll rule") continue;
    // Written before instructions were let in: what they do is judged on the machine code.
    if (id == "asm") continue;
    const auto verdict = check_response(source, kernel, text_of(one, "response"));
    ASSERT_TRUE(verdict.has_value()) << id;
    if (!verdict->accept) {
      EXPECT_EQ(text_of(one, "want"), "reject") << id;
      continue;
    }
    const auto check = check_syntax(
        compiler, {.baseline = source, .candidate = verdict->patched, .kernel = kernel});
    ASSERT_TRUE(check.has_value()) << id << ": " << check.error().message;
    ASSERT_TRUE(check->ran) << id << ": " << check->why_not;
    ++ran;
    const bool accepted = check->reasons.empty();
    const bool left_to_verification = text_of(one, "decided_by") == "verification";
    EXPECT_EQ(accepted, left_to_verification || text_of(one, "want") == "accept")
        << id << ": "
        << (accepted ? "accepted"
                     : check->reasons.front().rule + ": " + check->reasons.front().message);
  }
  EXPECT_GE(ran, 15U);
}

}  // namespace
}  // namespace rpl
