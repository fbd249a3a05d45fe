// SPDX-License-Identifier: MIT
#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/server/call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rpl {
namespace {

class McpToolsTest : public testing::Test {
 protected:
  McpToolsTest() { add_all_commands(context.registry()); }
  const Command& command(std::string_view path) { return *context.registry().find(path); }
  Context context;
};

TEST_F(McpToolsTest, EachHasANameOfItsOwnThatTheProtocolTakes) {
  std::set<std::string> names;
  for (const auto& [path, command] : context.registry().all()) {
    if (!is_tool(*command)) continue;
    const std::string name = tool_name(*command);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(name.size() <= 64 &&
                std::ranges::all_of(name,
                                    [](char c) {
                                      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                             c == '_';
                                    }))
        << name;
    EXPECT_EQ(tool_named(context.registry(), name), command.get());
  }
  EXPECT_GT(names.size(), 100U);
}

TEST_F(McpToolsTest, WhatIsForPromptsAloneIsNone) {
  for (const char* path : {"shell", "quit", "define", "alias", "maint docs"}) {
    ASSERT_NE(context.registry().find(path), nullptr) << path;
    EXPECT_FALSE(is_tool(command(path))) << path;
  }
}

TEST_F(McpToolsTest, OnlyWhatLooksIsSaidToBeReadOnly) {
  for (const char* path : {"info kernels", "critpath", "classify", "roofline", "sql", "help",
                           "show", "info capabilities"})
    EXPECT_TRUE(only_reads(command(path))) << path;
  for (const char* path :
       {"approve",    "revert",      "session undo", "open",        "close",        "set",
        "lua",        "print",       "source",       "profile",     "run",          "build",
        "capture rm", "export csv",  "optimize",     "capture run", "propose edit", "replay",
        "autotune",   "report html", "bench ab"}) {
    EXPECT_FALSE(only_reads(command(path))) << path;
  }
}

TEST_F(McpToolsTest, SchemasComeFromTheDefinition) {
  const Value schema{tool_input_schema(command("approve"))};
  EXPECT_EQ(*schema.find("required"), Value(List{Value("proposal")}));
  EXPECT_EQ(*schema.find("properties")->find("accept_modelled")->find("type"), Value("boolean"));
  EXPECT_EQ(*schema.find("additionalProperties"), Value(false));
  const Value open{tool_input_schema(command("open"))};
  EXPECT_EQ(*open.find("properties")->find("path")->find("type"), Value("array"));
}

}  // namespace
}  // namespace rpl
