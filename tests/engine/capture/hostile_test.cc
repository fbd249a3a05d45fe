// SPDX-License-Identifier: MIT
// Captures that lie. Whoever writes a lie can write its hash too, so each lie is told with right hashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/base/sha256.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::replaced;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::TempDir;

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_capture(folder_ / "c", capture_).has_value());
    ASSERT_TRUE(read_capture(folder_ / "c").has_value());
  }

  /// Replaces part of a file and puts the right size and hash into capture.json.
  void lie(const std::string& name, std::string_view from, std::string_view to) {
    const std::string before = folder_.read("c/" + name), after = replaced(before, from, to);
    folder_.write("c/" + name, after);
    if (name == "capture.json") return;
    const auto row = [&](const std::string& text) {
      return fmt::format("\"path\": \"{}\", \"bytes\": {}, \"sha256\": \"{}\"", name, text.size(),
                         sha256_hex(text));
    };
    folder_.write("c/capture.json",
                  replaced(folder_.read("c/capture.json"), row(before), row(after)));
  }

  void expect_refused(const auto& message, Errc code = Errc::corrupt) {
    const auto read = read_capture(folder_ / "c");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, code) << read.error().message;
    EXPECT_THAT(read.error().message, message);
  }

  std::string base_of(std::size_t region) const {
    return fmt::format("{}", capture_.regions[region].base);
  }

  TempDir folder_;
  Capture capture_ = test::small_capture();
};

TEST_F(Hostile, MissingFile) {
  std::filesystem::remove(folder_ / "c/kernarg.bin");
  expect_refused(HasSubstr("kernarg.bin"), Errc::not_found);
}

TEST_F(Hostile, MissingRegion) {
  std::filesystem::remove(folder_ / "c/memory/region_7f0000000000.bin");
  expect_refused(HasSubstr("memory/region_7f0000000000.bin"), Errc::not_found);
}

TEST_F(Hostile, ChangedByte) {
  std::string memory = folder_.read("c/memory/region_7f0000000000.bin");
  memory[5] = static_cast<char>(memory[5] ^ 1);
  folder_.write("c/memory/region_7f0000000000.bin", memory);
  expect_refused(AllOf(HasSubstr("memory/region_7f0000000000.bin"), HasSubstr("SHA-256")));
}

TEST_F(Hostile, FileShorterThanItsRegion) {
  folder_.write("c/memory/region_7f0000000000.bin", "abc");
  expect_refused(HasSubstr("3 bytes instead of 400"));
}

TEST_F(Hostile, RegionLargerThanItsFile) {
  lie("memory_regions.json", "\"size\": 400", "\"size\": 4000");
  expect_refused(HasSubstr("400 bytes instead of 4000"));
}

TEST_F(Hostile, RegionOfAllMemory) {
  lie("memory_regions.json", "\"size\": 400", "\"size\": 9223372036854775807");
  expect_refused(HasSubstr("GiB of memory"), Errc::limit);
}

TEST_F(Hostile, NegativeSize) {
  lie("memory_regions.json", "\"size\": 400", "\"size\": -400");
  expect_refused(HasSubstr("memory_regions.json: regions[0].size: expected a whole number"));
}

TEST_F(Hostile, RegionAtAnotherAddress) {
  lie("memory_regions.json", base_of(0), "4096");
  expect_refused(HasSubstr("is not a file of a capture"));
}

TEST_F(Hostile, OverlappingRegions) {
  const std::uint64_t inside = capture_.regions[0].base + 100;
  lie("memory_regions.json", base_of(1), fmt::format("{}", inside));
  const std::string old_file = fmt::format("memory/region_{:x}.bin", capture_.regions[1].base);
  const std::string new_file = fmt::format("memory/region_{:x}.bin", inside);
  std::filesystem::rename(folder_ / ("c/" + old_file), folder_ / ("c/" + new_file));
  lie("capture.json", old_file, new_file);
  expect_refused(HasSubstr("overlaps the one before it"));
}

TEST_F(Hostile, ListedPathOutsideTheFolder) {
  lie("capture.json", "\"kernarg.bin\"", "\"../secret\"");
  expect_refused(HasSubstr("'../secret' is not a file of a capture"));
}

TEST_F(Hostile, LinkInsteadOfAFile) {
  const std::string place = folder_ / "c/kernarg.bin";
  std::filesystem::rename(place, folder_ / "elsewhere");
  std::filesystem::create_symlink(folder_ / "elsewhere", place);
  expect_refused(HasSubstr("kernarg.bin: a symbolic link"));
}

