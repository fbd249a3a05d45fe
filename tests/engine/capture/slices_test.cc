// SPDX-License-Identifier: MIT
// Captures of several dispatches: their files, and files that lie.
#include "tests/engine/capture/slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/sha256.h"
#include "engine/capture/find_captures.h"
#include "engine/capture/pack.h"
#include "engine/capture/wish.h"

namespace rpl {
namespace {

using test::replaced;
using test::slice_of;
using ::testing::HasSubstr;
using testing_support::TempDir;

TEST(SliceFiles, AreReadAsTheyWereWritten) {
  const TempDir folder;
  Capture slice = slice_of(3);
  slice.then[1].dynamic_lds_bytes = 512;
  slice.then[1].scratch_bytes = 64;
  slice.then[1].grid = {128, 2, 1};
  ASSERT_TRUE(write_capture(folder / "c", slice).has_value());
  const auto read = read_capture(folder / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(dispatch_count(*read), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const DispatchView one = dispatch_view(*read, i), other = dispatch_view(slice, i);
    EXPECT_EQ(one.kernel, other.kernel);
    EXPECT_EQ(one.grid, other.grid);
    EXPECT_EQ(one.workgroup, other.workgroup);
    EXPECT_EQ(one.dynamic_lds_bytes, other.dynamic_lds_bytes);
    EXPECT_EQ(one.kernarg, other.kernarg);
    ASSERT_EQ(one.arguments.size(), 4U);
    EXPECT_EQ(one.arguments[2].region, (i + 2) % 3);
  }
  EXPECT_EQ(read->then[1].scratch_bytes, 64U);
  EXPECT_THAT(folder.read("c/capture.json"), HasSubstr("rpl.capture/3"));
  EXPECT_EQ(look_at_capture(folder / "c")->dispatches, 3U);
}

TEST(SliceFiles, OneDispatchHasTheFormatThatItHad) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", slice_of(1)).has_value());
  EXPECT_THAT(folder.read("c/capture.json"), HasSubstr("rpl.capture/2"));
  EXPECT_FALSE(std::filesystem::exists(folder / "c/following.json"));
  EXPECT_EQ(look_at_capture(folder / "c")->dispatches, 1U);
}

TEST(SliceFiles, ArgumentsAreFoundForEveryDispatch) {
  Capture slice = slice_of(2);
  slice.arguments.clear();
  slice.then[0].arguments.clear();
  for (CapturedRegion& region : slice.regions) region.name.clear();
  // Only the second dispatch points to this one.
  const std::uint64_t first = slice.regions[0].base;
  std::memcpy(slice.kernarg.data() + 16, &first, sizeof(first));
  find_arguments(*object_of(slice).value(), slice);
  ASSERT_EQ(slice.then[0].arguments.size(), 4U);
  EXPECT_TRUE(slice.then[0].arguments[1].buffer);
  EXPECT_EQ(slice.regions[1].name, "argument 2");
  EXPECT_EQ(slice.regions[2].name, "argument 2 of dispatch 2");
  EXPECT_TRUE(check_capture(slice).has_value());
}

TEST(SliceFiles, ArePackedAndUnpacked) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", slice_of(12)).has_value());
  ASSERT_TRUE(pack_capture(folder / "c", "c", folder / "c.tar.zst").has_value());
  const auto unpacked = unpack_capture(folder / "c.tar.zst", folder / "d", 0);
  ASSERT_TRUE(unpacked.has_value()) << unpacked.error().message;
  const auto read = read_capture(folder / "d");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(dispatch_count(*read), 12U);
  // Its own JSON file is asked for, too.
  std::filesystem::remove(folder / "c/following.json");
  ASSERT_TRUE(pack_capture(folder / "c", "c", folder / "e.tar.zst").has_value());
  EXPECT_THAT(unpack_capture(folder / "e.tar.zst", folder / "e", 0).error().message,
              HasSubstr("holds no following.json"));
}

TEST(SliceFiles, AreRemovedWithTheCapture) {
  const TempDir folder;
  ASSERT_TRUE(write_capture(folder / "c", slice_of(2)).has_value());
  EXPECT_TRUE(remove_capture(folder / "c").has_value());
}

TEST(OneDispatch, IsRequiredInOneSentence) {
  EXPECT_TRUE(require_one_dispatch(slice_of(1), "the debugger").has_value());
  const Error error = require_one_dispatch(slice_of(2), "the debugger").error();
  EXPECT_EQ(error.code, Errc::unsupported);
  EXPECT_EQ(error.message, "the debugger takes one dispatch, and the capture holds 2 in a row");
  EXPECT_THAT(error.hint, HasSubstr("--dispatch N"));
}

TEST(SliceChecks, LookAtEveryDispatch) {
  const auto refusal = [](auto&& change) {
    Capture slice = slice_of(2);
    change(slice);
    const auto checked = check_capture(slice);
    return checked ? std::string("taken") : checked.error().message;
  };
  EXPECT_EQ(refusal([](Capture&) {}), "taken");
  EXPECT_EQ(refusal([](Capture& slice) { slice.then[0].kernel = "matmul"; }),
            "dispatch 2: the code object has no kernel 'matmul'");
  EXPECT_EQ(refusal([](Capture& slice) { slice.then[0].grid[1] = 0; }),
            "dispatch 2: grid and workgroup must not be zero");
  EXPECT_THAT(refusal([](Capture& slice) { slice.then[0].kernarg.resize(8); }),
              HasSubstr("dispatch 2: 'vector_add' takes"));
  EXPECT_THAT(refusal([](Capture& slice) { slice.then[0].arguments.pop_back(); }),
              HasSubstr("dispatch 2: 'vector_add' has 4 parameters, the capture 3 arguments"));
  EXPECT_THAT(refusal([](Capture& slice) { slice.then[0].arguments[0].region = 0; }),
              HasSubstr("dispatch 2: argument 1 points to"));
  EXPECT_EQ(
      refusal([](Capture& slice) { slice.then.resize(kMostCapturedDispatches, slice.then[0]); }),
      "4097 dispatches, 4096 are the most");
}

TEST(DispatchRange, IsReadAsItIsWritten) {
  const auto range = parse_dispatch_range("3..4");
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(to_text(*range), "3..4");
  EXPECT_TRUE(range->holds(3) && range->holds(4));
  EXPECT_FALSE(range->holds(2) || range->holds(5));
  EXPECT_TRUE(parse_dispatch_range("7..7").has_value());
  EXPECT_TRUE(parse_dispatch_range("2..4097").has_value());
  for (const char* text : {"", "3", "..", "3..", "..4", "0..4", "4..3", "1..4097", "1..2..3",
                           "-1..2", "1 ..2", "1..18446744073709551616"})
    EXPECT_FALSE(parse_dispatch_range(text).has_value()) << text;
}

class HostileSlice : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_capture(folder_ / "c", slice_of(3)).has_value());
    ASSERT_TRUE(read_capture(folder_ / "c").has_value());
  }

  /// Puts another file in the place of one, with the right size and hash in capture.json.
  void put(const std::string& name, const std::string& after) {
    const std::string before = folder_.read("c/" + name);
    folder_.write("c/" + name, after);
    const auto row = [&](const std::string& text) {
      return fmt::format("\"path\": \"{}\", \"bytes\": {}, \"sha256\": \"{}\"", name, text.size(),
                         sha256_hex(text));
    };
    folder_.write("c/capture.json",
                  replaced(folder_.read("c/capture.json"), row(before), row(after)));
  }
  void lie(std::string_view from, std::string_view to) {
    put("following.json", replaced(folder_.read("c/following.json"), from, to));
  }
  void expect_refused(const std::string& message, Errc code = Errc::corrupt) {
    const auto read = read_capture(folder_ / "c");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, code);
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }

  TempDir folder_;
};

