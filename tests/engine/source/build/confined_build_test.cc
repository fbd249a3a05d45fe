// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/policy.h"
#include "engine/process/confine.h"
#include "engine/source/build/build.h"
#include "engine/source/build/confined.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

/// Sources of somebody who wants to see a file that is not of the project.
class ConfinedBuild : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler(testing_support::compiler_under_test());
    if (!found) GTEST_SKIP() << found.error().message;
    if (!confinement_gap().empty()) GTEST_SKIP() << confinement_gap();
    compiler_ = std::move(*found);
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    secret_ = folder_.write("home/key.h", "#define KEY \"hunter2\"\n");
    std::filesystem::create_directories(folder_ / "project");
    folder_.write("project/size.h", "#define SIZE 64\n");
    folder_.write("project/key.pem", "1, 2, 3\n");
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  Result<BuildOutcome> build(const std::string& text, bool confined,
                             const std::vector<std::string>& flags = {}) {
    const std::string source = folder_.write("project/k.hip", text);
    // Of the standard library's headers, which clang puts in front of each HIP source, those of hiprtc have none.
    std::vector<std::string> all = flags;
    if (text.find("hip_runtime.h") == text.npos) all.emplace_back("-D__HIPCC_RTC__");
    return build_hip(compiler_, {.source = source,
                                 .architecture = "gfx942",
                                 .output = folder_ / "project/k.co",
                                 .flags = std::move(all),
                                 .confined = confined});
  }

  /// Builds where nothing holds the compiler back, and fails where it is held.
  void expect_only_free(const std::string& text, std::string_view message) {
    SCOPED_TRACE(text);
    const auto free = build(text, false);
    ASSERT_TRUE(free) << free.error().message;
    EXPECT_TRUE(free->built) << first_error(*free);
    std::filesystem::remove(folder_ / "project/k.co");
    const auto held = build(text, true);
    ASSERT_TRUE(held) << held.error().message;
    EXPECT_FALSE(held->built);
    EXPECT_THAT(first_error(*held), HasSubstr(std::string(message)));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "project/k.co"));
  }

  static constexpr const char* kKernel =
      "#include <hip/hip_runtime.h>\n#include \"size.h\"\n"
      "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = SIZE; }\n";

  testing_support::TempDir folder_;
  Compiler compiler_;
  std::string secret_;
};

TEST_F(ConfinedBuild, GivesTheSameCode) {
  ASSERT_TRUE(build(kKernel, false)->built);
  const std::string free = folder_.read("project/k.co");
  const auto held = build(kKernel, true);
  ASSERT_TRUE(held) << held.error().message;
  ASSERT_TRUE(held->built) << first_error(*held);
  EXPECT_EQ(folder_.read("project/k.co"), free);
  EXPECT_FALSE(free.empty());
  // A second and a third time, with what is kept of headers.
  compiler_.cache = folder_ / "cache/rpl/builds";
  for (int again = 0; again < 3; ++again) {
    const std::string text = std::string(kKernel) + "// " + std::to_string(again) + "\n";
    ASSERT_TRUE(build(text, true)->built);
  }
}

TEST_F(ConfinedBuild, ReadsNoFileOfOthers) {
  expect_only_free("#include \"" + secret_ + "\"\nconst char* key = KEY;\n", "key.h");
  expect_only_free("#include \"../home/key.h\"\nconst char* key = KEY;\n", "key.h");
  expect_only_free("const char key[] = {\n#embed \"" + secret_ + "\"\n};\n", "key.h");
  expect_only_free(
      "__attribute__((global)) void k() { __asm__ volatile(\".pushsection "
      ".rodata\\n.incbin \\\"" +
          secret_ + "\\\"\\n.popsection\"); }\n",
      "key.h");
  // Beside the source only headers are for it, by their names.
  expect_only_free("const char key[] = {\n#embed \"key.pem\"\n};\n", "key.pem");
}

TEST_F(ConfinedBuild, HoldsEveryBuildOfARestrictedSession) {
  Policy policy;
  policy.restricted = true;
  policy.readable = {folder_ / "project"};
  policy.writable = {folder_ / "project"};
  const std::string text = "#include \"../home/key.h\"\nconst char* key = KEY;\n";
  const std::string source = folder_.write("project/k.hip", text);
  own_folder(folder_ / "project");
  const PolicyScope scope(policy);
  const auto held = build_hip(
      compiler_, {.source = source, .architecture = "gfx942", .output = folder_ / "project/k.co"});
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_FALSE(held->built);
}

TEST_F(ConfinedBuild, EndsWithItsTime) {
  // 2^40 words.
  std::string text = "#define A0 0+\n";
  for (int i = 1; i <= 40; ++i) text += fmt::format("#define A{} A{} A{}\n", i, i - 1, i - 1);
  text += "int x = A40 1;\n";
  compiler_.confined_seconds = 1;
  // By the compiler, and by its preprocessor on the way to a key.
  for (const std::string& cache : {std::string(), folder_ / "cache/rpl/builds"}) {
    SCOPED_TRACE(cache);
    compiler_.cache = cache;
    const auto held = build(text, true);
    ASSERT_FALSE(held);
    EXPECT_EQ(held.error().code, Errc::limit);
    EXPECT_THAT(held.error().message, HasSubstr("the 1 s that it may take"));
    EXPECT_THAT(held.error().hint, HasSubstr("set build confined-seconds"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "project/k.co"));
  }
  compiler_.confined_seconds = 60;
  EXPECT_TRUE(build(kKernel, true)->built);
}

/// A driver of compilers tells the end of a compiler that gets no more memory by a status of its own.
TEST_F(ConfinedBuild, SaysWhatItRanOutOf) {
  constexpr std::uint64_t kMost = std::uint64_t{8} << 30;
  constexpr std::int64_t kMuch = std::int64_t{7} << 30, kLittle = std::int64_t{1} << 30;
  const auto judged = [&](int code, std::int64_t bytes, const char* said) {
    Exit exit;
    exit.code = code;
    exit.max_rss_bytes = bytes;
    exit.err.text = said;
    return check_limits(compiler_, kMost, exit);
  };
  const Status memory = judged(134, kMuch, "");
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, Errc::limit);
  EXPECT_THAT(memory.error().message, HasSubstr("7.0 of the 8.0 GiB"));
  const char* crashed = "clang: error: clang frontend command failed with exit code 134\n";
  EXPECT_FALSE(judged(1, kMuch, crashed));
  EXPECT_TRUE(judged(1, kLittle, crashed));
  EXPECT_TRUE(judged(134, kLittle, ""));
  // A message of its own is what is wanted of it, and what it did in the end counts.
  EXPECT_TRUE(judged(1, kMuch, "k.hip:1:1: error: unknown type name 'x'\n"));
  EXPECT_TRUE(judged(0, kMuch, ""));
}

/// Flags that let a source take as long as it likes do not take its limit away.
TEST_F(ConfinedBuild, EndsWithItsTimeWhateverTheFlagsAllow) {
  compiler_.confined_seconds = 1;
  const auto held = build(
      "constexpr unsigned long f() { unsigned long n = 0; while (n < 4000000000UL) ++n; return n; "
      "}\nconstexpr unsigned long x = f();\n",
      true, {"-fconstexpr-steps=4294967295"});
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().code, Errc::limit);
}

/// A folder of headers that was named is read for names of headers: no other file in it.
TEST_F(ConfinedBuild, AFolderOfHeadersGivesNoOtherFile) {
  const auto held = build("const char key[] = {\n#embed <passwd>\n};\n", true, {"-I/etc"});
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_FALSE(held->built);
}

}  // namespace
}  // namespace rpl
