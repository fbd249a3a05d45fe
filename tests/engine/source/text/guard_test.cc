// SPDX-License-Identifier: MIT
#include "engine/source/text/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kHead =
    "#include <hip/hip_runtime.h>\n__device__ int g_flag;\n__device__ const int kTable[2] = {1, "
    "2};\n"
    "__device__ float helper(float x) { return x; }\nfloat unused(float);\n";
constexpr std::string_view kHeader = "__global__ void scale(const float* in, float* out, int n)";
constexpr std::string_view kBody = " out[threadIdx.x] = helper(in[0]) * n; ";
constexpr std::string_view kTail = "\nint main() { scale<<<1, 64>>>(0, 0, 1); }\n";

std::string file_with(std::string_view body) {
  return std::string(kHead) + std::string(kHeader) + " {" + std::string(body) + "}" +
         std::string(kTail);
}
const std::string& original() {
  static const std::string kSource = file_with(kBody);
  return kSource;
}

/// "rule:line …" of a response that holds `patch` in line 2 and after, or "accept".
std::string rules(const GuardVerdict& verdict) {
  std::string result;
  for (const GuardReason& reason : verdict.reasons) {
    result += (result.empty() ? "" : " ") + reason.rule + ":" + std::to_string(reason.line);
  }
  EXPECT_EQ(verdict.accept, verdict.reasons.empty());
  EXPECT_EQ(verdict.patched.empty(), !verdict.accept);
  EXPECT_EQ(verdict.open.empty(), !verdict.accept);
  return verdict.accept ? "accept" : result;
}
std::string patch_rules(std::string_view patch, const std::string& source = original()) {
  const auto verdict = check_response(source, "scale", "```cpp\n" + std::string(patch) + "\n```\n");
  return verdict ? rules(*verdict) : verdict.error().message;
}
/// The same for a body in line 3.
std::string body_rules(std::string_view body, const std::string& source = original()) {
  return patch_rules(std::string(kHeader) + " {\n" + std::string(body) + "\n}", source);
}
std::string edit_rules(std::string_view edited) {
  const auto verdict = check_edit(original(), "scale", edited);
  return verdict ? rules(*verdict) : verdict.error().message;
}

TEST(Guard, TakesTheBodyAlone) {
  const auto verdict = check_response(
      original(), "scale", "```\n" + std::string(kHeader) + "\n// why\n{ out[0] = 1; }\n```");
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->patched, file_with(" out[0] = 1; "));
}

TEST(Guard, NamesWhatIsStillOpen) {
  const auto verdict = check_edit(original(), "scale", file_with(" _Float16 x = 0; "));
  EXPECT_THAT(verdict->open,
              AllOf(Contains(HasSubstr("(syntax tree)")), Contains(HasSubstr("(code object)")),
                    Contains(HasSubstr("precision: '_Float16'"))));
}

TEST(Guard, WantsOneBlockWithAKernel) {
  const auto response = [](std::string_view text) {
    return rules(*check_response(original(), "scale", text));
  };
  const std::string patch = std::string(kHeader) + " {}\n";
  EXPECT_EQ(response(patch), "no-block:0");
  EXPECT_EQ(response("```cpp\nint x;\n```"), "no-block:1");
  EXPECT_EQ(response("```cpp\n" + patch), "unclosed-block:1");
  EXPECT_EQ(response("```\n" + patch + "```\n```\n" + patch + "```\n"), "many-blocks:4");
  EXPECT_EQ(response("```python\n" + patch + "```"), "block-language:1");
  EXPECT_EQ(response("```sh\nmake\n```\n```\n" + patch + "```\n"), "accept");
}

TEST(Guard, WantsTheSameHeader) {
  EXPECT_EQ(patch_rules("__global__ void scale(float const *in, float *out,\n int n) {}"),
            "accept");
  EXPECT_EQ(patch_rules("__global__ void scale(const float* x, float* out, int n) {}"), "header:2");
  EXPECT_EQ(patch_rules("__global__ void scale(float* in, float* out, int n) {}"), "header:2");
  EXPECT_EQ(patch_rules("__global__ void scale2(const float* in, float* out, int n) {}"),
            "kernel-name:2");
  EXPECT_EQ(
      patch_rules("extern \"C\" __global__ void scale(const float* in, float* out, int n) {}"),
      "header:2");
  EXPECT_EQ(patch_rules("__global__ void scale(const float* in, float* out, int n)"),
            "one-definition:2");
}

TEST(Guard, ReportsEveryViolationByLine) {
  EXPECT_EQ(
      patch_rules("#include <x>\nint g;\n__global__ void scal(const float* in, float* out) {\n"
                  "static int s;\nasm(\".p2align 2\");\n}\nint h;\n#undef n"),
      "directive:2 outside-body:3 kernel-name:4 header:4 static-local:5 asm:6 directive:9");
}

