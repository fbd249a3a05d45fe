// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/core/trace.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct File {
  std::string path;
  std::string guid;
  std::vector<std::int64_t> starts;
  std::string host = "a";
};

RawTrace raw_of(const File& file) {
  RawTrace raw;
  raw.file.path = file.path;
  const auto process = raw.process({0, 7, file.guid, file.host, {}, 0, 0});
  Lane lane;
  lane.process = process;
  lane.queue = raw.queue({process, 16, "Queue 0"});
  for (std::size_t i = 0; i < file.starts.size(); ++i) {
    Launch launch;
    Kernel kernel;
    kernel.mangled = i % 2 == 0 ? "_Z4gemm.kd" : "_Z4copy";
    launch.kernel = raw.kernel(kernel);
    raw.add({file.starts[i], file.starts[i] + 10, raw.launch(launch), raw.lane(lane),
             static_cast<std::int64_t>(i + 1), 0});
  }
  return raw;
}

std::shared_ptr<const Trace> finished(const std::vector<File>& files) {
  std::vector<RawTrace> raws;
  for (const File& file : files) raws.push_back(raw_of(file));
  return *finish_trace(std::move(raws), {});
}

TEST(FinishTrace, OrdersByStartThenFileThenRow) {
  const auto trace = finished({{"a", "g1", {5, 5, 20}}, {"b", "g2", {1, 5, 30}}});
  std::vector<std::pair<std::uint32_t, std::int64_t>> order;
  for (std::size_t row = 0; row < trace->size(); ++row)
    order.emplace_back(trace->lane(row).process, trace->dispatch_id(row));
  const std::vector<std::pair<std::uint32_t, std::int64_t>> expected = {{1, 1}, {0, 1}, {0, 2},
                                                                        {1, 2}, {0, 3}, {1, 3}};
  EXPECT_EQ(order, expected);
  EXPECT_EQ(trace->extent_ns(), std::pair(std::int64_t{1}, std::int64_t{40}));
}

TEST(FinishTrace, OneKernelOfSeveralProcessesIsOneKernel) {
  const auto trace = finished({{"a", "g1", {1, 2}}, {"b", "g2", {3, 4}}});
  ASSERT_EQ(trace->kernels().size(), 2U);
  EXPECT_EQ(trace->kernels()[0].mangled, "_Z4gemm");
  EXPECT_EQ(trace->kernel_of(0), trace->kernel_of(2));
  EXPECT_EQ(trace->entities().queues.size(), 2U);
}

TEST(FinishTrace, KernelIdsAreHashesOfTheMangledName) {
  const auto trace = finished({{"a", "g1", {1}}});
  EXPECT_EQ(trace->kernels()[0].id, "k" + sha256_hex("_Z4gemm").substr(0, 6));
}

TEST(FinishTrace, LeavesOutACopyOfTheSameRecordingAndSaysSo) {
  const auto trace = finished({{"a", "g1", {1, 2}}, {"b", "g1", {1, 2}}});
  EXPECT_EQ(trace->size(), 2U);
  EXPECT_THAT(trace->entities().notes,
              Contains(HasSubstr("b holds the same recording as a (guid g1)")));
}

TEST(FinishTrace, KeepsDifferentRecordingsOfOneGuidAndSaysSo) {
  const auto trace = finished({{"a", "g1", {1, 2}}, {"b", "g1", {1, 2, 3}}});
  EXPECT_EQ(trace->size(), 5U);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("guid g1 occurs in a and in b")));
}

TEST(FinishTrace, SaysWhenClocksCannotBeCompared) {
  EXPECT_THAT(finished({{"a", "g1", {1}, "x"}, {"b", "g2", {1}, "y"}})->entities().notes,
              Contains(HasSubstr("2 hosts")));
  EXPECT_THAT(finished({{"a", "g1", {1}, "x"}, {"b", "g2", {1}, "x"}})->entities().notes,
              Not(Contains(HasSubstr("hosts"))));
}

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace rpl
