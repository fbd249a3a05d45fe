// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/source/text/guard.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kBefore =
    "#define SYNC() __syncthreads()\n#define TWICE() SYNC()\n#define JOIN(a, b) a##b\n"
    "__device__ void sum(float* x) { atomicAdd(x, 1); }\n__device__ void through(float* x) { "
    "sum(x); }\n"
    "struct Tile { __device__ void wait() { TWICE(); } };\nextern __shared__ float pool[];\n";

std::string kernel(std::string_view body) {
  return std::string(kBefore) + "__global__ void k(float* p, int n) {\n" + std::string(body) +
         "\n}\nvoid host() { for (;;) {} }\n";
}

RuleOutcome outcome(std::string_view body) {
  const std::string source = kernel(body);
  auto result = propose_unroll(source, "k");
  EXPECT_TRUE(result.has_value()) << body;
  if (!result) return {};
  for (const RuleEdit& edit : result->edits) {
    EXPECT_TRUE(check_edit(source, "k", edit.source)->accept) << edit.source;
  }
  return *result;
}

/// "factor@line …", lines counted from the first one of the body.
std::string edits(std::string_view body) {
  std::string result;
  for (const RuleEdit& edit : outcome(body).edits) {
    result += (result.empty() ? "" : " ") + std::to_string(edit.factor) + "@" +
              std::to_string(edit.line - 8);
  }
  return result;
}

/// The body with the first edit.
std::string first(std::string_view body) {
  const auto all = outcome(body).edits;
  if (all.empty()) return "none";
  const std::string frame = kernel("");
  const std::size_t begin = frame.find("{\n\n}") + 2;
  const std::size_t end = frame.size() - begin;
  return all[0].source.substr(begin, all[0].source.size() - begin - end);
}

/// The one refusal, as "line: reason"; then nothing may be offered.
std::string refusal(std::string_view body) {
  const RuleOutcome result = outcome(body);
  EXPECT_THAT(result.edits, IsEmpty()) << body;
  if (result.refusals.size() != 1) return std::to_string(result.refusals.size()) + " refusals";
  return std::to_string(static_cast<int>(result.refusals[0].line) - 8) + ": " +
         result.refusals[0].reason;
}

TEST(Unroll, OffersTwoFourEightAndOne) {
  EXPECT_EQ(edits("for (int i = 0; i < 64; ++i) { p[i] = 0; }"), "2@1 4@1 8@1 1@1");
  const RuleEdit edit = outcome("for (;;) ;").edits.at(1);
  EXPECT_EQ(edit.rule, "loop-unroll");
  EXPECT_EQ(edit.title, "unroll the loop in line 9 by 4");
  EXPECT_THAT(outcome("for (;;) ;").edits.at(3).title, HasSubstr("rolled"));
}

TEST(Unroll, WritesThePragmaOnALineOfItsOwn) {
  EXPECT_EQ(first("  for (;;) {}"), "  #pragma unroll 2\n  for (;;) {}");
  EXPECT_EQ(first("  a; for (;;) {}"), "  a;\n  #pragma unroll 2\n  for (;;) {}");
  EXPECT_EQ(first("  if (n) for (;;) p[0] = 1;"),
            "  if (n)\n  #pragma unroll 2\n  for (;;) p[0] = 1;");
  EXPECT_EQ(first("  /* a\n b */ for (;;) {}"), "  /* a\n b */\n #pragma unroll 2\n for (;;) {}");
  EXPECT_EQ(first("  int x = \\\n  0; \\\n  for (;;) {}"),
            "  int x = \\\n  0; \\\n\n  #pragma unroll 2\n  for (;;) {}");
}

TEST(Unroll, KeepsWindowsLineEnds) {
  const auto result = propose_unroll("__global__ void k() {\r\n  for (;;) {}\r\n}\r\n", "k");
  EXPECT_EQ(result->edits.at(0).source,
            "__global__ void k() {\r\n  #pragma unroll 2\r\n  for (;;) {}\r\n}\r\n");
}

