// SPDX-License-Identifier: MIT
// Two kernels that are launched in a row as one: where its parameters come from, how it is launched, what stands in the way.
#include "engine/source/text/fused_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const LaunchedPair kPair{"scale", "add"};

constexpr std::string_view kKernels = R"(#include <hip/hip_runtime.h>
__global__ void scale(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 2 * x[i];
}
__global__ void add(const float* y, const float* z, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = y[i] + z[i];
}
)";
constexpr std::string_view kFused = R"(
__global__ void both(const float* x, float* y, const float* z, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = (y[i] = 2 * x[i]) + z[i];
}
)";

std::string file(std::string_view host, std::string_view kernel = "") {
  return std::string(kKernels) + std::string(kernel) + std::string(host);
}

constexpr std::string_view kHost =
    "void f() { scale<<<(n + 255) / 256, 256>>>(x, y, n); add<<<(n + 255) / 256, 256>>>(y, z, out, "
    "n); }\n";

std::vector<std::string> sources(const FusedKernel& fused) {
  std::vector<std::string> out;
  for (const FusedParameter& one : fused.parameters)
    out.push_back(one.name + (one.launch == 0 ? " first " : " second ") +
                  std::to_string(one.index) + (one.also_second ? " both" : ""));
  return out;
}

std::string refusal(const std::string& source, const std::string& edited) {
  const auto out = find_fused_kernel(source, kPair, edited);
  return out ? "found" : out.error().message;
}

TEST(FusedKernel, TakesTheArgumentsOfItsParametersNames) {
  const auto fused = find_fused_kernel(file(kHost), kPair, file(kHost, kFused));
  ASSERT_TRUE(fused) << fused.error().message;
  EXPECT_EQ(fused->name, "both");
  EXPECT_THAT(sources(*fused), ElementsAre("x first 0", "y first 1 both", "z second 1",
                                           "out second 2", "n first 2 both"));
}

TEST(FusedKernel, NamesOneOfTheTwoKernels) {
  const std::string kernel =
      "__global__ void both(const float* x, float* scale_y, const float* add_y, int add_n) { "
      "scale_y[add_n] = x[0] + add_y[0]; }\n";
  const auto fused = find_fused_kernel(file(kHost), kPair, file(kHost, kernel));
  ASSERT_TRUE(fused) << fused.error().message;
  EXPECT_THAT(sources(*fused),
              ElementsAre("x first 0", "scale_y first 1", "add_y second 0", "add_n second 3"));
}

TEST(FusedKernel, ReplacesBothLaunches) {
  const FusedKernel fused = find_fused_kernel(file(kHost), kPair, file(kHost, kFused)).value();
  const auto out = apply_fusion(file(kHost, kFused), kPair, fused);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->source,
            file("void f() { both<<<(n + 255) / 256, 256>>>(x, y, z, out, n); }\n", kFused));
  EXPECT_THAT(out->lines, ElementsAre(18));
  const std::string call =
      "void f() { hipLaunchKernelGGL(scale, g, 64, 0, s, x, y, n);\n hipLaunchKernelGGL(add, g, "
      "64, "
      "0, s, y, z, o, n);\n}\n";
  EXPECT_THAT(apply_fusion(file(call), kPair, fused).value().source,
              HasSubstr("hipLaunchKernelGGL(both, g, 64, 0, s, x, y, z, o, n);\n}"));
}

