// SPDX-License-Identifier: MIT
#include "engine/base/policy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "engine/base/files.h"
#include "engine/base/output_file.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

Policy held_to(Capabilities granted) {
  Policy out{.restricted = true, .starts_as = "rpl --interpreter mcp"};
  out.granted.add(granted);
  return out;
}

TEST(PolicyTest, APersonMayEverything) {
  for (const Capability one : kAllCapabilities) EXPECT_TRUE(check_allowed(one, "'x'"));
  EXPECT_TRUE(check_output("/nowhere/at/all"));
  EXPECT_TRUE(check_input("/etc/passwd"));
}

TEST(PolicyTest, ARefusalNamesTheOptionOfEachCapability) {
  const PolicyScope scope(held_to({}));
  for (const Capability one : {Capability::read, Capability::session})
    EXPECT_TRUE(check_allowed(one, "'x'"));
  for (const auto& [one, option] : {std::pair{Capability::run, "rpl --interpreter mcp --allow run"},
                                    {Capability::write, "--allow write DIR"},
                                    {Capability::network, "--allow network"},
                                    {Capability::approve, "--allow approve"},
                                    {Capability::trust, "a person"}}) {
    const Status refused = check_allowed(one, "'x'");
    ASSERT_FALSE(refused) << to_string(one);
    EXPECT_EQ(refused.error().code, Errc::denied);
    EXPECT_NE(refused.error().hint.find(option), std::string::npos) << refused.error().hint;
  }
}

TEST(PolicyTest, AScopeNeverWidensTheOneAroundIt) {
  const PolicyScope outer(held_to({Capability::run}));
  {
    const PolicyScope inner(held_to({Capability::approve, Capability::run}));
    EXPECT_TRUE(check_allowed(Capability::run, "'x'"));
    EXPECT_FALSE(check_allowed(Capability::approve, "'x'"));
  }
  {
    const PolicyScope person((Policy()));
    EXPECT_FALSE(check_allowed(Capability::write, "'x'"));
  }
  EXPECT_TRUE(check_allowed(Capability::run, "'x'"));
}

TEST(PolicyTest, FilesAreWrittenInTheFoldersThatWereGivenAndNeverOverOthers) {
  const TempDir given, elsewhere;
  given.write("source.hip", "mine\n");
  std::filesystem::create_directory_symlink(elsewhere.path(), given / "out");
  Policy policy = held_to({Capability::write});
  policy.writable = {given.path()};
  const PolicyScope scope(policy);
  EXPECT_TRUE(write_file(given / "new.csv", "a\n"));
  EXPECT_TRUE(write_file(given / "new.csv", "b\n")) << "what it made it may make again";
  for (const std::string& path :
       {given / "source.hip", elsewhere / "x", given / "../x", given / "out/x",
        given / ".rpl/init.rpl", given / ".rpl/session.db", given / ".rpl/scripts/x.lua"}) {
    const Status refused = write_file(path, "theirs\n");
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().code, Errc::denied) << path << " " << refused.error().message;
  }
  EXPECT_EQ(given.read("source.hip"), "mine\n");
}

TEST(PolicyTest, FoldersOfItsOwnAreWrittenButForWhatRunsByItself) {
  const TempDir folder;
  own_folder(folder / "kept");
  std::filesystem::create_directories(folder / "kept/proposals/p1");
  const PolicyScope scope(held_to({}));
  EXPECT_TRUE(write_file(folder / "kept/proposals/p1/candidate.hip", "x\n"));
  EXPECT_TRUE(write_file(folder / "kept/proposals/p1/candidate.hip", "y\n"));
  for (const char* name : {"kept/init.rpl", "kept/init.lua", "kept/session.db"})
    EXPECT_FALSE(write_file(folder / name, "x\n")) << name;
}

TEST(PolicyTest, TextOfOthersIsNotRead) {
  const TempDir project, elsewhere;
  project.write("k.hip", "kernel\n");
  elsewhere.write("secret", "key\n");
  std::filesystem::create_symlink(elsewhere / "secret", project / "link");
  Policy policy = held_to({});
  policy.readable = {std::filesystem::canonical(project.path()).string()};
  const PolicyScope scope(policy);
  EXPECT_EQ(read_text_file(project / "k.hip").value_or(""), "kernel\n");
  for (const std::string& path :
       {elsewhere / "secret", project / "link", project / "../../etc/passwd",
        std::string("/proc/self/environ")}) {
    const auto refused = read_text_file(path);
    ASSERT_FALSE(refused) << path;
    EXPECT_EQ(refused.error().code, Errc::denied) << path;
  }
}

/// The system reads a path up to its first NUL.
TEST(PolicyTest, APathWithANulIsNone) {
  const TempDir project;
  const std::string path = project / "a" + std::string("\0b", 2);
  EXPECT_FALSE(check_input(path));
  EXPECT_FALSE(check_output(path));
  EXPECT_FALSE(write_file(path, "text"));
  EXPECT_FALSE(std::filesystem::exists(project / "a"));
}

