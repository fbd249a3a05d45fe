// SPDX-License-Identifier: MIT
// Programs that check their own results: those of tutorials and those around the kernels of examples/hip. Compiled with the installed
// headers in one test program and with the project's own in the other.
#include <filesystem>

#include "tests/engine/device/hip/program_runs.h"
#include "tests/engine/device/hip/replayed.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

TEST_P(Programs, GiveRightResultsOnBothArchitectures) {
  const std::string name = GetParam();
#ifndef RPL_TEST_OWN_HEADERS
  // Later HIP has its own, which rounds otherwise, and traps where the device has the other kind.
  if (name == "float8" && std::filesystem::exists("/usr/include/hip/hip_fp8.h"))
    GTEST_SKIP() << "floats of 8 bits are those of the installed header";
#endif
  const std::string program = built(name.ends_with("_main") ? RPL_EXAMPLES "/host/" + name + ".hip"
                                                            : RPL_PROGRAMS "/" + name + ".hip");
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    std::vector<std::string> argv = {program};
    if (name == "module_api") argv.push_back(RPL_EXAMPLES "/objects/vector_add." + arch + ".co");
    // The first dispatch is frozen on the way, which changes nothing of what the program does.
    const std::string capture = folder_ / ("capture." + arch);
    const Ran run = ran(argv, {"RPL_EMU_GPU=" + arch, "RPL_EMU_DEVICES=2", "RPL_EMU_CAPTURE=/./",
                               "RPL_EMU_CAPTURE_FOLDER=" + capture});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASSED"));
    if (name != "occupancy" && name != "entry_points") expect_replays(capture);
  }
}

INSTANTIATE_TEST_SUITE_P(Tutorial, Programs,
                         testing::Values("assertion", "async_copies", "bit_extract", "callbacks",
                                         "device_functions", "devices", "dynamic_shared",
                                         "entry_points", "float8", "graphs", "inline_assembly",
                                         "module_api", "numbers", "occupancy", "pitched",
                                         "runtime_compilation", "shuffle", "streams", "symbols"),
                         [](const auto& each) { return std::string(each.param); });
// The project's headers have had every call of these in the programs above; compiling takes most of the time. The second list is for long runs: the
// capture tool's test runs these programs as well, with AMD's runtime.
#ifndef RPL_TEST_OWN_HEADERS
INSTANTIATE_TEST_SUITE_P(Examples, Programs,
                         testing::Values("attention_main", "histogram_main", "matmul_mfma_main",
                                         "newton_f64_main"),
                         [](const auto& each) { return std::string(each.param); });
INSTANTIATE_TEST_SUITE_P(MoreExamples, Programs,
                         testing::Values("divergent_main", "layer_norm_main", "matmul_main",
                                         "pointer_chase_main", "reduce_main", "scale_add_main",
                                         "softmax_main", "stencil_main", "transpose_main",
                                         "vcopy_main", "vector_add_main"),
                         [](const auto& each) { return std::string(each.param); });
#endif

}  // namespace
}  // namespace rpl
