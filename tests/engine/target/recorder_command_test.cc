// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/rocprofv3/counter_limits.h"
#include "tests/support/rocprofv3/options.h"

namespace rpl::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RecorderRequest asking() { return {.argv = {"./app", "--size", "1024"}, .folder = "/out"}; }

std::vector<RecorderRun> runs_of(const RecorderRequest& request) {
  auto runs = recorder_runs(request, RocmVersion{7, 1, 1});
  EXPECT_TRUE(runs.has_value()) << runs.error().message;
  return runs ? *runs : std::vector<RecorderRun>{};
}

TEST(RecorderCommand, ATraceIsOneRunWithoutCounters) {
  const auto runs = runs_of(asking());
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_THAT(
      runs[0].argv,
      ElementsAre("rocprofv3", "--kernel-trace", "--memory-copy-trace", "--memory-allocation-trace",
                  "--hip-trace", "--marker-trace", "--output-format", "rocpd", "--output-directory",
                  "/out", "--", "./app", "--size", "1024"));
}

TEST(RecorderCommand, EachTraceIsAskedForByItself) {
  RecorderRequest request = asking();
  request.copies = request.allocations = request.hip = request.markers = false;
  request.hsa = true;
  EXPECT_THAT(runs_of(request)[0].argv,
              ElementsAre("rocprofv3", "--kernel-trace", "--hsa-trace", "--output-format", "rocpd",
                          "--output-directory", "/out", "--", "./app", "--size", "1024"));
  request.kernels = request.hsa = false;
  EXPECT_THAT(recorder_runs(request, std::nullopt).error().message, HasSubstr("nothing to record"));
}

TEST(RecorderCommand, EachPassOfCountersIsARunInItsOwnFolder) {
  RecorderRequest request = asking();
  request.counter_passes = {{"SQ_WAVES", "GRBM_COUNT"}, {"TCC_HIT_sum"}};
  request.first_pass = 3;
  const auto runs = runs_of(request);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[1].kind, RunKind::counters);
  EXPECT_EQ(runs[1].pass, 3U);
  EXPECT_THAT(runs[1].argv, ElementsAre("rocprofv3", "--pmc", "SQ_WAVES", "GRBM_COUNT",
                                        "--output-format", "rocpd", "--output-directory",
                                        "/out/counters/pass_3", "--", "./app", "--size", "1024"));
  EXPECT_EQ(runs[2].folder, "/out/counters/pass_4");
}

TEST(RecorderCommand, AThreadTraceNamesItsKernelsByWhatTheirNamesContain) {
  RecorderRequest request = asking();
  request.thread_trace = {.kernel = "gemm<float*>",
                          .target_cu = 3,
                          .shader_engine_mask = 0x11,
                          .buffer_bytes = 1U << 24U,
                          .decoder_folder = "/opt/decoder"};
  EXPECT_THAT(
      runs_of(request)[1].argv,
      ElementsAre("rocprofv3", "--att", R"(--kernel-include-regex=gemm<float\*>)",
                  "--att-target-cu", "3", "--att-shader-engine-mask", "0x11", "--att-buffer-size",
                  "16777216", "--att-library-path", "/opt/decoder", "--output-format", "rocpd",
                  "--output-directory", "/out/att", "--", "./app", "--size", "1024"));
}

TEST(RecorderCommand, SamplesComeAsJsonBecauseCsvHasNoAddresses) {
  RecorderRequest request = asking();
  request.pc_sampling = PcSampling::stochastic;
  EXPECT_THAT(runs_of(request)[1].argv,
              ElementsAre("rocprofv3", "--pc-sampling-beta-enabled", "--pc-sampling-method",
                          "stochastic", "--pc-sampling-unit", "cycles", "--pc-sampling-interval",
                          "1048576", "--output-format", "json", "csv", "--output-directory",
                          "/out/pc_sampling", "--", "./app", "--size", "1024"));
}

TEST(RecorderCommand, WhatRocprofv3WouldRefuseIsRefusedBefore) {
  const auto refused = [](auto change) {
    RecorderRequest request = asking();
    change(request);
    const auto runs = recorder_runs(request, RocmVersion{7, 0, 0});
    return runs ? std::string("nothing") : runs.error().message;
  };
  EXPECT_THAT(refused([](auto& request) { request.argv.clear(); }), HasSubstr("no program"));
  EXPECT_THAT(refused([](auto& request) { request.counter_passes = {{}}; }),
              HasSubstr("without counters"));
  EXPECT_THAT(refused([](auto& request) { request.thread_trace.target_cu = 16; }),
              HasSubstr("compute unit 16"));
  EXPECT_THAT(refused([](auto& request) { request.thread_trace.shader_engine_mask = 0; }),
              HasSubstr("shader engine"));
  EXPECT_THAT(refused([](auto& request) { request.thread_trace.buffer_bytes = 4096; }),
              HasSubstr("4096 bytes"));
  const auto sampling = [&](std::uint64_t interval) {
    return refused([&](auto& request) {
      request.pc_sampling = PcSampling::stochastic;
      request.pc_interval = interval;
    });
  };
  EXPECT_THAT(sampling(1000), HasSubstr("every 1000 cycles"));
  EXPECT_THAT(sampling(128), HasSubstr("every 128 cycles"));
  EXPECT_EQ(sampling(256), "nothing");
}

TEST(RecorderCommand, RocmBeforeSevenIsRefusedWithAWayOut) {
  const auto runs = recorder_runs(asking(), RocmVersion::parse("6.4.1-83"));
  ASSERT_FALSE(runs.has_value());
  EXPECT_EQ(runs.error().code, Errc::unsupported);
  EXPECT_THAT(runs.error().message, HasSubstr("6.4.1"));
  EXPECT_THAT(runs.error().hint, HasSubstr("-f csv"));
}

TEST(RecorderCommand, VersionsAreReadAsFarAsTheyGo) {
  EXPECT_EQ(RocmVersion::parse("7.1.1-38"), (RocmVersion{7, 1, 1}));
  EXPECT_EQ(RocmVersion::parse("7.2"), (RocmVersion{7, 2, 0}));
  EXPECT_EQ(RocmVersion::parse("next"), std::nullopt);
  EXPECT_LT((RocmVersion{6, 10, 0}), (RocmVersion{7, 0, 0}));
}

TEST(RecorderCommand, OnlyKnownWaysOfSamplingAreTaken) {
  EXPECT_EQ(pc_sampling_of(""), PcSampling::none);
  EXPECT_EQ(pc_sampling_of("host_trap"), PcSampling::host_trap);
  EXPECT_EQ(pc_sampling_of("cycles").error().code, Errc::usage);
}

TEST(RecorderCommand, EveryCommandLineKeepsToTheGrammarOfRocprofv3) {
  RecorderRequest request = asking();
  request.hsa = true;
  request.counter_passes = {{"SQ_WAVES"}, {"TCC_HIT_sum", "TCC_MISS_sum"}};
  request.thread_trace.kernel = "-x|y";
  for (const PcSampling sampling : {PcSampling::host_trap, PcSampling::stochastic}) {
    request.pc_sampling = sampling;
    for (const RecorderRun& run : runs_of(request)) {
      stand_in::Options options;
      stand_in::Refusal refusal;
      EXPECT_TRUE(stand_in::parse({run.argv.begin() + 1, run.argv.end()}, options, refusal))
          << to_string(run.kind) << ": " << refusal.text;
      EXPECT_THAT(options.app, ElementsAre("./app", "--size", "1024"));
      EXPECT_EQ(options.value("output-directory"), run.folder);
    }
  }
}

}  // namespace
}  // namespace rpl::profile
