// SPDX-License-Identifier: MIT
// Every file of a capture, missing, cut, longer, changed, and replaced by something else: refused with its name and the reason. In the layout of
// older tools, too, as far as it can be known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>

#include "tests/engine/capture/captured.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using test::small_capture;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing_support::TempDir;

struct Damage {
  const char* name;
  std::function<void(const std::string& path)> do_it;
  bool seen_without_hashes;  ///< also in a folder of older tools
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

const std::vector<Damage>& damages() {
  static const std::vector<Damage> all{
      {"missing", [](const auto& path) { fs::remove(path); }, true},
      {"empty", [](const auto& path) { fs::resize_file(path, 0); }, true},
      {"cut", [](const auto& path) { fs::resize_file(path, fs::file_size(path) / 2); }, true},
      {"longer", [](const auto& path) { put(path, content_of(path) + "xxxx"); }, false},
      {"a bit changed",
       [](const auto& path) {
         std::string content = content_of(path);
         content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 4);
         put(path, content);
       },
       false},
      {"a link",
       [](const auto& path) {
         fs::rename(path, path + ".elsewhere");
         fs::create_symlink(path + ".elsewhere", path);
       },
       true},
      {"a folder",
       [](const auto& path) {
         fs::remove(path);
         fs::create_directory(path);
       },
       true},
      {"a pipe",
       [](const auto& path) {
         fs::remove(path);
         ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
       },
       true},
  };
  return all;
}

const std::vector<std::string>& files() {
  static const std::vector<std::string> all{"capture.json",
                                            "dispatch.json",
                                            "memory_regions.json",
                                            "kernarg.bin",
                                            "kernel.hsaco",
                                            "memory/region_7f0000000000.bin",
                                            "memory/region_7f0000011000.bin",
                                            "memory/region_7f0000022000.bin",
                                            "post/region_7f0000022000.bin"};
  return all;
}

class DamagedCapture : public testing::TestWithParam<std::string> {};

TEST_P(DamagedCapture, IsRefusedWithTheFile) {
  const TempDir folder;
  const Capture capture = small_capture();
  int number = 0;
  for (const Damage& damage : damages()) {
    // Without capture.json it is a folder of older tools, which is another test's subject.
    if (GetParam() == "capture.json" && std::string(damage.name) == "missing") continue;
    const std::string path = folder / std::to_string(number++);
    ASSERT_TRUE(write_capture(path, capture).has_value());
    // One byte that changes a number of capture.json makes another number; a key that is not needed may be another one.
    if (GetParam() == "capture.json" && std::string(damage.name) == "a bit changed") continue;
    damage.do_it(path + "/" + GetParam());
    const auto read = read_capture(path);
    ASSERT_FALSE(read.has_value()) << GetParam() << " " << damage.name;
    EXPECT_THAT(read.error().code, AnyOf(Errc::corrupt, Errc::not_found, Errc::io))
        << read.error().message;
    EXPECT_THAT(read.error().message, HasSubstr(GetParam())) << damage.name;
  }
}

TEST_P(DamagedCapture, IsRefusedWithoutHashes) {
  if (GetParam() == "capture.json" || GetParam().starts_with("post/")) return;
  const TempDir folder;
  const Capture capture = small_capture();
  int number = 0;
  for (const Damage& damage : damages()) {
    if (!damage.seen_without_hashes) continue;
    const std::string path = folder / std::to_string(number++);
    ASSERT_TRUE(write_capture(path, capture).has_value());
    fs::remove(path + "/capture.json");
    damage.do_it(path + "/" + GetParam());
    const auto read = read_capture(path);
    ASSERT_FALSE(read.has_value()) << GetParam() << " " << damage.name;
    EXPECT_THAT(read.error().message, HasSubstr(GetParam())) << damage.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedCapture, testing::ValuesIn(files()), [](const auto& file) {
  std::string name = file.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(DamagedCaptures, HostileSizesTakeNoMemory) {
  const TempDir folder;
  const Capture capture = small_capture();
  int number = 0;
  for (const char* size : {"\"0xffffffffffffffff\"", "9223372036854775807", "\"0x7fffffffffff\"",
                           "70368744177664", "-1", "1e30", "400.5", "null", "\"400\"", "[]"}) {
    const std::string name = std::to_string(number++);
    ASSERT_TRUE(write_capture(folder / name, capture).has_value());
    // No hash of it is known in a folder of older tools.
    fs::remove(folder / (name + "/capture.json"));
    folder.write(name + "/memory_regions.json",
                 test::replaced(folder.read(name + "/memory_regions.json"), "\"size\": 400",
                                fmt::format("\"size\": {}", size)));
    const auto read = read_capture(folder / name);
    ASSERT_FALSE(read.has_value()) << size;
    EXPECT_THAT(read.error().message, HasSubstr("memory_regions.json")) << size;
  }
}

}  // namespace
}  // namespace rpl
