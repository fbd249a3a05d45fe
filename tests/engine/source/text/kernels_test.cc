// SPDX-License-Identifier: MIT
// Finding kernels in a text, and by the names that people and profilers use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> names(std::string_view source) {
  std::vector<std::string> result;
  for (const SourceKernel& kernel : find_kernels(source)) result.push_back(kernel.qualified);
  return result;
}

std::string body(std::string_view source, std::size_t which = 0) {
  const auto kernels = find_kernels(source);
  const ByteRange range = kernels.at(which).body;
  return std::string(source.substr(range.begin, range.size()));
}

/// The line of the kernel found, or the error.
std::string found(std::string_view source, std::string_view reference) {
  const auto kernel = find_kernel(find_kernels(source), reference);
  return kernel ? std::to_string(kernel->line) : std::string(to_string(kernel.error().code));
}

TEST(Kernels, AreDefinitionsAlone) {
  EXPECT_THAT(names("__global__ void k(int);\n__global__ void k(int) {}\nvoid f() {}"),
              ElementsAre("k"));
  EXPECT_THAT(names("// __global__ void a() {}\nconst char* s = \"__global__ void b() {}\";"),
              IsEmpty());
  EXPECT_THAT(names("#define G __global__ void c() {}\n"), IsEmpty());
}

TEST(Kernels, CarryTheirNamespaces) {
  EXPECT_THAT(names("namespace a::b { namespace { __global__ void k() {} } }"),
              ElementsAre("a::b::(anonymous namespace)::k"));
  EXPECT_THAT(names("inline namespace v { __global__ void k() {} } __global__ void l() {}"),
              ElementsAre("v::k", "l"));
  EXPECT_THAT(names("extern \"C\" { __global__ void k() {} } extern \"C\" __global__ void l() {}"),
              ElementsAre("k", "l"));
  EXPECT_THAT(names("namespace a { void k(); } __global__ void a::k() {}"), ElementsAre("a::k"));
}

TEST(Kernels, MayHaveAttributesBeforeTheirName) {
  for (const std::string_view header :
       {"__global__ void __launch_bounds__(256) k(int n)",
        "__global__ __launch_bounds__(256, 2) void k(int n)",
        "void __attribute__((global)) __global__ k(int n)", "extern \"C\" __global__ void k(int n)",
        "template <int A = (3 > 2), typename T = X<int>> __global__ static void k(int n)",
        "[[gnu::flatten]] __global__ inline void k(int n)", "REGISTER(k) __global__ void k(int n)",
        "__global__ void k(int n) __attribute__((amdgpu_waves_per_eu(4)))"}) {
    const auto kernels = find_kernels(std::string(header) + " { x; }");
    ASSERT_EQ(kernels.size(), 1U) << header;
    EXPECT_EQ(kernels[0].name, "k") << header;
    EXPECT_THAT(kernels[0].parameters, ElementsAre("int")) << header;
    EXPECT_EQ(body(std::string(header) + " { x; }"), " x; ") << header;
  }
}

TEST(Kernels, EndAtTheBraceThatEndsThem) {
  EXPECT_EQ(body("__global__ void k() { /* } */ '}'; \"}\"; R\"(})\"; if (a) {} }"),
            " /* } */ '}'; \"}\"; R\"(})\"; if (a) {} ");
  EXPECT_EQ(body("__global__ void k() { auto f = [] { return 1; }; } int x;"),
            " auto f = [] { return 1; }; ");
  EXPECT_FALSE(find_kernels("__global__ void k() { if (a) {").at(0).closed);
}

TEST(Kernels, AreFoundBehindAnythingElse) {
  EXPECT_THAT(
      names("struct S { int a; S() : a{1} {} void f() { if (x) {} } };\n"
            "int t[] = {1, 2}, u = {3};\nenum class E { x };\nauto l = [](int) { return 0; };\n"
            "template <class T> T v{};\nint operator()(int) { return 1; }\n__global__ void k() {}"),
      ElementsAre("k"));
}

TEST(Kernels, InDeadCodeDoNotCount) {
  EXPECT_THAT(names("#if 0\n__global__ void k() {\n#else\n__global__ void l() {\n#endif\n}"),
              ElementsAre("l"));
  EXPECT_THAT(names("#if 0\n#if 1\n__global__ void k() {}\n#endif\n#endif\n__global__ void l() {}"),
              ElementsAre("l"));
}

TEST(Kernels, KnowWhetherConditionalsReachIntoThem) {
  const auto kernels = find_kernels(
      "#ifdef A\n#endif\n__global__ void a() {}\n__global__ void b() {\n#ifdef X\n  if (x) "
      "{\n#else\n  {\n#endif\n  }\n}\n"
      "__global__ void c(\n#ifdef Y\n int n\n#endif\n) {}\n");
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_FALSE(kernels[0].conditional);
  EXPECT_TRUE(kernels[1].conditional);
  EXPECT_TRUE(kernels[2].conditional);
}

