// SPDX-License-Identifier: MIT
// Each rule of the catalogue: the edit it makes, word by word, and what it refuses and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/optimize/rules/catalogue.h"
#include "engine/source/text/guard.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two pointers into allocations of their own; work-items of 64.
LaunchFacts apart() {
  LaunchFacts out;
  out.workgroup = {64, 1, 1};
  out.capture = "c1";
  out.parameters = {CapturedPointer{0x1000, 0x1000, 0x2000, false},
                    CapturedPointer{0x2000, 0x2000, 0x3000, false}, std::nullopt};
  return out;
}

RuleOutcome offered_by(const std::string& rule, const std::string& source,
                       const LaunchFacts* launches = nullptr, bool assume = true) {
  const auto out = propose_by_catalogue(source, "k",
                                        {.scope = RuleScope::extended,
                                         .rule = rule,
                                         .launches = launches,
                                         .assume_captured = assume});
  if (!out) {
    ADD_FAILURE() << out.error().message;
    return {};
  }
  return *out;
}

std::string only_refusal(const RuleOutcome& outcome) {
  EXPECT_TRUE(outcome.edits.empty()) << outcome.edits.front().title;
  EXPECT_FALSE(outcome.refusals.empty());
  return outcome.refusals.empty() ? "" : outcome.refusals.front().reason;
}

std::string kernel_with(const std::string& body,
                        const std::string& parameters = "const float* in, float* out, int n") {
  return "__global__ void k(" + parameters + ") {\n" + body + "}\n";
}

TEST(LdsPadding, PadsTheRowsOfATwoDimensionalArray) {
  const auto outcome = offered_by(
      "lds-padding",
      kernel_with(
          "  __shared__ float tile[32][32];\n  tile[n][0] = in[n];\n  out[n] = tile[0][n];\n"));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_EQ(
      outcome.edits[0].source,
      kernel_with(
          "  __shared__ float tile[32][32 + 1];\n  tile[n][0] = in[n];\n  out[n] = tile[0][n];\n"));
  EXPECT_EQ(outcome.edits[0].title, "pad the rows of tile by 1");
  EXPECT_TRUE(outcome.edits[0].bit_exact);
  EXPECT_EQ(outcome.edits[0].line, 2U);
}

TEST(LdsPadding, PadsByADwordWhereElementsAreSmaller) {
  const auto outcome = offered_by(
      "lds-padding", kernel_with("  __shared__ _Float16 tile[32][64];\n  out[n] = tile[0][n];\n"));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source, HasSubstr("[64 + 2]"));
}

TEST(LdsPadding, RefusesWhatDependsOnTheLayout) {
  const auto refused = [](const std::string& body) {
    return only_refusal(offered_by("lds-padding", kernel_with(body)));
  };
  EXPECT_THAT(refused("  __shared__ float t[32][32];\n  out[n] = *(&t[0][0] + n);\n"),
              HasSubstr("address"));
  EXPECT_THAT(refused("  __shared__ float t[32][32];\n  float* row = t[n];\n  out[n] = row[0];\n"),
              HasSubstr("without both subscripts"));
  EXPECT_THAT(refused("  __shared__ float t[32][32];\n  use(t);\n"),
              HasSubstr("without both subscripts"));
  EXPECT_THAT(refused("  __shared__ float t[1024];\n  out[n] = t[n];\n"),
              HasSubstr("1 dimension, not two"));
  EXPECT_THAT(refused("  __shared__ float t[32][33];\n  out[n] = t[0][n];\n"),
              HasSubstr("33 dwords, an odd number"));
  EXPECT_THAT(refused("  __shared__ float t[32][32], u[2][2];\n  out[n] = t[0][n];\n"),
              HasSubstr("together with others"));
  EXPECT_THAT(refused("  extern __shared__ float t[];\n  out[n] = t[n];\n"),
              HasSubstr("dynamic LDS"));
  EXPECT_THAT(refused("  __shared__ Thing t[32][32];\n  out[n] = t[0][n].x;\n"),
              HasSubstr("unknown size"));
  EXPECT_THAT(refused("  out[n] = in[n];\n"), HasSubstr("no LDS array"));
}

