// SPDX-License-Identifier: MIT
// A file that is cut off while it is read.
#include <unistd.h>

#include "engine/trace/import/open.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

std::string recording(const TempDir& folder, std::uint64_t dispatches, unsigned page_bytes = 4096) {
  test::GenerateOptions options;
  options.path = folder / "a.db";
  options.workload.dispatches = dispatches;
  options.page_bytes = page_bytes;
  EXPECT_TRUE(test::generate_rocpd(options));
  return options.path;
}

/// Cuts a file off by name: closing a descriptor of it would drop SQLite's locks.
void cut(const std::string& path, std::uintmax_t bytes) {
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(bytes)), 0);
}

TEST(Shrinking, PagesThatAreGoneAreReported) {
  for (const unsigned page_bytes : {512U, 4096U, 65536U}) {
    SCOPED_TRACE(page_bytes);
    const TempDir folder;
    const std::string path = recording(folder, 2000, page_bytes);
    const auto database = ForeignDatabase::open(path).value();
    const auto file = PageFile::open(*database).value();
    ASSERT_TRUE(file.has_value());
    std::vector<std::uint8_t> pages(2 * std::size_t{page_bytes});
    ASSERT_TRUE(file->read(file->pages(), 1, pages.data()));
    EXPECT_FALSE(file->shrank());
    cut(path, page_bytes + page_bytes / 2);
    EXPECT_TRUE(file->read(1, 1, pages.data()));
    EXPECT_FALSE(file->read(1, 2, pages.data())) << "half of the second page is there";
    EXPECT_FALSE(file->read(file->pages(), 1, pages.data()));
    EXPECT_TRUE(file->shrank());
  }
}

TEST(Shrinking, AStreamEndsWhereTheFileDoes) {
  const TempDir folder;
  const std::string path = recording(folder, 2000);
  const auto database = ForeignDatabase::open(path).value();
  const auto file = PageFile::open(*database).value();
  ASSERT_TRUE(file.has_value());
  const std::vector<std::uint32_t> wanted{3, 5, 4, file->pages()};
  cut(path, std::uintmax_t{6} * 4096);
  PageStream stream(*file, wanted);
  for (int i = 0; i < 3; ++i) EXPECT_NE(stream.next(), nullptr);
  EXPECT_EQ(stream.next(), nullptr);
  EXPECT_FALSE(stream.at_end()) << "the last page was not given";
}

TEST(Shrinking, OpeningFailsWithAReason) {
  const TempDir folder;
  const std::string path = recording(folder, 60000);
  const auto bytes = std::filesystem::file_size(path);
  bool was_cut = false;
  Monitor monitor;
  monitor.progress = [&](std::string_view what, std::uint64_t, std::uint64_t) {
    if (was_cut || what != "reading dispatches") return;
    was_cut = true;
    cut(path, bytes / 3);
  };
  const auto trace = open_trace(std::span(&path, 1), {}, monitor);
  ASSERT_TRUE(was_cut);
  ASSERT_FALSE(trace.has_value()) << "rows must not be missing without a word";
  EXPECT_EQ(trace.error().code, Errc::corrupt);
  EXPECT_THAT(trace.error().message, HasSubstr("became shorter while it was read"));
  EXPECT_THAT(trace.error().message, HasSubstr(path));
}

}  // namespace
}  // namespace rpl
