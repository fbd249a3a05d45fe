// SPDX-License-Identifier: MIT
#include "engine/arch/peaks.h"

#include <gmock/gmock.h>

#include "gpus.h"

namespace rpl::arch {
namespace {

/// In TFLOP/s.
double peak(const char* gpu, DataType type, Pipe pipe) {
  return *peak_flops(gpu_named(gpu), type, pipe).value().value / 1000;
}

// The data sheets' figures, rounded there to four digits.
TEST(Peaks, AreThoseOfTheDataSheets) {
  const struct {
    const char* gpu;
    DataType type;
    Pipe pipe;
    double tflops;
  } sheets[] = {
      {"MI50", DataType::f64, Pipe::vector, 6.6},
      {"MI60", DataType::f32, Pipe::vector, 14.7},
      {"Radeon VII", DataType::f64, Pipe::vector, 3.4},
      {"MI100", DataType::f64, Pipe::vector, 11.5},
      {"MI100", DataType::f32, Pipe::matrix, 46.1},
      {"MI100", DataType::f16, Pipe::matrix, 184.6},
      {"MI100", DataType::bf16, Pipe::matrix, 92.3},
      {"MI210", DataType::f64, Pipe::matrix, 45.3},
      {"MI210", DataType::f32_single, Pipe::vector, 22.6},
      {"MI250X", DataType::f64, Pipe::vector, 23.9},
      {"MI250X", DataType::f16, Pipe::matrix, 191.5},
      {"MI300X", DataType::f64, Pipe::vector, 81.7},
      {"MI300X", DataType::f32, Pipe::vector, 163.4},
      {"MI300X", DataType::xf32, Pipe::matrix, 653.7},
      {"MI300X", DataType::f16, Pipe::matrix, 1307.4},
      {"MI300X", DataType::f8, Pipe::matrix, 2614.9},
      {"MI300A", DataType::bf16, Pipe::matrix, 980.6},
      {"MI325X", DataType::f16, Pipe::matrix, 1307.4},
      {"MI308X", DataType::f16, Pipe::matrix, 344.1},
      {"MI350X", DataType::f64, Pipe::matrix, 72.1},
      {"MI350X", DataType::f16, Pipe::matrix, 2306.9},
      {"MI355X", DataType::f8, Pipe::matrix, 5033.2},
      {"MI355X", DataType::f4, Pipe::matrix, 10066.3},
      {"RX 6900 XT", DataType::f32, Pipe::vector, 23.0},
      {"RX 7900 XTX", DataType::f32, Pipe::vector, 61.4},
      {"RX 9070 XT", DataType::f16, Pipe::matrix, 194.6},
  };
  for (const auto& sheet : sheets) {
    EXPECT_NEAR(peak(sheet.gpu, sheet.type, sheet.pipe), sheet.tflops, 0.06)
        << sheet.gpu << " " << to_string(sheet.type);
  }
}

TEST(Peaks, BandwidthsFollowTheRuleOfTheirLevel) {
  const Gpu gpu = gpu_named("MI300X");
  const auto gbps = [&](Level level) { return *peak_bandwidth(gpu, level).value().value; };
  EXPECT_DOUBLE_EQ(gbps(Level::hbm), 5324.8);
  EXPECT_DOUBLE_EQ(gbps(Level::mall), 17200);
  EXPECT_DOUBLE_EQ(gbps(Level::l2), 2048 * 8 * 2.1);
  EXPECT_DOUBLE_EQ(gbps(Level::vl1d), 64 * 304 * 2.1);
  EXPECT_DOUBLE_EQ(gbps(Level::lds), 128 * 304 * 2.1);
}

TEST(Peaks, SayHowTheyAreMade) {
  const auto l2 = peak_bandwidth(gpu_named("MI300X"), Level::l2);
  ASSERT_TRUE(l2);
  EXPECT_EQ(l2->name, "peak_l2_gbps");
  EXPECT_EQ(l2->formula, "bandwidth.l2 * xcds * clock_mhz / 1000");
  ASSERT_EQ(l2->inputs.size(), 3U);
  EXPECT_THAT(l2->inputs[0].source, testing::HasSubstr("gfx942.arch:"));
}

TEST(Peaks, UnknownIsAnErrorAndNotZero) {
  const auto flops = peak_flops(gpu_named("gfx942"), DataType::f16, Pipe::matrix);
  ASSERT_FALSE(flops) << "the architecture alone has no compute units";
  EXPECT_EQ(flops.error().code, Errc::not_found);
  EXPECT_THAT(flops.error().message, testing::HasSubstr("compute_units"));
  EXPECT_FALSE(peak_flops(gpu_named("MI355X"), DataType::xf32, Pipe::matrix));
  EXPECT_FALSE(peak_bandwidth(gpu_named("RX 6900 XT"), Level::l2));
}

}  // namespace
}  // namespace rpl::arch
