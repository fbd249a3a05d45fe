// SPDX-License-Identifier: MIT
// The project's own HIP headers against those of HIP 5.2: numbers, layouts, and the code that clang makes with them.
#include <cstdlib>

#include "engine/isa/object/code_object.h"
#include "tests/engine/device/hip/program_runs.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

class OwnHeaders : public Programs {
 protected:
  Result<BuildOutcome> compiled(const std::string& source, const std::string& output) {
    return build_hip(compiler_, {.source = source, .architecture = "gfx942", .output = output});
  }

  /// What layouts.c prints with the headers of `include`.
  std::string layouts(const std::string& include) {
    const std::string program = folder_ / "layouts";
    const auto built = run({.argv = {compiler_.path, "-D__HIP_PLATFORM_AMD__", "-I", include,
                                     RPL_HIP_TESTS "/layouts.c", "-o", program, "-L",
                                     RPL_EMULATED_HIP, "-l:libamdhip64.so.5"}});
    if (!built || built->code != 0) return built ? built->err.text : built.error().message;
    return ran({program}, {}).out;
  }
};

TEST_F(OwnHeaders, AreThoseThatAreUsed) {
  EXPECT_EQ(compiler_.headers(), "own");
  const std::string source = folder_.write(
      "which.hip",
      "#include <hip/hip_runtime.h>\n#if !defined(RPL_OWN_HIP_HEADERS)\n#error others\n#endif\n"
      "#if !defined(__CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__)\n#error no mathematics\n#endif\n");
  const auto built = compiled(source, folder_ / "which.co");
  ASSERT_TRUE(built.has_value()) << built.error().message;
  EXPECT_TRUE(built->built) << first_error(*built);
}

TEST_F(OwnHeaders, HaveTheLayoutsAndNumbersOfTheInstalledOnes) {
  const std::string own = layouts(compiler_.own_headers + "/include");
  EXPECT_THAT(own, HasSubstr("hipDeviceProp_t.pageableMemoryAccessUsesHostPageTables 788\n"));
  EXPECT_THAT(own, HasSubstr("hipPointerGetAttributes 1\n"));
  if (!find_compiler({}, HipHeaders::installed))
    GTEST_SKIP() << "no HIP headers are installed to compare with";
  EXPECT_EQ(own, layouts("/usr/include"));
}

// The objects beside the examples were built with the headers of HIP 5.2.
TEST_F(OwnHeaders, GiveTheCodeThatIsShipped) {
  for (const std::string name :
       {"attention", "histogram", "layer_norm", "newton_f64", "reduce", "softmax"}) {
    const auto built = compiled(RPL_EXAMPLES "/" + name + ".hip", folder_ / "own.co");
    ASSERT_TRUE(built && built->built) << name;
    const auto made = isa::CodeObject::open(folder_ / "own.co");
    const auto shipped = isa::CodeObject::open(RPL_EXAMPLES "/objects/" + name + ".gfx942.co");
    ASSERT_TRUE(made && shipped) << name;
    EXPECT_EQ((*made)->hash(), (*shipped)->hash()) << name;
  }
}

// What HIP 5.2 lacks, or cannot be built of it with clang 19.
TEST_F(OwnHeaders, HaveGroupsOfLanes) {
  const Ran run = ran({built(RPL_PROGRAMS "/cooperative_groups.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(OwnHeaders, HaveTheGridOfCooperativeLaunches) {
  const std::string program = built(RPL_PROGRAMS "/grid_sync.hip");
  const Ran run = ran({program}, {});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  const Ran never = ran({program, "never"}, {});
  EXPECT_THAT(never.err, HasSubstr("the wave waits for waves of other workgroups that never come"));
}

TEST_F(OwnHeaders, HaveWhatGraphsGotSince) {
  const Ran run = ran({built(RPL_PROGRAMS "/graph_objects.hip")}, {});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(OwnHeaders, HaveNamesOfLaterVersions) {
  const Ran run = ran({built(RPL_PROGRAMS "/later_names.hip", {"-Wall", "-Werror"})}, {});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST_F(OwnHeaders, ServeHostProgramsInCAndCpp) {
  const std::string source = folder_.write(
      "host.c",
      "#include <hip/hip_runtime.h>\n#include <hip/hip_complex.h>\nint main(void) { float4 v = "
      "make_float4(1, 2, 3, 4); int n = 0; return hipGetDeviceCount(&n) != hipSuccess || v.w != 4; "
      "}\n");
  for (const std::string compiler : {"cc", "c++ -x c++ -std=c++14"}) {
    const std::string program = folder_ / "host";
    const auto built = run(
        {.argv = {"sh", "-c",
                  compiler + " -Wall -Werror -I " + compiler_.own_headers + "/include " + source +
                      " -o " + program + " -L " + RPL_EMULATED_HIP + " -l:libamdhip64.so.5"}});
    ASSERT_TRUE(built.has_value());
    EXPECT_EQ(built->code, 0) << built->err.text;
    EXPECT_EQ(ran({program}, {}).code, 0);
  }
}

TEST(HipHeadersNames, AreThree) {
  EXPECT_EQ(read_hip_headers("own").value(), HipHeaders::own);
  EXPECT_EQ(read_hip_headers("auto").value(), HipHeaders::automatic);
  EXPECT_EQ(read_hip_headers("theirs").error().code, Errc::usage);
}

}  // namespace
}  // namespace rpl
