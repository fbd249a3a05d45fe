// SPDX-License-Identifier: MIT
// Debug information that -gz=zlib and -gz=zstd compressed. The objects are those of the plain one with the same code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "engine/isa/object/compressed_section.h"
#include "engine/isa/object/source_lines.h"
#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const CodeObject> variant_of_lines(const std::string& variant,
                                                   const std::string& arch) {
  return object_at(fmt::format("{}/kernels/objects/lines{}.{}.co", RPL_ISA_TESTS, variant, arch));
}

std::string all_places(const SourceLines& lines, const Kernel& kernel) {
  std::string text;
  for (std::uint64_t at = 0; at < kernel.code_bytes; at += 4)
    text += place_text(lines.chain(kernel.entry + at)) + '\n';
  return text;
}

class CompressedLines : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::shared_ptr<const CodeObject> object_ =
      variant_of_lines(std::get<0>(GetParam()), std::get<1>(GetParam()));
};

TEST_P(CompressedLines, SayWhatThePlainOnesSay) {
  ASSERT_FALSE(object_->elf().debug.compressed.empty());
  const auto plain = variant_of_lines("", std::get<1>(GetParam()));
  const auto lines = object_->source_lines();
  ASSERT_TRUE(lines) << lines.error().message;
  const std::string places = all_places(*lines, object_->kernels().front());
  EXPECT_EQ(places, all_places(*plain->source_lines(), plain->kernels().front()));
  EXPECT_THAT(places, HasSubstr("lines.hip:16:23 in evaluate"));
}

/// The object with `value` written over part of the header of its first compressed section.
template <class T>
Result<SourceLines> lines_with(const CodeObject& object, std::size_t at, T value) {
  std::vector<std::byte> bytes(object.bytes().begin(), object.bytes().end());
  const auto section = object.elf().debug.compressed.front().bytes.bytes();
  std::memcpy(bytes.data() + (section.data() - object.bytes().data()) + at, &value, sizeof(value));
  return (*CodeObject::parse(std::move(bytes)))->source_lines();
}

TEST_P(CompressedLines, RefuseSizesThatAreNotTrue) {
  constexpr std::size_t kType = 0, kSize = 8;
  const auto plain_bytes =
      *object_->elf().debug.compressed.front().bytes.read<std::uint64_t>(kSize);
  for (const std::uint64_t size :
       {plain_bytes - 1, plain_bytes + 1, std::uint64_t{0}, std::uint64_t{1} << 29}) {
    const auto lines = lines_with(*object_, kSize, size);
    ASSERT_FALSE(lines) << size;
    EXPECT_EQ(lines.error().code, Errc::corrupt);
  }
  EXPECT_EQ(lines_with(*object_, kSize, ~std::uint64_t{0}).error().code, Errc::limit);
  EXPECT_EQ(lines_with(*object_, kType, std::uint32_t{3}).error().code, Errc::unsupported);
}

TEST_P(CompressedLines, SurviveDamage) {
  const auto sound = object_->bytes();
  for (const auto& section : object_->elf().debug.compressed) {
    const auto first = static_cast<std::size_t>(section.bytes.bytes().data() - sound.data());
    for (std::size_t at = first; at < first + section.bytes.size(); at += 61) {
      std::vector<std::byte> bytes(sound.begin(), sound.end());
      bytes[at] ^= static_cast<std::byte>(0x41);
      const auto lines = (*CodeObject::parse(std::move(bytes)))->source_lines();
      if (lines) (void)lines->chain(object_->kernels().front().entry);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, CompressedLines,
                         testing::Combine(testing::Values(".zlib", ".zstd"),
                                          testing::ValuesIn(kArchitectures)),
                         [](const auto& pair) {
                           return fmt::format("{}_{}", std::get<0>(pair.param) + 1,
                                              std::get<1>(pair.param));
                         });

TEST(PlainSections, RefuseWhatNoMemoryHoldsAndHeadersCutShort) {
  std::vector<std::byte> bytes(32);
  const std::uint32_t zlib = 1;
  const std::uint64_t size = std::uint64_t{1} << 60;
  std::memcpy(bytes.data(), &zlib, sizeof(zlib));
  std::memcpy(bytes.data() + 8, &size, sizeof(size));
  DebugSections sections;
  sections.compressed = {{&DebugSections::line, ByteView(bytes)}};
  EXPECT_EQ(plain_sections(sections).error().code, Errc::limit);
  sections.compressed = {{&DebugSections::line, ByteView(std::span(bytes).first(23))}};
  EXPECT_EQ(plain_sections(sections).error().code, Errc::corrupt);
}

}  // namespace
}  // namespace rpl::isa
