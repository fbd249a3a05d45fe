// SPDX-License-Identifier: MIT
#include "engine/triton/variants.h"

#include <gmock/gmock.h>

#include "engine/base/files.h"
#include "tests/engine/triton/triton_runs.h"
#include "tests/support/temp_dir.h"

namespace rpl::triton {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string cache_of(const std::string& kernel) { return (examples() / "cache" / kernel).string(); }

TEST(TritonVariants, AreToldApartByWhatDiffers) {
  const auto softmax = read_variants(cache_of("softmax"), "softmax", "gfx942");
  ASSERT_TRUE(softmax.has_value()) << softmax.error().message;
  std::vector<std::int64_t> warps;
  for (const Record& one : softmax->configurations) {
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].first, "num_warps");
    warps.push_back(*one[0].second.as<std::int64_t>());
  }
  EXPECT_THAT(warps, UnorderedElementsAre(1, 2, 4, 8, 16));
  const auto matmul = read_variants(cache_of("matmul"), "matmul", "gfx942");
  ASSERT_TRUE(matmul.has_value());
  EXPECT_EQ(matmul->all.size(), 6U);
  for (const Record& one : matmul->configurations)
    EXPECT_EQ(one[0].first + " " + one[1].first, "BLOCK_M num_warps");
}

TEST(TritonVariants, OthersAreNotTaken) {
  const auto other = read_variants(cache_of("softmax"), "softmax", "gfx950");
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, Errc::not_found);
  EXPECT_EQ(read_variants(cache_of("softmax"), "matmul", "gfx942").error().code, Errc::not_found);
  EXPECT_EQ(read_variants("/nowhere", "softmax", "gfx942").error().code, Errc::not_found);
}

/// A cache as Triton itself writes it, whose metadata has no constants.
class OwnCache : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& path : objects_of("softmax")) {
      if (path.find("/cache/") == std::string::npos) continue;
      const std::string to = folder_ / std::to_string(count_++);
      std::filesystem::create_directory(to);
      std::filesystem::copy_file(path, to + "/softmax.hsaco");
      std::string json = read_text_file(metadata_path(path)).value_or("");
      const std::size_t at = json.find("\"constants\"");
      ASSERT_NE(at, std::string::npos);
      json.replace(at, 11, "\"nothing\"");
      folder_.write(std::to_string(count_ - 1) + "/softmax.json", json);
    }
  }
  [[nodiscard]] Variants read() const {
    auto out = read_variants(folder_.path(), "softmax", "gfx942");
    EXPECT_TRUE(out.has_value()) << (out ? "" : out.error().message);
    return out ? *std::move(out) : Variants();
  }

  const testing_support::TempDir folder_;
  int count_ = 0;
};

TEST_F(OwnCache, TheTunersFileTellsConstantsAndTimes) {
  EXPECT_TRUE(read().all.front().metadata.constants.empty());
  folder_.write(
      "tuner/softmax.autotune.json",
      R"({"key": [1], "configs_timings": [)"
      R"([{"kwargs": {"BLOCK": 1024}, "num_warps": 4, "pre_hook": null}, [0.5, 0.4, 0.6]],)"
      R"([{"kwargs": {"BLOCK": 1024}, "num_warps": 8}, 0.25],)"
      R"([{"kwargs": {"BLOCK": 1024}, "num_warps": 3}, 0.1]]})");
  const Variants found = read();
  for (const Variant& one : found.all) {
    const bool timed = one.metadata.num_warps == 4 || one.metadata.num_warps == 8;
    EXPECT_EQ(one.timed_ms.has_value(), timed);
    if (!timed) continue;
    EXPECT_EQ(one.metadata.constants, (Record{{"BLOCK", Value(1024)}}));
    EXPECT_EQ(*one.timed_ms, one.metadata.num_warps == 4 ? 0.5 : 0.25);
  }
  EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("1 configurations of the tuner")));
}

TEST_F(OwnCache, WhatSeveralFitIsGivenToNone) {
  folder_.write("softmax.autotune.json",
                R"({"configs_timings": [[{"kwargs": {"BLOCK": 1024}, "num_warps": 4}, 1],)"
                R"([{"kwargs": {"BLOCK": 512}, "num_warps": 4}, 2]]})");
  for (const Variant& one : read().all) EXPECT_FALSE(one.timed_ms);
}

TEST_F(OwnCache, DamagedFilesAreNamedAndLeftOut) {
  folder_.write("0/softmax.json", "{\"num_warps\": 0}");
  folder_.write("1/softmax.hsaco", "no code");
  for (const std::string text :
       {"", "[", "{}", "{\"configs_timings\": [[], [1], [{}], 7, [{}, []]]}"}) {
    folder_.write("softmax.autotune.json", text);
    const Variants found = read();
    EXPECT_EQ(found.all.size(), 3U);
    EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("0/softmax.json")));
  }
}

TEST_F(OwnCache, EqualCodeIsOneVariant) {
  std::filesystem::copy(folder_ / "0", folder_ / "again");
  const Variants found = read();
  EXPECT_EQ(found.all.size(), 5U);
  EXPECT_THAT(found.notes, ::testing::Contains(HasSubstr("the same code")));
}

}  // namespace
}  // namespace rpl::triton
