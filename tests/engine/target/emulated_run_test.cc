// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/policy.h"
#include "engine/store/database.h"
#include "engine/target/emu/emulated_run.h"
#include "engine/target/emu/program_check.h"
#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::HasSubstr;

TEST(ProgramCheck, TellsWhatCannotRunAndWhatMendsIt) {
  const auto missing = check_program("no-such-program", "", "");
  EXPECT_EQ(missing.error().code, Errc::not_found);
  const auto plain = check_program("/bin/ls", "", "");
  EXPECT_EQ(plain.error().code, Errc::missing_capability);
  EXPECT_THAT(plain.error().message, HasSubstr("is not a HIP program"));
  EXPECT_THAT(plain.error().hint, HasSubstr("rpl build"));
}

// Its own loader tells what a program would load, and its own loader is anything: only who may run programs has it asked.
TEST(ProgramCheck, AsksNoLoaderWhereNoProgramMayRun) {
  const PolicyScope scope(Policy{.restricted = true, .starts_as = "rpl --interpreter mcp"});
  const auto refused = check_program("/bin/ls", "", "");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_THAT(refused.error().hint, HasSubstr("--allow run"));
}

class MadeUp : public testing::Test {
 protected:
  std::string program(const std::string& bytes) {
    const std::string path = folder_.write("app", bytes);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  testing_support::TempDir folder_;
};

TEST_F(MadeUp, ScriptsAreRunAsTheyAre) {
  const auto checked = check_program(program("#!/bin/sh\nexit 0\n"), "", "");
  ASSERT_TRUE(checked.has_value()) << checked.error().message;
  EXPECT_TRUE(checked->is_script);
  EXPECT_EQ(checked->gpu, "MI300X");
}

TEST_F(MadeUp, ProgramsOfOtherMachinesAndStaticOnesAreRefused) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_machine = EM_AMDGPU;
  const auto bytes = [&] {
    return std::string(reinterpret_cast<const char*>(&header), sizeof(header));
  };
  EXPECT_THAT(check_program(program(bytes()), "", "").error().message,
              HasSubstr("not a program of this machine"));
  header.e_machine = EM_X86_64;
  header.e_phnum = 100;
  header.e_phoff = ~0ULL;
  EXPECT_THAT(check_program(program(bytes()), "", "").error().message, HasSubstr("statically"));
}

TEST_F(MadeUp, AProgramWithoutHipCallsIsNoProfile) {
  const auto outcome = run_emulated(
      {.argv = {program("#!/bin/sh\nexit 0\n")}, .gpu = {}, .folder = folder_ / "out"});
  if (!emulated_library()) GTEST_SKIP() << emulated_library().error().message;
  ASSERT_FALSE(outcome.has_value());
  EXPECT_THAT(outcome.error().message, HasSubstr("made no HIP call"));
}

TEST_F(MadeUp, ARelativePathCountsFromTheFolderThatItStartsIn) {
  program("#!/bin/sh\nexit 0\n");
  EXPECT_EQ(check_program("./app", "", "").error().code, Errc::not_found);
  const auto checked = check_program("./app", "", "", folder_.path());
  ASSERT_TRUE(checked.has_value()) << checked.error().message;
  EXPECT_EQ(checked->path, folder_ / "app");
}

#ifdef RPL_HIP_EXAMPLE
class HipExample : public testing::Test {
 protected:
  EmulatedOutcome ran(std::vector<std::string> arguments, const std::string& gpu,
                      const std::string& folder) {
    arguments.insert(arguments.begin(), RPL_HIP_EXAMPLE);
    auto outcome = run_emulated({.argv = arguments, .gpu = gpu, .folder = folder_ / folder});
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message << "; " << outcome.error().hint;
    return outcome ? std::move(*outcome) : EmulatedOutcome{};
  }
  testing_support::TempDir folder_;
};

TEST_F(HipExample, LeavesADatabaseOfItsProcess) {
  for (const std::string gpu : {"gfx942", "gfx90a"}) {
    const EmulatedOutcome outcome = ran({}, gpu, gpu);
    EXPECT_EQ(outcome.exit.code, 0) << outcome.exit.out.text;
    EXPECT_EQ(outcome.exit.out.text, "PASSED\n");
    ASSERT_EQ(outcome.processes.size(), 1U);
    const EmulatedProcess& process = outcome.processes[0];
    EXPECT_TRUE(process.complete);
    EXPECT_THAT(process.database, testing::EndsWith(fmt::format("/{}_results.db", process.pid)));
    const auto trace = open_trace(std::span(&process.database, 1));
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    EXPECT_EQ((*trace)->size(), 2U);
    EXPECT_TRUE((*trace)->presence().modelled);
  }
}

