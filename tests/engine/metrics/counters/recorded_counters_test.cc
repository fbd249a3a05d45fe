// SPDX-License-Identifier: MIT
// The vector copies recorded by rocprof-compute on real GPUs: 8 MiB read, 8 MiB written, no floating-point operation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/measurements.h"
#include "engine/metrics/counters/metrics.h"
#include "engine/trace/import/open.h"
#include "tests/support/shared_data.h"

namespace rpl {
namespace {

using testing_support::kNoSharedData;
using testing_support::shared_data;
using TracePtr = std::shared_ptr<const Trace>;

constexpr double kBytes = 8388608;

TracePtr open_vcopy(std::string_view folder) {
  const std::string path =
      shared_data("rocpd/rocprof_compute/" + std::string(folder) + "/pmc_perf.csv");
  return path.empty() ? nullptr : open_trace(std::vector{path}).value();
}

MetricInputs inputs_of(const Trace& trace) {
  const auto kernels = measure_kernels(trace).value();
  MetricInputs inputs;
  inputs.arch = kernels.at(0).arch;
  for (const auto& [name, reading] : kernels.at(0).counters) inputs.counters[name] = reading.value;
  return inputs;
}

double value(std::string_view name, const MetricInputs& inputs) {
  return metric(name, inputs).value.value();
}

class RecordedCounters : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    trace_ = open_vcopy(GetParam());
    if (!trace_) GTEST_SKIP() << kNoSharedData;
  }
  TracePtr trace_;
};

TEST_P(RecordedCounters, ThreeDispatchesOfOneKernel) {
  EXPECT_EQ(trace_->size(), 3U);
  ASSERT_EQ(trace_->kernels().size(), 1U);
  const auto kernels = measure_kernels(*trace_).value();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].calls, 3U);
  EXPECT_EQ(trace_->launch(0).grid[0], 1048576U);
  EXPECT_EQ(trace_->launch(0).workgroup[0], 256U);
}

TEST_P(RecordedCounters, EveryRecordedCounterIsInTheCatalogue) {
  const CounterTable& counters = *trace_->counters().value();
  const std::string arch = trace_->entities().agents.at(0).arch;
  std::size_t known = 0;
  for (const std::string& name : counters.names) {
    if (name.ends_with("_ACCUM")) continue;  // what accumulate() makes of the *_LEVEL counters
    const bool found = CounterCatalogue::built_in().find(arch, name) != nullptr;
    EXPECT_TRUE(found || arch == "gfx908" || name.find("_STALL_sum") != std::string::npos)
        << arch << " " << name;
    known += found ? 1 : 0;
  }
  EXPECT_GT(known, 200U);
}

TEST_P(RecordedCounters, ReadsWhatTheCopyReads) {
  const MetricInputs inputs = inputs_of(*trace_);
  EXPECT_NEAR(value("hbm_read_bytes", inputs), kBytes, kBytes * 0.003);
  EXPECT_EQ(inputs.counters.at("SQ_WAVES"), 16384);
  EXPECT_EQ(value("l2_read_bytes", inputs), kBytes);
  EXPECT_EQ(value("l2_write_bytes", inputs), kBytes);
  EXPECT_EQ(value("lds_bytes", inputs), 0);
  EXPECT_LE(value("hbm_write_bytes", inputs), kBytes * 1.003);
}

TEST_P(RecordedCounters, NoFloatingPointOperation) {
  const MetricInputs inputs = inputs_of(*trace_);
  if (inputs.arch == "gfx908")
    GTEST_SKIP() << "gfx908 has no counters of floating-point operations";
  EXPECT_EQ(value("flops", inputs), 0);
  EXPECT_EQ(value("iops_mfma_i8", inputs), 0);
}

INSTANTIATE_TEST_SUITE_P(Vcopy, RecordedCounters,
                         testing::Values("vcopy_MI100", "vcopy_MI200", "vcopy_MI300X_A1",
                                         "vcopy_MI300X_A1_rocpd"));

TEST(RecordedCountersByArch, RequestsAreAsLargeAsTheFormulaSays) {
  const TracePtr mi200 = open_vcopy("vcopy_MI200"), mi300 = open_vcopy("vcopy_MI300X_A1");
  if (!mi200 || !mi300) GTEST_SKIP() << kNoSharedData;
  EXPECT_EQ(inputs_of(*mi200).counters.at("TCP_TCC_READ_REQ_sum"), 131072);  // of 64 B
  EXPECT_EQ(inputs_of(*mi300).counters.at("TCP_TCC_READ_REQ_sum"), 65536);   // of 128 B
  EXPECT_EQ(metric("l2_read_bytes", inputs_of(*mi200)).value, 64.0 * 131072);
  EXPECT_EQ(metric("l2_read_bytes", inputs_of(*mi300)).value, 128.0 * 65536);
}

TEST(RecordedCountersByForm, WideAndLongAgree) {
  const TracePtr wide = open_vcopy("vcopy_MI300X_A1"), rows = open_vcopy("vcopy_MI300X_A1_rocpd");
  if (!wide || !rows) GTEST_SKIP() << kNoSharedData;
  const MetricInputs a = inputs_of(*wide), b = inputs_of(*rows);
  for (const char* name : {"flops", "hbm_read_bytes", "hbm_write_bytes", "hbm_bytes",
                           "l2_read_bytes", "l2_write_bytes", "vl1d_bytes", "lds_bytes"}) {
    EXPECT_NEAR(value(name, a), value(name, b), 0.003 * value(name, a)) << name;
  }
}

}  // namespace
}  // namespace rpl