/// What is exchanged for something else as fast as this goes, until the end.
class Swapping {
 public:
  Swapping(std::string one, std::string other)
      : worker_([one = std::move(one), other = std::move(other), this] {
          while (!done_)
            ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
        }) {}
  Swapping(const Swapping&) = delete;
  Swapping& operator=(const Swapping&) = delete;
  ~Swapping() {
    done_ = true;
    worker_.join();
  }

 private:
  std::atomic<bool> done_ = false;
  std::thread worker_;
};

TEST(PolicyTest, ALinkThatIsSwappedInAfterTheLookLeadsNowhere) {
  const TempDir project, elsewhere;
  project.write("fine", "kernel\n");
  elsewhere.write("secret", "key\n");
  std::filesystem::create_symlink(elsewhere / "secret", project / "link");
  Policy policy = held_to({});
  policy.readable = {std::filesystem::canonical(project.path()).string()};
  const PolicyScope scope(policy);
  const Swapping swapping(project / "fine", project / "link");
  for (int i = 0; i < 20'000; ++i) {
    const auto text = read_text_file(project / "fine");
    ASSERT_NE(text.value_or(""), "key\n") << i;
  }
}

TEST(PolicyTest, AFolderThatIsSwappedInAfterTheLookIsNotWrittenInto) {
  const TempDir given, elsewhere;
  std::filesystem::create_directories(given / "out");
  std::filesystem::create_directory_symlink(elsewhere.path(), given / "link");
  Policy policy = held_to({Capability::write});
  policy.writable = {given.path()};
  const PolicyScope scope(policy);
  const Swapping swapping(given / "out", given / "link");
  for (int i = 0; i < 2'000; ++i)
    static_cast<void>(
        write_named_file(given / ("out/" + std::to_string(i)), OutputBytes::raw("x\n")));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST(PolicyTest, WhatTheProgramBelievesAtANextStartIsWrittenInNoFolderThatWasGiven) {
  const TempDir home;
  std::filesystem::create_directories(home / "config/rpl");
  std::filesystem::create_directories(home / "state/rpl");
  Policy policy = held_to({Capability::write});
  policy.writable = {home.path()};
  policy.kept = {home / "config/rpl", home / "state/rpl"};
  const PolicyScope scope(policy);
  EXPECT_TRUE(write_file(home / "mine.csv", "x\n"));
  for (const char* name : {"config/rpl/init.rpl", "config/rpl/arch/x.arch", "state/rpl/sessions"})
    EXPECT_EQ(write_file(home / name, "x\n").error().code, Errc::denied) << name;
  const PolicyScope inner(Policy{.granted = {Capability::write}, .writable = {home.path()}});
  EXPECT_FALSE(write_file(home / "config/rpl/init.rpl", "x\n")) << "a scope within it, too";
}

TEST(PolicyTest, WhatSomebodyNamesIsNotPutIntoTheSession) {
  const TempDir folder;
  own_folder(folder / "kept");
  folder.write("kept/session.db", "");
  const PolicyScope scope(held_to({Capability::write}));
  EXPECT_TRUE(write_file(folder / "kept/report", "x\n"));
  EXPECT_EQ(write_named_file(folder / "kept/identity", OutputBytes::raw("x\n")).error().code,
            Errc::denied);
}

TEST(PolicyTest, WhatItDidNotMakeItDoesNotTakeAway) {
  const TempDir folder;
  folder.write("theirs", "");
  EXPECT_TRUE(check_removal(folder / "theirs"));
  Policy policy = held_to({Capability::write});
  policy.writable = {folder.path()};
  const PolicyScope scope(policy);
  ASSERT_TRUE(write_file(folder / "mine", "x\n"));
  EXPECT_TRUE(check_removal(folder / "mine"));
  EXPECT_EQ(check_removal(folder / "theirs").error().code, Errc::denied);
}

/// A reader that still works while a session ends must not ask what is gone.
TEST(PolicyTest, IsThereForThreadsThatOutliveItsScope) {
  const Policy* asked = nullptr;
  {
    Policy policy = held_to({});
    policy.readable = {"/somewhere/that/is/longer/than/what/a/string/keeps/in/itself"};
    const PolicyScope scope(policy);
    asked = &rpl::policy();
  }
  EXPECT_TRUE(asked->restricted);
  EXPECT_EQ(asked->readable.size(), 1U);
}

TEST(PolicyTest, AChildGetsTheSameOptions) {
  Policy policy = held_to({Capability::run});
  policy.writable = {"/tmp"};
  EXPECT_EQ(policy.options(),
            (std::vector<std::string>{"--restricted", "--allow", "run", "--allow-write", "/tmp"}));
  EXPECT_TRUE(Policy().options().empty());
}

}  // namespace
}  // namespace rpl