TEST(LdsPadding, ReadsConstantsOfTheFile) {
  const std::string source =
      "constexpr int kTile = 32;\n#define WIDE 33\n" +
      kernel_with(
          "  __shared__ float t[2][kTile + 1];\n  __shared__ float u[2][WIDE];\n  __shared__ float "
          "v[2][kTile * 2];\n  out[n] = t[0][n] + u[0][n] + v[0][n];\n");
  const auto outcome = offered_by("lds-padding", source);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source, HasSubstr("v[2][(kTile * 2) + 1]"));
}

TEST(LaunchBounds, PutsTheCapturedSizeIntoTheHeader) {
  const LaunchFacts launches = apart();
  const auto outcome = offered_by("launch-bounds", kernel_with("  out[n] = in[n];\n"), &launches);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source, HasSubstr("__global__ __launch_bounds__(64) void k("));
  EXPECT_THAT(outcome.edits[0].assumes, HasSubstr("only c1 shows"));
  ASSERT_TRUE(outcome.edits[0].header.has_value());
  EXPECT_EQ(to_text(*outcome.edits[0].header), "launch-bounds 64");
}

TEST(LaunchBounds, IsNotOfferedUntilCapturedLaunchesMayStandForAll) {
  const LaunchFacts launches = apart();
  const auto outcome =
      offered_by("launch-bounds", kernel_with("  out[n] = in[n];\n"), &launches, false);
  EXPECT_THAT(only_refusal(outcome), HasSubstr("--assume-captured"));
}

TEST(LaunchBounds, RefusesBoundsThatAreThereLargerLaunchesAndNoCapture) {
  const LaunchFacts launches = apart();
  EXPECT_THAT(only_refusal(offered_by(
                  "launch-bounds",
                  "__global__ void __launch_bounds__(256) k(float* x) { x[0] = 1; }", &launches)),
              HasSubstr("'__launch_bounds__' already"));
  const std::string launched =
      kernel_with("  out[n] = in[n];\n") + "void run() { k<<<4, 128>>>(0, 0, 1); }\n";
  EXPECT_THAT(only_refusal(offered_by("launch-bounds", launched, &launches)),
              HasSubstr("more than 64"));
  EXPECT_THAT(only_refusal(offered_by("launch-bounds", kernel_with("  out[n] = in[n];\n"))),
              HasSubstr("no captured launch"));
}

TEST(WavesPerEu, OffersThreeChoicesOnce) {
  const auto outcome = offered_by("waves-per-eu", kernel_with("  out[n] = in[n];\n"));
  ASSERT_EQ(outcome.edits.size(), 3U);
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("__global__ __attribute__((amdgpu_waves_per_eu(8))) void k("));
  EXPECT_THAT(outcome.edits[2].source, HasSubstr("amdgpu_waves_per_eu(1, 2)"));
  EXPECT_THAT(only_refusal(offered_by("waves-per-eu", outcome.edits[0].source)),
              HasSubstr("already"));
}

TEST(Restrict, NeedsAllocationsApart) {
  LaunchFacts launches = apart();
  const std::string source =
      kernel_with("  out[n] = in[n];\n", "const float* in, float *out, int n");
  const auto outcome = offered_by("restrict", source, &launches);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("k(const float* __restrict__ in, float * __restrict__ out, int n)"));
  launches.parameters[1] = CapturedPointer{0x1800, 0x1000, 0x2000, false};
  EXPECT_THAT(only_refusal(offered_by("restrict", source, &launches)),
              HasSubstr("same allocation"));
  launches.parameters[1] = std::nullopt;
  EXPECT_THAT(only_refusal(offered_by("restrict", source, &launches)),
              HasSubstr("nothing that was captured"));
  launches.parameters[1] = CapturedPointer{0x2000, 0x2000, 0x3000, true};
  EXPECT_THAT(only_refusal(offered_by("restrict", source, &launches)),
              HasSubstr("variable of the program"));
}

TEST(Restrict, RefusesParametersThatMayHidePointers) {
  const LaunchFacts launches = apart();
  EXPECT_THAT(
      only_refusal(offered_by(
          "restrict", kernel_with("  out[n] = in[n];\n", "const float* in, float* out, View v"),
          &launches)),
      HasSubstr("may hold pointers"));
  EXPECT_THAT(only_refusal(offered_by(
                  "restrict", kernel_with("", "const float* a, const float* b, int n"), &launches)),
              HasSubstr("nothing can alias"));
}

