// SPDX-License-Identifier: MIT
// The process that replays, and what it and the one that asked tell each other.
#include "engine/replay/hsa/local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/document/json.h"
#include "engine/replay/hsa/job.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Local : public testing::Test {
 protected:
  /// A program in place of rpl: a shell script, whose $2 is the folder of the job.
  LocalOptions program(const std::string& script) {
    const std::string path = folder_ / "worker";
    std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
    ::chmod(path.c_str(), 0700);
    return {.program = path};
  }
  Error failure(const std::string& script) {
    const Capture capture = test::small_capture();
    const auto series =
        replay_locally({.capture = &capture, .folder = folder_ / "c"}, program(script));
    EXPECT_FALSE(series.has_value());
    return series ? Error() : series.error();
  }
  testing_support::TempDir folder_;
};

TEST_F(Local, SaysHowTheProcessEnded) {
  EXPECT_EQ(failure("exit 3").message, "the process that replays ended with status 3 in starting");
  EXPECT_EQ(
      failure("printf 'hsa_init of the runtime' >$2/stage; echo 'out of luck' >&2; kill -SEGV $$")
          .message,
      "the process that replays was ended by signal 11 in hsa_init of the runtime: out of luck");
}

TEST_F(Local, BelievesNoResultThatIsNone) {
  EXPECT_EQ(failure("echo '{' >$2/result.json").code, Errc::corrupt);
  EXPECT_THAT(failure("echo '{}' >$2/result.json").message,
              HasSubstr("result.json: conflicts is missing"));
}

TEST_F(Local, TriesAgainWithoutRandomizationAndListsConflicts) {
  ReplayResultFile taken;
  taken.conflicts = {{.base = 0x7f0000000000,
                      .bytes = 4096,
                      .got = 0,
                      .in_the_way = {"0x7f0000000000-0x7f0000001000 libfoo.so"}}};
  taken.randomized = true;
  const std::string json = [&] {
    const Value value = to_value(taken);
    return to_json(value);
  }();
  std::ofstream(folder_ / "taken.json") << json;
  const std::string calls = folder_ / "calls";
  const Error error = failure("echo \"$3\" >>" + calls + "; cp " +
                              std::string(folder_ / "taken.json") + " $2/result.json");
  EXPECT_EQ(error.code, Errc::denied);
  EXPECT_THAT(error.message,
              AllOf(HasSubstr("after 4 attempts"),
                    HasSubstr("in the way: 0x7f0000000000-0x7f0000001000 libfoo.so")));
  std::ifstream file(calls);
  const std::string said{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(said, "\nfixed\nfixed\nfixed\n");
}

TEST(Job, ReadsWhatItWrote) {
  const ReplayJobFile job{.capture = "/a b",
                          .variant = "v",
                          .other = "w",
                          .sides = {0, 1, 1},
                          .kernel = "k",
                          .iterations = 3,
                          .warmup = 2,
                          .timeout_ms = 5,
                          .recopy = false,
                          .cold = true,
                          .reserve_only = true,
                          .host_regions = {1, 4},
                          .ranges = {{.base = 0x7fff00000000, .bytes = 8192}}};
  const auto again = job_from(to_value(job));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(to_value(*again), to_value(job));
  EXPECT_EQ(job_from(Value(Record{})).error().code, Errc::corrupt);
}

TEST(Job, ResultsKeepWhatWasMeasured) {
  ReplayResultFile result;
  result.error = Error(Errc::timeout, "late", "wait");
  result.series.kernel = "k";
  result.series.raw_ns = {1.5, 2};
  result.series.image = {.match = ImageMatch::differs,
                         .differences = {{.region = 2, .first_offset = 5, .differing_bytes = 7}}};
  result.series.last_equals_first = false;
  result.series.notes = {"a note"};
  result.series.device = DeviceRun{.agent = "gfx942",
                                   .product = "p",
                                   .runtime_version = "1.14",
                                   .rocm_version = "6.2.0",
                                   .pid = 7,
                                   .ticks_per_s = 1e8,
                                   .kernarg_placement = "host",
                                   .load_base = 4096,
                                   .placements = {"host"},
                                   .restored_bytes = 3,
                                   .setup_ns = 4,
                                   .restore_ns = 5,
                                   .host_ns = {6}};
  result.differing = {2};
  result.other_differing = {1, 2};
  const auto again = result_from(to_value(result));
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(to_value(*again), to_value(result));
}

}  // namespace
}  // namespace rpl
