// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/profile_document.h"

#include <gmock/gmock.h>

namespace rpl::diagnose {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kOlder = R"({"schema_version": "1.0",
  "kernel": {"name": "gemm", "grid": [1024, 1, 1], "block": [256, 1, 1]},
  "gpu": {"architecture": "gfx942", "wave_size": 64},
  "runtime_ms": 2.0, "roofline": null, "headroom_fraction": 0.3})";

TEST(ProfileDocument, ReadsTheSharedShape) {
  ASSERT_TRUE(may_be_profile(kOlder));
  const auto profile = parse_profile(kOlder, "a.json");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->version, "1.0");
  EXPECT_EQ(profile->kernel, "gemm");
  EXPECT_EQ(profile->architecture, "gfx942");
  EXPECT_TRUE(profile->older_tool);
  EXPECT_EQ(*profile->find("kernel.grid[0]"), Value(1024));
  EXPECT_EQ(profile->find("roofline"), nullptr) << "null is left out";
}

TEST(ProfileDocument, ARepeatedKeyCountsOnce) {
  const auto profile = parse_profile(
      R"({"schema_version": "1.0", "runtime_ms": 1, "a": {"b": 1}, "a": {"b": 2}, "a.b": 3})", "f");
  ASSERT_TRUE(profile);
  EXPECT_EQ(*profile->find("a.b"), Value(1));
  EXPECT_TRUE(differences(*profile, *profile).empty());
}

TEST(ProfileDocument, MayHaveNoTimes) {
  const auto profile = parse_profile(R"({"schema_version": "1.0", "runtime_ms": null})", "f");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->find("runtime_ms"), nullptr);
}

TEST(ProfileDocument, RemarksAreNoDifferences) {
  const auto one = parse_profile(
      R"({"schema_version": "1.0", "runtime_ms": 1, "provenance": "recorded", "notes": ["a"]})",
      "f");
  const auto other = parse_profile(
      R"({"schema_version": "1.0", "runtime_ms": 1, "provenance": "modelled", "recording": ["b"]})",
      "f");
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(differences(*one, *other).empty());
}

TEST(ProfileDocument, RefusesWhatItDoesNotKnow) {
  const auto version = [](const char* text) {
    return parse_profile(std::string(R"({"schema_version": )") + text + R"(, "runtime_ms": 1})",
                         "f");
  };
  EXPECT_TRUE(version("\"1.7\""));
  EXPECT_TRUE(version("\"1\""));
  EXPECT_TRUE(version("1.0"));
  for (const char* unknown : {"\"2.0\"", "\"0.9\"", "\"10.1\"", "2"}) {
    const auto refused = version(unknown);
    ASSERT_FALSE(refused) << unknown;
    EXPECT_EQ(refused.error().code, Errc::unsupported) << unknown;
  }
  for (const char* broken : {"\"one\"", "null", "{}", "\"1x\"", "\"01.0\""})
    EXPECT_EQ(version(broken).error().code, Errc::corrupt) << broken;
  EXPECT_EQ(parse_profile(R"({"schema_version": "1.0"})", "f").error().code, Errc::corrupt);
  EXPECT_EQ(parse_profile("[1]", "f").error().code, Errc::corrupt);
  EXPECT_FALSE(parse_profile("{", "f"));
  EXPECT_FALSE(may_be_profile("{}"));
  EXPECT_FALSE(is_profile_file("/no such file"));
}

TEST(ProfileDocument, ListsWhatDiffers) {
  const auto before = parse_profile(kOlder, "a.json");
  const auto after = parse_profile(
      R"({"schema": "rpl.profile/1", "schema_version": "1.0", "kernel": {"name": "gemm2"},
          "gpu": {"architecture": "gfx950", "wave_size": 64}, "runtime_ms": 1.0, "extra": 5})",
      "b.json");
  ASSERT_TRUE(before && after);
  const auto found = differences(*before, *after);
  const auto row = [&](std::string_view field) {
    return std::ranges::find(found, field, &ProfileDifference::field);
  };
  ASSERT_NE(row("runtime_ms"), found.end());
  EXPECT_EQ(row("runtime_ms")->after, Value(1.0));
  EXPECT_TRUE(row("extra")->before.is_null());
  EXPECT_TRUE(row("headroom_fraction")->after.is_null());
  EXPECT_EQ(row("gpu.wave_size"), found.end());
  EXPECT_EQ(row("schema_version"), found.end());
  const auto notes = comparison_notes(*before, *after);
  EXPECT_THAT(notes, Contains(HasSubstr("kernels differ")));
  EXPECT_THAT(notes, Contains(HasSubstr("GPUs differ")));
  EXPECT_THAT(notes, Contains(HasSubstr("a.json is the older tool's")));
  EXPECT_TRUE(differences(*before, *before).empty());
}

}  // namespace
}  // namespace rpl::diagnose
