// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/optimize/measure/decision.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

std::string line(const std::string& kernel, const std::string& gain, int process,
                 const std::string& a = "[10, 11.5]") {
  return R"({"kernel": ")" + kernel + R"(", "gain": )" + gain + R"(, "process": )" +
         std::to_string(process) + R"(, "blocks": [{"order": "BA", "a": )" + a +
         R"(, "b": [9, 9]}, {"order": "AB", "a": [10, 10], "b": [9]}]})" + "\n";
}

Error failure(const std::string& text) {
  const auto parsed = parse_raw_samples(text);
  EXPECT_FALSE(parsed.has_value()) << text;
  return parsed ? Error() : parsed.error();
}

TEST(RawSamples, AreGroupedByKernelAndGain) {
  const auto groups = parse_raw_samples(line("k", "0", 1) + "\n" + line("k", "0.02", 1) +
                                        line("k", "0", 2) + line("other", "0", 1));
  ASSERT_TRUE(groups.has_value()) << groups.error().message;
  ASSERT_EQ(groups->size(), 3U);
  const RecordedSamples& first = groups->front();
  EXPECT_EQ(first.kernel, "k");
  EXPECT_EQ(first.gain, 0);
  ASSERT_EQ(first.samples.processes.size(), 2U);
  const MeasuredBlock& block = first.samples.processes[0][0];
  EXPECT_FALSE(block.a_first);
  EXPECT_EQ(block.a_ns, (std::vector<double>{10, 11.5}));
  EXPECT_EQ(first.samples.processes[0][1].b_ns, std::vector<double>{9});
  EXPECT_EQ(process_from(to_value(first.samples.processes[0]), "")->front().a_ns, block.a_ns);
}

TEST(RawSamples, NeedNeitherKernelNorGain) {
  const auto groups = parse_raw_samples(R"({"blocks": [{"order": "AB", "a": [1], "b": [2]}]})");
  ASSERT_TRUE(groups.has_value());
  EXPECT_EQ(groups->front().kernel, "");
  EXPECT_EQ(groups->front().gain, std::nullopt);
}

TEST(RawSamples, SayWhatIsWrongWhere) {
  EXPECT_THAT(failure("\n{").message, HasSubstr("line 2: "));
  EXPECT_EQ(failure("[]").message, "line 1: expected an object");
  EXPECT_EQ(failure(R"({"kernel": "k"})").message, "line 1: blocks is missing");
  EXPECT_EQ(failure(line("k", "0", 1, "[0]")).message, "line 1: blocks[0].a[0]: expected a time");
  EXPECT_EQ(failure(line("k", "0", 1, "[-3]")).code, Errc::corrupt);
  EXPECT_EQ(failure(line("k", "0", 1, "[1e999]")).code, Errc::corrupt);
  EXPECT_EQ(failure(line("k", "0", 1, "[1e300]")).code, Errc::corrupt);
  EXPECT_EQ(failure(line("k", "0", 1, "[]")).message, "line 1: blocks[0]: expected times");
  EXPECT_EQ(failure(line("k", "\"x\"", 1)).message, "line 1: gain: expected a number");
  EXPECT_EQ(failure(line("k", "0", 1) + line("k", "0", 1)).message,
            "line 2: process 1 appears twice");
  EXPECT_EQ(failure(R"({"blocks": [{"order": "AA", "a": [1], "b": [2]}]})").message,
            "line 1: blocks[0].order: expected AB or BA");
  EXPECT_EQ(failure("").code, Errc::corrupt);
  EXPECT_EQ(failure(" \n\n").code, Errc::corrupt);
}

TEST(RawSamples, AreReadFromPlainAndPackedFiles) {
  const std::string packed = RPL_NOISE "/noise.jsonl.gz";
  const auto groups = read_raw_samples(packed);
  ASSERT_TRUE(groups.has_value()) << groups.error().message;
  EXPECT_EQ(groups->size(), 16U);
  testing_support::TempDir folder;
  std::string bytes = *read_text_file(packed);
  bytes.resize(bytes.size() / 2);
  ASSERT_TRUE(write_file(folder / "cut.gz", bytes).has_value());
  EXPECT_EQ(read_raw_samples(folder / "cut.gz").error().code, Errc::corrupt);
  ASSERT_TRUE(write_file(folder / "plain", line("k", "0", 1)).has_value());
  EXPECT_TRUE(read_raw_samples(folder / "plain").has_value());
  ASSERT_TRUE(write_file(folder / "bad", "{\n").has_value());
  EXPECT_THAT(read_raw_samples(folder / "bad").error().message, HasSubstr("bad: line 1"));
  EXPECT_EQ(read_raw_samples(folder / "none").error().code, Errc::not_found);
}

}  // namespace
}  // namespace rpl
