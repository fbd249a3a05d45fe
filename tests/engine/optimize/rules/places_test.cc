// SPDX-License-Identifier: MIT
// The rules for kernels whose work-items take an element each of something with two dimensions: the edits, word by word, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/optimize/rules/catalogue.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

LaunchFacts workgroups(std::uint32_t across, std::uint32_t down) {
  LaunchFacts out;
  out.workgroup = {across, down, 1};
  out.grid = {256, 256, 1};
  out.wave_size = 64;
  out.capture = "c1";
  return out;
}

constexpr const char* kPlaces =
    "  const int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  const int row = threadIdx.y + blockDim.y * blockIdx.y;\n";

std::string matrix_kernel(const std::string& body) {
  return "__global__ void k(const float* a, const float* b, float* c, int n) {\n" + body + "}\n";
}

RuleOutcome offered_by(const std::string& rule, const std::string& body, const LaunchFacts& facts) {
  const auto out = propose_by_catalogue(
      matrix_kernel(body), "k",
      {.scope = RuleScope::extended, .rule = rule, .launches = &facts, .assume_captured = true});
  if (!out) {
    ADD_FAILURE() << out.error().message;
    return {};
  }
  return *out;
}

std::string refused(const std::string& rule, const std::string& body,
                    const LaunchFacts& facts = workgroups(16, 16)) {
  const RuleOutcome outcome = offered_by(rule, body, facts);
  EXPECT_TRUE(outcome.edits.empty()) << outcome.edits.front().source;
  return outcome.refusals.empty() ? "" : outcome.refusals.front().reason;
}

TEST(SwapLanes, ExchangesTheDimensionsOfSquareWorkgroups) {
  const auto outcome = offered_by(
      "swap-lanes", std::string(kPlaces) + "  c[column * n + row] = a[column * n + row];\n",
      workgroups(16, 16));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_EQ(outcome.edits[0].source,
            matrix_kernel("  const int column = blockIdx.x * blockDim.x + threadIdx.y;\n"
                          "  const int row = threadIdx.x + blockDim.y * blockIdx.y;\n"
                          "  c[column * n + row] = a[column * n + row];\n"));
  EXPECT_TRUE(outcome.edits[0].bit_exact);
  EXPECT_EQ(outcome.edits[0].assumes, "only c1 shows that workgroups have 16 by 16 work-items");
}

TEST(SwapLanes, CountsWorkItemsAgainInOthers) {
  const auto outcome = offered_by(
      "swap-lanes", std::string(kPlaces) + "  c[column * n + row] = 1;\n", workgroups(64, 4));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("blockDim.x + (threadIdx.y * 64 + threadIdx.x) / 4;"));
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("row = (threadIdx.y * 64 + threadIdx.x) % 4 + blockDim.y"));
}

TEST(SwapLanes, RefusesWhereItMayNotOrNeedNot) {
  EXPECT_THAT(refused("swap-lanes", std::string(kPlaces) + "  c[row * n + column] = 1;\n"),
              HasSubstr("a row apart"));
  EXPECT_THAT(refused("swap-lanes",
                      std::string(kPlaces) + "  __syncthreads();\n  c[column * n + row] = 1;\n"),
              HasSubstr("a barrier"));
  EXPECT_THAT(
      refused("swap-lanes", std::string(kPlaces) + "  c[column * n + row] = threadIdx.x;\n"),
      HasSubstr("in each of two dimensions"));
  EXPECT_THAT(refused("swap-lanes", std::string(kPlaces) + "  c[column * n + row] = 1;\n",
                      workgroups(64, 1)),
              HasSubstr("two dimensions"));
  // Another number than that of captured workgroups is another place.
  EXPECT_THAT(
      refused("swap-lanes",
              "  const int column = blockIdx.x * 32 + threadIdx.x;\n"
              "  const int row = blockIdx.y * 16 + threadIdx.y;\n  c[column * n + row] = 1;\n"),
      HasSubstr("in each of two dimensions"));
}

