// SPDX-License-Identifier: MIT
#include "engine/source/build/header_list.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "engine/base/files.h"
#include "engine/source/build/preamble.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

class HeaderLists : public testing::Test {
 protected:
  /// As if it had been read by now.
  static std::int64_t later() { return file_clock_ns() + 1'000'000'000; }

  testing_support::TempDir folder_;
  const std::string one_ = folder_.write("sys/lib/one.h", "1"),
                    two_ = folder_.write("sys/two", "2");
};

TEST_F(HeaderLists, AreWhatWasKept) {
  const auto list = HeaderList::of({two_, one_, two_}, later());
  ASSERT_TRUE(list);
  EXPECT_EQ(list->paths(), (std::vector<std::string>{one_, two_}));
  ASSERT_TRUE(list->keep(folder_ / "list").has_value());
  const auto again = HeaderList::kept(folder_ / "list");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->paths(), list->paths());
  EXPECT_EQ(again->text(), list->text());
  EXPECT_FALSE(HeaderList::kept(folder_ / "absent"));
}

TEST_F(HeaderLists, ThatAreDamagedAreNone) {
  ASSERT_TRUE(HeaderList::of({one_, two_}, later())->keep(folder_ / "list").has_value());
  const std::string text = *read_text_file(folder_ / "list");
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{9}, std::size_t{80}, text.size() - 1}) {
    ASSERT_TRUE(write_file(folder_ / "list", text.substr(0, size)).has_value());
    EXPECT_FALSE(HeaderList::kept(folder_ / "list")) << size;
  }
}

TEST_F(HeaderLists, KnowThatAFileIsAnother) {
  const auto list = HeaderList::of({one_, two_}, later());
  while (!list->unchanged())
    std::this_thread::yield();  // files of this very moment are not trusted
  const auto written = fs::last_write_time(one_);
  ASSERT_TRUE(write_file(one_, "3").has_value());
  fs::last_write_time(one_, written);
  EXPECT_FALSE(list->unchanged()) << "as long as before, and of the same time";
  fs::remove(two_);
  EXPECT_FALSE(list->unchanged());
}

TEST_F(HeaderLists, HaveNoFileThatChangedSinceItWasReadOrThatDependsOnTheFolder) {
  EXPECT_FALSE(HeaderList::of({one_}, 1));
  EXPECT_FALSE(HeaderList::of({one_, folder_ / "absent"}, later()));
  EXPECT_FALSE(HeaderList::of({one_, "two"}, later()));
}

TEST_F(HeaderLists, KnowWhereAHeaderCouldTakeTheirPlace) {
  const auto list = HeaderList::of({one_, two_}, later());
  folder_.write("empty/kernel.hip", "");
  EXPECT_FALSE(list->may_be_hidden_by(folder_ / "empty"));
  EXPECT_FALSE(list->may_be_hidden_by(folder_ / "absent"));
  for (const std::string name : {"lib/any", "two", "other.h"}) {
    const testing_support::TempDir with;
    with.write(name, "");
    EXPECT_TRUE(list->may_be_hidden_by(with.path())) << name;
  }
  EXPECT_TRUE(may_hold(folder_ / "sys", "#include <lib/one.h>\n"));
  EXPECT_TRUE(may_hold(folder_ / "sys", "#include <none.h>\n#include \"two\"\n"));
  EXPECT_FALSE(may_hold(folder_ / "sys", "#include <none.h>\n"));
}

TEST(TextsThatStandForThemselves, NameNoFurtherFilePathOrTime) {
  const std::string head = "// a\n#include <hip/hip_runtime.h>\n";
  EXPECT_TRUE(reads_leading_includes_alone(head + "#define N 4\n__global__ void k() {}\n"));
  EXPECT_TRUE(reads_leading_includes_alone("int x;\n"));
  EXPECT_TRUE(reads_leading_includes_alone("-DN=4"));
  for (const std::string wrong :
       {"int x;\n#include <late.h>\n", "# include <a>\n", "#if __has_include(<a>)\n#endif\n",
        "#embed \"a\"\n", "const char* f = __FILE__;\n", "const char* f = __builtin_FILE();\n",
        "const char* t = __TIME__;\n", "__asm__(\".incbin \\\"a\\\"\");\n", "assert(x);\n",
        "#inc\\\nlude <a>\n", "// goes on \\\n#define N\n"})
    EXPECT_FALSE(reads_leading_includes_alone(head + wrong)) << wrong;
  EXPECT_FALSE(reads_leading_includes_alone("// hides \\\n" + head));
  EXPECT_FALSE(reads_leading_includes_alone("-DWHEN=__DATE__"));
}

}  // namespace
}  // namespace rpl
