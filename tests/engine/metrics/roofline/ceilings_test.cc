// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/metrics/roofline/made_kernels.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using arch::DataType;
using arch::Level;
using arch::Pipe;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::kNoSharedData;
using testing_support::shared_data;
using testing_support::TempDir;

TEST(CeilingsTest, SpecComesFromTheArchitectureFile) {
  const Ceilings spec = spec_ceilings(test::gpu("MI300X"));
  EXPECT_EQ(spec.kind, CeilingKind::spec);
  EXPECT_NEAR(spec.gbps(Level::hbm).value(), 5324.8, 1e-6);
  EXPECT_NEAR(spec.gflops({Pipe::matrix, DataType::f16}).value(), 1307.4e3, 500);
  EXPECT_THAT(spec.bandwidth.at(Level::l2).inputs, testing::Not(testing::IsEmpty()));
  EXPECT_FALSE(spec_ceilings(arch::Gpu()).notes.empty());
}

TEST(CeilingsTest, ReadsTheRecordedMeasurements) {
  const std::string mi200 = shared_data("rocpd/rocprof_compute/vcopy_MI200/roofline.csv");
  const std::string mall = shared_data("rocpd/rocprof_compute/roofline_mall.csv");
  if (mi200.empty()) GTEST_SKIP() << kNoSharedData;
  const MeasuredCeilings first = read_measured_ceilings(mi200, -1).value();
  EXPECT_EQ(first.device, 0);
  EXPECT_EQ(first.gbps.at(Level::hbm), 1388.9302);
  EXPECT_EQ(first.gbps.at(Level::vl1d), 9226.7266);
  EXPECT_EQ(first.gflops.at({Pipe::matrix, DataType::bf16}), 170483.16);
  EXPECT_EQ(read_measured_ceilings(mi200, 3).value().gbps.at(Level::hbm), 1389.0236);
  EXPECT_EQ(read_measured_ceilings(mi200, 4).error().code, Errc::not_found);

  const MeasuredCeilings with_mall = read_measured_ceilings(mall, 1).value();
  EXPECT_EQ(with_mall.gbps.at(Level::mall), 5224.3164);
  EXPECT_FALSE(with_mall.gflops.contains({Pipe::matrix, DataType::bf16}));  // 0: not measured
}

TEST(CeilingsTest, SaysWhatWasNotMeasuredAndWhatFellShort) {
  MeasuredCeilings measured;
  measured.path = "roofline.csv";
  measured.gbps[Level::hbm] = 4000;
  measured.gflops[{Pipe::matrix, DataType::f16}] = 100e3;
  const Ceilings ceilings = measured_ceilings(measured, spec_ceilings(test::gpu("MI300X")));
  EXPECT_EQ(ceilings.kind, CeilingKind::measured);
  EXPECT_EQ(ceilings.gbps(Level::hbm), 4000);
  EXPECT_EQ(ceilings.bandwidth.at(Level::hbm).provenance, Provenance::measured);
  EXPECT_GT(ceilings.gbps(Level::l2).value(), 30000);
  EXPECT_THAT(ceilings.notes, Contains(HasSubstr("matrix f16 peak only: too low")));
  EXPECT_THAT(ceilings.notes, Contains(HasSubstr("from the specification: ")));
}

TEST(CeilingsTest, TheUserMaySetTheComputeRoof) {
  const Ceilings spec = spec_ceilings(test::gpu("MI300X"));
  const Ceilings user = user_ceilings(spec, 1000);
  EXPECT_EQ(user.gflops({Pipe::vector, DataType::f64}), 1000);
  EXPECT_EQ(user.compute.at({Pipe::vector, DataType::f64}).source, "--peak-gflops");
  EXPECT_EQ(user.gflops({Pipe::matrix, DataType::i8}), spec.gflops({Pipe::matrix, DataType::i8}));
}

TEST(CeilingsTest, RefusesOtherFiles) {
  const TempDir folder;
  EXPECT_EQ(read_measured_ceilings(folder.write("a.csv", "x,y\n1,2\n"), -1).error().code,
            Errc::unsupported);
  EXPECT_EQ(read_measured_ceilings(folder.write("b.csv", "device,HBMBw\n0,abc\n"), 1).error().code,
            Errc::not_found);
  EXPECT_EQ(read_measured_ceilings(folder / "none.csv", -1).error().code, Errc::not_found);
  EXPECT_EQ(read_measured_ceilings(folder.write("c.csv", "device,HBMBw\n"), -1).error().code,
            Errc::not_found);
  const auto odd =
      read_measured_ceilings(folder.write("d.csv", "device,HBMBw,L2Bw\n0,-5,inf\n"), -1).value();
  EXPECT_TRUE(odd.gbps.empty());
}

TEST(CeilingsTest, KindsHaveNames) {
  EXPECT_EQ(ceiling_kind("measured").value(), CeilingKind::measured);
  EXPECT_EQ(ceiling_kind("roof").error().code, Errc::usage);
}

}  // namespace
}  // namespace rpl
