// SPDX-License-Identifier: MIT
#include "engine/regress/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/device/execute/launch/kernel_run.h"
#include "engine/isa/traits/architecture.h"
#include "engine/regress/comparison.h"
#include "tests/support/temp_dir.h"

namespace rpl::regress {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr const char* kSumsSource = R"(#include <hip/hip_runtime.h>
extern "C" __global__ void sum(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float all = 0;
  for (int k = 0; k < 64; ++k) all += x[k * n + i];
  y[i] = all;
}
)";

Result<Ran> run_sum(const std::shared_ptr<const isa::CodeObject>& object, const RunWish& wish) {
  constexpr std::uint32_t kItems = 512;
  emu::KernelRun run;
  run.object = object;
  run.grid = {kItems, 1, 1};
  run.workgroup = {64, 1, 1};
  run.arguments = {emu::BufferArgument{.element = Element::f32,
                                       .count = 64 * kItems,
                                       .fill = {.kind = emu::Fill::Kind::iota, .bytes = {}}},
                   emu::BufferArgument{.element = Element::f32, .count = kItems, .fill = {}},
                   TRY(emu::parse_value(Element::i32, "512"))};
  run.options = {.mode = emu::Mode::modelled,
                 .max_instructions = wish.max_instructions,
                 .keep_record = wish.keep_record};
  emu::KernelOutcome outcome = TRY(emu::run_kernel(run));
  Ran out;
  out.outputs.push_back({"argument 2", Element::f32, std::move(outcome.buffers[1])});
  out.executed = std::move(outcome.executed);
  return out;
}

class CauseByFlags : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler("", HipHeaders::own);
    if (!found) GTEST_SKIP() << found.error().message;
    if (found->kind != Compiler::Kind::clang) GTEST_SKIP() << "the compiler is no clang";
    a_ = {.name = "A", .compiler = *found};
    b_ = {.name = "B", .compiler = *found, .flags = {"-fno-unroll-loops"}};
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    a_.compiler.cache = b_.compiler.cache = build_cache_folder();
    source_ = folder_.write("sum.hip", kSumsSource);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  std::shared_ptr<const Judged> judged(Stages& stages, const Side& side) {
    Made made = *stages.front_end(side, source_);
    made = *stages.run(Stage::optimizer, side, made);
    made = *stages.run(Stage::code_generation, side, made);
    return std::make_shared<const Judged>(*judge(*read_code(made.path, "sum"), run_sum, nullptr));
  }

  testing_support::TempDir folder_;
  Side a_, b_;
  std::string source_;
};

TEST_F(CauseByFlags, NamesThePassAndTheFlag) {
  Stages stages = std::move(*Stages::make(isa::usual_architecture()));
  const auto a = judged(stages, a_), b = judged(stages, b_);
  Comparison compared = compare(a, b, 0.05);
  ASSERT_EQ(compared.verdict, Verdict::b_slower) << compared.ratio;
  EXPECT_EQ(compared.results.results, Results::equal);
  EXPECT_THAT(compared.lines, Contains(Field(&LineCost::line, 5U)));
  auto found = find_cause(stages, {.a = a_,
                                   .b = b_,
                                   .source = source_,
                                   .kernel = "sum",
                                   .judged_a = a.get(),
                                   .judged_b = b.get(),
                                   .run = run_sum});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->slower, "B");
  EXPECT_EQ(found->stage, Stage::optimizer);
  EXPECT_TRUE(found->in_one_pass);
  // Clang 22 can leave passes out one by one; it finds lcssa.
  EXPECT_THAT(found->answer, testing::AnyOf(HasSubstr("Unroll"), HasSubstr("pass lcssa")));
  ASSERT_FALSE(found->flags.empty());
  EXPECT_EQ(found->flags.front().flag, "without -fno-unroll-loops");
  EXPECT_GT(found->flags.front().share, 0.9);
  EXPECT_EQ(found->mixtures.size(), 4U);
  compared.cause = *found;
  const std::string report = report_of(compared, {.a = a_,
                                                  .b = b_,
                                                  .source_text = kSumsSource,
                                                  .front_end_a = {},
                                                  .front_end_b = {},
                                                  .again = "rpl regress sum.hip"})
                                 .string();
  EXPECT_THAT(report, HasSubstr("   5>   for (int k = 0; k < 64; ++k)"));
  EXPECT_THAT(report, HasSubstr("global_load_dword"));
  EXPECT_THAT(report, HasSubstr("-opt-bisect-limit="));
}

TEST_F(CauseByFlags, EndsWhereTheBuildsAreUsedUp) {
  Stages stages = std::move(*Stages::make(isa::usual_architecture()));
  const auto a = judged(stages, a_), b = judged(stages, b_);
  const auto found = find_cause(stages, {.a = a_,
                                         .b = b_,
                                         .source = source_,
                                         .kernel = "sum",
                                         .judged_a = a.get(),
                                         .judged_b = b.get(),
                                         .run = run_sum,
                                         .most_builds = 3});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->cut_short);
  EXPECT_FALSE(found->in_one_pass);
  EXPECT_THAT(found->answer, HasSubstr("not in one pass"));
}

}  // namespace
}  // namespace rpl::regress
