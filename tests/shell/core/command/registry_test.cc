// SPDX-License-Identifier: MIT
#include "shell/core/command/registry.h"

#include <gmock/gmock.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Command named(std::string path) {
  Command command;
  command.path = std::move(path);
  command.summary = "Test.";
  command.run = [](Context&, const Arguments&) -> Result<Document> { return Document{}; };
  return command;
}

class RegistryTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* path : {"info kernels", "info kernel", "info dispatches", "critpath",
                             "compare", "replay", "replay reserve-check", "trace list"}) {
      ASSERT_TRUE(registry.add(named(path)).has_value());
    }
  }
  std::string found(std::vector<std::string> words) {
    const auto resolved = registry.resolve(words);
    if (!resolved) return resolved.error().message + " / " + resolved.error().hint;
    return resolved->command->path + " " + std::to_string(resolved->words);
  }
  Registry registry;
};

TEST_F(RegistryTest, GdbsWordsGoFirst) {
  for (const char* path : {"print", "profile", "prompt", "continue", "info registers",
                           "info roofline", "disable", "disassemble", "advance", "advise"})
    ASSERT_TRUE(registry.add(named(path)).has_value());
  EXPECT_EQ(found({"p"}), "print 1");
  EXPECT_EQ(found({"c"}), "continue 1");
  EXPECT_EQ(found({"i", "r"}), "info registers 2");
  EXPECT_EQ(found({"i", "ro"}), "info roofline 2");
  EXPECT_EQ(found({"i", "ker"}), "info kernels 2") << "of a word and its plural the list";
  EXPECT_EQ(found({"dis"}), "disable 1");
  EXPECT_EQ(found({"disas"}), "disassemble 1");
  EXPECT_EQ(found({"adv"}), "advance 1") << "a word of GDB's among those that begin alike";
  EXPECT_EQ(found({"prof"}), "profile 1");
  EXPECT_THAT(found({"attach"}), HasSubstr("no process is debugged here"))
      << "what GDB has and a kernel has no use for";
  EXPECT_THAT(found({"info", "proc"}), HasSubstr("the kernel is no process"));
}

TEST_F(RegistryTest, ResolvesUniquePrefixesLevelByLevel) {
  EXPECT_EQ(found({"inf", "disp", "x"}), "info dispatches 2");
  EXPECT_EQ(found({"cr"}), "critpath 1");
  EXPECT_EQ(found({"info", "kernel"}), "info kernel 2");
}

TEST_F(RegistryTest, NamesTheCandidatesOfAnAmbiguousWord) {
  EXPECT_THAT(found({"c"}), HasSubstr("ambiguous command 'c': compare, critpath"));
  EXPECT_THAT(found({"info", "k"}), HasSubstr("kernel, kernels"));
}

TEST_F(RegistryTest, SuggestsTheNearestName) {
  EXPECT_EQ(found({"cirtpath"}), "unknown command 'cirtpath' / did you mean 'critpath'?");
  EXPECT_THAT(found({"info", "kernals"}), HasSubstr("did you mean 'kernels'"));
  EXPECT_THAT(found({"info"}), HasSubstr("'info' needs one more word"));
}

TEST_F(RegistryTest, AnArgumentIsNotTakenForALongerName) {
  EXPECT_EQ(found({"replay", "c1"}), "replay 1");
  EXPECT_EQ(found({"replay", "r"}), "replay 1");
  EXPECT_EQ(found({"replay", "reserve-check", "c1"}), "replay reserve-check 2");
}

TEST_F(RegistryTest, AliasesStandForTheirWords) {
  ASSERT_TRUE(registry.add_alias("k", "info kernels").has_value());
  EXPECT_EQ(found({"k", "x"}), "info kernels 1");
  EXPECT_FALSE(registry.add_alias("z", "no such command").has_value());
  EXPECT_FALSE(registry.add_alias("critpath", "info kernels").has_value());
}

TEST_F(RegistryTest, OnlyUserCommandsCanBeReplacedAndRemoved) {
  EXPECT_EQ(registry.add(named("critpath")).error().code, Errc::denied);
  Command mine = named("mine");
  mine.is_user_defined = true;
  ASSERT_TRUE(registry.add(mine).has_value());
  EXPECT_TRUE(registry.add(mine).has_value());
  EXPECT_TRUE(registry.remove("mine").has_value());
  EXPECT_THAT(found({"mine"}), HasSubstr("unknown command"));
  EXPECT_FALSE(registry.remove("critpath").has_value());
}

TEST_F(RegistryTest, ListsTheWordsThatMayFollow) {
  const std::vector<std::string> info{"info"};
  EXPECT_THAT(registry.next_words(info), ElementsAre("dispatches", "kernel", "kernels"));
}

}  // namespace
}  // namespace rpl