TEST(LdsTranspose, WritesASquareFromLds) {
  const auto outcome = offered_by("lds-transpose",
                                  std::string(kPlaces) +
                                      "  if (row >= n || column >= n) return;\n"
                                      "  c[column * n + row] = a[row * n + column];\n",
                                  workgroups(16, 16));
  ASSERT_EQ(outcome.edits.size(), 1U);
  const std::string& text = outcome.edits[0].source;
  EXPECT_THAT(text, HasSubstr("__shared__ float tile[16][17];"));
  EXPECT_THAT(text, HasSubstr("if (column < n && row < n) {\n  tile[threadIdx.y][threadIdx.x] = "
                              "a[row * n + column];\n  }"));
  EXPECT_THAT(text, HasSubstr("x_out = blockIdx.x * blockDim.x + threadIdx.y;"));
  EXPECT_THAT(text, HasSubstr("y_out = threadIdx.x + blockDim.y * blockIdx.y;"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "if (x_out < n && y_out < n) c[x_out * n + y_out] = tile[threadIdx.x][threadIdx.y];"));
}

TEST(LdsTranspose, RefusesWhatItCannotTellApart) {
  const auto why = [](const std::string& body) {
    return refused("lds-transpose", std::string(kPlaces) + body);
  };
  EXPECT_THAT(why("  c[row * n + column] = a[column];\n"), HasSubstr("a row apart"));
  EXPECT_THAT(why("  const int at = column * n + row;\n  c[at] = a[row];\n"),
              HasSubstr("a row apart"));
  EXPECT_THAT(why("  const int m = n + row;\n  c[column * m + row] = a[row];\n"),
              HasSubstr("'m' may be another number"));
  EXPECT_THAT(why("  if (row + column > n) return;\n  c[column * n + row] = a[row];\n"),
              HasSubstr("cannot be taken apart"));
  EXPECT_THAT(why("  c[0] = 1;\n  c[column * n + row] = a[row];\n"),
              HasSubstr("another statement stores"));
}

constexpr const char* kProduct =
    "  if (row >= n || column >= n) return;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];\n"
    "  c[row * n + column] = sum;\n";

TEST(LdsTile, ReadsWhatWorkItemsShareOnce) {
  const auto outcome = offered_by("lds-tile", std::string(kPlaces) + kProduct, workgroups(16, 16));
  ASSERT_EQ(outcome.edits.size(), 1U);
  const std::string& text = outcome.edits[0].source;
  EXPECT_THAT(text, HasSubstr("__shared__ float tile_of_a[16][16 + 1];"));
  EXPECT_THAT(text, HasSubstr("__shared__ float tile_of_b_1[16][16];"));
  EXPECT_THAT(text, HasSubstr("for (; n - first_turn >= 16; first_turn += 16) {"));
  EXPECT_THAT(text, HasSubstr("if (one < n) tile_of_a[at / 16][at % 16] = a[one * n + turn];"));
  EXPECT_THAT(
      text,
      HasSubstr("if (one < n && turn < (n)) tile_of_b_1[at / 16][at % 16] = b[turn * n + one];"));
  EXPECT_THAT(text,
              HasSubstr("sum += tile_of_a[threadIdx.y][turn] * tile_of_b_1[turn][threadIdx.x];"));
  EXPECT_THAT(text, HasSubstr("if (column < n && row < n) {"));
  EXPECT_FALSE(outcome.edits[0].bit_exact);
}

TEST(LdsTile, TakesAPragmaOfTheLoopAway) {
  std::string body = std::string(kPlaces) + kProduct;
  body.insert(body.find("  for ("), "#pragma unroll 4\n");
  const auto outcome = offered_by("lds-tile", body, workgroups(16, 16));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source, ::testing::Not(HasSubstr("#pragma")));
}

TEST(LdsTile, RefusesWhatWorkItemsDoNotShare) {
  const auto why = [](const std::string& body) {
    return refused("lds-tile", std::string(kPlaces) + body);
  };
  EXPECT_THAT(why("  c[row * n + column] = 1;\n"), HasSubstr("no loop"));
  EXPECT_THAT(why("  float s = 0;\n  for (int k = 0; k < row; ++k) s += a[row * n + k];\n  c[row * "
                  "n + column] = s;\n"),
              HasSubstr("differ from work-item to work-item"));
  EXPECT_THAT(why("  float s = 0;\n  for (int k = 0; k < n; ++k) s += a[row * n + column + k];\n  "
                  "c[row] = s;\n"),
              HasSubstr("an element of its own"));
  EXPECT_THAT(why("  for (int k = 0; k < n; ++k) c[row * n + k] = a[row * n + k];\n"),
              HasSubstr("not only read"));
  EXPECT_THAT(why("  float s = c[row];\n  for (int k = 0; k < n; ++k) s += a[row * n + k];\n  "
                  "c[row] = s;\n"),
              HasSubstr("before the loop"));
}

}  // namespace
}  // namespace rpl