TEST(Guard, SeesThroughDisguises) {
  EXPECT_EQ(body_rules("as\\\nm(\".set x, 1\");"), "asm:3");
  EXPECT_EQ(body_rules("%:define n 1"), "directive:3");
  EXPECT_EQ(body_rules("/* */ # define n 1"), "directive:3");
  EXPECT_EQ(body_rules("// x \\\n asm(\".set x, 1\");"), "accept");
  EXPECT_EQ(body_rules("// x\rasm(\".set x, 1\");"), "asm:3 hidden-text:3");
  EXPECT_EQ(body_rules("asm\xC2\xA0volatile(\"\");"), "hidden-text:3");
  EXPECT_EQ(body_rules("// \xE2\x80\xAE evil"), "hidden-text:3");
  EXPECT_EQ(body_rules("// ?\?/"), "hidden-text:3");
  EXPECT_EQ(body_rules("// \xC3\xA9\nfloat f = 0;"), "accept");
  EXPECT_EQ(body_rules("const char* s = \"asm static goto\"; // extern"), "accept");
}

TEST(Guard, LetsNothingOutOfTheBody) {
  EXPECT_EQ(body_rules("}\nint evil = 0;\nvoid f() {"), "outside-body:4");
  EXPECT_EQ(body_rules("} }"), "unbalanced:3 outside-body:3");
  EXPECT_EQ(body_rules("( }"), "unbalanced:3 outside-body:4");
  EXPECT_EQ(body_rules("/* "), "unbalanced:2 unbalanced:3");
  EXPECT_EQ(edit_rules(file_with("}\nint evil = 0;\nvoid f() {")), "unbalanced:6");
}

TEST(Guard, ForbidsWhatKeepsStateOrReachesOut) {
  EXPECT_EQ(body_rules("static int calls;"), "static-local:3");
  EXPECT_EQ(body_rules("static __device__ int calls;\nthread_local int x;"),
            "static-local:3 static-local:4");
  EXPECT_EQ(body_rules("static constexpr float t[] = {1}; static __shared__ float s[4];"),
            "accept");
  EXPECT_EQ(body_rules("auto f = [] __device__ (int x) { return x; };"), "accept");
  EXPECT_EQ(body_rules("extern __shared__ float s[];"), "extern:3");
  EXPECT_EQ(body_rules("if (g_flag) return;\ng_flag = 1;"), "global:3");
  EXPECT_EQ(body_rules("int x = kTable[0]; s.g_flag = 1;"), "accept");
  EXPECT_EQ(body_rules("goto end; end:;"), "goto:3");
  EXPECT_EQ(body_rules("*const_cast<float*>(in) = 0;"), "const-cast:3");
  EXPECT_EQ(body_rules("printf(\"\"); long t = clock64(); int clock = 0; t.free();"),
            "forbidden-call:3 forbidden-call:3");
  EXPECT_EQ(body_rules("scale<<<1, 1>>>(in, out, n);"), "launch:3");
  EXPECT_EQ(body_rules("int x = 1 << n;"), "accept");
}

TEST(Guard, ForbidsAttributesAndPragmas) {
  EXPECT_EQ(body_rules("__attribute__((annotate(\"x\"))) int x;\n__declspec(x) int y;"),
            "attribute:3 attribute:4");
  EXPECT_EQ(body_rules("[[clang::annotate(\"x\")]] int x;"), "attribute:3");
  EXPECT_EQ(body_rules("[[maybe_unused]] int x; if (n) [[likely]] x = 1;"), "accept");
  EXPECT_EQ(body_rules("_Pragma(\"unroll\") for (;;) {}"), "pragma-operator:3");
  EXPECT_EQ(body_rules("#pragma unroll 4\nfor (;;) {}\n#pragma nounroll\nfor (;;) {}\n#pragma "
                       "clang loop unroll(full)\n"
                       "for (;;) {}"),
            "accept");
  EXPECT_EQ(
      body_rules("#pragma clang diagnostic ignored\n#pragma push_macro(\"n\")\n#pragma unrolled"),
      "directive:3 directive:4 directive:5");
  EXPECT_EQ(body_rules("#pragma clang fp contract(off) reassociate(on)\nfloat x = 1;"), "accept");
  EXPECT_EQ(body_rules("typedef float v4 __attribute__((ext_vector_type(4), aligned(16)));\n"
                       "typedef float w4 __attribute__((vector_size(4 * sizeof(float))));"),
            "accept");
  EXPECT_EQ(body_rules("typedef float v4 __attribute__((ext_vector_type(4), annotate(\"x\")));"),
            "attribute:3");
}

