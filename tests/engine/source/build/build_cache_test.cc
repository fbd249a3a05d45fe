// SPDX-License-Identifier: MIT
#include "engine/source/build/build_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "engine/base/files.h"
#include "engine/source/build/build.h"
#include "engine/source/build/header_list.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string key_named(char digit) { return std::string(64, digit); }

TEST(CacheFolder, IsNoneThatOthersMayHaveMade) {
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  unsetenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_FALSE(cache_folder().starts_with("/tmp/.cache")) << cache_folder();
  if (home) setenv("HOME", before.c_str(), 1);
}

TEST(BuildCache, GivesBackWhatItKept) {
  const testing_support::TempDir folder;
  const BuildCache cache(folder / "builds");
  EXPECT_FALSE(cache.find(key_named('a')));
  const CachedBuild build{.object = std::string("\0ELF\n 2 3\n", 10),
                          .messages = "k.hip:1:2: warning: x\n",
                          .twice = true};
  ASSERT_TRUE(cache.keep(key_named('a'), build).has_value());
  const auto found = cache.find(key_named('a'));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->object, build.object);
  EXPECT_EQ(found->messages, build.messages);
  EXPECT_TRUE(found->twice);
  EXPECT_FALSE(cache.find(key_named('b')));
}

TEST(BuildCache, DropsWhatWasDamagedAnywhere) {
  const testing_support::TempDir folder;
  const BuildCache cache(folder / "builds");
  const std::string path = folder / "builds/" + key_named('a') + ".build";
  const CachedBuild build{.object = "object", .messages = "said"};
  ASSERT_TRUE(cache.keep(key_named('a'), build).has_value());
  const std::string whole = *read_text_file(path);
  for (std::size_t at = 0; at <= whole.size(); ++at) {
    std::string damaged = whole;
    if (at < whole.size()) damaged[at] = static_cast<char>(damaged[at] ^ 1);
    if (at == whole.size()) damaged.pop_back();
    ASSERT_TRUE(write_file(path, damaged).has_value());
    EXPECT_FALSE(cache.find(key_named('a'))) << at;
    EXPECT_FALSE(fs::exists(path)) << at;
  }
}

TEST(BuildCache, StaysWithinItsSizeAndKeepsWhatIsUsed) {
  const testing_support::TempDir folder;
  const BuildCache cache(folder / "builds", 3500);
  const std::string object(1000, 'x');
  for (const char key : {'a', 'b', 'c'}) {
    ASSERT_TRUE(cache.keep(key_named(key), {.object = object, .messages = ""}).has_value());
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours('d' - key);
    fs::last_write_time(folder / "builds/" + key_named(key) + ".build", old);
  }
  EXPECT_TRUE(cache.find(key_named('a')));  // used: b is the oldest now
  ASSERT_TRUE(cache.keep(key_named('d'), {.object = object, .messages = ""}).has_value());
  EXPECT_TRUE(cache.find(key_named('a')));
  EXPECT_FALSE(cache.find(key_named('b')));
  EXPECT_TRUE(cache.find(key_named('c')) && cache.find(key_named('d')));
}

TEST(BuildCache, DoesNotTrustAFolderThatOthersMayWrite) {
  const testing_support::TempDir folder;
  const BuildCache cache(folder / "builds");
  ASSERT_TRUE(cache.keep(key_named('a'), {.object = "object", .messages = ""}).has_value());
  ASSERT_EQ(::chmod((folder / "builds").c_str(), 0777), 0);
  EXPECT_FALSE(cache.find(key_named('a')));
  const auto kept = cache.keep(key_named('b'), {.object = "object", .messages = ""});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, Errc::denied);
}

