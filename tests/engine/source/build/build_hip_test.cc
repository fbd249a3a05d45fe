// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/isa/object/code_object.h"
#include "engine/source/build/build.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BuildHip : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler(testing_support::compiler_under_test());
    if (!found) GTEST_SKIP() << found.error().message;
    compiler_ = std::move(*found);
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename() != "cache") out.push_back(entry.path().filename().string());
    }
    return out;
  }

  testing_support::TempDir folder_;
  Compiler compiler_;
};

TEST_F(BuildHip, GivesTheCodeObjectsThatAreShipped) {
  if (!testing_support::compiler_under_test().empty())
    GTEST_SKIP() << "they are of the usual compiler";
  // Device libraries and headers of other releases make other code.
  if (!std::filesystem::exists("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc"))
    GTEST_SKIP() << "they are of the device libraries of Debian 12";
  for (const std::string arch : {"gfx90a", "gfx942"}) {
    const auto built = build_hip(compiler_, {.source = RPL_EXAMPLES "/softmax.hip",
                                             .architecture = arch,
                                             .output = folder_ / "softmax.co"});
    ASSERT_TRUE(built.has_value()) << built.error().message;
    EXPECT_TRUE(built->built) << first_error(*built);
    const auto made = isa::CodeObject::open(folder_ / "softmax.co");
    const auto shipped = isa::CodeObject::open(RPL_EXAMPLES "/objects/softmax." + arch + ".co");
    ASSERT_TRUE(made && shipped);
    EXPECT_EQ((*made)->hash(), (*shipped)->hash());
  }
  EXPECT_THAT(files(), ::testing::ElementsAre("softmax.co"));
}

TEST_F(BuildHip, SaysWhatIsWrongAndLeavesNothing) {
  const std::string source = folder_.write("bad.hip", "void f() { q = 1; r = 2; }\n");
  const auto built = build_hip(
      compiler_, {.source = source, .architecture = "gfx942", .output = folder_ / "bad.co"});
  ASSERT_TRUE(built.has_value()) << built.error().message;
  EXPECT_FALSE(built->built);
  EXPECT_EQ(first_error(*built), source + ":1:12: use of undeclared identifier 'q' (1 more error)");
  EXPECT_THAT(files(), ::testing::ElementsAre("bad.hip"));
}

TEST_F(BuildHip, TakesFlagsAndIncludeFolders) {
  const std::string source =
      folder_.write("k.hip", "#include \"size.h\"\nint size = SIZE + MORE;\n");
  folder_.write("include/size.h", "#define SIZE 1\n");
  const auto built = build_hip(compiler_, {.source = source,
                                           .architecture = "gfx90a",
                                           .output = folder_ / "k.co",
                                           .include_folders = {folder_ / "include"},
                                           .flags = {"-DMORE=2"}});
  ASSERT_TRUE(built.has_value()) << built.error().message;
  EXPECT_TRUE(built->built) << first_error(*built);
  EXPECT_THAT(built->command, HasSubstr("-DMORE=2"));
}

TEST_F(BuildHip, MakesProgramsToo) {
  const std::string source =
      folder_.write("app.hip",
                    "#include <hip/hip_runtime.h>\n__global__ void k(int* p) { *p = 1; }\nint "
                    "main() { k<<<1, 1>>>(nullptr); return 0; }\n");
  const auto built = build_hip(compiler_, {.source = source,
                                           .architecture = "gfx90a",
                                           .output = folder_ / "app",
                                           .device_only = false});
  ASSERT_TRUE(built.has_value()) << built.error().message;
  EXPECT_TRUE(built->built) << first_error(*built);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "app"));
}

TEST_F(BuildHip, LinksSeveralSourcesAndSaysTheSameEachTime) {
  const auto kernel = [](const std::string& name, const std::string& rest) {
    return "#include <hip/hip_runtime.h>\n__global__ void " + name + "(int* p) { *p = 1; }\n" +
           rest;
  };
  BuildRequest request{
      .source = folder_.write("main.hip",
                              kernel("a",
                                     "void b_runs();\nextern \"C\" int c_part();\nint main() { "
                                     "b_runs(); return c_part(); }\n")),
      .more_sources = {folder_.write("b.cpp",
                                     kernel("b", "void b_runs() { b<<<1, 1>>>(nullptr); }\n")),
                       folder_.write("c.cc", "extern \"C\" int c_part() { return 0; }\n")},
      .architecture = "gfx90a",
      .output = folder_ / "app",
      .device_only = false};
  std::string first;
  for (int i = 0; i < 2; ++i) {
    const auto built = build_hip(compiler_, request);
    ASSERT_TRUE(built.has_value()) << built.error().message;
    ASSERT_TRUE(built->built) << first_error(*built);
    const auto bytes = read_text_file(request.output);
    ASSERT_TRUE(bytes.has_value());
    if (i == 0) first = *bytes;
    EXPECT_TRUE(*bytes == first);
  }
  EXPECT_THAT(files(), ::testing::UnorderedElementsAre("main.hip", "b.cpp", "c.cc", "app"));
  request.device_only = true;
  EXPECT_EQ(build_hip(compiler_, request).error().code, Errc::usage);
}

