// SPDX-License-Identifier: MIT
// Files of formats that are known and not read are refused by name, with what to type instead.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/database.h"
#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using testing_support::TempDir;

struct Given {
  std::string name, bytes, what, hint;
};

TEST(OtherFormats, AreRefusedByNameWithTheNextStep) {
  const TempDir folder;
  const std::vector<Given> all{
      {"a.xz", "\xfd\x37zXZ\0rest"s, "compressed with xz", "xz -dk "},
      {"a.rpdb", "PK\x03\x04rest"s, "zip archive", "unzip "},
      {"a.pftrace", "\x0a\x10rest of a packet"s, "Perfetto trace", "--output-format rocpd"},
      {"unnamed", "\x0a\x02\x40\x01\x0a\x01\x02\x0a\x03\x50\x01\x02"s, "Perfetto trace", "rocpd"},
      {"host.xplane.pb", "\x0a\x10rest of a plane"s, "XLA's profiler", "rocprofv3"},
      {"matmul.json", "[ {}\n,{\"name\": \"process_name\", \"ph\": \"M\"}]",
       "Chrome trace that is a list", "*.rpd"},
      {"roofline.csv", "device,HBMBw\n0,1.5\n", "it begins with 'device,HBMBw'", "rpl reads"},
      {"noise.bin", "\x01\x02\x03"s, "not a text", "rpl reads"},
      {"a.ncu-rep", "NVR\0rest"s, "Nsight Compute", "hipify"},
      {"a.nsys-rep", "anything", "Nsight Systems", "hipify"},
      {"a.otf2", "anything", "OTF2", "rocpd database"},
      {"results.json", "{ \"traceEvents\":[{}\n,{\"ph\":\"M\"}]}", "rocprof version 1",
       "results.csv beside it"},
      {"other.json", "{ \"traceEvents\": [{\"ph\":\"M\"}]}", "Chrome trace", "rocprofv3"},
      {"wall_clock.json", "{\"omnitrace\": {}}", "omnitrace", "rocprof"},
      {"wall_clock.json", "{\"rocprofiler-systems\": {}}", "rocprof-sys", "rocprofv3"},
      {"a.hatchet", "\n[{\"frame\": {\"name\": \"ROOT\"}, \"metrics\": {}}]", "Proton",
       "rocprofv3"},
      {"results.csv", "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n0,\"k\",1,0\n",
       "rocprof version 1 without times", "--timestamp on"},
      {"results.stats.csv", "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n\"k\",1,5,5\n",
       "sums", "rocprofv3"},
      {"sys_trace.txt", "0x5932e0 agent cpu\n0x568bd0 agent gpu\n", "roctracer", "rocprofv3"},
      {"hip_api_trace.txt", "5000:6000 1234:1234 hipLaunchKernel(a) :7\n", "roctracer",
       "rocprofv3"}};
  for (const Given& given : all) {
    const std::string path = folder.write(given.name, given.bytes);
    const auto trace = open_trace(std::vector{path});
    ASSERT_FALSE(trace.has_value()) << given.name;
    EXPECT_EQ(trace.error().code, Errc::unsupported) << given.name;
    EXPECT_THAT(trace.error().message, HasSubstr(path + " is "));
    EXPECT_THAT(trace.error().message, HasSubstr(given.what));
    EXPECT_THAT(trace.error().hint, HasSubstr(given.hint)) << given.name;
    EXPECT_EQ(trace.error().hint.find("FILE"), std::string::npos);
  }
}

TEST(OtherFormats, DatabasesOfOtherProgramsAreKnownByTheirTables) {
  const TempDir folder;
  const std::string path = folder / "report.sqlite";
  {
    Database database = Database::create_plain(path).value();
    ASSERT_TRUE(database.execute("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\")"));
  }
  const auto trace = open_trace(std::vector{path});
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().code, Errc::unsupported);
  EXPECT_THAT(trace.error().message, HasSubstr("database of Nsight Systems"));
}

TEST(OtherFormats, DatabasesOfTheFirstRocprofLeadToTheTableBesideThem) {
  const TempDir folder;
  const std::string path = folder / "results.db";
  {
    Database database = Database::create_plain(path).value();
    ASSERT_TRUE(database.execute("CREATE TABLE KERN (\"Index\" INTEGER, \"KernelName\" TEXT)"));
  }
  const auto trace = open_trace(std::vector{path});
  ASSERT_FALSE(trace.has_value());
  EXPECT_THAT(trace.error().message, HasSubstr("results.db of rocprof version 1"));
  EXPECT_THAT(trace.error().hint, HasSubstr("results.csv beside it"));
}

}  // namespace
}  // namespace rpl