TEST(FusedKernel, SaysWhyALaunchCannotBeWritten) {
  const FusedKernel fused = find_fused_kernel(file(kHost), kPair, file(kHost, kFused)).value();
  const auto why = [&](std::string_view host) {
    const auto out = apply_fusion(file(host), kPair, fused);
    return out ? "written" : out.error().message;
  };
  EXPECT_THAT(why("void f() { scale<<<g, 256>>>(x, y, n); g(); add<<<g, 256>>>(y, z, o, n); }"),
              HasSubstr("nowhere in this file launched directly after"));
  EXPECT_THAT(why("void f() { scale<<<g, 256>>>(x, y, n); add<<<h, 256>>>(y, z, o, n); }"),
              HasSubstr("another configuration"));
  EXPECT_THAT(why("void f() { scale<<<g, 256>>>(x, y, n); add<<<g, 256>>>(w, z, o, n); }"),
              HasSubstr("'y' is another argument"));
  EXPECT_THAT(why("void f() { scale<<<g, 256>>>(x, y, n); add<<<g, 256>>>(y, z, o(), n); }"),
              HasSubstr("may do more"));
  EXPECT_THAT(why("void f() { scale<<<g, 256>>>(x, y, n); add<<<g, 256>>>(y, z, o, n++); }"),
              HasSubstr("may do more"));
}

TEST(FusedKernel, OneKernelMayBeInsertedAndNothingElse) {
  const std::string base = file(kHost);
  EXPECT_THAT(refusal(base, base), HasSubstr("0 kernels"));
  EXPECT_THAT(refusal(base, file(kHost, std::string(kFused) + "__global__ void more() {}\n")),
              HasSubstr("2 kernels"));
  EXPECT_THAT(refusal(base, file(kHost, std::string(kFused) + "int more;\n")),
              HasSubstr("differs outside both"));
  std::string changed = file(kHost, kFused);
  changed.replace(changed.find("y[i] = 2"), 8, "y[i] = 3");
  EXPECT_THAT(refusal(base, changed), HasSubstr("differs outside both"));
  EXPECT_THAT(refusal(base, file(kHost, "__global__ void both(float* w) { w[0] = 1; }\n")),
              HasSubstr("neither scale nor add has a parameter 'w'"));
  EXPECT_THAT(refusal(base, file(kHost, "__global__ void both(int* y) { y[0] = 1; }\n")),
              HasSubstr("'y' is 'int *' there"));
  EXPECT_EQ(refusal(base, file(kHost, "\n// One launch for both.\n" + std::string(kFused))),
            "found");
}

TEST(FusedKernel, MayHoldWhatOneOfTheTwoMay) {
  const auto verdict = [&](const std::string& body) {
    return check_fused_kernel(file(kHost), kPair,
                              file(kHost, "__global__ void both(float* y) {" + body + "}\n"))
        .value();
  };
  EXPECT_TRUE(verdict("y[0] = 1;").accept);
  EXPECT_FALSE(verdict("y[0] = clock64();").accept);
  EXPECT_FALSE(verdict("asm volatile(\".long 0\");").accept);
}

TEST(FusedKernel, IsWrittenFromBothBodies) {
  const auto out = with_fused_kernel(file(kHost), kPair);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_THAT(*out, HasSubstr("__global__ void scale_add(const float *x, float *y, int n, const "
                              "float *z, float *out) {"));
  EXPECT_THAT(*out, HasSubstr("    y[i] = 2 * x[i];\n  }(x, y, n);"));
  EXPECT_THAT(*out, HasSubstr("  }(y, z, out, n);\n}"));
  const auto fused = find_fused_kernel(file(kHost), kPair, *out);
  ASSERT_TRUE(fused) << fused.error().message;
  EXPECT_TRUE(check_fused_kernel(file(kHost), kPair, *out).value().accept);
}

TEST(FusedKernel, ArgumentsDecideWhichParametersAreOne) {
  // `n` is another number there, and what the first one calls y is the second one's z.
  const auto out = with_fused_kernel(
      file("void f() { scale<<<g, 256>>>(x, y, n); add<<<g, 256>>>(w, y, out, m); }"), kPair);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_THAT(*out, HasSubstr("scale_add(const float *x, float *scale_y, int scale_n, const float "
                              "*add_y, float *out, int add_n)"));
  EXPECT_THAT(*out, HasSubstr("}(x, scale_y, scale_n);"));
  EXPECT_THAT(*out, HasSubstr("}(add_y, scale_y, out, add_n);"));
}

}  // namespace
}  // namespace rpl