TEST(Unroll, ReplacesThePragmaOfThisLoopAlone) {
  const std::string body = "#pragma unroll 4\nfor (int q = 0; q < 4; ++q) p[q] = 0;\nfor (;;) {}";
  EXPECT_EQ(edits(body), "2@2 8@2 1@2 2@3 4@3 8@3 1@3");
  EXPECT_EQ(outcome(body).edits[0].source,
            kernel("#pragma unroll 2\nfor (int q = 0; q < 4; ++q) p[q] = 0;\nfor (;;) {}"));
  EXPECT_EQ(outcome(body).edits[3].source, kernel("#pragma unroll 4\nfor (int q = 0; q < 4; ++q) "
                                                  "p[q] = 0;\n#pragma unroll 2\nfor (;;) {}"));
  EXPECT_EQ(edits("#pragma nounroll\nfor (;;) {}"), "2@2 4@2 8@2");
  EXPECT_EQ(edits("#pragma unroll(2)\nfor (;;) {}"), "4@2 8@2 1@2");
  EXPECT_EQ(refusal("#pragma clang loop vectorize(enable)\nfor (;;) {}"),
            "1: the loop has '#pragma clang loop vectorize ( enable )' already");
}

TEST(Unroll, TakesInnermostLoopsOfEveryKind) {
  EXPECT_EQ(edits("for (;;) {\n while (n) {}\n do p[0] = 1;\n while (n);\n}"),
            "2@2 4@2 8@2 1@2 2@3 4@3 8@3 1@3");
  EXPECT_EQ(edits("for (;;)\n for (int x : p)\n  if (n) p[0] = 1; else p[1] = 1;\nn = 0;"),
            "2@2 4@2 8@2 1@2");
  EXPECT_EQ(edits("switch (n) { case 0: for (;;) {} default: n = 0; }"), "2@1 4@1 8@1 1@1");
  EXPECT_EQ(edits("auto f = [&] {\nfor (;;) {}\n};"), "2@2 4@2 8@2 1@2");
  EXPECT_EQ(edits("MACRO(x) for (;;) {}"), "2@1 4@1 8@1 1@1");
  EXPECT_EQ(edits("if (n) {\n} else\nfor (;;) {}"), "2@3 4@3 8@3 1@3");
}

TEST(Unroll, LooksAtTheKernelAlone) {
  EXPECT_EQ(refusal("p[0] = 1; // for (;;) {}"), "0: k holds no loop");
  EXPECT_EQ(propose_unroll(kernel(""), "host").error().code, Errc::not_found);
}

TEST(Unroll, RefusesWhatMustNotBeRepeated) {
  EXPECT_EQ(refusal("for (;;) {\n __syncthreads();\n}"),
            "2: the loop holds a barrier: __syncthreads");
  EXPECT_EQ(refusal("for (;;) p[0] = __shfl_down(p[0], 1);"),
            "1: the loop holds a cross-lane operation: __shfl_down");
  EXPECT_EQ(refusal("while (__any(n)) {}"), "1: the loop holds a cross-lane operation: __any");
  EXPECT_EQ(refusal("do {} while (__ballot(n));"),
            "1: the loop holds a cross-lane operation: __ballot");
  EXPECT_EQ(refusal("for (;;) atomicAdd(p, 1);"),
            "1: the loop holds an atomic operation: atomicAdd");
  EXPECT_EQ(refusal("for (;;) unsafeAtomicAdd(p, 1);"),
            "1: the loop holds an atomic operation: unsafeAtomicAdd");
  EXPECT_EQ(refusal("for (;;) asm volatile(\"\");"), "1: the loop holds inline assembly: asm");
  EXPECT_EQ(refusal("for (;;) block.sync();"), "1: the loop holds a barrier: sync");
  EXPECT_EQ(edits("for (;;) p[0] = __allocate(1) + mfma(2); // __syncthreads()"),
            "2@1 4@1 8@1 1@1");
}