TEST(Nontemporal, RewritesStoresAndSingleLoads) {
  const auto outcome =
      offered_by("nontemporal", kernel_with("  if (n > 0) out[n] = in[n] * 2.0f;\n"));
  ASSERT_EQ(outcome.edits.size(), 2U);
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("out[n] = __builtin_nontemporal_load(&in[n]) * 2.0f;"));
  EXPECT_THAT(outcome.edits[1].source,
              HasSubstr("if (n > 0) __builtin_nontemporal_store(in[n] * 2.0f, &out[n]);"));
}

TEST(Nontemporal, RefusesWhatIsReadAgainOrNotWrittenByItself) {
  const auto outcome = offered_by("nontemporal", kernel_with("  out[n] += in[n] + in[n + 1];\n"));
  EXPECT_TRUE(outcome.edits.empty());
  ASSERT_EQ(outcome.refusals.size(), 2U);
  EXPECT_THAT(outcome.refusals[0].reason, HasSubstr("more than once"));
  EXPECT_THAT(outcome.refusals[1].reason, HasSubstr("not only written"));
}

TEST(VectorLoad, ReadsFourElementsAtOnceAndTheRestOneByOne) {
  const auto outcome = offered_by(
      "vector-load",
      kernel_with(
          "  float sum = 0;\n  for (int i = 1; i < n; ++i) sum += in[i] * i;\n  out[0] = sum;\n"));
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_EQ(outcome.edits[0].source, kernel_with(R"(  float sum = 0;
  {
    int i_base = 1;
    for (; i_base < (n) && (n) - i_base >= 4; i_base += 4) {
      float in_read[4];
      __builtin_memcpy(in_read, &in[i_base], sizeof in_read);
      #pragma unroll
      for (int i_lane = 0; i_lane < 4; ++i_lane) {
        const int i = i_base + i_lane;
        sum += in_read[i_lane] * i;
      }
    }
    for (int i = i_base; i < n; ++i) sum += in[i] * i;
  }
  out[0] = sum;
)"));
}

TEST(VectorLoad, RefusesLoopsThatMayNotReadAheadOrWrite) {
  const auto refused = [](const std::string& loop) {
    return only_refusal(
        offered_by("vector-load", kernel_with("  float s = 0;\n" + loop + "  out[0] = s;\n")));
  };
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) { if (i % 2) s += in[i]; }\n"),
              HasSubstr("'if' in the loop"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) out[i] = in[i];\n"),
              HasSubstr("writes memory"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; i += 2) s += in[i];\n"),
              HasSubstr("does not count up by one"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) s += in[i * 2];\n"),
              HasSubstr("no array is read at the counter alone"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) s += odd(in[i]);\n"),
              HasSubstr("'odd' may write memory"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) { s += in[i]; if (s > 1) break; }\n"),
              HasSubstr("'break' leaves"));
  EXPECT_THAT(refused("  for (int i = 0; i < in[0]; ++i) s += in[i];\n"),
              HasSubstr("more than names and numbers"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) { s += in[i]; __syncthreads(); }\n"),
              HasSubstr("a barrier"));
}

TEST(InvariantHoist, LoadsOnceUnderTheConditionOfTheFirstIteration) {
  const LaunchFacts launches = apart();
  const auto outcome =
      offered_by("invariant-hoist",
                 kernel_with("  for (int i = 0; i < n; ++i) out[i] = in[n] * 2;\n"), &launches);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(
      outcome.edits[0].source,
      HasSubstr(
          "  const float in_held = static_cast<int>(0) < (n) ? in[n] : static_cast<float>(0);\n"
          "  for (int i = 0; i < n; ++i) out[i] = in_held * 2;\n"));
  EXPECT_FALSE(outcome.edits[0].assumes.empty());
}

TEST(InvariantHoist, RefusesLoadsThatChangeOrNeedNotHappen) {
  LaunchFacts launches = apart();
  const auto refused = [&](const std::string& loop) {
    return only_refusal(offered_by("invariant-hoist", kernel_with(loop), &launches));
  };
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) out[i] = in[i];\n"),
              HasSubstr("no load of the loop"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) { if (i) out[i] = in[n]; }\n"),
              HasSubstr("no load of the loop"));
  EXPECT_THAT(refused("  float s = 0;\n  for (int i = 0; i < n; ++i) s += in[n];\n"),
              HasSubstr("hoists its loads itself"));
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) { atomicAdd(&out[0], in[n]); }\n"),
              HasSubstr("atomic"));
  launches.parameters[1] = launches.parameters[0];
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) out[i] = in[n];\n"),
              HasSubstr("same allocation"));
}

