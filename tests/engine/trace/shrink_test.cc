// SPDX-License-Identifier: MIT
// A file that is cut off while it is read.
#include <unistd.h>

#include <csignal>

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

TEST(Shrinking, PagesThatAreGoneReadAsZerosAndAreReported) {
  for (const unsigned page_bytes : {512U, 4096U, 65536U}) {
    SCOPED_TRACE(page_bytes);
    const TempDir folder;
    const std::string path = recording(folder, 2000, page_bytes);
    const auto database = ForeignDatabase::open(path).value();
    const auto file = PageFile::map(*database).value();
    ASSERT_TRUE(file.has_value());
    EXPECT_FALSE(file->shrank());
    cut(path, page_bytes);
    EXPECT_EQ(file->page(file->pages())[page_bytes - 1], 0);
    EXPECT_EQ(file->page(2)[0], 0);
    EXPECT_TRUE(file->shrank());
  }
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

TEST(ShrinkingDeathTest, OtherBusErrorsStillEndTheProgram) {
  const TempDir folder;
  const std::string path = recording(folder, 100);
  ASSERT_TRUE(open_trace(std::span(&path, 1)).has_value()) << "the handler is there";
  EXPECT_DEATH(std::raise(SIGBUS), "");
}

}  // namespace
}  // namespace rpl
