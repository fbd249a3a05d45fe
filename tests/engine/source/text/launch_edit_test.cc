// SPDX-License-Identifier: MIT
// Launches that are written otherwise: the workgroup as a number, the grid scaled; what cannot be told is refused with its line.
#include "engine/source/text/launch_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string source_with(const std::string& host) {
  return "#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[0] = 1; }\n" + host;
}

/// What becomes of the host's part.
std::string edited(const std::string& host, const LaunchEdit& edit) {
  const std::string begin = source_with("");
  const auto out = apply_launch_edit(source_with(host), "k", edit);
  if (!out) return "refused: " + out.error().message;
  EXPECT_TRUE(out->source.starts_with(begin));
  return out->source.substr(begin.size());
}

constexpr LaunchEdit kWider{.from = 64, .workgroup = 256};
constexpr LaunchEdit kNarrower{.from = 256, .workgroup = 64};

TEST(LaunchEdit, ScalesWhateverTheGridIs) {
  EXPECT_EQ(edited("void f() { k<<<100, 64>>>(x); }", kWider), "void f() { k<<<25, 256>>>(x); }");
  EXPECT_EQ(edited("void f() { k<<<101, 64>>>(x); }", kWider), "void f() { k<<<26, 256>>>(x); }");
  EXPECT_EQ(edited("void f(int n) { k<<<(n + 63) / 64, 64>>>(x); }", kWider),
            "void f(int n) { k<<<(((n + 63) / 64) + 3) / 4, 256>>>(x); }");
  EXPECT_EQ(edited("void f(int n) { k<<<(n + 255) / 256, 256, 0, s>>>(x); }", kNarrower),
            "void f(int n) { k<<<((n + 255) / 256) * 4, 64, 0, s>>>(x); }");
  EXPECT_EQ(edited("void f() { k<<<3, 96>>>(x); }", {.from = 96, .workgroup = 64}),
            "void f() { k<<<5, 64>>>(x); }");
}

TEST(LaunchEdit, ChangesTheNumberOfWorkItems) {
  EXPECT_EQ(edited("void f() { k<<<8, 64>>>(x); }", {.from = 64, .workgroup = 64, .items = 64}),
            "void f() { k<<<512, 64>>>(x); }");
  EXPECT_EQ(edited("void f(int g) { k<<<g, 64>>>(x); }", {.from = 64, .workgroup = 64, .per = 4}),
            "void f(int g) { k<<<(g + 3) / 4, 64>>>(x); }");
}

TEST(LaunchEdit, FindsConstantsOfTheFile) {
  EXPECT_EQ(
      edited("constexpr int kSize = 64;\nvoid f(int n) { int g = n / kSize; k<<<g, kSize>>>(x); }",
             kWider),
      "constexpr int kSize = 64;\nvoid f(int n) { int g = n / kSize; k<<<(g + 3) / 4, 256>>>(x); "
      "}");
  EXPECT_EQ(edited("#define SIZE 64\nvoid f() { k<<<8, SIZE>>>(x); }", kWider),
            "#define SIZE 64\nvoid f() { k<<<2, 256>>>(x); }");
  EXPECT_EQ(
      edited("void f() { dim3 b(64), g(8, 2); k<<<g, b>>>(x); }", kWider),
      "refused: line 3: 'g', the grid, is not declared once in this file: whether it is a number "
      "cannot be told");
  EXPECT_EQ(edited("void f() { dim3 b(64); dim3 g(8, 2); k<<<g, b>>>(x); }", kWider),
            "void f() { dim3 b(64); dim3 g(8, 2); k<<<dim3((g.x + 3) / 4, g.y, g.z), 256>>>(x); }");
}

TEST(LaunchEdit, ReadsEveryWayOfLaunching) {
  EXPECT_EQ(edited("void f() { hipLaunchKernelGGL(k, dim3(8), dim3(64), 0, 0, x); }", kWider),
            "void f() { hipLaunchKernelGGL(k, dim3(2), dim3(256), 0, 0, x); }");
  EXPECT_EQ(edited("void f() { k<<<dim3(8, 2), dim3(64, 1, 1)>>>(x); k<<<4, 64>>>(y); }", kWider),
            "void f() { k<<<dim3(2, 2), dim3(256, 1, 1)>>>(x); k<<<1, 256>>>(y); }");
  EXPECT_EQ(edited("void f() { k<<<8, 64>>>(x); }",
                   {.from = 64, .workgroup = 64, .dynamic_lds_bytes = 4096}),
            "void f() { k<<<8, 64, 4096>>>(x); }");
  EXPECT_EQ(edited("void f() { k<<<8, 64, n * 4, s>>>(x); }",
                   {.from = 64, .workgroup = 64, .dynamic_lds_bytes = 4096}),
            "void f() { k<<<8, 64, 4096, s>>>(x); }");
}

TEST(LaunchEdit, SaysWhichLinesItChanged) {
  const auto out = apply_launch_edit(
      source_with("void f() {\n  k<<<8, 64>>>(x);\n  k<<<8, 64>>>(x);\n}\n"), "k", kWider);
  ASSERT_TRUE(out.has_value());
  EXPECT_THAT(out->lines, ElementsAre(4, 5));
}

TEST(LaunchEdit, RefusesWhatCannotBeTold) {
  const auto why = [&](const std::string& host) { return edited(host, kWider); };
  EXPECT_THAT(why("void f() { other<<<8, 64>>>(x); }"), HasSubstr("does not launch k"));
  EXPECT_THAT(why("void f(int b) { k<<<8, b>>>(x); }"), HasSubstr("cannot be told"));
  EXPECT_THAT(why("void f() { int b = 64; b = 128; k<<<8, b>>>(x); }"),
              HasSubstr("cannot be told"));
  EXPECT_THAT(why("void f() { int b = 64; if (x) b *= 2; k<<<8, b>>>(x); }"),
              HasSubstr("cannot be told"));
  EXPECT_THAT(why("void f() { dim3 b(64); b.x = 32; k<<<8, b>>>(x); }"),
              HasSubstr("cannot be told"));
  EXPECT_THAT(why("void f() { k<<<8, 128>>>(x); }"),
              HasSubstr("workgroups of 128 work-items, not 64"));
  EXPECT_THAT(why("void f() { k<<<8, dim3(64, 4)>>>(x); }"), HasSubstr("more than one dimension"));
  EXPECT_THAT(why("void f() { k<<<8, 64>>>(x); k<<<8, 32>>>(x); }"), HasSubstr("not 64"));
}

}  // namespace
}  // namespace rpl