TEST(RegisterRows, KeepsWhatEveryTurnGoesOverAgain) {
  const LaunchFacts launches = apart();
  const auto outcome = offered_by(
      "register-rows",
      kernel_with("  for (int i = 0; i < n; ++i) {\n"
                  "    for (int e = 0; e < 4; ++e) out[n * 4 + e] += in[e + n] * in[e + n];\n"
                  "  }\n"),
      &launches);
  // Both together, then each alone.
  ASSERT_EQ(outcome.edits.size(), 3U);
  EXPECT_THAT(outcome.edits[0].source,
              HasSubstr("for (int e = 0; e < 4; ++e) out_row[e] += in_row[e] * in_row[e];\n"));
  EXPECT_THAT(outcome.edits[0].source, HasSubstr("in_row[at] = in[at + n];"));
  EXPECT_THAT(outcome.edits[2].source, HasSubstr("out[n * 4 + at] = out_row[at];"));
  EXPECT_FALSE(outcome.edits[0].bit_exact);
  EXPECT_FALSE(outcome.edits[0].assumes.empty());
}

TEST(RegisterRows, RefusesRowsThatChangeOrThatOthersMayTouch) {
  LaunchFacts launches = apart();
  const auto refused = [&](const std::string& inner) {
    return only_refusal(offered_by("register-rows",
                                   kernel_with("  float s = 0;\n  for (int i = 0; i < n; ++i) {\n" +
                                               inner + "  }\n  out[0] = s;\n"),
                                   &launches));
  };
  const std::string none = "no loop with a constant number of turns";
  EXPECT_THAT(refused("    for (int e = 0; e < 4; ++e) s += in[i * 4 + e];\n"), HasSubstr(none));
  EXPECT_THAT(refused("    for (int e = 0; e < n; ++e) s += in[e];\n"), HasSubstr(none));
  EXPECT_THAT(refused("    for (int e = 0; e < 4; ++e) s += in[e * 2];\n"), HasSubstr(none));
  EXPECT_THAT(refused("    if (i > 2) for (int e = 0; e < 4; ++e) s += in[e];\n"), HasSubstr(none));
  EXPECT_THAT(refused("    for (int e = 0; e < 4; ++e) s += odd(in[e]);\n"),
              HasSubstr("'odd' may write memory"));
  EXPECT_THAT(refused("    for (int e = 0; e < 4; ++e) s += in[e];\n    __syncthreads();\n"),
              HasSubstr("a barrier"));
  launches.parameters[1] = launches.parameters[0];
  EXPECT_THAT(refused("    for (int e = 0; e < 4; ++e) { s += in[e]; out[i] = s; }\n"),
              HasSubstr("same allocation"));
}

TEST(CompilerFlags, ChangeNoSource) {
  const std::string source = kernel_with("  out[n] = in[n];\n");
  const auto outcome = offered_by("compiler-flags", source);
  EXPECT_FALSE(outcome.edits.empty());
  for (const RuleEdit& edit : outcome.edits) {
    EXPECT_EQ(edit.source, source);
    EXPECT_FALSE(edit.flags.empty()) << edit.title;
  }
}

TEST(Catalogue, TheFirstScopeUnrollsAlone) {
  const std::string source = kernel_with(
      "  __shared__ float t[32][32];\n  for (int i = 0; i < n; ++i) t[0][i] = in[i];\n  out[n] = "
      "t[n][0];\n");
  const auto outcome = propose_by_catalogue(source, "k", {.scope = RuleScope::v1});
  ASSERT_TRUE(outcome.has_value());
  EXPECT_FALSE(outcome->edits.empty());
  for (const RuleEdit& edit : outcome->edits) EXPECT_EQ(edit.rule, "loop-unroll");
}

TEST(Catalogue, TheDiagnosisOrdersTheRules) {
  const std::string source = kernel_with(
      "  __shared__ float t[32][32];\n  for (int i = 0; i < n; ++i) t[0][i] = in[i];\n  out[n] = "
      "t[n][0];\n");
  const auto first = [&](Bottleneck worst) {
    return propose_by_catalogue(source, "k", {.scope = RuleScope::extended, .diagnosis = {worst}})
        ->edits.front()
        .rule;
  };
  EXPECT_EQ(first(Bottleneck::lds), "lds-padding");
  EXPECT_EQ(first(Bottleneck::memory_bandwidth), "nontemporal");
  EXPECT_EQ(first(Bottleneck::memory_latency), "loop-unroll");
}

