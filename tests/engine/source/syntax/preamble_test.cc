// SPDX-License-Identifier: MIT
// What is kept of the headers may save time and nothing else.
#include "engine/source/build/preamble.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/source/syntax/check_syntax.h"
#include "tests/support/compiler_under_test.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

TEST(LeadingIncludes, AreThoseBeforeEverythingElse) {
  EXPECT_EQ(leading_includes("// a\n/* b\n */\n\n#include <hip/hip_runtime.h>\n  // c\n#include "
                             "<cmath>\nint x;\n#include <late>\n"),
            "#include <hip/hip_runtime.h>\n#include <cmath>\n");
  EXPECT_EQ(leading_includes("#include <a.h>  \r\n#include <b.h>"), "#include <a.h>  \r\n");
  EXPECT_EQ(leading_includes("#include \"own.h\"\n#include <a>\nint x;\n"),
            "#include \"own.h\"\n#include <a>\n");
  EXPECT_EQ(leading_includes(""), "");
  EXPECT_EQ(leading_includes("/* never ends\n#include <a>\n"), "");
}

TEST(LeadingIncludes, EndWhereAnythingCouldChangeWhatTheyMean) {
  EXPECT_EQ(leading_includes("#define N 4\n#include <a>\n"), "");
  EXPECT_EQ(leading_includes("// goes on \\\n#define N 4\n#include <a>\n"), "");
  EXPECT_EQ(leading_includes("#include <a> // remark\n#include <b>\n"), "");
  EXPECT_EQ(leading_includes("#if 0\n#include <a>\n#endif\n"), "");
  EXPECT_EQ(leading_includes("# include <a>\n"), "");
}

class Preamble : public testing::Test {
 protected:
  void SetUp() override {
    found_ = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
    if (!found_) GTEST_SKIP() << found_.error().message;
    found_->cache = folder_.path() + "/cache";
    write_header("hip.h", kHip, std::chrono::hours(1));
    write_header("facts.h", "#pragma once\nconstexpr int kFact = 1;\n", std::chrono::hours(1));
  }

  /// A source's headers that are read in no time, with what clang puts in front: of hiprtc no headers of the standard library. The first test has those that
  /// sources have.
  static constexpr const char* kHip = "#pragma once\n#define __global__ __attribute__((global))\n";
  std::string hip_ = "<hip.h>", small_ = "-D__HIPCC_RTC__";

  /// `age`: how long ago it was written.
  void write_header(const std::string& name, const std::string& text, std::chrono::seconds age) {
    const std::string path = folder_.path() + "/" + name;
    ASSERT_TRUE(write_file(path, text).has_value());
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
  }

  /// The rules that the candidate breaks, by what `kFact` is.
  std::string broken(const std::string& body, const std::string& facts = "<facts.h>") {
    const std::string head =
        "#include " + hip_ + "\n#include " + facts + "\n__global__ void k(int* out) {\n";
    const auto check = check_syntax(found_, {.baseline = head + "  out[1] = kFact;\n}\n",
                                             .candidate = head + body + "}\n",
                                             .kernel = "k",
                                             .folder = source_folder_,
                                             .flags = {"-I" + folder_.path(), small_}});
    if (!check) return check.error().message;
    if (!check->ran) return "did not run: " + check->why_not;
    std::string out;
    for (const GuardReason& reason : check->reasons)
      out += reason.rule + "@" + std::to_string(reason.line) + " ";
    return out;
  }

  std::vector<fs::path> kept() const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(found_->cache)) out.push_back(entry.path());
    return out;
  }

  ScratchFolder folder_ = ScratchFolder::make("preamble").value();
  std::string source_folder_ = ".";
  Result<Compiler> found_ = fail(Errc::not_found, "not looked for");
};

constexpr const char* kHonest = "  const int at = 3;\n  out[at] = kFact;\n";