TEST(BuildCache, TwoProcessesAtOnceSeeWholeBuildsOnly) {
  const testing_support::TempDir folder;
  const BuildCache cache(folder / "builds", 60000);
  const auto work = [&](char own) {
    for (int i = 0; i < 300; ++i) {
      const char key = "0123"[i % 4];
      if (const auto found = cache.find(key_named(key));
          found && found->object != std::string(20000, found->object.front()))
        ::_exit(1);
      if (!cache.keep(key_named(key), {.object = std::string(20000, own), .messages = ""}))
        ::_exit(2);
    }
    ::_exit(0);
  };
  std::vector<pid_t> children;
  for (const char own : {'p', 'q'}) {
    const pid_t child = ::fork();
    if (child == 0) work(own);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  for (const auto& entry : fs::directory_iterator(folder / "builds"))
    EXPECT_EQ(entry.path().extension(), ".build") << entry.path();
}

class CachedBuilds : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler(testing_support::compiler_under_test());
    if (!found) GTEST_SKIP() << found.error().message;
    if (found->kind != Compiler::Kind::clang) GTEST_SKIP() << "builds of hipcc are not kept";
    compiler_ = std::move(*found);
    compiler_.cache = folder_ / "builds";
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  static std::string kernel(const std::string& value) {
    return "#include \"size.h\"\nextern \"C\" __attribute__((global)) void k(int* p) { int unused; "
           "*p = " +
           value + "; }\n";
  }

  BuildOutcome build(const std::string& source, std::vector<std::string> flags = {"-Wall"}) {
    const auto out = build_hip(compiler_, request(source, std::move(flags)));
    EXPECT_TRUE(out.has_value()) << out.error().message;
    if (!out) return {};
    EXPECT_TRUE(out->built) << first_error(*out);
    return *out;
  }

  /// The build that is kept: the only one.
  [[nodiscard]] fs::path kept_build() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "builds"))
      if (entry.path().extension() == ".build") return entry.path();
    return {};
  }

  BuildRequest request(const std::string& source, std::vector<std::string> flags = {"-Wall"}) {
    flags.insert(flags.end(), without_library_.begin(), without_library_.end());
    return {.source = source,
            .architecture = "gfx942",
            .output = folder_ / "k.co",
            .include_folders = {folder_ / "include"},
            .flags = std::move(flags)};
  }

  testing_support::TempDir folder_;
  Compiler compiler_;
  /// clang puts headers of the standard library in front of each HIP source, which is nine tenths of compiling one as small as these; of hiprtc's it does not.
  std::vector<std::string> without_library_{"-D__HIPCC_RTC__"};
};

TEST_F(CachedBuilds, AnEqualSourceOfAnotherPathIsNotCompiledAgain) {
  folder_.write("include/size.h", "#define SIZE 3\n");
  const BuildOutcome first = build(folder_.write("a/base.hip", kernel("SIZE")));
  EXPECT_FALSE(first.cached);
  const std::string object = *read_text_file(folder_ / "k.co");
  fs::remove(folder_ / "k.co");
  const std::string other = folder_.write("b/candidate.hip", kernel("SIZE"));
  const BuildOutcome again = build(other);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(*read_text_file(folder_ / "k.co"), object);
  // Its warnings are about the file that was asked for.
  ASSERT_THAT(again.diagnostics, SizeIs(1));
  EXPECT_EQ(again.diagnostics.front().file, other);
  EXPECT_EQ(again.diagnostics.front().message, first.diagnostics.front().message);
  EXPECT_THAT(again.command, HasSubstr(other));
}

TEST_F(CachedBuilds, WhateverTheResultDependsOnIsCompiledAgain) {
  const std::string header = folder_.write("include/size.h", "#define SIZE 3\n");
  const std::string source = folder_.write("k.hip", kernel("SIZE"));
  ASSERT_FALSE(build(source).cached);
  ASSERT_TRUE(build(source).cached);
  EXPECT_FALSE(build(source, {"-Wall", "-O1"}).cached);
  EXPECT_FALSE(build(source, {"-Wall", "-DSIZE=4", "-Wno-macro-redefined"}).cached);
  BuildRequest other = request(source);
  other.architecture = "gfx90a";
  EXPECT_FALSE(build_hip(compiler_, other)->cached);
  folder_.write("include/size.h", "#define SIZE 5\n");
  EXPECT_FALSE(build(source).cached);
  compiler_.version += "x";
  EXPECT_FALSE(build(source).cached);
  compiler_.cache.clear();
  EXPECT_FALSE(build(source).cached);
}

TEST_F(CachedBuilds, WhatMayReadOtherFilesIsNeverKept) {
  folder_.write("include/size.h", "#define SIZE 3\n");
  const std::string source = folder_.write("k.hip", kernel("SIZE"));
  for (const std::string flag : {"-g", "-gdwarf-4"}) {
    build(source, {flag});
    EXPECT_FALSE(build(source, {flag}).cached) << flag;
  }
  const std::string assembly =
      folder_.write("asm.hip", kernel("SIZE") + "__asm__(\"// .incbin would read a file\");\n");
  build(assembly);
  EXPECT_FALSE(build(assembly).cached);
}