TEST(Catalogue, EveryEditOfEveryRulePassesTheGuardAndNamesItsRule) {
  const LaunchFacts launches = apart();
  const std::string source = kernel_with(
      "  __shared__ float t[32][32];\n  float s = 0;\n  for (int i = 0; i < n; ++i) s += in[i];\n  "
      "t[0][n] = s;\n  for (int i = 0; i < n; ++i) out[i] = t[n][0];\n");
  const auto outcome = propose_by_catalogue(
      source, "k", {.scope = RuleScope::extended, .launches = &launches, .assume_captured = true});
  ASSERT_TRUE(outcome.has_value());
  EXPECT_GE(outcome->edits.size(), 15U);
  for (const RuleEdit& edit : outcome->edits) {
    ASSERT_TRUE(rule_named(edit.rule).has_value()) << edit.rule;
    EXPECT_FALSE(edit.title.empty() || edit.why.empty() || edit.line == 0) << edit.rule;
    if (edit.header) {
      EXPECT_FALSE(check_edit(source, "k", edit.source)->accept)
          << "a header may change by a typed edit alone: " << edit.title;
      EXPECT_TRUE(check_header_edit(source, "k", *edit.header, edit.source)->accept) << edit.title;
    } else if (edit.flags.empty()) {
      EXPECT_TRUE(check_edit(source, "k", edit.source)->accept) << edit.title;
    }
  }
}

TEST(Catalogue, UnknownRulesAreAnError) {
  const auto outcome = propose_by_catalogue(kernel_with(""), "k", {.rule = "nothing"});
  ASSERT_FALSE(outcome.has_value());
  EXPECT_THAT(outcome.error().hint, HasSubstr("lds-padding"));
}

UserRule user_rule(std::string body) {
  return {"mine", Bottleneck::compute, [body](const UserKernel&) -> Result<std::vector<UserEdit>> {
            return std::vector<UserEdit>{
                {.title = "as I like it", .why = "because", .body = body, .source = {}}};
          }};
}

TEST(UserRules, OfferEditsThatPassTheSameGates) {
  const auto good = propose_by_catalogue(
      kernel_with("  out[n] = in[n];\n"), "k",
      {.scope = RuleScope::v1, .user_rules = {user_rule("\n  out[n] = in[n] + 0.0f;\n")}});
  ASSERT_TRUE(good.has_value());
  ASSERT_EQ(good->edits.size(), 1U);
  EXPECT_EQ(good->edits[0].source, kernel_with("  out[n] = in[n] + 0.0f;\n"));
  EXPECT_FALSE(good->edits[0].bit_exact);
  const auto bad = propose_by_catalogue(
      kernel_with("  out[n] = in[n];\n"), "k",
      {.scope = RuleScope::v1, .user_rules = {user_rule("\n  printf(\"x\");\n")}});
  ASSERT_TRUE(bad.has_value());
  EXPECT_TRUE(bad->edits.empty());
  EXPECT_THAT(bad->refusals.back().reason, HasSubstr("would not pass the guard"));
}

/// Rows of work-items in workgroups of 256, in waves of 64.
LaunchFacts rows_of_work_items() {
  LaunchFacts out = apart();
  out.grid = {2048, 1, 1};
  out.workgroup = {256, 1, 1};
  out.wave_size = 64;
  return out;
}

constexpr const char* kRow = "  const int row = blockIdx.x * blockDim.x + threadIdx.x;\n";

RuleOutcome waves_for(const std::string& body) {
  const LaunchFacts facts = rows_of_work_items();
  return offered_by("wave-per-row", kernel_with(kRow + body), &facts);
}

/// The body that comes out, behind the number of the row and that of the lane.
std::string shared_out(const std::string& body) {
  const auto outcome = waves_for(body);
  if (outcome.edits.size() != 1)
    return outcome.refusals.empty() ? "nothing" : "refused: " + outcome.refusals.front().reason;
  const std::string& text = outcome.edits[0].source;
  const std::string begin =
      "  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;\n  const int lane = "
      "threadIdx.x % 64;\n";
  const std::size_t at = text.find(begin);
  EXPECT_NE(at, text.npos) << text;
  return text.substr(at + begin.size(), text.size() - at - begin.size() - 2);
}

