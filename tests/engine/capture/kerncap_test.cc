// SPDX-License-Identifier: MIT
// The layout of kerncap, made by hand from its description: no real one has been seen.
#include "engine/capture/kerncap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/replay/replay.h"
#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

using test::replaced;
using test::small_capture;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::TempDir;

/// The variable that every code object of clang's has.
constexpr const char* kVariable = "__hip_cuid_";

class Kerncap : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_capture(folder_ / "c", capture_).has_value());
    std::filesystem::remove(folder_ / "c/capture.json");
    std::filesystem::remove_all(folder_ / "c/post");
    folder_.write("c/dispatch.json",
                  replaced(folder_.read("c/dispatch.json"), "vector_add.kd", "vector_add"));
    std::filesystem::copy(folder_ / "c/kernarg.bin", folder_ / "c/kernarg_raw.bin");
    write_metadata(object_->hash());
    std::filesystem::create_directory(folder_ / "c/module_variables");
    folder_.write("c/module_variables/0123456789abcdef_cuid.bin", "\x07");
    write_variables(fmt::format(
        R"({{"executable_sha256":"{}","name":"{}","size":1,"blob":"module_variables/0123456789abcdef_cuid.bin"}})",
        object_->hash(), kVariable));
  }

  void write_metadata(const std::string& hash) {
    folder_.write(
        "c/metadata.json",
        fmt::format(
            R"({{"kernel_name":"vector_add","kernel_symbol":"vector_add.kd","gpu_arch":"gfx942","grid":{{"x":1,"y":1,"z":1}},)"
            R"("block":{{"x":256,"y":1,"z":1}},"lds_size":0,"hsaco_sha256":"{}"}})",
            hash));
  }
  void write_variables(const std::string& rows) {
    folder_.write("c/module_variables.json", R"({"variables":[)" + rows + "]}");
  }
  void expect_refused(const std::string& message, Errc code = Errc::corrupt) {
    const auto read = read_capture(folder_ / "c");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, code);
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }

  TempDir folder_;
  const Capture capture_ = small_capture();
  const std::shared_ptr<const isa::CodeObject> object_ = *object_of(capture_);
};

TEST_F(Kerncap, IsReadAndReplayed) {
  const auto read = read_capture(folder_ / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->layout, CaptureLayout::kerncap);
  EXPECT_EQ(read->kernel, "vector_add");
  ASSERT_EQ(read->arguments.size(), 4U);
  EXPECT_TRUE(read->arguments[2].buffer);
  EXPECT_EQ(read->regions[read->arguments[2].region].name, "argument 3");
  EXPECT_THAT(read->cautions,
              Contains(HasSubstr("kerncap keeps memory as it is after the dispatch")));
  const auto run = replay_once({.capture = &*read, .execute = {.mode = emu::Mode::functional}});
  ASSERT_TRUE(run.has_value()) << run.error().message;
  EXPECT_EQ(run->memory[read->arguments[2].region], *capture_.regions[2].after);
}

TEST_F(Kerncap, VariablesLieInTheCodeObject) {
  const auto read = read_capture(folder_ / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->regions.size(), 4U);
  const CapturedRegion& variable = read->regions[0];  // below the others
  EXPECT_EQ(variable.variable, kVariable);
  EXPECT_EQ(variable.kind, RegionKind::variable);
  EXPECT_EQ(variable.base, *read->load_base + object_->symbol(kVariable)->address);
  EXPECT_EQ(variable.before, std::vector{std::byte{7}});
  EXPECT_EQ(read->arguments[0].region, 1U);
  // What was read can be written in our own layout.
  const auto written = write_capture(folder_ / "own", *read);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  EXPECT_TRUE(read_capture(folder_ / "own").has_value());
}

TEST_F(Kerncap, VariablesOfOtherCodeAreLeftOut) {
  write_variables(fmt::format(
      R"({{"executable_sha256":"{:064}","name":"{}","size":1,"blob":"module_variables/x.bin"}})", 0,
      kVariable));
  const auto read = read_capture(folder_ / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->regions.size(), 3U);
}

TEST_F(Kerncap, SaysWhatDoesNotFit) {
  write_metadata(std::string(64, 'a'));
  write_variables(R"({"name":"gone","size":1,"blob":"module_variables/x.bin"})");
  const auto read = read_capture(folder_ / "c");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_THAT(read->cautions,
              Contains(HasSubstr("metadata.json has the hash of another code object")));
  EXPECT_THAT(read->cautions, Contains(HasSubstr("no variable 'gone'")));
}

TEST_F(Kerncap, MayHaveNoVariables) {
  std::filesystem::remove(folder_ / "c/module_variables.json");
  EXPECT_TRUE(read_capture(folder_ / "c").has_value());
}

TEST_F(Kerncap, HostileVariables) {
  const auto row = [](const std::string& size, const std::string& blob) {
    return fmt::format(R"({{"name":"{}","size":{},"blob":"{}"}})", kVariable, size, blob);
  };
  for (const char* blob :
       {"module_variables/../kernarg.bin", "kernarg.bin", "/etc/passwd", "module_variables/",
        "module_variables/..", "module_variables/a/b.bin"}) {
    write_variables(row("1", blob));
    expect_refused("variables[0].blob: expected a file of module_variables/");
  }
  write_variables(row("1", "module_variables/none.bin"));
  expect_refused("module_variables/none.bin", Errc::not_found);
  const std::string blob = "module_variables/0123456789abcdef_cuid.bin";
  write_variables(row("2", blob));
  expect_refused("1 bytes instead of 2");
  write_variables(row("\"0xffffffffffffffff\"", blob));
  expect_refused("variables[0].size: expected a whole number");
  folder_.write("c/module_variables/0123456789abcdef_cuid.bin", "ab");
  write_variables(row("2", blob));
  expect_refused("the code object has no variable '__hip_cuid_' of 2 bytes");
  folder_.write("c/module_variables.json", "[]");
  expect_refused("module_variables.json: expected an object");
  folder_.write("c/metadata.json", "{");
  expect_refused("metadata.json: bad JSON");
}

TEST(FreeLoadBase, MeetsNoRegion) {
  const auto region = [](std::uint64_t base, std::uint64_t size) {
    return CapturedRegion{
        .base = base, .size = size, .name = {}, .before = {}, .after = std::nullopt};
  };
  std::vector<CapturedRegion> regions{region(0x1000, 16), region(0x100000000, 0x1000),
                                      region(0x100500000, 0x100), region(0x7f0000000000, 4)};
  const std::uint64_t base = free_load_base(regions, 0x300000);
  for (const auto& one : regions)
    EXPECT_TRUE(base >= one.base + one.size || base + 0x300000 <= one.base) << one.base;
  EXPECT_EQ(base % 4096, 0U);
}

}  // namespace
}  // namespace rpl