TEST_F(HipExample, AProgramMayOpenTheLibraryByItself) {
  const auto checked = check_program(RPL_OPENS_HIP, "", "");
  ASSERT_TRUE(checked.has_value()) << checked.error().message;
  EXPECT_TRUE(checked->opens_libraries);
  const auto outcome =
      run_emulated({.argv = {RPL_OPENS_HIP}, .gpu = {}, .folder = folder_ / "own"});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->exit.out.text, "PASSED\n");
  ASSERT_EQ(outcome->processes.size(), 1U);
  EXPECT_TRUE(outcome->processes[0].complete);
  const auto trace = open_trace(std::span(&outcome->processes[0].database, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->size(), 1U);
  const auto elsewhere = run_emulated(
      {.argv = {RPL_OPENS_HIP, "--elsewhere"}, .gpu = {}, .folder = folder_ / "elsewhere"});
  ASSERT_FALSE(elsewhere.has_value());
  EXPECT_THAT(elsewhere.error().hint, HasSubstr("opens libamdhip64.so by its name"));
}

TEST_F(HipExample, StartsInTheFolderThatIsAskedFor) {
  const std::filesystem::path example(RPL_HIP_EXAMPLE);
  const auto outcome = run_emulated({.argv = {"./" + example.filename().string()},
                                     .gpu = "",
                                     .folder = folder_ / "out",
                                     .cwd = example.parent_path().string()});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(outcome->exit.out.text, "PASSED\n");
}

TEST_F(HipExample, WritesAThreadTraceOfTheFirstDispatchOfAKernel) {
  auto outcome = run_emulated(
      {.argv = {RPL_HIP_EXAMPLE}, .gpu = "", .folder = folder_ / "att", .trace_kernel = "vector"});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  const EmulatedProcess& process = outcome->processes.at(0);
  ASSERT_EQ(process.thread_traces.size(), 1U);
  EXPECT_THAT(process.thread_traces[0],
              testing::EndsWith(fmt::format("/{}_att/ui_output_agent_1_dispatch_1", process.pid)));
  EXPECT_TRUE(
      std::filesystem::exists(std::filesystem::path(process.thread_traces[0]) / "code.json"));
  EXPECT_TRUE(process.refused.empty());
  auto none = run_emulated({.argv = {RPL_HIP_EXAMPLE},
                            .gpu = "",
                            .folder = folder_ / "none",
                            .trace_kernel = "softmax"});
  EXPECT_TRUE(none->processes.at(0).thread_traces.empty());
}

TEST_F(HipExample, KeepsWhatItHadDoneWhenItIsInterrupted) {
  const std::string folder = folder_ / "interrupted";
  auto outcome = run_emulated({.argv = {RPL_HIP_EXAMPLE, "--hang"},
                               .gpu = "",
                               .folder = folder,
                               .on_line = [](OutputStream, std::string_view line) {
                                 if (line == "waiting") interrupt::raise();
                               }});
  const bool pending = interrupt::pending();
  interrupt::clear();
  EXPECT_TRUE(pending);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, Errc::interrupted);
  const std::size_t at = outcome.error().hint.find(folder);
  ASSERT_NE(at, std::string::npos) << outcome.error().hint;
  const std::string database = outcome.error().hint.substr(at);
  const auto trace = open_trace(std::span(&database, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->size(), 2U);
  EXPECT_EQ(::kill(std::stoi(std::filesystem::path(database).filename()), 0), -1)
      << "the program is gone";
}

TEST_F(HipExample, KeepsWhatACrashedProgramHadDone) {
  const EmulatedOutcome outcome = ran({"--crash"}, "", "crash");
  EXPECT_EQ(outcome.exit.signal, SIGABRT);
  ASSERT_EQ(outcome.processes.size(), 1U);
  EXPECT_FALSE(outcome.processes[0].complete);
  const auto trace = open_trace(std::span(&outcome.processes[0].database, 1));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->size(), 2U);
}
#endif

}  // namespace
}  // namespace rpl::profile
