// SPDX-License-Identifier: MIT
// Every command obeys the one policy: what is asked for by option, setting or environment is taken, or refused with the sentence of its traits.
#include "shell/core/inputs/targets.h"
#include "shell/core/session/context.h"
#include "shell/core/session/jobs.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Asking {
  const char* command;  ///< its words, where %T is the place of an option --target
  Ability need;
};

const std::vector<Asking> kCommands = {
    {"profile %T -- ./absent", Ability::profile},
    {"autotune %T --space space.json --cmd-template 'run {N}'", Ability::tune},
    {"capture run k %T -- ./absent", Ability::capture},
    {"replay absent %T", Ability::replay},
    {"replay absent --stop %T", Ability::debugger},
    {"replay reserve-check absent %T", Ability::reserve_check},
    {"bench aa --capture absent %T", Ability::bench},
    {"bench ab a.co b.co --capture absent %T", Ability::bench},
    {"kernel run absent.co k --grid 1 --workgroup 1", Ability::run_kernel},
    {"step --source k.hip --capture absent", Ability::optimize},
    {"iterate --source k.hip --capture absent", Ability::optimize},
    {"optimize k.hip --capture absent", Ability::optimize},
    {"optimize k.hip ./absent", Ability::optimize},
};

class Targets : public testing_support::ShellTest {
 protected:
  Targets() {
    folder.write("machine/proc/loadavg", "0 0 0 1/1 1\n");
    folder.write("space.json", R"({"parameters": {"N": [1, 2]}})");
    folder.write("k.hip", "__global__ void k() {}\n");
    setenv("RPL_MACHINE_ROOT", (folder / "machine").c_str(), 1);
    unsetenv("RPL_TARGET");
    context.jobs().program = {"/bin/false"};
  }
  ~Targets() override {
    setenv("RPL_TARGET", "emu", 1);
    unsetenv("RPL_MACHINE_ROOT");
  }

  static std::string with_option(std::string line, const std::string& option) {
    const std::size_t at = line.find("%T");
    return at == std::string::npos ? line : line.replace(at, 2, option);
  }

  /// The command runs on that target, whatever else stops it, or is refused as the table says.
  void check(const Asking& asking, const std::string& line, std::string_view name) {
    const Status can = require(*target_kind(name), asking.need);
    run(line);
    if (can) {
      for (const TargetKind kind : {TargetKind::emu, TargetKind::local, TargetKind::recorded}) {
        const Status refusal = require(kind, asking.need);
        if (!refusal) {
          EXPECT_THAT(err, Not(HasSubstr(refusal.error().message))) << line;
        }
      }
      EXPECT_THAT(err, Not(HasSubstr("is not a target"))) << line;
    } else {
      EXPECT_THAT(err, HasSubstr(can.error().message + "; " + can.error().hint)) << line;
    }
  }
};

TEST_F(Targets, OptionsAreRefusedAsTheTableSays) {
  for (const Asking& asking : kCommands) {
    if (std::string_view(asking.command).find("%T") == std::string_view::npos) continue;
    for (const std::string name : target_names())
      check(asking, with_option(asking.command, "--target " + name), name);
  }
}

TEST_F(Targets, SoAreSettings) {
  for (const std::string name : target_names()) {
    ASSERT_EQ(run("set target " + name), 0);
    for (const Asking& asking : kCommands) check(asking, with_option(asking.command, ""), name);
  }
}

TEST_F(Targets, AndTheEnvironment) {
  for (const std::string name : target_names()) {
    setenv("RPL_TARGET", name.c_str(), 1);
    for (const Asking& asking : kCommands) check(asking, with_option(asking.command, ""), name);
  }
}

TEST_F(Targets, AnUnknownEnvironmentIsRefusedByEachOfThem) {
  setenv("RPL_TARGET", "moon", 1);
  for (const Asking& asking : kCommands) {
    run(with_option(asking.command, ""));
    EXPECT_THAT(err, HasSubstr("RPL_TARGET is 'moon', which is not a target")) << asking.command;
  }
}

TEST_F(Targets, AnOptionOutweighsTheSettingAndThatTheEnvironment) {
  setenv("RPL_TARGET", "slurm", 1);
  run("replay absent");
  EXPECT_THAT(err, HasSubstr("run no captured dispatches"));
  ASSERT_EQ(run("set target emu"), 0);
  run("replay absent");
  EXPECT_THAT(err, Not(HasSubstr("run no captured dispatches")));
  run("replay absent --target recorded");
  EXPECT_THAT(err, HasSubstr("run no captured dispatches"));
}

TEST_F(Targets, ShowDoctorAndCapabilitiesSayWhatIsChosenAndWhy) {
  run("show target");
  EXPECT_THAT(err, HasSubstr("programs run on emu (no AMD GPU is here)"));
  EXPECT_THAT(shown("info capabilities"), HasSubstr("programs run on emu (no AMD GPU is here)"));
  setenv("RPL_TARGET", "slurm", 1);
  EXPECT_THAT(shown("info capabilities"), HasSubstr("programs run on slurm (RPL_TARGET)"));
  ASSERT_EQ(run("set target local"), 0);
  run("doctor");
  EXPECT_THAT(out, HasSubstr("Programs run on local (set target)."));
}

}  // namespace
}  // namespace rpl
