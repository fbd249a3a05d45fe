// SPDX-License-Identifier: MIT
#include "engine/trace/bytes/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::gzipped;
using testing_support::TempDir;
using testing_support::zstd_packed;

/// Text that does not pack to nothing.
std::string text_of(std::size_t bytes) {
  std::string out;
  std::uint32_t state = 1;
  while (out.size() < bytes) {
    state = state * 1664525U + 1013904223U;
    out += static_cast<char>('a' + (state >> 24) % 26);
  }
  return out;
}

Result<std::string> all_of(const ByteSource& source, std::size_t step) {
  std::string out, chunk(step, '\0');
  while (true) {
    const std::size_t got = TRY(source.read_at(out.size(), chunk));
    out.append(chunk, 0, got);
    if (got < step) return out;
  }
}

TEST(Unpacker, GivesTheTextInStepsOfAnySize) {
  const TempDir folder;
  const std::string text = text_of(3'000'000);
  for (const std::string& path : {folder.write("plain", text), folder.write("a.gz", gzipped(text)),
                                  folder.write("a.zst", zstd_packed(text))}) {
    for (const std::size_t step : {std::size_t{1} << 20, std::size_t{70'001}}) {
      const ByteSource source = ByteSource::open_unpacked(path).value();
      EXPECT_EQ(all_of(source, step).value(), text) << path;
      EXPECT_FALSE(source.cut_short()) << path;
      EXPECT_EQ(source.used(text.size()), source.size()) << path;
    }
  }
}

TEST(Unpacker, MembersAndFramesBehindEachOtherAreOneText) {
  const TempDir folder;
  for (const std::string& packed :
       {gzipped("one ") + gzipped("two"), zstd_packed("one ") + zstd_packed("two"),
        gzipped("one two") + std::string(100, '\0')}) {
    const ByteSource source = ByteSource::open_unpacked(folder.write("a", packed)).value();
    EXPECT_EQ(all_of(source, 100).value(), "one two");
    EXPECT_FALSE(source.cut_short());
  }
}

TEST(Unpacker, GoesBackAndForth) {
  const TempDir folder;
  const std::string text = text_of(5'000'000);
  const ByteSource source = ByteSource::open_unpacked(folder.write("a.gz", gzipped(text))).value();
  std::string part(1000, '\0');
  for (const std::size_t at : {4'000'000U, 10U, 4'999'500U, 0U, 2'500'000U}) {
    const std::size_t got = source.read_at(at, part).value();
    ASSERT_EQ(got, std::min<std::size_t>(part.size(), text.size() - at));
    EXPECT_EQ(part.substr(0, got), text.substr(at, got));
  }
  EXPECT_EQ(source.read_at(9'000'000, part), 0U);
}

TEST(Unpacker, AStreamThatEndsEarlyGivesWhatThereIsAndSaysSo) {
  const TempDir folder;
  const std::string text = text_of(400'000);
  for (const std::string& whole : {gzipped(text), zstd_packed(text)}) {
    const ByteSource source =
        ByteSource::open_unpacked(folder.write("a", whole.substr(0, whole.size() * 3 / 4))).value();
    const std::string got = all_of(source, 1 << 16).value();
    EXPECT_GT(got.size(), text.size() / 3);
    EXPECT_LT(got.size(), text.size());
    EXPECT_EQ(got, text.substr(0, got.size()));
    EXPECT_TRUE(source.cut_short());
  }
}

TEST(Unpacker, DamageNamesTheByteOfThePackedFile) {
  const TempDir folder;
  const std::string text = text_of(400'000);
  for (std::string damaged : {gzipped(text), zstd_packed(text)}) {
    for (std::size_t at = damaged.size() / 2; at < damaged.size() / 2 + 64; ++at)
      damaged[at] = static_cast<char>(~damaged[at]);
    const std::string path = folder.write("a", damaged);
    const auto got = all_of(ByteSource::open_unpacked(path).value(), 1 << 20);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, Errc::corrupt);
    EXPECT_THAT(got.error().message, HasSubstr(path + ": byte "));
  }
}

TEST(Unpacker, RefusesWhatGrowsBeyondItsLimits) {
  const TempDir folder;
  const std::string zeros(std::size_t{8} << 20, '\0');
  const std::string path = folder.write("bomb.gz", gzipped(zeros));
  UnpackLimits limits;
  limits.free_bytes = std::uint64_t{1} << 20;
  limits.most_ratio = 100;
  const auto ratio = all_of(ByteSource::open_unpacked(path, limits).value(), 1 << 16);
  ASSERT_FALSE(ratio.has_value());
  EXPECT_EQ(ratio.error().code, Errc::limit);
  EXPECT_THAT(ratio.error().message, HasSubstr("100 times its size"));
  EXPECT_THAT(ratio.error().hint, HasSubstr("gunzip -k " + path));
  limits.most_ratio = 100'000;
  limits.most_bytes = std::uint64_t{4} << 20;
  const auto bytes = all_of(ByteSource::open_unpacked(path, limits).value(), 1 << 16);
  ASSERT_FALSE(bytes.has_value());
  EXPECT_THAT(bytes.error().message, HasSubstr("4.000 MiB"));
  limits.most_bytes = std::uint64_t{8} << 20;
  EXPECT_EQ(all_of(ByteSource::open_unpacked(path, limits).value(), 1 << 16).value(), zeros);
}

TEST(Unpacker, OpenLeavesAFileAsItIs) {
  const TempDir folder;
  const std::string packed = gzipped("text");
  const ByteSource source = ByteSource::open(folder.write("a.gz", packed)).value();
  EXPECT_EQ(all_of(source, 1000).value(), packed);
  EXPECT_EQ(source.packing(), Packing::none);
}

}  // namespace
}  // namespace rpl
