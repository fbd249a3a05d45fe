// SPDX-License-Identifier: MIT
// The guard's second layer: what clang's syntax tree says of a candidate that its text does not show.
#include "engine/source/syntax/check_syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/process/confine.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Result<Compiler>& compiler() {
  // With what is kept of the headers, as in the shell; sources_test reads them without once.
  static const ScratchFolder folder = ScratchFolder::make("check_syntax").value();
  static const Result<Compiler> found = [] {
    Result<Compiler> out = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
    if (out) out->cache = folder.path();
    return out;
  }();
  return found;
}

constexpr std::string_view kBefore = R"(#include <hip/hip_runtime.h>
#define SYNC() __syncthreads()
#define BUMP(p) atomicAdd(p, 1.0f)
#define QUIET(p) (float*)(p)
__device__ float table[4];
__constant__ float weights[4];
struct Pair { float a, b; };
__device__ float helper(float x) { return x * 2.0f; }
__device__ void waits() { __syncthreads(); }
__device__ float stores(float* p) { *p = 1.0f; return 0.0f; }
)";
constexpr std::string_view kBody =
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = helper(in[i]) + "
    "weights[1];\n";

std::string source(std::string_view body) {
  return std::string(kBefore) +
         "__global__ void k(const float* in, float* out, float* seen, int n) {\n" +
         std::string(body) + "}\n";
}

/// The rules that are broken, with the line in the body: "new-call@2"; "" when nothing is against it.
std::string broken(std::string_view body) {
  const auto check = check_syntax(
      compiler(), {.baseline = source(kBody), .candidate = source(body), .kernel = "k"});
  if (!check) return check.error().message;
  if (!check->ran) return "did not run: " + check->why_not;
  std::string out;
  for (const GuardReason& reason : check->reasons) {
    out += (out.empty() ? "" : " ") + reason.rule + "@" +
           std::to_string(static_cast<long>(reason.line) - 11);
  }
  return out;
}

class CheckSyntax : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler()) GTEST_SKIP() << compiler().error().message;
  }
};

TEST_F(CheckSyntax, LetsHonestEditsPass) {
  EXPECT_EQ(broken(kBody), "");
  EXPECT_EQ(broken("  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * "
                   "blockDim.x) out[i] = fmaf(in[i], 2.0f, weights[1]);\n"),
            "");
  EXPECT_EQ(
      broken("  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float v[4];\n  "
             "__builtin_memcpy(v, in, sizeof v);\n  float* o = out + i;\n  auto f = [&](float x) { "
             "return x * v[0]; };\n  if (i < n) *o = f(2.0f) + fmaxf(v[1], expf(1.0f));\n"),
      "");
  EXPECT_EQ(
      broken("  __shared__ float tile[32][33];\n  tile[0][threadIdx.x] = in[0];\n  const float4 v "
             "= make_float4(1, 2, 3, 4);\n  out[0] = tile[0][0] + v.x + weights[0];\n"),
      "");
  EXPECT_EQ(broken("  static const float c = 2.0f;\n  static constexpr float d = 3.0f;\n  out[0] = "
                   "c + d;\n"),
            "");
}

// What exchanges data between work-items is judged by running it.
TEST_F(CheckSyntax, BarriersAtomicsAndCrossLaneOperationsMayBeAdded) {
  EXPECT_EQ(broken("  SYNC();\n  out[0] = 0;\n"), "");
  EXPECT_EQ(broken("  out[0] = 0;\n  BUMP(out);\n"), "");
  EXPECT_EQ(broken("  out[0] = __shfl_down(in[0], 1) + __shfl_xor(in[1], 2);\n"), "");
  EXPECT_EQ(broken("  if (__ballot(n > 1) != 0 && __any(n)) out[0] = 1;\n"), "");
  EXPECT_EQ(broken("  __builtin_amdgcn_sched_barrier(0);\n  __builtin_amdgcn_s_setprio(1);\n"), "");
  EXPECT_EQ(broken("  out[0] = __builtin_amdgcn_readfirstlane(n);\n"), "");
  EXPECT_EQ(broken("  __threadfence();\n  __builtin_amdgcn_s_waitcnt(0);\n"), "");
  EXPECT_EQ(broken("  out[0] = __ldg(in);\n"), "");
  EXPECT_EQ(broken("  asm volatile(\"s_nop 0\");\n"), "")
      << "the text and the machine code judge it";
}

TEST_F(CheckSyntax, FunctionsOfTheFileAreNotCalledAnew) {
  EXPECT_EQ(broken("  waits();\n"), "new-call@1");
  EXPECT_EQ(broken("  void (*f)() = waits;\n  f();\n"), "new-call@1") << "by its address";
  EXPECT_EQ(broken("  out[0] = clock64();\n"), "new-call@1");
  EXPECT_EQ(broken("  __builtin_trap();\n"), "new-call@1");
}

TEST_F(CheckSyntax, ClangReadsNoOtherFiles) {
  if (!confinement_gap().empty()) GTEST_SKIP() << confinement_gap();
  const testing_support::TempDir elsewhere;
  const std::string secret = elsewhere.write("secret", "int hidden = 1;\n");
  EXPECT_THAT(broken("#include \"" + secret + "\"\n  out[0] = 0;\n"), HasSubstr("does-not-parse"));
}

