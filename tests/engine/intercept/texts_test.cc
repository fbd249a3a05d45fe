// SPDX-License-Identifier: MIT
// What the tool reads and writes as text: settings, reports, places of code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "engine/base/files.h"
#include "engine/intercept/loaded_code.h"
#include "engine/intercept/report.h"
#include "engine/intercept/tool.h"
#include "tests/support/random.h"
#include "tests/support/temp_dir.h"

namespace rpl::intercept {
namespace {

using ::testing::HasSubstr;

Result<Settings> settings(std::map<std::string, std::string> variables) {
  return settings_from([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Settings, NothingIsWantedWithoutAKernel) {
  const auto none = settings({});
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->wanted());
}

TEST(Settings, AreReadAsTheyAreWritten) {
  const auto all = settings({{"RPL_CAPTURE_KERNEL", "/^scale/"},
                             {"RPL_CAPTURE_DISPATCH", "3"},
                             {"RPL_CAPTURE_GRID", "64,2"},
                             {"RPL_CAPTURE_LONGER_US", "20"},
                             {"RPL_CAPTURE_FOLDER", "/c"},
                             {"RPL_CAPTURE_SCOPE", "all"},
                             {"RPL_CAPTURE_LIMIT", "1048576"},
                             {"RPL_CAPTURE_DRAIN_MS", "5"},
                             {"RPL_CAPTURE_DISPATCH_MS", "6"},
                             {"RPL_CAPTURE_REPORTS", "/r"}});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_TRUE(all->wanted());
  EXPECT_EQ(all->wish.dispatch, 3U);
  EXPECT_EQ(all->wish.grid, (std::array<std::uint32_t, 3>{64, 2, 1}));
  EXPECT_EQ(all->wish.longer_us, 20U);
  EXPECT_TRUE(all->wish.all_memory);
  EXPECT_EQ(all->wish.most_bytes, 1U << 20);
  EXPECT_EQ(all->patience.drain.count(), 5);
  EXPECT_EQ(all->patience.dispatch.count(), 6);
  EXPECT_EQ(all->reports, "/r");
}

TEST(Settings, WrongOnesAreNamed) {
  const std::pair<const char*, const char*> wrong[] = {
      {"RPL_CAPTURE_DISPATCH", "0"}, {"RPL_CAPTURE_DISPATCH", "x"}, {"RPL_CAPTURE_GRID", "1,2,3,4"},
      {"RPL_CAPTURE_GRID", "0"},     {"RPL_CAPTURE_SCOPE", "some"}, {"RPL_CAPTURE_LIMIT", "-1"},
      {"RPL_CAPTURE_DRAIN_MS", "1s"}};
  for (const auto& [name, value] : wrong) {
    const auto out =
        settings({{"RPL_CAPTURE_KERNEL", "k"}, {"RPL_CAPTURE_FOLDER", "/c"}, {name, value}});
    ASSERT_FALSE(out) << name << value;
    EXPECT_EQ(out.error().code, Errc::usage);
    EXPECT_THAT(out.error().message, HasSubstr(name));
  }
  EXPECT_THAT(settings({{"RPL_CAPTURE_KERNEL", "k"}}).error().message,
              HasSubstr("RPL_CAPTURE_FOLDER"));
}

TEST(Report, ComesBackAsItWas) {
  const Report report{.pid = 12,
                      .runtime = "ROCm 5.2",
                      .agent = "gfx90a",
                      .kernel = "_Z1k\"\n",
                      .folder = "/c d",
                      .failure = "",
                      .matches = 4,
                      .memory_bytes = 5,
                      .tracked_bytes = 6,
                      .dispatches = {{"a", 1}, {"b\\", 2}}};
  const auto back = parse_report(report_json(report));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(report_json(*back), report_json(report));
  EXPECT_EQ(back->dispatches, report.dispatches);
}

TEST(Report, DamagedOnesAreRefused) {
  const std::string good = report_json({.pid = 1, .dispatches = {{"a", 1}}});
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(parse_report(good.substr(0, length))) << length;
  test::Random random(5);
  for (int i = 0; i < 5000; ++i) {
    std::string bad = good;
    bad[random.below(bad.size())] = static_cast<char>(random.below(256));
    (void)parse_report(bad);
  }
}

TEST(CodeUri, FilesAndMemory) {
  const auto file = parse_code_uri("file:///a%20b/c.co#offset=4096&size=0x200");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path, "/a b/c.co");
  EXPECT_EQ(file->offset, 4096U);
  EXPECT_EQ(file->bytes, 0x200U);
  const auto memory = parse_code_uri("memory://1234#offset=0x7f0000001000&size=16");
  ASSERT_TRUE(memory);
  EXPECT_TRUE(memory->path.empty());
  EXPECT_EQ(memory->offset, 0x7f0000001000U);
  EXPECT_EQ(parse_code_uri("file:///whole")->bytes, 0U);
}

TEST(CodeUri, NonsenseIsRefused) {
  for (const char* bad :
       {"", "file://", "http://x", "file:///a#offset=", "file:///a#offset=1x", "file:///a#size=-1",
        "file:///a%2", "file:///a%zz", "memory://1", "memory://1#offset=0&size=4",
        "memory://1#offset=4", "file:///a#what=1", "file:///a#offset=99999999999999999999999"}) {
    EXPECT_FALSE(parse_code_uri(bad)) << bad;
  }
}

TEST(Code, IsReadFromFilesAndFromThisProcess) {
  const testing_support::TempDir folder;
  const std::string path = folder / "code";
  ASSERT_TRUE(write_file(path, std::string_view("0123456789")));
  EXPECT_EQ(as_text(read_code({.path = path, .offset = 2, .bytes = 3}).value()), "234");
  EXPECT_EQ(as_text(read_code({.path = path, .offset = 4, .bytes = 0}).value()), "456789");
  EXPECT_EQ(read_code({.path = path, .offset = 8, .bytes = 10}).error().code, Errc::io);
  EXPECT_EQ(read_code({.path = path + "x", .offset = 0, .bytes = 1}).error().code, Errc::not_found);
  EXPECT_EQ(read_code({.path = path, .offset = 0, .bytes = std::uint64_t{1} << 40}).error().code,
            Errc::limit);
  const std::string text = "here I am";
  EXPECT_EQ(as_text(read_code({.path = {},
                               .offset = reinterpret_cast<std::uintptr_t>(text.data()),
                               .bytes = text.size()})
                        .value()),
            text);
  // Memory that is gone is an error and no crash.
  EXPECT_EQ(read_code({.path = {}, .offset = 0x1000, .bytes = 16}).error().code, Errc::io);
}

}  // namespace
}  // namespace rpl::intercept