TEST_F(HostileSlice, FileThatIsMissing) {
  std::filesystem::remove(folder_ / "c/following.bin");
  expect_refused("following.bin", Errc::not_found);
}

TEST_F(HostileSlice, ChangedArgument) {
  std::string bytes = folder_.read("c/following.bin");
  bytes[3] = static_cast<char>(bytes[3] ^ 1);
  folder_.write("c/following.bin", bytes);
  expect_refused("following.bin: its SHA-256");
}

TEST_F(HostileSlice, NoDispatches) {
  put("following.json", "{\"dispatches\": []}");
  expect_refused("following.json: no dispatches");
}

TEST_F(HostileSlice, MoreDispatchesThanACaptureHas) {
  const std::string text = folder_.read("c/following.json");
  const std::size_t begin = text.find('[') + 1, end = text.find("}, {\"kernel\"") + 1;
  const std::string row = text.substr(begin, end - begin);
  std::string many = row;
  for (std::size_t i = 1; i < kMostCapturedDispatches; ++i) many += ", " + row;
  put("following.json", "{\"dispatches\": [" + many + "]}");
  expect_refused("following.json: 4096 dispatches after the first, 4095 are the most");
}

TEST_F(HostileSlice, ArgumentsOfMoreThanThereIs) {
  const std::string size = fmt::format("\"kernarg_bytes\": {}", slice_of(1).kernarg.size());
  lie(size, "\"kernarg_bytes\": 4000");
  expect_refused("following.bin:");
  lie("\"kernarg_bytes\": 4000", "\"kernarg_bytes\": 9223372036854775807");
  expect_refused("dispatches[0].kernarg_bytes: 9223372036854775807 is more than kernels take");
  lie("\"kernarg_bytes\": 9223372036854775807", "\"kernarg_bytes\": -8");
  expect_refused("following.json: dispatches[0].kernarg_bytes: expected a whole number");
}

TEST_F(HostileSlice, ArgumentOfARegionThatIsNotThere) {
  lie("\"region\": 1", "\"region\": 7");
  expect_refused("following.json: dispatches[0].arguments[0].region: expected one of 3 regions");
}

TEST_F(HostileSlice, FilesThatTheVersionDoesNotHave) {
  folder_.write("c/capture.json",
                replaced(folder_.read("c/capture.json"), "rpl.capture/3", "rpl.capture/2"));
  expect_refused("'following.bin' is not a file of a capture");
}

TEST_F(HostileSlice, VersionWithoutItsFiles) {
  const TempDir other;
  ASSERT_TRUE(write_capture(other / "c", slice_of(1)).has_value());
  other.write("c/capture.json",
              replaced(other.read("c/capture.json"), "rpl.capture/2", "rpl.capture/3"));
  const auto read = read_capture(other / "c");
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().message, HasSubstr("following.json"));
}

}  // namespace
}  // namespace rpl
