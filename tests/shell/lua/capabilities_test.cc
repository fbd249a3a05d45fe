// SPDX-License-Identifier: MIT
// Everything says what it does, the page that lists it is current, and a restricted session is refused each capability by whichever way it asks.
#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/context.h"
#include "shell/core/session/script_host.h"
#include "shell/lua/host.h"
#include "shell/reference/manual.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

class CapabilitiesTest : public testing_support::ScriptTest {
 protected:
  static Policy policy_with(Capabilities more) {
    Policy out{.restricted = true, .starts_as = "rpl --interpreter mcp"};
    out.granted.add(more);
    return out;
  }
  [[nodiscard]] static Capabilities needed(const Command& command) {
    Capabilities out = command.does;
    out.add(command.may);
    for (const Param& param : command.params) out.add(param.needs);
    return out;
  }
};

TEST_F(CapabilitiesTest, EveryCommandAndFunctionSaysWhatItDoes) {
  for (const auto& [path, command] : context.registry().all())
    EXPECT_FALSE(command->does.empty()) << path;
  const auto functions = context.scripts().functions();
  EXPECT_GT(functions.size(), 60U);
  for (const ScriptFunction& function : functions)
    EXPECT_FALSE(function.does.empty()) << function.name;
}

TEST_F(CapabilitiesTest, TheCheckedInPageIsCurrent) {
  EXPECT_EQ(capabilities_page(context.registry(), context.scripts(), context.settings()),
            read_text_file(RPL_CAPABILITIES_PAGE).value_or(""))
      << "regenerate with: rpl maint capabilities docs/capabilities.md";
}

TEST_F(CapabilitiesTest, DispatchRefusesWhatTheDefinitionNeeds) {
  const PolicyScope scope(policy_with({}));
  int refused = 0;
  for (const auto& [path, command] : context.registry().all()) {
    if (command->does.within(kKeeps)) continue;
    const auto result = dispatch(context, *command, {});
    ASSERT_FALSE(result) << path;
    EXPECT_EQ(result.error().code, Errc::denied) << path;
    const bool names_start = result.error().hint.find("rpl --interpreter mcp") != std::string::npos;
    EXPECT_TRUE(names_start) << path << ": " << result.error().hint;
    ++refused;
  }
  EXPECT_GT(refused, 20);
}

TEST_F(CapabilitiesTest, WhatChangesOrDestroysIsMoreThanReading) {
  for (const auto& [path, command] : context.registry().all()) {
    EXPECT_TRUE(!command->changes_sources || command->does.has(Capability::approve)) << path;
    EXPECT_FALSE(command->destroys && command->does.within(kReads)) << path;
    for (const Param& param : command->params) {
      const bool output = param.name == std::string_view("output");
      EXPECT_TRUE(!output || needed(*command).has(Capability::write)) << path;
      // What is started when it is named; another compiler, too.
      const std::string name(param.name);
      const bool started = name == "compiler" || name == "program" || name.ends_with("cmd") ||
                           name.ends_with("cmd-template");
      EXPECT_TRUE(!started || needed(*command).has(Capability::run)) << path << " " << name;
    }
  }
}

}  // namespace
}  // namespace rpl
