// SPDX-License-Identifier: MIT
#include "engine/isa/object/source_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/engine/isa/example_objects.h"

namespace rpl::isa {
namespace {

std::shared_ptr<const CodeObject> lines_object(const std::string& arch) {
  return object_at(fmt::format("{}/kernels/objects/lines.{}.co", RPL_ISA_TESTS, arch));
}

/// A chain as tests/engine/isa/expected/lines.*.txt has it.
std::string as_expected(const std::vector<SourcePlace>& chain) {
  std::string text;
  for (const SourcePlace& place : chain) {
    const std::string file = place.file.substr(place.file.rfind('/') + 1);
    text += fmt::format(" | {} {}:{}:{}", place.function, file, place.line, place.column);
  }
  return text;
}

class Lines : public testing::TestWithParam<const char*> {};

TEST_P(Lines, SayTheSameAsAnotherReaderOfEveryInstruction) {
  const SourceLines lines = *lines_object(GetParam())->source_lines();
  std::ifstream expected(fmt::format("{}/expected/lines.{}.txt", RPL_ISA_TESTS, GetParam()));
  ASSERT_TRUE(expected);
  int instructions = 0;
  for (std::string line; std::getline(expected, line);) {
    if (line.starts_with('#')) continue;
    const std::uint64_t address = std::stoull(line, nullptr, 16);
    const std::size_t chain = std::min(line.find(" |"), line.size());  // none: padding
    EXPECT_EQ(as_expected(lines.chain(address)), line.substr(chain)) << line;
    ++instructions;
  }
  EXPECT_GT(instructions, 20);
}

TEST_P(Lines, FindTheCodeOfALine) {
  const SourceLines lines = *lines_object(GetParam())->source_lines();
  const auto begins = lines.addresses("lines.hip", 5);
  ASSERT_FALSE(begins.empty());
  for (const std::uint64_t address : begins) EXPECT_EQ(lines.chain(address)[0].line, 5U);
  EXPECT_TRUE(lines.addresses("ines.hip", 5).empty()) << "part of a name is another name";
  EXPECT_TRUE(lines.addresses("lines.hip", 2).empty());
}

TEST_P(Lines, KnowNothingOutsideTheCode) {
  const SourceLines lines = *lines_object(GetParam())->source_lines();
  EXPECT_TRUE(lines.chain(0).empty());
  EXPECT_TRUE(lines.chain(~std::uint64_t{0}).empty());
}

INSTANTIATE_TEST_SUITE_P(Architectures, Lines, testing::ValuesIn(kArchitectures));

// tl.sum() of line 15 is a function of Triton's own that was inlined: that line has no code of its own.
TEST(SourceLines, ALineThatOnlyCallsBeginsWhereTheCallDoes) {
  const auto object = object_at(RPL_EXAMPLES "/../triton/objects/softmax.gfx942.hsaco");
  const auto lines = object->source_lines();
  ASSERT_TRUE(lines.has_value());
  const auto found = lines->addresses("softmax.py", 15);
  ASSERT_FALSE(found.empty());
  const auto chain = lines->chain(found.front());
  ASSERT_EQ(chain.size(), 2U);
  EXPECT_EQ(chain[1].file, "softmax.py");
  EXPECT_EQ(chain[1].line, 15U);
  EXPECT_TRUE(lines->addresses("standard.py", 15).empty());
}

TEST(SourceLines, AreEmptyWithoutDebugInformation) {
  const auto lines = example("softmax", "gfx90a")->source_lines();
  ASSERT_TRUE(lines);
  EXPECT_TRUE(lines->empty());
  EXPECT_TRUE(lines->chain(0x1900).empty());
}

TEST(SourceLines, ReadAsText) {
  EXPECT_EQ(place_text({}), "");
  EXPECT_EQ(place_text({{"/home/me/k.hip", 12, 9, "cube"}, {"k.hip", 40, 0, "run"}}),
            "k.hip:12:9 in cube, inlined at k.hip:40 in run");
}

/// Reads the object with one byte changed; an error or an answer, never more.
void read_damaged(std::span<const std::byte> sound, std::size_t at, unsigned change) {
  std::vector<std::byte> bytes(sound.begin(), sound.end());
  bytes[at] ^= static_cast<std::byte>(change);
  const auto damaged = CodeObject::parse(std::move(bytes));
  if (!damaged) return;
  const auto lines = (*damaged)->source_lines();
  if (lines) (void)lines->chain((*damaged)->kernels()[0].entry);
}

TEST(SourceLines, SurviveDamage) {
  const auto object = lines_object("gfx90a");
  const auto sound = object->bytes();
  const DebugSections& debug = object->elf().debug;
  constexpr std::array kChanges = {0x01U, 0x80U, 0xffU};
  for (const ByteView& section : {debug.line, debug.info, debug.abbrev, debug.addr, debug.rnglists,
                                  debug.str_offsets, debug.line_str}) {
    const auto first = static_cast<std::size_t>(section.bytes().data() - sound.data());
    // Steps of 5 meet every field of every form; each reading takes a good part of a millisecond.
    for (std::size_t at = first; at < first + section.size(); at += 5) {
      read_damaged(sound, at, kChanges[at % kChanges.size()]);
    }
  }
}

TEST(OwnFrames, LeaveOutWhatHeadersOfOthersDo) {
  const SourcePlace header{.file = "/usr/include/math.h", .line = 7, .function = {}},
      helper{.file = "/home/me/sum.h", .line = 3, .function = {}},
      kernel{.file = "/home/me/k.hip", .line = 12, .function = {}};
  EXPECT_EQ(own_frames({header, helper, kernel}), (std::vector{helper, kernel}));
  EXPECT_EQ(own_frames({header, kernel}), (std::vector{kernel}));
  EXPECT_EQ(own_frames({kernel}), (std::vector{kernel}));
  EXPECT_TRUE(own_frames({}).empty());
}

}  // namespace
}  // namespace rpl::isa