TEST_F(Hostile, LinkInsteadOfTheMemoryFolder) {
  std::filesystem::rename(folder_ / "c/memory", folder_ / "elsewhere");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", folder_ / "c/memory");
  const auto read = read_capture(folder_ / "c");
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("memory/region_7f0000000000.bin"));
}

TEST_F(Hostile, PipeInsteadOfAFile) {
  const std::string place = folder_ / "c/kernel.hsaco";
  std::filesystem::remove(place);
  ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);
  expect_refused(HasSubstr("kernel.hsaco: not a regular file"));
}

TEST_F(Hostile, FileListedTwice) {
  lie("capture.json", "\"kernel.hsaco\"", "\"kernarg.bin\"");
  expect_refused(HasSubstr("listed twice"));
}

TEST_F(Hostile, GridOfTwoNumbers) {
  lie("dispatch.json", "\"grid\": [256, 1, 1]", "\"grid\": [256, 1]");
  expect_refused(HasSubstr("dispatch.json: grid: expected 3 elements"));
}

TEST_F(Hostile, ZeroWorkgroup) {
  lie("dispatch.json", "\"block\": [256, 1, 1]", "\"block\": [0, 1, 1]");
  expect_refused(HasSubstr("must not be zero"));
}

TEST_F(Hostile, AnotherKernel) {
  lie("dispatch.json", "vector_add", "matmul");
  expect_refused(HasSubstr("no kernel 'matmul'"));
}

TEST_F(Hostile, AnotherArchitecture) {
  lie("dispatch.json", "--gfx942", "--gfx90a");
  expect_refused(HasSubstr("gfx90a"));
}

TEST_F(Hostile, LessLdsThanTheKernelHas) {
  const Capture capture = test::captured(emu::matmul("gfx942", 16, 16, 16));
  ASSERT_TRUE(write_capture(folder_ / "m", capture).has_value());
  std::filesystem::remove_all(folder_ / "c");
  std::filesystem::rename(folder_ / "m", folder_ / "c");
  lie("dispatch.json", "\"group_segment_size\": 2048", "\"group_segment_size\": 8");
  expect_refused(HasSubstr("group_segment_size is 8, below the 2048"));
}

TEST_F(Hostile, NewerVersion) {
  lie("capture.json", "rpl.capture/2", "rpl.capture/5");
  expect_refused(HasSubstr("newer"), Errc::unsupported);
}

TEST_F(Hostile, AnotherSchema) {
  lie("capture.json", "rpl.capture/2", "rpl.trace/1");
  expect_refused(HasSubstr("capture.json: schema: expected rpl.capture/N, not 'rpl.trace/1'"));
}

TEST_F(Hostile, VariableOfCodeThatLayNowhere) {
  lie("memory_regions.json", "\"variable\": \"\"", "\"variable\": \"total\"");
  expect_refused(HasSubstr("'total' is a variable, and where the code object lay is not known"));
}

TEST_F(Hostile, VariableThatTheCodeObjectLacks) {
  lie("memory_regions.json", "\"variable\": \"\"", "\"variable\": \"total\"");
  lie("capture.json", "\"load_base\": 0", "\"load_base\": 4096");
  expect_refused(HasSubstr("the code object has no variable 'total' of 400 bytes"));
}

TEST_F(Hostile, CodeBeyondTheAddressSpace) {
  lie("capture.json", "\"load_base\": 0", "\"load_base\": 9223372036854775807");
  expect_refused(HasSubstr("cannot have lain at 0x7fffffffffffffff"));
}

TEST_F(Hostile, ArgumentOfARegionThatIsNotThere) {
  lie("capture.json", "\"region\": 2", "\"region\": 3");
  expect_refused(HasSubstr("capture.json: arguments[2].region: expected one of 3 regions"));
}

TEST_F(Hostile, ArgumentThatPointsElsewhere) {
  lie("capture.json", "\"region\": 2", "\"region\": 0");
  expect_refused(HasSubstr("argument 3 points to 0x7f"));
}

TEST_F(Hostile, MoreElementsThanBytes) {
  lie("capture.json", "\"count\": 100", "\"count\": 101");
  expect_refused(HasSubstr("argument 1 has 101 elements of f32, but 400 bytes"));
}

TEST_F(Hostile, NoJson) {
  folder_.write("c/dispatch.json", "{\"grid\":  [");
  expect_refused(HasSubstr("dispatch.json: bad JSON in line 1"));
}

TEST_F(Hostile, NoCodeObject) {
  lie("kernel.hsaco",
      "\x7f"
      "ELF",
      "none");
  expect_refused(HasSubstr("kernel.hsaco"));
}

}  // namespace
}  // namespace rpl
