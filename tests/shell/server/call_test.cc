// SPDX-License-Identifier: MIT
#include "shell/server/call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shell/commands/all.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CallTest : public testing::Test {
 protected:
  CallTest() { add_all_commands(context.registry()); }
  std::string line(std::string_view words, const Record& arguments) {
    const auto invocation = invocation_of(context.registry(), words, arguments);
    return invocation ? line_of(*invocation) : invocation.error().message;
  }
  Context context;
};

TEST_F(CallTest, TakesNamedArgumentsAndThoseOfAllCommands) {
  const auto invocation =
      invocation_of(context.registry(), "info kernels",
                    {{"sort", "calls"}, {"limit", Value(3)}, {"trace", "a.db"}});
  ASSERT_TRUE(invocation.has_value()) << invocation.error().message;
  EXPECT_EQ(invocation->command->path, "info kernels");
  EXPECT_EQ(invocation->form.limit, 3U);
  EXPECT_THAT(invocation->open, ElementsAre("a.db"));
  EXPECT_EQ(line_of(*invocation), "info kernels --sort calls --trace a.db --limit 3");
}

TEST_F(CallTest, NamesACommandByItsWordsOrATool) {
  EXPECT_EQ(line("info_kernels", {}), "info kernels");
  EXPECT_EQ(line("reverse_continue", {}), "reverse-continue");
  EXPECT_EQ(line("llm_optimize", {{"source", "a.hip"}}), "llm-optimize a.hip");
  EXPECT_EQ(line("lua", {{"code", "print(1) | x"}}), "lua print(1) | x");
  EXPECT_EQ(line("whatif", {{"kernel", "soft max"}, {"speedup", Value(2.0)}}),
            "whatif 'soft max' --speedup 2.0");
  EXPECT_THAT(line("info kernels gemm", {}), HasSubstr("is not a command"));
  EXPECT_THAT(line("nonsense", {}), HasSubstr("unknown command"));
}

TEST_F(CallTest, RefusesArgumentsThatDoNotFit) {
  EXPECT_THAT(line("info kernels", {{"sotr", "calls"}}), HasSubstr("has no parameter 'sotr'"));
  EXPECT_THAT(line("info kernels", {{"limit", "many"}}), HasSubstr("'limit' takes a count"));
  EXPECT_THAT(line("info kernels", {{"trace", Value(1)}}),
              HasSubstr("'trace' takes an id or a path"));
}

}  // namespace
}  // namespace rpl