TEST(Parameters, AreSpelledAsInSymbols) {
  const auto kernels = find_kernels(
      "__global__ void k(float const* __restrict__ a, const unsigned n, long int unsigned m, "
      "float* const b, "
      "const X<int, 4>& c, float4 v, int t[4], unsigned char u, int d = f(1, 2)) {}");
  EXPECT_THAT(kernels.at(0).parameters,
              ElementsAre("const float *", "unsigned int", "unsigned long", "float *",
                          "const X < int , 4 > &", "float4", "int *", "unsigned char", "int"));
}

constexpr std::string_view kOverloads =
    "__global__ void scale(const float* in, float* out, int n) {}\n"
    "__global__ void scale(const double* in, double* out, int n) {}\n"
    "namespace a {\n__global__ void scale(const float* in, float* out, int n) {}\n"
    "__global__ void only(size_t n) {}\n}\n"
    "template <class T> __global__ void t(T* x) {}\ntemplate <> __global__ void t<int>(int* x) "
    "{}\n";

TEST(KernelNames, MatchPlainAndQualified) {
  EXPECT_EQ(found(kOverloads, "only"), "5");
  EXPECT_EQ(found(kOverloads, "a::only"), "5");
  EXPECT_EQ(found(kOverloads, "a::scale"), "4");
  EXPECT_EQ(found(kOverloads, "b::only"), "not_found");
  EXPECT_EQ(found(kOverloads, "scal"), "not_found");
  EXPECT_EQ(found(kOverloads, "scale"), "ambiguous");
}

TEST(KernelNames, MatchSignatures) {
  EXPECT_EQ(found(kOverloads, "scale(float const*, float*, int)"), "1");
  EXPECT_EQ(found(kOverloads, "scale(double const*, double*, int)"), "2");
  EXPECT_EQ(found(kOverloads, "a::scale(float const*, float*, int) [clone .kd]"), "4");
  EXPECT_EQ(found(kOverloads, "a::only(unsigned long)"), "5");
  EXPECT_EQ(found(kOverloads, "only(unsigned long, int)"), "not_found");
  EXPECT_EQ(found(kOverloads, "scale(int*, float*, int)"), "not_found");
}

TEST(KernelNames, MatchTemplates) {
  EXPECT_EQ(found(kOverloads, "void t<float>(float*)"), "7");
  EXPECT_EQ(found(kOverloads, "void t<int>(int*)"), "8");
  EXPECT_EQ(found("namespace { template <class T> __global__ void k(T) {} }",
                  "void (anonymous namespace)::k<(anonymous namespace)::X<int, 3u> >((anonymous "
                  "namespace)::X<int, 3u>)"),
            "1");
}

TEST(KernelNames, MatchMangledSymbols) {
  EXPECT_EQ(found(kOverloads, "_Z5scalePKfPfi.kd"), "1");
  EXPECT_EQ(found(kOverloads, "_Z5scalePKdPdi"), "2");
  EXPECT_EQ(found(kOverloads, "_ZN1a5scaleEPKfPfi"), "4");
  EXPECT_EQ(found(kOverloads, "_Z1tIfEvPT_"), "7");
  EXPECT_EQ(found("static __global__ void k(int n) {}", "_ZL1ki"), "1");
  EXPECT_EQ(found("namespace {\n__global__ void k() {} }", "_ZN12_GLOBAL__N_11kEv"), "2");
}

TEST(KernelNames, ListWhatThereIs) {
  const auto missing = find_kernel(find_kernels(kOverloads), "softmax");
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().hint, HasSubstr("a::only(size_t) in line 5"));
  const auto ambiguous = find_kernel(find_kernels(kOverloads), "scale");
  ASSERT_FALSE(ambiguous.has_value());
  EXPECT_THAT(ambiguous.error().message,
              HasSubstr("scale(const double *, double *, int) in line 2"));
  EXPECT_THAT(find_kernel({}, "k").error().hint, HasSubstr("macro"));
  EXPECT_EQ(find_kernel({}, "").error().code, Errc::usage);
  EXPECT_EQ(find_kernel({}, ")(").error().code, Errc::usage);
}

TEST(Targets, MustBeWholeAndUnconditional) {
  EXPECT_EQ(find_target("__global__ void k() {", "k").error().code, Errc::unsupported);
  EXPECT_EQ(find_target("__global__ void k() {\n#if A\n#endif\n}", "k").error().code,
            Errc::unsupported);
  EXPECT_TRUE(find_target("__global__ void k() {\n#pragma unroll\n}", "k").has_value());
}

}  // namespace
}  // namespace rpl