TEST_F(CachedBuilds, APathInTheCodeIsNotShared) {
  folder_.write("include/size.h", "#define SIZE (__builtin_FILE()[0])\n");
  build(folder_.write("a.hip", kernel("SIZE")));
  EXPECT_FALSE(build(folder_.write("b.hip", kernel("SIZE"))).cached);
  EXPECT_TRUE(build(folder_ / "b.hip").cached);
}

/// How many files of precompiled headers are kept.
std::size_t kept_headers(const fs::path& folder) {
  std::size_t out = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    out += entry.path().extension() == ".pch";
  return out;
}

TEST_F(CachedBuilds, HeadersThatAreReadAgainAndAgainAreKeptAndChangeNothing) {
  without_library_.clear();
  // Headers of this very second are not kept.
  const fs::path header =
      folder_.write("include/fact.h", "#pragma once\nconstexpr int kFact = 3;\n");
  fs::last_write_time(header, fs::file_time_type::clock::now() - std::chrono::hours(1));
  const auto source = [&](const std::string& value) {
    return folder_.write(
        "k.hip",
        "#include <fact.h>\n#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = " +
            value + "; }\n");
  };
  const auto object = [&](const std::string& value) {
    EXPECT_FALSE(build(source(value)).cached);
    return *read_text_file(folder_ / "k.co");
  };
  const std::string first = object("kFact + 1");
  EXPECT_EQ(kept_headers(folder_ / "builds"), 0U) << "one build does not pay for it";
  const std::string second = object("kFact + 2");
  ASSERT_EQ(kept_headers(folder_ / "builds"), 1U);
  Compiler plain = compiler_;
  plain.cache.clear();
  ASSERT_TRUE(build_hip(plain, request(source("kFact + 2")))->built);
  EXPECT_EQ(*read_text_file(folder_ / "k.co"), second) << "the same bytes as without";
  // Tables of lines change nothing of what headers mean: no second set of them is made.
  const BuildRequest lines = request(source("kFact + 2"), {"-gline-tables-only"});
  ASSERT_TRUE(build_hip(compiler_, lines)->built);
  EXPECT_EQ(kept_headers(folder_ / "builds"), 1U);
  const std::string with_lines = *read_text_file(folder_ / "k.co");
  EXPECT_NE(with_lines, second);
  ASSERT_TRUE(build_hip(plain, lines)->built);
  EXPECT_EQ(*read_text_file(folder_ / "k.co"), with_lines);
  // Other flags, other headers.
  ASSERT_TRUE(build_hip(compiler_, request(source("kFact + 3"), {"-DOTHER"}))->built);
  EXPECT_EQ(kept_headers(folder_ / "builds"), 1U);
  // A header that changed is read again.
  folder_.write("include/fact.h", "#pragma once\nconstexpr int kFact = 12345;\n");
  EXPECT_NE(object("kFact + 1"), first);
  // What clang says of a mistake is what it says without.
  const auto wrong = build_hip(compiler_, request(source("kFact + nothing")));
  const auto also = build_hip(plain, request(source("kFact + nothing")));
  ASSERT_TRUE(wrong.has_value() && also.has_value());
  EXPECT_FALSE(wrong->built);
  EXPECT_EQ(first_error(*wrong), first_error(*also));
}

/// Headers that are searched last, as if they were installed, and a compiler that counts how often it is started.
class BuildsOfKnownHeaders : public CachedBuilds {
 protected:
  void SetUp() override {
    CachedBuilds::SetUp();
    if (IsSkipped()) return;
    if (!compiler_.own_headers.empty()) GTEST_SKIP() << "HIP's headers are not installed";
    const std::string header =
        folder_.write("sys/include/fact.h", "constexpr int kFact = 3;\n#define HERE __FILE__\n");
    // Headers of this very moment are not listed.
    while (!HeaderList::of({header}, file_clock_ns())) std::this_thread::yield();
    compiler_.later_headers = folder_ / "sys";
    const std::string program =
        folder_.write("bin/clang", "#!/bin/sh\necho >> " + folder_ / "started" + "\nexec " +
                                       compiler_.path + " \"$@\"\n");
    fs::permissions(program, fs::perms::owner_all);
    compiler_.path = program;
    fs::create_directory(folder_ / "include");
  }
  /// Since the last time that this was asked.
  std::size_t started() {
    const std::size_t out = folder_.read("started").size();
    folder_.write("started", "");
    return out;
  }
  std::string source(const std::string& name, const std::string& value) {
    return folder_.write(
        name, "#include <fact.h>\nextern \"C\" __attribute__((global)) void k(int* p) { *p = " +
                  value + "; }\n");
  }
};

