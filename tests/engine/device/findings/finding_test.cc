// SPDX-License-Identifier: MIT
#include "engine/device/findings/finding.h"

#include <gmock/gmock.h>

#include <set>

#include "engine/base/files.h"

namespace rpl::findings {
namespace {

using testing::HasSubstr;

Findings example() {
  return {.all = {{.cause = Cause::spills,
                   .where = {{.address = 16,
                              .instruction = "scratch_load_dword v1, off",
                              .source = "a.hip:3:5 in f",
                              .share = 0.75}},
                   .evidence = {{"of the instructions are scratch accesses", 0.25, false}},
                   .worth = Worth{0.2, 0.4},
                   .assumes = "nothing is kept in scratch memory",
                   .remedy = "use fewer"},
                  {.cause = Cause::compute_used_up}},
          .without_faults = {0.2, 0.5}};
}

TEST(Finding, IsReadAsItWasWritten) {
  const auto read = findings_from_json(to_json(example()));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->all.size(), 2U);
  EXPECT_EQ(read->all[0].cause, Cause::spills);
  EXPECT_EQ(read->all[0].where[0].text(), "a.hip:3:5 in f");
  EXPECT_EQ(read->all[0].worth->high, 0.4);
  EXPECT_FALSE(read->all[1].worth.has_value());
  EXPECT_EQ(to_json(*read), to_json(example()));
}

TEST(Finding, OfARecordingMayBeAnything) {
  const std::string good = to_json(example());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return findings_from_json(text);
  };
  EXPECT_FALSE(findings_from_json("").has_value());
  EXPECT_FALSE(findings_from_json("{}").has_value());
  EXPECT_FALSE(findings_from_json(R"({"without_faults": {"low": 0, "high": 0}, "findings": []})")
                   .has_value());
  EXPECT_FALSE(with("register-spills", "no-such-cause").has_value());
  EXPECT_FALSE(with("0.4", "1.5").has_value());
  EXPECT_FALSE(with("0.4", "\"much\"").has_value());
}

TEST(Causes, HaveNamesOfTheirOwnAndStandOnThePage) {
  const std::string page = *read_text_file(RPL_DOCS "/diagnosis.md");
  std::set<std::string_view> names;
  for (const CauseInfo& one : causes()) {
    EXPECT_EQ(&one, &info(one.cause));
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(cause_named(one.name), one.cause);
    EXPECT_THAT(page,
                HasSubstr("| `" + std::string(one.name) + "` | " + std::string(one.says) + " |"));
  }
  EXPECT_FALSE(cause_named("bad luck").has_value());
}

}  // namespace
}  // namespace rpl::findings
