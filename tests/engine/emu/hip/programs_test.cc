// SPDX-License-Identifier: MIT
// Host programs, compiled by clang and run with the emulated devices' libamdhip64 in front.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/build/build.h"
#include "engine/emu/hip/recording.h"
#include "engine/process/run.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

struct Ran {
  int code = -1;
  std::string out, err;
};

class Programs : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto found = find_compiler();
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = std::move(*found);
  }

  /// Compiles for both architectures. "" after a failed expectation.
  std::string built(const std::string& source, std::vector<std::string> flags = {}) {
    flags.emplace_back("--offload-arch=gfx90a");
    const std::string program = folder_ / "program";
    const auto outcome =
        build_hip(compiler_, {.source = source, .architecture = "gfx942", .output = program, .device_only = false, .flags = flags});
    if (!outcome || !outcome->built) {
      ADD_FAILURE() << (outcome ? first_error(*outcome) : outcome.error().message);
      return {};
    }
    return program;
  }

  static Ran ran(const std::vector<std::string>& argv, std::vector<std::string> environment) {
    environment.emplace_back("LD_LIBRARY_PATH=" RPL_EMULATED_HIP);
    const auto exit = run({.argv = argv, .env = environment, .timeout = std::chrono::seconds(120)});
    if (!exit) return {-1, {}, exit.error().message};
    return {exit->code, exit->out.text, exit->err.text};
  }

  testing_support::TempDir folder_;
  Compiler compiler_;
};

TEST_P(Programs, GiveRightResultsOnBothArchitectures) {
  const std::string name = GetParam();
  const std::string program = built(name.ends_with("_main") ? RPL_EXAMPLES "/host/" + name + ".hip" : RPL_PROGRAMS "/" + name + ".hip");
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    std::vector<std::string> argv = {program};
    if (name == "module_api") argv.push_back(RPL_EXAMPLES "/objects/vector_add." + arch + ".co");
    const Ran run = ran(argv, {"RPL_EMU_GPU=" + arch, "RPL_EMU_DEVICES=2"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASSED"));
  }
}

INSTANTIATE_TEST_SUITE_P(Tutorial, Programs,
                         testing::Values("bit_extract", "devices", "dynamic_shared", "inline_assembly", "module_api", "occupancy", "pitched",
                                         "shuffle", "streams", "symbols"),
                         [](const auto& each) { return std::string(each.param); });
INSTANTIATE_TEST_SUITE_P(Examples, Programs,
                         testing::Values("attention_main", "divergent_main", "histogram_main", "layer_norm_main", "matmul_main", "matmul_mfma_main",
                                         "newton_f64_main", "pointer_chase_main", "reduce_main", "softmax_main", "stencil_main", "transpose_main",
                                         "vcopy_main", "vector_add_main"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(Programs, PrintFromKernels) {
  for (const char* version : {"-mcode-object-version=4", "-mcode-object-version=5"}) {
    const Ran run = ran({built(RPL_PROGRAMS "/printf.hip", {version})}, {});
    EXPECT_EQ(run.out,
              "hello device from workgroup 0 of 2: 2.500    -7% 123456789abc\nlane 0\nlane 1\nlane 2\n"
              "hello device from workgroup 1 of 2: 2.500    -7% 123456789abc\nPASSED\n")
        << run.err;
  }
}

TEST_F(Programs, AreToldWhatTheyAskedForInVain) {
  const Ran run = ran({built(RPL_PROGRAMS "/refused.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_EQ(run.err,
            "rpl: emulated device: not supported, and asked for:\nrpl:   hipGraphCreate (2 times)\nrpl:   hipMallocArray (1 time)\n");
}

TEST_F(Programs, LearnWhereAKernelWentWrong) {
  const Ran run = ran({built(RPL_PROGRAMS "/fault.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_THAT(run.err, HasSubstr("writes 4 bytes at 0x100000000fa0: 3744 bytes past the end of device allocation 1"));
}

TEST_F(Programs, OfEveryVersionOfTheLibraryFindIt) {
  for (const std::string version : {"6", "7"}) {
    const std::string library = "-l:libamdhip64.so." + version;
    const std::string program =
        built(RPL_PROGRAMS "/bit_extract.hip", {"-L" RPL_EMULATED_HIP, "-Wl,--no-as-needed," + library + ",--as-needed"});
    const Ran run = ran({program}, {});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    const auto needed = rpl::run({.argv = {"readelf", "-d", program}});
    if (needed) {
      EXPECT_THAT(needed->out.text, HasSubstr("[libamdhip64.so." + version + "]"));
    }
  }
}

TEST_F(Programs, AreRefusedWithTheReason) {
  const std::string program = built(RPL_PROGRAMS "/bit_extract.hip");
  const Ran unknown = ran({program}, {"RPL_EMU_GPU=gfx1100"});
  EXPECT_EQ(unknown.code, 6);
  EXPECT_THAT(unknown.err, HasSubstr("code of gfx1100 is not emulated"));
  EXPECT_EQ(ran({program}, {"RPL_EMU_DEVICES=9"}).code, 6);
}

TEST_F(Programs, RecordTheSameInEveryRun) {
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
      out += fmt::format("{} {} {} {}", call->correlation, call->name, call->start_ns, call->end_ns);
      for (const auto& argument : call->arguments) out += fmt::format(" {}={}", argument.name, argument.value);
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
