// SPDX-License-Identifier: MIT
#include "engine/base/text.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

/// A block of docs/lua.md: ```lua is a script, ```rpl a list of lines as typed; what follows ```text is what they show.
struct Block {
  std::string language, text;
  std::size_t line = 0;
};

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> blocks;
  bool open = false;
  std::size_t number = 0;
  for (const std::string& line : split_lines(text)) {
    ++number;
    if (line.starts_with("```")) {
      open = !open;
      if (open) blocks.push_back({line.substr(3), "", number});
    } else if (open) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

class GuideTest : public testing_support::ScriptTest {};

TEST_F(GuideTest, ItsExamplesRunAndShowWhatItSays) {
  std::ifstream file(RPL_LUA_GUIDE);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto blocks = blocks_of(text);
  ASSERT_GT(blocks.size(), 8U);
  const bool complete = context.registry().find("critpath") != nullptr;
  run("lua rpl.open('" + small_trace() + "')");
  std::string shown;
  for (const Block& block : blocks) {
    SCOPED_TRACE(fmt::format("docs/lua.md:{}", block.line));
    if (block.language == "lua") {
      EXPECT_EQ(script(block.text), 0) << err;
      shown = out;
    } else if (block.language == "rpl") {
      shown.clear();
      for (const std::string& line : split_lines(block.text)) {
        EXPECT_EQ(run(line), 0) << line << err;
        shown += out;
      }
    } else if (block.language == "lua needs=analysis" && complete) {
      EXPECT_EQ(script(block.text), 0) << err;
    } else if (block.language == "text") {
      EXPECT_EQ(shown, block.text);
    }
  }
}

}  // namespace
}  // namespace rpl
