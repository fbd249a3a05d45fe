// SPDX-License-Identifier: MIT
#include "shell/commands/profile/doctor.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "tests/shell/commands/fixture.h"

#include <algorithm>
#include <filesystem>

#include "shell/core/inputs/targets.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The machine is a folder; the emulated devices' library is where the tests' is.
class Doctor : public testing_support::ShellTest {
 protected:
  Doctor() {
    setenv("RPL_MACHINE_ROOT", (folder / "machine").c_str(), 1);
    setenv("RPL_HSA_RUNTIME", "/nonexistent/libhsa-runtime64.so.1", 1);
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    folder.write("machine/proc/loadavg", "0.25 0.10 0.10 1/99 7\n");
  }
  ~Doctor() override {
    for (const char* name : {"RPL_MACHINE_ROOT", "RPL_HSA_RUNTIME", "XDG_CACHE_HOME"})
      unsetenv(name);
  }

  void add_gpu() {
    folder.write("machine/sys/class/kfd/kfd/topology/nodes/1/properties",
                 "simd_count 1216\ngfx_target_version 90402\n");
    folder.write("machine/dev/kfd", "");
    ASSERT_EQ(run("set target local"), 0);
  }

  Check check(std::string_view name) {
    TargetKind target = target_for(context.settings(), Ability::profile)->kind;
    const auto all = examine(context.settings(), context.log(), context.face(), target);
    const auto found = std::ranges::find(all, name, &Check::name);
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? Check{} : *found;
  }
};

TEST_F(Doctor, WhatOnlyAGpuNeedsIsNotNeededWithoutOne) {
  for (const char* name : {"AMD GPU", "/dev/kfd", "ROCm", "HSA runtime"}) {
    const Check one = check(name);
    EXPECT_EQ(one.status, CheckStatus::not_needed) << name;
    EXPECT_EQ(one.fix, "") << name;
    EXPECT_FALSE(one.needed) << name;
  }
  EXPECT_TRUE(check("emulated HIP runtime").needed);
}

TEST_F(Doctor, WithAGpuTheyAreMissingAndSomeAreNeeded) {
  add_gpu();
  EXPECT_EQ(check("AMD GPU").status, CheckStatus::ok);
  EXPECT_EQ(check("rocprofv3").status, CheckStatus::missing);
  EXPECT_TRUE(check("rocprofv3").needed);
  EXPECT_EQ(check("HSA runtime").fix, "sudo apt-get install hsa-rocr");
  EXPECT_FALSE(check("emulated HIP runtime").needed);
  EXPECT_EQ(run("doctor"), 6);
  EXPECT_THAT(out, HasSubstr("Broken: rocprofv3"));
}

TEST_F(Doctor, ARecorderThatFailsIsMissingAndOneThatKnowsLessIsAWarning) {
  add_gpu();
  const std::string program = folder / "machine/opt/rocm/bin/rocprofv3";
  folder.write("machine/opt/rocm/bin/rocprofv3", "#!/bin/sh\necho no python >&2; exit 1\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(check("rocprofv3").status, CheckStatus::missing);
  EXPECT_THAT(check("rocprofv3").found, HasSubstr("no python"));
  folder.write("machine/opt/rocm/bin/rocprofv3", "#!/bin/sh\necho --kernel-trace --pmc --att\n");
  EXPECT_EQ(check("rocprofv3").status, CheckStatus::warning);
  EXPECT_EQ(check("rocprofv3").found,
            "/opt/rocm/bin/rocprofv3: it knows no rocpd databases, no PC samples");
}

TEST_F(Doctor, TheLoadIsJudgedByTheProcessors) {
  EXPECT_EQ(check("load").status, CheckStatus::ok);
  folder.write("machine/proc/loadavg", "9999.5 0.1 0.1 1/99 7\n");
  EXPECT_EQ(check("load").status, CheckStatus::warning);
  folder.write("machine/proc/loadavg", "much\n");
  EXPECT_EQ(check("load").status, CheckStatus::unknown);
}

TEST_F(Doctor, ACacheOrSessionThatCannotBeWrittenIsBroken) {
  EXPECT_EQ(check("cache folder").status, CheckStatus::ok);
  folder.write("taken", "a file");
  setenv("XDG_CACHE_HOME", (folder / "taken").c_str(), 1);
  EXPECT_EQ(check("cache folder").status, CheckStatus::missing);
  EXPECT_THAT(check("cache folder").found, HasSubstr("is not a folder"));
  folder.write(".rpl", "a file");
  EXPECT_EQ(check("session").status, CheckStatus::missing);
  EXPECT_EQ(run("doctor"), 6);
  EXPECT_THAT(out, HasSubstr("cache folder"));
  EXPECT_THAT(out, HasSubstr("session"));
}

TEST_F(Doctor, ALibraryThatIsGoneIsBrokenAndSaysWhatBringsItBack) {
  const std::string before = std::getenv("RPL_EMULATED_HIP");
  setenv("RPL_EMULATED_HIP", "/nonexistent", 1);
  const Check one = check("emulated HIP runtime");
  EXPECT_EQ(one.status, CheckStatus::missing);
  EXPECT_TRUE(one.needed);
  EXPECT_EQ(one.fix, "sudo apt-get install --reinstall rocm-perf-lab");
  EXPECT_EQ(run("doctor/j"), 6);
  EXPECT_THAT(out, HasSubstr("\"works\": false"));
  setenv("RPL_EMULATED_HIP", before.c_str(), 1);
}

TEST_F(Doctor, ACompilerThatIsGoneIsBroken) {
  ASSERT_EQ(run("set build compiler /nonexistent/clang"), 0);
  EXPECT_EQ(check("kernel compiler").status, CheckStatus::missing);
  EXPECT_TRUE(check("kernel compiler").needed);
}

TEST_F(Doctor, AModelIsNotAsked) {
  EXPECT_EQ(check("endpoint").status, CheckStatus::not_needed);
  ASSERT_EQ(run("set llm endpoint http://127.0.0.1:1/v1"), 0);
  EXPECT_EQ(check("endpoint").found, "http://127.0.0.1:1/v1, not asked now");
}

TEST_F(Doctor, ANarrowTerminalIsAWarning) {
  context.face().terminal() = {
      .interactive = true, .width = 60, .height = 24, .color = true, .unicode = true};
  EXPECT_EQ(check("output").status, CheckStatus::warning);
  context.face().terminal().width = 120;
  EXPECT_EQ(check("output").status, CheckStatus::ok);
  context.face().terminal().unicode = false;
  EXPECT_EQ(check("output").fix, "export LANG=C.UTF-8");
}

}  // namespace
}  // namespace rpl