// What instructions do is judged on the machine code; the text must hold nothing else.
TEST(Guard, LetsInstructionsInInlineAssembly) {
  for (
      const std::string held :
      {R"(asm("s_nop 0"))", R"(asm volatile("v_add_f32 %0, %1, 1.0" : "=v"(y) : "v"(y)))",
       R"(__asm__ __volatile__("s_waitcnt vmcnt(0)\n\ts_nop 1; v_mov_b32 %0, v[0]" "\n" ::: "memory"))",
       R"(asm volatile("" ::: "memory"))"}) {
    EXPECT_EQ(body_rules("float y = 1; " + held + ";"), "accept") << held;
  }
  for (const std::string held :
       {R"(asm(".incbin \"x\""))", R"(asm("s_nop 0\n.incbin 'x'"))", R"(asm("s_nop 0; .byte 1"))",
        R"(asm("again: s_branch again"))", R"(asm("s_nop 0 /* x */"))", R"(asm("\x2eincbin"))",
        R"(asm(R"x(.incbin)x"))", R"(asm("s_nop 0" "\n.set a, 1"))", R"(asm(TEXT))",
        R"(asm("1: s_nop 0"))", R"(asm("s_mov_b32 s0, x@rel32"))", R"(asm(u8"s_nop 0"))"}) {
    EXPECT_EQ(body_rules("float y = 1; " + held + ";"), "asm:3") << held;
  }
}

TEST(Guard, ForbidsNewMeanings) {
  EXPECT_EQ(body_rules("auto helper = [](float) { return 0.0f; };"), "shadowing:3");
  EXPECT_EQ(body_rules("float helper(float);"), "shadowing:3");
  EXPECT_EQ(body_rules("struct helper { };"), "shadowing:3");
  EXPECT_EQ(body_rules("struct { int x; } threadIdx;\nint x = 1, blockDim = 2;"), "shadowing:4");
  EXPECT_EQ(body_rules("float x = n * helper(in[0]); return helper(x) + helper(1), void();"),
            "accept");
  EXPECT_EQ(body_rules("float unused = 1; float main = 2;"), "accept");
}

TEST(Guard, AllowsWhatTheOriginalHolds) {
  const std::string held =
      "\n#define W 4\n#pragma clang fp contract(off)\nextern __shared__ float s[]; static int "
      "calls; asm(\"s_nop 0\"); "
      "auto helper = 1; g_flag = 1; goto e; e: printf(\"\"); [[x::y]] int q; "
      "__attribute__((aligned(4))) int z;\n";
  const std::string source = file_with(held);
  EXPECT_EQ(body_rules(held, source), "accept");
  EXPECT_EQ(body_rules("#define W 4\n", source), "accept");
  EXPECT_EQ(body_rules("asm(\"s_nop 1 // x\");", source), "directive:2 asm:3");
  EXPECT_EQ(body_rules("", source), "directive:2");
}

TEST(Guard, KeepsTheLineEndsOfTheFile) {
  const std::string source = "__global__ void k() {\r\n  a;\r\n}\r\n";
  const auto crlf = check_response(source, "k", "```\n__global__ void k() {\n  b;\n}\n```");
  EXPECT_EQ(crlf->patched, "__global__ void k() {\r\n  b;\r\n}\r\n");
  const auto lf = check_response("__global__ void k() {\n}\n", "k",
                                 "```\r\n__global__ void k() {\r\n  b;\r\n}\r\n```");
  EXPECT_EQ(lf->patched, "__global__ void k() {\n  b;\n}\n");
}

TEST(Guard, WantsEditedFilesEqualOutsideTheBody) {
  EXPECT_EQ(edit_rules(original()), "accept");
  EXPECT_EQ(edit_rules(file_with("")), "accept");
  EXPECT_EQ(edit_rules(original() + "\n"), "outside-body:8");
  EXPECT_EQ(edit_rules("//\n" + original()), "outside-body:1");
  EXPECT_EQ(edit_rules(original().substr(0, original().size() - 1)), "outside-body:7");
  EXPECT_EQ(edit_rules(""), "one-definition:0 outside-body:1");
  std::string launch = file_with(" static int x; ");
  launch.replace(launch.find("<<<1"), 4, "<<<2");
  EXPECT_EQ(edit_rules(launch), "static-local:6 outside-body:7");
}

TEST(Guard, FailsWhereTheQuestionIsWrong) {
  EXPECT_EQ(check_edit(original(), "softmax", original()).error().code, Errc::not_found);
  EXPECT_EQ(check_response("__global__ void k() {\n#if A\n#endif\n}", "k", "").error().code,
            Errc::unsupported);
}

TEST(Guard, JudgesOneKernelOfSeveral) {
  const std::string source =
      "namespace a { __global__ void k(int n) { x; } }\n__global__ void k(float f) { y; }\n";
  const auto verdict =
      check_response(source, "k(float)", "```\n__global__ void k(float f) { z; }\n```");
  EXPECT_EQ(verdict->patched,
            "namespace a { __global__ void k(int n) { x; } }\n__global__ void k(float f) { z; }\n");
  const auto inner = check_response(source, "a::k", "```\n__global__ void k(int n) { z; }\n```");
  EXPECT_EQ(inner->patched,
            "namespace a { __global__ void k(int n) { z; } }\n__global__ void k(float f) { y; }\n");
}

}  // namespace
}  // namespace rpl