TEST_F(Preamble, IsMadeOnceAndServesAllCandidates) {
  hip_ = "<hip/hip_runtime.h>";
  small_ = "-DANYTHING";
  EXPECT_EQ(broken(kHonest), "");
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_EQ(kept().front().extension(), ".pch");
  const auto made = fs::file_size(kept().front());
  EXPECT_EQ(broken("  out[2] = kFact + nothing;\n"), "does-not-parse@4 ");
  EXPECT_EQ(broken("  printf(\"%d\", out[0]);\n"), "new-call@4 ");
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_EQ(fs::file_size(kept().front()), made);
}

TEST_F(Preamble, OfHeadersThatChangedIsNotBelieved) {
  EXPECT_EQ(broken(kHonest), "");
  const fs::path first = kept().front();
  write_header("facts.h", "#pragma once\nconstexpr int kFact = 1, kSecond = 2;\n",
               std::chrono::minutes(1));
  EXPECT_EQ(broken("  out[2] = kFact + kSecond;\n"), "");
  EXPECT_FALSE(fs::exists(first));
  EXPECT_EQ(broken("  out[2] = kFact + kSecond - kSecond;\n"), "");
  EXPECT_EQ(kept().size(), 1U);
}

TEST_F(Preamble, OfAHeaderThatWasJustWrittenIsNotKept) {
  // It could be written again within the second, with as many bytes, and clang would not see that. A time that lies ahead stands for this second,
  // however slow the machine.
  write_header("facts.h", "#pragma once\nconstexpr int kFact = 1;\n", -std::chrono::hours(1));
  EXPECT_EQ(broken(kHonest), "");
  EXPECT_TRUE(kept().empty());
}

TEST_F(Preamble, HasHeadersInQuotesOfTheFolderTheyLieIn) {
  EXPECT_EQ(broken(kHonest, "\"facts.h\""), "");
  EXPECT_EQ(broken(kHonest, "\"facts.h\""), "");
  ASSERT_EQ(kept().size(), 1U) << "of no header beside the source, all folders have it in common";
  // One beside the source comes before those of -I.
  fs::create_directory(folder_.path() + "/near");
  write_header("near/facts.h", "#pragma once\nconstexpr int kFact = 1, kNear = 3;\n",
               std::chrono::hours(1));
  source_folder_ = folder_.path() + "/near";
  EXPECT_EQ(broken("  out[2] = kFact + kNear - kNear;\n", "\"facts.h\""), "");
  EXPECT_EQ(kept().size(), 2U);
  source_folder_ = folder_.path();
  EXPECT_EQ(broken("  out[2] = kNear;\n", "\"facts.h\""), "does-not-parse@4 ");
  EXPECT_EQ(kept().size(), 3U);
}

TEST_F(Preamble, OfHeadersWithWarningsIsNotKept) {
  write_header("facts.h", "#pragma once\n#warning look\nconstexpr int kFact = 1;\n",
               std::chrono::hours(1));
  const auto made =
      preamble_for(found_.value(), {.words = {found_->path, "-x", "c++", "-I" + folder_.path()},
                                    .folder = folder_.path(),
                                    .source_folder = folder_.path(),
                                    .text = "#include <facts.h>\nint x;\n"});
  EXPECT_EQ(made, "");
  EXPECT_TRUE(kept().empty());
}

TEST_F(Preamble, ThatIsDamagedIsMadeAgain) {
  EXPECT_EQ(broken(kHonest), "");
  const fs::path path = kept().front();
  const std::string whole = read_text_file(path.string()).value();
  for (const std::string& damaged :
       {std::string(), std::string("no header"), whole.substr(0, whole.size() / 2)}) {
    ASSERT_TRUE(write_file(path.string(), damaged).has_value());
    EXPECT_EQ(broken(kHonest), "");
    EXPECT_TRUE(kept().empty()) << "kept though damaged to " << damaged.size() << " bytes";
    EXPECT_EQ(broken(kHonest), "");
    EXPECT_EQ(kept().size(), 1U);
  }
}

TEST_F(Preamble, IsNotMadeWhereOthersMayWrite) {
  fs::create_directories(found_->cache);
  fs::permissions(found_->cache, fs::perms::all);
  EXPECT_EQ(broken(kHonest), "");
  EXPECT_TRUE(kept().empty());
}

}  // namespace
}  // namespace rpl
