// SPDX-License-Identifier: MIT
// What programs print, what they are told, what they record.
#include <fmt/format.h>

#include <filesystem>

#include "engine/device/hip/recording.h"
#include "tests/engine/device/hip/program_runs.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

using Behaviour = Programs;

TEST_F(Behaviour, PrintFromKernels) {
  for (const char* version : {"-mcode-object-version=4", "-mcode-object-version=5"}) {
    const Ran run = ran({built(RPL_PROGRAMS "/printf.hip", {version})}, {});
    EXPECT_EQ(
        run.out,
        "hello device from workgroup 0 of 2: 2.500    -7% 123456789abc\nlane 0\nlane 1\nlane 2\n"
        "hello device from workgroup 1 of 2: 2.500    -7% 123456789abc\nPASSED\n")
        << run.err;
  }
}

TEST_F(Behaviour, AreToldWhatTheyAskedForInVain) {
  const Ran run = ran({built(RPL_PROGRAMS "/refused.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_EQ(run.err,
            "rpl: emulated device: not supported, and asked for:\nrpl:   hipFreeArray (1 time)\n"
            "rpl:   hipMallocArray (2 times)\n");
}

TEST_F(Behaviour, LearnWhereAKernelWentWrong) {
  const Ran run = ran({built(RPL_PROGRAMS "/fault.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(
      run.err,
      HasSubstr(
          "writes 4 bytes at 0x100000000fa0: 3744 bytes past the end of device allocation 1"));
}

// As on a GPU, where an access is a fault when no page is there: the first lanes write behind the allocation, the 25th behind its page.
TEST_F(Behaviour, MayWriteToTheEndOfAPageWhereBoundsArePages) {
  const Ran run = ran({built(RPL_PROGRAMS "/fault.hip")}, {"RPL_EMU_BOUNDS=page"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.err, HasSubstr("lane 24 writes 4 bytes at 0x100000001000: 0 bytes past"));
}

TEST_F(Behaviour, ReadZerosBehindTheirLdsWhereBoundsArePages) {
  const std::string program = built(RPL_PROGRAMS "/beyond_lds.hip");
  EXPECT_THAT(ran({program}, {}).err, HasSubstr("but the workgroup has 256 bytes"));
  for (const std::string times : {"none", "modelled"}) {
    const Ran run = ran({program}, {"RPL_EMU_BOUNDS=page", "RPL_EMU_TIMES=" + times});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
  }
}

TEST_F(Behaviour, GiveTheSameWithoutTheCycleModel) {
  const std::string program = built(RPL_PROGRAMS "/shuffle.hip");
  const Ran run = ran({program}, {"RPL_EMU_TIMES=none"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr("PASSED"));
  const Ran recorded =
      ran({program}, {"RPL_EMU_TIMES=none", std::string("RPL_EMU_RECORDING=") + (folder_ / "r")});
  EXPECT_NE(recorded.code, 0);
  EXPECT_EQ(recorded.err,
            "rpl: emulated device: RPL_EMU_TIMES=none: what is recorded, captured or traced has "
            "times; unset it\n");
}

TEST_F(Behaviour, ReadTexturesOverLinearMemory) {
  const std::string program = built(RPL_PROGRAMS "/linear_texture.hip");
  for (const std::string gpu : {"gfx90a", "gfx942"}) {
    const Ran run = ran({program}, {"RPL_EMU_GPU=" + gpu});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
  }
}

TEST_F(Behaviour, UseAllMemoryOfTheHostWithXnackAlone) {
  const std::string program = built(RPL_PROGRAMS "/pageable.hip");
  for (const std::string gpu : {"gfx90a", "gfx942"}) {
    const Ran on = ran({program}, {"RPL_EMU_GPU=" + gpu, "HSA_XNACK=1"});
    EXPECT_EQ(on.code, 0) << on.out << on.err;
    EXPECT_EQ(on.out, "pageable 1\nPASSED\n");
    const Ran off = ran({program}, {"RPL_EMU_GPU=" + gpu, "HSA_XNACK=0"});
    EXPECT_EQ(off.out, "pageable 0\nmalloc: hipErrorIllegalAddress\n");
    EXPECT_THAT(off.err, HasSubstr("memory of the host that HIP does not know: with HSA_XNACK=1 "
                                   "kernels may use it"));
  }
}

// What was compiled for one setting of XNACK alone runs with that one.
TEST_F(Behaviour, CompiledForXnackAreHeldToIt) {
  const std::string program = folder_ / "program";
  const auto outcome = build_hip(compiler_, {.source = RPL_PROGRAMS "/bit_extract.hip",
                                             .architecture = "gfx90a:xnack+",
                                             .output = program,
                                             .device_only = false});
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  ASSERT_TRUE(outcome->built) << first_error(*outcome);
  EXPECT_EQ(ran({program}, {"RPL_EMU_GPU=gfx90a", "HSA_XNACK=1"}).code, 0);
  const Ran off = ran({program}, {"RPL_EMU_GPU=gfx90a"});
  EXPECT_NE(off.code, 0);
  EXPECT_THAT(off.err, HasSubstr("no code for gfx90a:sramecc+:xnack- among gfx90a:xnack+"));
}

TEST_F(Behaviour, OfEveryVersionOfTheLibraryFindIt) {
  for (const std::string version : {"6", "7"}) {
    const std::string library = "-l:libamdhip64.so." + version;
    const std::string program =
        built(RPL_PROGRAMS "/bit_extract.hip",
              {"-L" RPL_EMULATED_HIP, "-Wl,--no-as-needed," + library + ",--as-needed"});
    const Ran run = ran({program}, {});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    const auto needed = rpl::run({.argv = {"readelf", "-d", program}});
    if (needed) {
      EXPECT_THAT(needed->out.text, HasSubstr("[libamdhip64.so." + version + "]"));
    }
  }
}

TEST_F(Behaviour, AreRefusedWithTheReason) {
  const std::string program = built(RPL_PROGRAMS "/bit_extract.hip");
  const Ran unknown = ran({program}, {"RPL_EMU_GPU=gfx1100"});
  EXPECT_EQ(unknown.code, 6);
  EXPECT_THAT(unknown.err, HasSubstr("code of gfx1100 is not emulated"));
  EXPECT_EQ(ran({program}, {"RPL_EMU_DEVICES=9"}).code, 6);
}

TEST_F(Behaviour, RecordTheSameInEveryRun) {
  const std::string program = built(RPL_PROGRAMS "/streams.hip");
  std::vector<std::vector<emu::hip::Record>> recordings;
  for (int i = 0; i < 3; ++i) {
    const testing_support::TempDir folder;
    EXPECT_EQ(ran({program}, {"RPL_EMU_RECORDING=" + (folder / "r")}).code, 0);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      const auto read = emu::hip::read_recording_file(entry.path());
      ASSERT_TRUE(read.has_value()) << read.error().message;
      EXPECT_TRUE(read->complete);
      recordings.push_back(read->records);
    }
  }
  ASSERT_EQ(recordings.size(), 3U);
  // Times, handles and addresses; not the ids of process and thread.
  const auto text = [](const std::vector<emu::hip::Record>& records) {
    std::string out;
    for (const emu::hip::Record& record : records) {
      const auto* call = std::get_if<emu::hip::CallRecord>(&record);
      if (call == nullptr) continue;
      out +=
          fmt::format("{} {} {} {}", call->correlation, call->name, call->start_ns, call->end_ns);
      for (const auto& argument : call->arguments)
        out += fmt::format(" {}={}", argument.name, argument.value);
      out += "\n";
    }
    return out;
  };
  EXPECT_THAT(text(recordings[0]), HasSubstr("hipStreamWaitEvent"));
  EXPECT_EQ(text(recordings[0]), text(recordings[1]));
  EXPECT_EQ(text(recordings[0]), text(recordings[2]));
}

}  // namespace
}  // namespace rpl