TEST(Unroll, LooksThroughMacrosFunctionsAndLambdas) {
  EXPECT_EQ(refusal("for (;;) TWICE();"),
            "1: the loop holds a barrier: TWICE leads to __syncthreads");
  EXPECT_EQ(refusal("for (;;) through(p);"),
            "1: the loop holds an atomic operation: through leads to atomicAdd");
  EXPECT_EQ(refusal("Tile t; for (;;) t.wait();"),
            "1: the loop holds a barrier: wait leads to __syncthreads");
  EXPECT_EQ(refusal("auto f = [&](int i) { SYNC(); }; for (;;) f(1);"),
            "1: the loop holds a barrier: f leads to __syncthreads");
  EXPECT_EQ(refusal("for (;;) JOIN(__sync, threads)();"),
            "1: the loop holds a name that a macro pastes together: JOIN");
}

TEST(Unroll, RefusesDynamicLds) {
  EXPECT_EQ(refusal("for (;;) pool[0] = 1;"), "1: the loop holds dynamic LDS: pool");
  EXPECT_EQ(refusal("extern __shared__ float lds[];\nfloat* t = lds + n;\nfor (;;) t[0] = 1;"),
            "3: the loop holds dynamic LDS: t leads to lds");
  EXPECT_EQ(refusal("HIP_DYNAMIC_SHARED(float, lds)\nfor (;;) lds[0] = 1;"),
            "2: the loop holds dynamic LDS: lds");
  EXPECT_EQ(edits("extern __shared__ float lds[];\nfloat t = lds[0];\nfor (;;) p[0] = t;"),
            "2@3 4@3 8@3 1@3");
}

TEST(Unroll, RefusesLoopsThatEndEarly) {
  EXPECT_EQ(refusal("for (;;) {\n if (n) break;\n}"),
            "2: 'break' leaves the loop before its condition does");
  EXPECT_EQ(refusal("for (;;) return;"), "1: 'return' leaves the loop before its condition does");
  EXPECT_EQ(refusal("for (;;) { goto e; } e:;"),
            "1: 'goto' leaves the loop before its condition does");
  EXPECT_EQ(refusal("for (;;) switch (n) { case 1: return; }"),
            "1: 'return' leaves the loop before its condition does");
  EXPECT_EQ(edits("for (;;) switch (n) { case 1: break; }"), "2@1 4@1 8@1 1@1");
  EXPECT_EQ(edits("for (;;) { auto f = [] { return 1; }; int return_value = 0; continue; }"),
            "2@1 4@1 8@1 1@1");
}

TEST(Unroll, RefusesLoopsThatChangeTheirBound) {
  EXPECT_EQ(refusal("for (int i = 0; i < n; ++i) {\n n -= 1;\n}"),
            "2: the body changes 'n', on which the number of iterations depends");
  EXPECT_EQ(refusal("for (int i = 0; i < n;) ++i;"),
            "1: the body changes 'i', on which the number of iterations depends");
  EXPECT_EQ(refusal("for (int i = 0; i < l[0]; ++i) l[0]--;"),
            "1: the body changes 'l', on which the number of iterations depends");
  EXPECT_EQ(edits("for (int i = 0; i < n; ++i) { p[i] = n; s.n = 1; bool b = i == n; }"),
            "2@1 4@1 8@1 1@1");
  EXPECT_EQ(edits("while (n > 0) --n;"), "2@1 4@1 8@1 1@1");
}

TEST(Unroll, TakesDeepNestingAndManyLoops) {
  const std::string braces(100000, '{');
  EXPECT_EQ(refusal(braces + std::string(100000, '}')),
            "0: statements are nested too deeply to be read");
  std::string parentheses(100000, '(');
  EXPECT_EQ(refusal(parentheses + std::string(100000, ')') + ";"), "0: k holds no loop");
  std::string loops;
  for (int i = 0; i < 70; ++i) loops += "for (;;) {}\n";
  EXPECT_EQ(outcome(loops).edits.size(), 32U * 4);
  EXPECT_THAT(outcome(loops).refusals.at(0).reason, HasSubstr("first 32 of 70"));
}

}  // namespace
}  // namespace rpl