TEST(WavePerRow, PutsSumsProductsAndExtremesTogether) {
  EXPECT_EQ(shared_out("  float sum = 1.0f;\n"
                       "  for (int i = 0; i < n; ++i) sum += in[row * n + i];\n"
                       "  out[row] = sum;\n"),
            "  float sum = 1.0f;\n"
            "  decltype(sum) sum_part = 0;\n"
            "  for (int i = lane; i < n; i += 64) sum_part += in[row * n + i];\n"
            "  for (int mask = 32; mask > 0; mask /= 2) sum_part += __shfl_xor(sum_part, mask);\n"
            "  sum += sum_part;\n"
            "  if (lane == 0) out[row] = sum;\n");
  EXPECT_THAT(shared_out("  float all = 1.0f;\n"
                         "  for (int i = 0; i < n; ++i) all *= in[row * n + i];\n"
                         "  out[row] = all;\n"),
              HasSubstr("decltype(all) all_part = 1;"));
  EXPECT_THAT(
      shared_out("  float most = in[row * n];\n"
                 "  for (int i = 1; i < n; ++i) most = fmaxf(in[row * n + i], most);\n"
                 "  out[row] = most;\n"),
      HasSubstr("for (int i = 1 + lane; i < n; i += 64) most = fmaxf(in[row * n + i], most);\n"
                "  for (int mask = 32; mask > 0; mask /= 2) most = fmaxf(most, __shfl_xor(most, "
                "mask));"));
}

TEST(WavePerRow, ChangesTheLaunch) {
  const auto outcome = waves_for(
      "  float sum = 0;\n  for (int i = 0; i < n; ++i) sum += in[row * n + i];\n  out[row] = "
      "sum;\n");
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_EQ(to_text(outcome.edits[0].launch), "workgroup 256, work-items x 64");
  EXPECT_FALSE(outcome.edits[0].bit_exact);
}

TEST(WavePerRow, SharesOutElementsThatEachTurnStores) {
  EXPECT_EQ(shared_out("  if (row < n) {\n"
                       "    for (int i = 0; i < n; ++i) out[row * n + i] = 2 * in[row * n + i];\n"
                       "    float sum = 0;\n"
                       "    for (int i = 0; i < n; ++i) sum += out[row * n + i];\n"
                       "    out[row * n] = sum;\n"
                       "  }\n"),
            "  if (row < n) {\n"
            "    for (int i = lane; i < n; i += 64) out[row * n + i] = 2 * in[row * n + i];\n"
            "    float sum = 0;\n"
            "    __threadfence_block();\n"
            "    decltype(sum) sum_part = 0;\n"
            "    for (int i = lane; i < n; i += 64) sum_part += out[row * n + i];\n"
            "    for (int mask = 32; mask > 0; mask /= 2) sum_part += __shfl_xor(sum_part, mask);\n"
            "    sum += sum_part;\n"
            "    if (lane == 0) out[row * n] = sum;\n"
            "  }\n");
}

TEST(WavePerRow, PutsArraysOfRegistersTogether) {
  const std::string text = shared_out(
      "  float sums[4] = {};\n"
      "  for (int j = 0; j < n; ++j)\n"
      "    for (int e = 0; e < 4; ++e) sums[e] += in[j * 4 + e];\n"
      "  for (int e = 0; e < 4; ++e) out[row * 4 + e] = sums[e];\n");
  EXPECT_THAT(text, HasSubstr("float sums_part[4] = {};"));
  EXPECT_THAT(text, HasSubstr("sums_part[at] += __shfl_xor(sums_part[at], mask);"));
  EXPECT_THAT(text, HasSubstr("if (lane == 0) for (int e = 0; e < 4; ++e) out[row * 4 + e]"))
      << "no lane may ask an array of registers for an element of its own";
}