TEST_F(BuildsOfKnownHeaders, AreFoundWithoutThePreprocessor) {
  without_library_.clear();  // these headers are listed as well
  EXPECT_FALSE(build(source("a/k.hip", "kFact")).cached);
  EXPECT_GT(started(), 0U);
  EXPECT_TRUE(build(source("b/other.hip", "kFact")).cached);
  EXPECT_EQ(started(), 0U);
  EXPECT_FALSE(build(source("b/other.hip", "kFact + 1")).cached);
  EXPECT_TRUE(build(source("a/k.hip", "kFact + 1")).cached);
}

TEST_F(BuildsOfKnownHeaders, AreCompiledAgainWhenAHeaderIsAnother) {
  const std::string text = source("a/k.hip", "kFact");
  build(text);
  const std::string object = *read_text_file(folder_ / "k.co");
  folder_.write("sys/include/fact.h", "constexpr int kFact = 5;\n");
  EXPECT_FALSE(build(text).cached);
  EXPECT_NE(*read_text_file(folder_ / "k.co"), object);
}

TEST_F(BuildsOfKnownHeaders, AreCompiledAgainWhenAHeaderComesBeforeAnother) {
  const std::string text = source("a/k.hip", "kFact");
  build(text);
  const std::string object = *read_text_file(folder_ / "k.co");
  folder_.write("include/fact.h", "constexpr int kFact = 7;\n");
  EXPECT_FALSE(build(text).cached);
  EXPECT_NE(*read_text_file(folder_ / "k.co"), object);
}

TEST_F(BuildsOfKnownHeaders, AreNotKeptWhereTheyTellThePathOfTheSource) {
  const std::string value = "HERE[*p]";
  build(source("a/k.hip", value));
  EXPECT_FALSE(build(folder_ / "a/k.hip").cached);
  EXPECT_FALSE(build(source("b/other.hip", value)).cached);
}

TEST_F(CachedBuilds, ADamagedObjectIsBuiltAnew) {
  folder_.write("include/size.h", "#define SIZE 3\n");
  const std::string source = folder_.write("k.hip", kernel("SIZE"));
  build(source);
  const std::string object = *read_text_file(folder_ / "k.co");
  const fs::path kept = kept_build();
  std::string text = *read_text_file(kept);
  text[text.size() - 9] = static_cast<char>(text[text.size() - 9] + 1);
  ASSERT_TRUE(write_file(kept, text).has_value());
  EXPECT_FALSE(build(source).cached);
  EXPECT_EQ(*read_text_file(folder_ / "k.co"), object);
}

TEST_F(CachedBuilds, SaysWhetherASecondBuildIsEqual) {
  folder_.write("include/size.h", "#define SIZE 3\n");
  const std::string source = folder_.write("k.hip", kernel("SIZE"));
  build(source);
  EXPECT_EQ(builds_equal_again(compiler_, request(source)).value_or(false), true);
  const BuildCache cache(folder_ / "builds");
  const std::string key = kept_build().stem().string();
  ASSERT_TRUE(cache.find(key));
  EXPECT_TRUE(cache.find(key)->twice);
  // What came out twice is known, and nothing is compiled again: no compiler makes this of the source.
  ASSERT_TRUE(cache.keep(key, {.object = "made up", .messages = {}, .twice = true}).has_value());
  const BuildRequest known = request(source);
  ASSERT_TRUE(write_file(known.output, "made up").has_value());
  EXPECT_EQ(builds_equal_again(compiler_, known).value_or(false), true);
  const BuildRequest changing = request(source);
  ASSERT_TRUE(write_file(changing.output, *read_text_file(changing.output) + "x").has_value());
  EXPECT_EQ(builds_equal_again(compiler_, changing).value_or(true), false);
  EXPECT_FALSE(fs::exists(changing.output + ".again"));
}

}  // namespace
}  // namespace rpl
