// SPDX-License-Identifier: MIT
// AMD's own HSA and HIP runtimes, as Debian packages them, over the stand-ins for libhsakmt and for the kernel driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/process/run.h"
#include "engine/source/build/build.h"
#include "tests/support/hsakmt/with_driver.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

constexpr const char* kVectorAdd = RPL_EXAMPLES "/objects/vector_add.gfx90a.co";

Exit ran(StandIn which, const std::vector<std::string>& argv,
         std::vector<std::string> environment = {}) {
  auto exit = run(with_driver(
      {.argv = argv, .env = std::move(environment), .timeout = std::chrono::seconds(240)}, which));
  if (exit) return *exit;
  ADD_FAILURE() << exit.error().message;
  Exit none;
  none.code = -1;
  return none;
}

std::string hsa_program(const std::string& name) {
  return std::string(RPL_HSA_PROGRAMS "/rpl-hsa-") + name;
}

std::string name_of(StandIn which) { return which == StandIn::library ? "libhsakmt" : "kernel"; }

/// Why that stand-in cannot be tried; empty when it can.
std::string missing_stand_in(StandIn which) {
  const bool is_library = which == StandIn::library;
  if (std::filesystem::exists(is_library ? RPL_EMULATED_DRIVER "/libhsakmt.so.1"
                                         : RPL_EMULATED_DRIVER "/libkfd.so"))
    return {};
  return is_library ? "built without Debian 12's libhsakmt-dev" : "built without libdrm-dev";
}

class Hsa : public testing::TestWithParam<StandIn> {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_stand_in(GetParam()); !missing.empty())
      GTEST_SKIP() << missing;
    if (const std::string missing = missing_runtime("libhsa-runtime64.so.1"); !missing.empty())
      GTEST_SKIP() << missing;
    if (!std::filesystem::exists(hsa_program("dispatch")))
      GTEST_SKIP() << "built without libhsa-runtime-dev";
  }
  static Exit ran(const std::vector<std::string>& argv, std::vector<std::string> environment = {}) {
    return rpl::ran(GetParam(), argv, std::move(environment));
  }
};

TEST_P(Hsa, ADispatchAndCopiesOfEveryKind) {
  const Exit exit = ran({hsa_program("dispatch"), kVectorAdd});
  EXPECT_EQ(exit.code, 0) << exit.err.text;
  // libdrm has the name of the product from its own table.
  const std::string mark = GetParam() == StandIn::library ? " (emulated)" : "";
  EXPECT_EQ(exit.out.text,
            "gpu gfx90a, AMD Instinct MI250X" + mark +
                ", "
                "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-, wave 64\n"
                "dispatch: 0 of 100003 wrong\nfill: right\nbox: right\npointers: right\nPASSED\n");
  EXPECT_EQ(exit.err.text, "");
}

TEST_P(Hsa, TheSameWithTheRuntimesOwnKernelsInsteadOfCopyEngines) {
  const Exit exit = ran({hsa_program("dispatch"), kVectorAdd}, {"HSA_ENABLE_SDMA=0"});
  EXPECT_EQ(exit.code, 0) << exit.out.text << exit.err.text;
  EXPECT_THAT(exit.out.text,
              HasSubstr("dispatch: 0 of 100003 wrong\nfill: right\npointers: right\nPASSED\n"));
}

TEST_P(Hsa, WithoutInterruptsTheRuntimePollsSignals) {
  const Exit exit = ran({hsa_program("dispatch"), kVectorAdd}, {"HSA_ENABLE_INTERRUPT=0"});
  EXPECT_EQ(exit.code, 0) << exit.out.text << exit.err.text;
}

TEST_P(Hsa, TwoQueuesWithCopiesInFlight) {
  for (const char* engines : {"HSA_ENABLE_SDMA=0", "HSA_ENABLE_SDMA=1"}) {
    const Exit exit = ran({hsa_program("two_queues"), kVectorAdd}, {engines});
    EXPECT_EQ(exit.code, 0) << exit.err.text;
    EXPECT_EQ(exit.out.text, "0 of 400240 wrong\nPASSED\n") << engines;
  }
}