TEST(WavePerRow, RefusesWhatTurnsHandOn) {
  const auto why = [&](const std::string& body) { return shared_out(body); };
  EXPECT_THAT(why("  float x = 0;\n  for (int i = 0; i < n; ++i) x = x * 0.5f + in[i];\n"
                  "  out[row] = x;\n"),
              HasSubstr("turns hand 'x' on to each other"));
  EXPECT_THAT(why("  float x = 0;\n  for (int i = 0; i < n; ++i) { x += in[i]; out[row * n + i] = "
                  "x; }\n"),
              HasSubstr("turns hand 'x' on to each other"));
  EXPECT_THAT(why("  for (int i = 0; i < n; ++i) out[row * n + i] = out[row * n + i - 1];\n"),
              HasSubstr("refused"));
  EXPECT_THAT(why("  for (int i = 0; i < n; ++i) out[i * 2] = in[i];\n"), HasSubstr("refused"));
  EXPECT_THAT(why("  float sum = 0;\n  for (int i = 0; i < n; ++i) { if (in[i] < 0) break; sum += "
                  "in[i]; }\n  out[row] = sum;\n"),
              HasSubstr("'break' leaves the loop"));
  EXPECT_THAT(why("  __syncthreads();\n"), HasSubstr("the kernel has a barrier"));
  EXPECT_THAT(why("  other(in);\n"), HasSubstr("'other' may do more"));
  EXPECT_THAT(why("  out[row] = threadIdx.x;\n"), HasSubstr("once, as the row"));
  EXPECT_THAT(why("  out[row] = in[row];\n"), HasSubstr("no loop has turns"));
}

TEST(WavePerRow, TakesWavesAsTheyAre) {
  LaunchFacts facts = rows_of_work_items();
  facts.wave_size = 32;
  const std::string body = std::string(kRow) +
                           "  float sum = 0;\n  for (int i = 0; i < n; ++i) sum += in[i];\n  "
                           "out[row] = sum;\n";
  const auto outcome = offered_by("wave-per-row", kernel_with(body), &facts);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_THAT(outcome.edits[0].source, HasSubstr("for (int mask = 16; mask > 0; mask /= 2)"));
  EXPECT_EQ(to_text(outcome.edits[0].launch), "workgroup 256, work-items x 32");
}

TEST(WavePerRow, SaysWhatHasToLieApart) {
  const LaunchFacts facts = rows_of_work_items();
  const auto outcome = offered_by(
      "wave-per-row",
      kernel_with(std::string(kRow) +
                  "  for (int i = 0; i < n; ++i) out[row * n + i] = in[row * n + n - i];\n"),
      &facts);
  ASSERT_EQ(outcome.edits.size(), 1U);
  EXPECT_EQ(outcome.edits[0].assumes, "only c1 shows that 'out' and 'in' lie apart");
}

TEST(WorkgroupSize, OffersOtherSizesWhereTheNumberAloneCounts) {
  const LaunchFacts facts = rows_of_work_items();
  const auto outcome = offered_by(
      "workgroup-size", kernel_with(std::string(kRow) + "  out[row] = in[row];\n"), &facts);
  ASSERT_EQ(outcome.edits.size(), 4U);
  EXPECT_EQ(to_text(outcome.edits[0].launch), "workgroup 64");
  EXPECT_EQ(outcome.edits[0].source, kernel_with(std::string(kRow) + "  out[row] = in[row];\n"));
  const auto refused = [&](const std::string& body) {
    return only_refusal(offered_by("workgroup-size", kernel_with(body), &facts));
  };
  EXPECT_THAT(refused(std::string(kRow) + "  out[row] = in[threadIdx.x];\n"),
              HasSubstr("asks for more"));
  // Lanes of waves know which ones they are in workgroups of whole waves.
  const auto lanes =
      offered_by("workgroup-size",
                 kernel_with(std::string(kRow) +
                             "  const int lane = threadIdx.x % 128;\n  out[row] = in[lane];\n"),
                 &facts);
  EXPECT_EQ(lanes.edits.size(), 3U);
  EXPECT_THAT(refused(std::string(kRow) + "  __shared__ float s[256];\n"), HasSubstr("LDS"));
}