TEST_F(CheckSyntax, CallsOfTheHostAreErrors) {
  EXPECT_THAT(broken("  system(\"id\");\n"), HasSubstr("does-not-parse@1"));
  EXPECT_THAT(broken("  out[0] = undeclared;\n"), HasSubstr("does-not-parse@1"));
}

TEST_F(CheckSyntax, OnlyReadParametersStayOnlyRead) {
  EXPECT_EQ(broken("  seen[0] = 1;\n"), "new-write@1");
  EXPECT_EQ(broken("  float* alias = seen + 4;\n  alias[1] += 2;\n"), "new-write@2");
  EXPECT_EQ(broken("  float* p;\n  p = &seen[1];\n  ++*p;\n"), "new-write@3");
  EXPECT_EQ(broken("  float& r = seen[3];\n  r = 1;\n"), "new-write@2");
  EXPECT_EQ(broken("  reinterpret_cast<Pair*>(seen)->b = 1;\n"), "new-write@1");
  EXPECT_EQ(broken("  __builtin_memcpy(seen, in, 4);\n"), "new-write@1");
  EXPECT_EQ(broken("  float* p = n ? out : seen;\n  p[0] = 1;\n"), "new-write@2");
  EXPECT_EQ(broken("  out[0] = seen[0];\n"), "") << "reading is free";
}

TEST_F(CheckSyntax, CastsThatDropConst) {
  EXPECT_EQ(broken("  *(float*)in = 1;\n"), "new-write@1 const-cast@1");
  EXPECT_EQ(broken("  out[0] = *QUIET(in);\n"), "const-cast@1") << "through a macro";
  EXPECT_EQ(broken("  out[0] = *const_cast<float*>(in);\n"), "const-cast@1");
  EXPECT_EQ(broken("  out[0] = *(const float*)in + *(const int*)in;\n"), "");
}

TEST_F(CheckSyntax, StateFromOutside) {
  EXPECT_EQ(broken("  table[0] = 1;\n"), "global@1");
  EXPECT_EQ(broken("  out[0] = table[0];\n"), "global@1");
  EXPECT_EQ(broken("  static __device__ int calls;\n  ++calls;\n"), "static-local@1");
  EXPECT_EQ(broken("  extern __shared__ float lds[];\n  out[0] = lds[0];\n"), "extern@1");
  EXPECT_EQ(broken("again:\n  if (n) goto again;\n"), "goto@2");
}

TEST_F(CheckSyntax, TheSymbolAndTheParametersStay) {
  const std::string other =
      std::string(kBefore) +
      "extern \"C\" __global__ void k(const float* in, float* result, float* seen, int n) {\n}\n";
  const auto check =
      check_syntax(compiler(), {.baseline = source(kBody), .candidate = other, .kernel = "k"});
  ASSERT_TRUE(check && check->ran);
  ASSERT_EQ(check->reasons.size(), 2U);
  EXPECT_EQ(check->reasons[0].rule, "symbol");
  EXPECT_EQ(check->reasons[1].rule, "parameters");
}

TEST_F(CheckSyntax, InstancesOfTemplatesAreLookedInto) {
  const auto with = [](const std::string& body) {
    return std::string(kBefore) +
           "namespace a {\ntemplate <typename T> __global__ void k(const T* in, T* out) {\n" +
           body + "}\n}\ntemplate __global__ void a::k<float>(const float*, float*);\n";
  };
  const auto check = check_syntax(
      compiler(), {.baseline = with("  out[0] = in[0];\n"),
                   .candidate = with("  out[0] = in[0];\n  waits();\n  *(T*)in = T(1);\n"),
                   .kernel = "void a::k<float>(float const*, float*)"});
  ASSERT_TRUE(check && check->ran) << (check ? check->why_not : check.error().message);
  std::set<std::string> rules;
  for (const GuardReason& reason : check->reasons) rules.insert(reason.rule);
  EXPECT_EQ(rules, (std::set<std::string>{"const-cast", "new-call", "new-write"}));
}

TEST_F(CheckSyntax, SaysWhyItCannotRun) {
  const std::string broken_base = "#include <no_such_header.h>\n" + source(kBody);
  const auto check =
      check_syntax(compiler(), {.baseline = broken_base, .candidate = broken_base, .kernel = "k"});
  ASSERT_TRUE(check.has_value());
  EXPECT_FALSE(check->ran);
  EXPECT_THAT(check->why_not, HasSubstr("no_such_header.h"));
}

TEST(CheckSyntaxWithoutACompiler, IsSaidAndRejectsNothing) {
  const Result<Compiler> none = fail(Errc::missing_capability, "no compiler for HIP sources here");
  const auto check =
      check_syntax(none, {.baseline = source(kBody), .candidate = source(kBody), .kernel = "k"});
  ASSERT_TRUE(check.has_value());
  EXPECT_FALSE(check->ran);
  EXPECT_EQ(check->why_not, "no compiler for HIP sources here");
  EXPECT_THAT(check->reasons, IsEmpty());
}

}  // namespace
}  // namespace rpl