TEST_P(Hsa, ErrorsOfPacketsReachTheProgram) {
  const std::pair<const char*, const char*> expected[] = {
      {"dimensions", "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS"},
      {"workgroup", "HSA_STATUS_ERROR_INVALID_ARGUMENT"},
      {"lds", "HSA_STATUS_ERROR_INVALID_ALLOCATION"},
      {"code", "HSA_STATUS_ERROR_INVALID_CODE_OBJECT"},
      {"format", "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT"}};
  for (const auto& [which, status] : expected)
    EXPECT_THAT(ran({hsa_program("errors"), kVectorAdd, which}).out.text, HasSubstr(status))
        << which;
}

TEST_P(Hsa, AMemoryFaultEndsTheProgramAsOnADevice) {
  const Exit exit = ran({hsa_program("errors"), kVectorAdd, "fault"});
  EXPECT_EQ(exit.signal, SIGABRT);
  EXPECT_THAT(exit.err.text, HasSubstr("lane 0 writes 4 bytes at 0xdead0000"));
  EXPECT_THAT(exit.err.text, HasSubstr("Memory access fault by GPU node-1"));
  EXPECT_THAT(
      exit.err.text,
      HasSubstr("on address 0xdead0000. Reason: Page not present or supervisor privilege."));
}

INSTANTIATE_TEST_SUITE_P(StandIns, Hsa, testing::Values(StandIn::library, StandIn::kernel),
                         [](const auto& each) { return name_of(each.param); });

class Hip : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_runtime("libamdhip64.so.5"); !missing.empty())
      GTEST_SKIP() << missing;
    auto found = find_compiler();
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = std::move(*found);
  }

  testing_support::TempDir folder_;
  Compiler compiler_;
};

TEST_P(Hip, ProgramsGiveRightResults) {
  const std::string name = GetParam(), program = folder_ / "program";
  const std::string source =
      (name.ends_with("_main") ? RPL_EXAMPLES "/host/" : RPL_PROGRAMS "/") + name + ".hip";
  // That HIP does not know code objects of version 5.
  const auto outcome = build_hip(compiler_, {.source = source,
                                             .architecture = "gfx90a",
                                             .output = program,
                                             .device_only = false,
                                             .flags = {"-mcode-object-version=4"}});
  ASSERT_TRUE(outcome && outcome->built)
      << (outcome ? first_error(*outcome) : outcome.error().message);
  for (const StandIn which : {StandIn::library, StandIn::kernel}) {
    if (!missing_stand_in(which).empty()) continue;
    for (const char* engines : {"HSA_ENABLE_SDMA=0", "HSA_ENABLE_SDMA=1"}) {
      const Exit exit = ran(which, {program}, {engines});
      EXPECT_EQ(exit.code, 0) << name_of(which) << engines << exit.out.text << exit.err.text;
      EXPECT_THAT(exit.out.text, HasSubstr("PASSED"));
    }
  }
}

// What was compiled without AMD's headers runs with AMD's library.
using OwnHeaders = Hip;
TEST_F(OwnHeaders, MakeProgramsForTheRealHip) {
  const auto own = find_compiler({}, HipHeaders::own);
  ASSERT_TRUE(own.has_value()) << own.error().message;
  const std::string program = folder_ / "program";
  const auto outcome = build_hip(*own, {.source = RPL_TUTORIALS "/device_functions.hip",
                                        .architecture = "gfx90a",
                                        .output = program,
                                        .device_only = false,
                                        .flags = {}});
  ASSERT_TRUE(outcome && outcome->built)
      << (outcome ? first_error(*outcome) : outcome.error().message);
  const StandIn which =
      missing_stand_in(StandIn::library).empty() ? StandIn::library : StandIn::kernel;
  const Exit exit = ran(which, {program});
  EXPECT_EQ(exit.code, 0) << exit.out.text << exit.err.text;
  EXPECT_THAT(exit.out.text, HasSubstr("PASSED"));
}

INSTANTIATE_TEST_SUITE_P(Examples, Hip,
                         testing::Values("histogram_main", "matmul_main", "matmul_mfma_main",
                                         "reduce_main", "softmax_main", "transpose_main",
                                         "vcopy_main", "vector_add_main"),
                         [](const auto& each) { return std::string(each.param); });
INSTANTIATE_TEST_SUITE_P(Programs, Hip, testing::Values("streams"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace rpl