TEST(FloatLiterals, GivesNumbersTheWidthOfWhatTheyMeet) {
  const auto outcome = offered_by(
      "float-literals",
      kernel_with("  out[0] = in[0] * 0.5 + 1e-3 - 2.f + 3 + 0x1p-3;\n  out[1] = powf(n, 2.0f) + "
                  "pow(n, 0.5);\n"));
  ASSERT_EQ(outcome.edits.size(), 3U);
  EXPECT_EQ(outcome.edits[0].source,
            kernel_with("  out[0] = in[0] * 0.5f + 1e-3f - 2.f + 3 + 0x1p-3;\n  out[1] = powf(n, "
                        "2.0f) + pow(n, 0.5f);\n"));
  EXPECT_EQ(outcome.edits[1].source,
            kernel_with("  out[0] = in[0] * 0.5 + 1e-3 - 2.f + 3 + 0x1p-3;\n  out[1] = (n * n) + "
                        "pow(n, 0.5);\n"));
  EXPECT_THAT(outcome.edits[2].source, HasSubstr("0.5f + 1e-3f"));
  EXPECT_THAT(outcome.edits[2].source, HasSubstr("(n * n)"));
  EXPECT_THAT(
      only_refusal(offered_by("float-literals", kernel_with("  double x = 0.5;\n  out[0] = x;\n"))),
      HasSubstr("double by its own words"));
  EXPECT_THAT(only_refusal(offered_by("float-literals", kernel_with("  out[0] = 0.5f;\n"))),
              HasSubstr("no number is a double"));
}

TEST(SplitSums, AddsToFourSums) {
  const auto outcome = offered_by(
      "split-sums",
      kernel_with(
          "  float sum = 0;\n  for (int i = 0; i < n; ++i) sum += in[i];\n  out[0] = sum;\n"));
  ASSERT_EQ(outcome.edits.size(), 1U);
  const std::string& text = outcome.edits[0].source;
  EXPECT_THAT(text, HasSubstr("decltype(sum) sum_3 = 0;"));
  EXPECT_THAT(text, HasSubstr("for (; i_base < (n) && (n) - i_base >= 4; i_base += 4) {"));
  EXPECT_THAT(text, HasSubstr("const int i = i_base + 2;\n      sum_2 += in[i];"));
  EXPECT_THAT(text, HasSubstr("for (int i = i_base; i < n; ++i) sum += in[i];"));
  EXPECT_THAT(text, HasSubstr("sum += sum_3;"));
  const auto refused = [&](const std::string& body) {
    return only_refusal(offered_by("split-sums", kernel_with(body)));
  };
  EXPECT_THAT(refused("  for (int i = 0; i < n; ++i) out[i] = in[i];\n"), HasSubstr("store"));
  EXPECT_THAT(refused("  float x = 0;\n  for (int i = 0; i < n; ++i) x = x * 0.5f + in[i];\n"),
              HasSubstr("hand 'x' on"));
}

TEST(LdsAtomics, AddsUpInTheWorkgroupFirst) {
  LaunchFacts facts = apart();
  facts.parameters[1] = CapturedPointer{0x2000, 0x2000, 0x2100, false};
  const std::string parameters = "const int* in, int* out, int n";
  const auto outcome = offered_by(
      "lds-atomics",
      kernel_with("  if (threadIdx.x >= n) return;\n  atomicAdd(&out[in[threadIdx.x]], 1);\n",
                  parameters),
      &facts);
  ASSERT_EQ(outcome.edits.size(), 1U) << only_refusal(outcome);
  const std::string& text = outcome.edits[0].source;
  EXPECT_THAT(text, HasSubstr("__shared__ int out_of_group[64];"));
  EXPECT_THAT(text, HasSubstr("const auto add_up = [&] {"));
  EXPECT_THAT(text, HasSubstr("atomicAdd(&out_of_group[in[threadIdx.x]], 1);"));
  EXPECT_THAT(text, HasSubstr("if (out_of_group[at] != 0) atomicAdd(&out[at], out_of_group[at]);"));
  EXPECT_EQ(outcome.edits[0].assumes, "only c1 shows that 'out' has no more than 64 elements");
  const auto refused = [&](const std::string& body) {
    return only_refusal(offered_by("lds-atomics", kernel_with(body, parameters), &facts));
  };
  EXPECT_THAT(refused("  int x = atomicAdd(&out[0], 1);\n"), HasSubstr("nothing is added"));
  EXPECT_THAT(refused("  atomicAdd(&out[0], 1);\n  out[1] = 2;\n"),
              HasSubstr("more than additions"));
  EXPECT_THAT(refused("  __syncthreads();\n  atomicAdd(&out[0], 1);\n"), HasSubstr("already"));
}

}  // namespace
}  // namespace rpl