TEST_F(BuildHip, ShowsTheLinkersOwnWords) {
  // Linking is what counts here: without the headers that clang puts in front of a HIP source.
  const std::string quick = "-D__HIPCC_RTC__";
  const std::string source = folder_.write(
      "app.hip", "void missing();\nvoid other();\nint main() { missing(); other(); return 0; }\n");
  const std::string twice = folder_.write("twice.hip", "int main() { return 1; }\n");
  const auto undefined = build_hip(compiler_, {.source = source,
                                               .architecture = "gfx90a",
                                               .output = folder_ / "app",
                                               .device_only = false,
                                               .flags = {quick}});
  ASSERT_TRUE(undefined.has_value()) << undefined.error().message;
  EXPECT_THAT(first_error(*undefined), HasSubstr("undefined reference to `missing()'"));
  EXPECT_THAT(first_error(*undefined), HasSubstr("undefined reference to `other()'"));
  EXPECT_THAT(first_error(*undefined), ::testing::Not(HasSubstr("linker command failed")));
  const auto doubled = build_hip(compiler_, {.source = source,
                                             .more_sources = {twice},
                                             .architecture = "gfx90a",
                                             .output = folder_ / "app",
                                             .device_only = false,
                                             .flags = {quick}});
  ASSERT_TRUE(doubled.has_value()) << doubled.error().message;
  EXPECT_THAT(first_error(*doubled), HasSubstr("multiple definition of `main'"));
  const auto library = build_hip(compiler_, {.source = twice,
                                             .architecture = "gfx90a",
                                             .output = folder_ / "app",
                                             .device_only = false,
                                             .flags = {quick, "-lno_such_library"}});
  ASSERT_TRUE(library.has_value()) << library.error().message;
  EXPECT_THAT(first_error(*library), HasSubstr("cannot find -lno_such_library"));
}

TEST_F(BuildHip, NamesAMissingSourceAndArchitecture) {
  EXPECT_EQ(build_hip(compiler_,
                      {.source = folder_ / "none.hip", .architecture = "gfx942", .output = "x"})
                .error()
                .code,
            Errc::not_found);
  const std::string source = folder_.write("k.hip", "int x;\n");
  EXPECT_EQ(
      build_hip(compiler_, {.source = source, .architecture = "sm_90", .output = folder_ / "x"})
          .error()
          .code,
      Errc::usage);
}

TEST_F(BuildHip, TakesTheCompilerThatKnowsTheArchitecture) {
  const auto usual = find_compiler();
  ASSERT_TRUE(usual);
  EXPECT_THAT(usual->chosen, ::testing::Not(IsEmpty()));
  const std::string source = folder_.write("k.hip", "int x;\n");
  // Of a future that no compiler knows.
  const BuildRequest request{
      .source = source, .architecture = "gfx9999", .output = folder_ / "k.co"};
  const auto unknown = build_hip(*usual, request);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, Errc::missing_capability);
  EXPECT_THAT(unknown.error().hint, HasSubstr("apt-get install clang-"));

  const auto first = find_compiler("clang-19"), later = find_compiler("clang-22");
  if (!first || !later) GTEST_SKIP() << "clang-19 and clang-22 are not both here";
  EXPECT_EQ(first->chosen, "named");
  EXPECT_EQ(compiler_of_architecture(*first, "gfx950").error().code, Errc::missing_capability);
  const auto chosen = compiler_of_architecture(*find_compiler(), "gfx950");
  ASSERT_TRUE(chosen.has_value());
  EXPECT_EQ(chosen->version, later->version);
  EXPECT_EQ(chosen->chosen, "clang 19 does not know gfx950");
}

// Headers older than the compiler: what these call there is gone from clang 20 on.
TEST_F(BuildHip, HalvesAreBuiltByLaterCompilersAsWell) {
  const std::string source =
      folder_.write("h.hip",
                    "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n"
                    "__global__ void k(__half2* x, __half* y) {\n"
                    "  x[0] = h2rcp(x[0]);\n  y[0] = hrcp(y[0]);\n}\nint main() {}\n");
  for (const char* name : {"clang-19", "clang-20", "clang-21", "clang-22"}) {
    const auto compiler = find_compiler(name);
    if (!compiler) continue;
    for (const bool device_only : {false, true}) {
      const auto built = build_hip(
          *compiler, {.source = source,
                      .architecture = "gfx90a",
                      .output = folder_ / (std::string(name) + (device_only ? ".co" : "")),
                      .device_only = device_only});
      EXPECT_TRUE(built.has_value()) << name << ": " << built.error().message;
    }
  }
}

TEST(FindCompiler, NamesWhatInstallsOne) {
  const auto missing = find_compiler("no-such-compiler");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::missing_capability);
  EXPECT_THAT(missing.error().hint, HasSubstr("scripts/setup --kernels"));
}

}  // namespace
}  // namespace rpl
