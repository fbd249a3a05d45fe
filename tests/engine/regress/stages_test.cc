// SPDX-License-Identifier: MIT
#include "engine/regress/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/isa/traits/architecture.h"
#include "engine/regress/judge.h"
#include "tests/support/temp_dir.h"

namespace rpl::regress {
namespace {

using ::testing::HasSubstr;

constexpr const char* kStagedSource = R"(#include <hip/hip_runtime.h>
extern "C" __global__ void sum(const float* x, float* y, int n) {
  float all = 0;
  for (int i = 0; i < 64; ++i) all += x[i * n + threadIdx.x];
  y[threadIdx.x] = all;
}
)";

class StagesOfClang : public testing::Test {
 protected:
  void SetUp() override {
    auto found = find_compiler("", HipHeaders::own);
    if (!found) GTEST_SKIP() << found.error().message;
    if (found->kind != Compiler::Kind::clang) GTEST_SKIP() << "the compiler is no clang";
    side_ = {.name = "A", .compiler = std::move(*found)};
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    side_.compiler.cache = build_cache_folder();
    source_ = folder_.write("sum.hip", kStagedSource);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  static Stages stages() { return std::move(*Stages::make(isa::usual_architecture())); }

  testing_support::TempDir folder_;
  Side side_;
  std::string source_;
};

TEST(Passes, AreReadFromWhatTheCompilerPrints) {
  const auto read = read_passes(
      "warning: x\nBISECT: running pass (1) InferFunctionAttrsPass on [module]\n"
      "BISECT: NOT running pass (2) X on f\nBISECT: running pass (7) LoopUnrollPass on loop on "
      "f\n");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].text(), "InferFunctionAttrsPass on [module]");
  EXPECT_EQ(read[1].number, 2);
  EXPECT_EQ(read[1].target, "loop on f");
}

TEST_F(StagesOfClang, GiveTheCodeThatTheCompilerGivesAtOnce) {
  Stages made = stages();
  const Made front = *made.front_end(side_, source_);
  ASSERT_TRUE(front.ok()) << front.failed;
  const Made middle = *made.run(Stage::optimizer, side_, front);
  ASSERT_TRUE(middle.ok()) << middle.failed;
  const Made object = *made.run(Stage::code_generation, side_, middle);
  ASSERT_TRUE(object.ok()) << object.failed;
  const auto built = build_hip(side_.compiler, {.source = source_,
                                                .architecture = isa::usual_architecture(),
                                                .output = folder_ / "at_once.co"});
  ASSERT_TRUE(built && built->built);
  const auto apart = read_code(object.path, "sum"),
             at_once = read_code(folder_ / "at_once.co", "sum");
  ASSERT_TRUE(apart && at_once);
  EXPECT_EQ(apart->key(), at_once->key());
}

TEST_F(StagesOfClang, AreKeptByWhatWentIn) {
  {
    Stages first = stages();
    const Made front = *first.front_end(side_, source_);
    ASSERT_TRUE(first.run(Stage::optimizer, side_, front, {.limit = 20})->ok());
    EXPECT_EQ(first.kept(), 0U);
  }
  Stages again = stages();
  const Made front = *again.front_end(side_, source_);
  const std::uint64_t before = again.runs();
  ASSERT_TRUE(again.run(Stage::optimizer, side_, front, {.limit = 20})->ok());
  EXPECT_EQ(again.runs(), before);
  EXPECT_EQ(again.kept(), 1U);
  // Another limit is another result.
  ASSERT_TRUE(again.run(Stage::optimizer, side_, front, {.limit = 21})->ok());
  EXPECT_EQ(again.runs(), before + 1);
}

TEST_F(StagesOfClang, ListPassesOfEachStage) {
  Stages made = stages();
  const Made front = *made.front_end(side_, source_);
  const auto optimizer = made.passes(Stage::optimizer, side_, front);
  ASSERT_TRUE(optimizer) << optimizer.error().message;
  // Clang 22 has the names of its pipelines.
  EXPECT_THAT(*optimizer,
              testing::Contains(testing::Field(
                  &Pass::name, testing::AnyOf(HasSubstr("LoopUnroll"), HasSubstr("loop-unroll")))));
  const Made middle = *made.run(Stage::optimizer, side_, front);
  const auto code = made.passes(Stage::code_generation, side_, middle);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->front().number, 1);
}

TEST_F(StagesOfClang, SayWhatACompilerSays) {
  Stages made = stages();
  const Made bad = *made.front_end(side_, folder_.write("bad.hip", "void f() { q = 1; }\n"));
  EXPECT_FALSE(bad.ok());
  EXPECT_THAT(bad.failed, HasSubstr("undeclared identifier 'q'"));
  // Bitcode that is none, as of a later version.
  const Made wrong{.path = folder_.write("wrong.bc", "no bitcode"), .hash = "0", .failed = {}};
  const auto read = made.run(Stage::optimizer, side_, wrong);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->ok());
}

TEST_F(StagesOfClang, TakeBitcodeInPlaceOfASource) {
  Stages made = stages();
  const Made front = *made.front_end(side_, source_);
  Stages again = stages();
  const Made same = *again.front_end(side_, front.path);
  EXPECT_EQ(same.hash, front.hash);
  EXPECT_NE(same.path, front.path);
  EXPECT_EQ(again.runs(), 0U);
  EXPECT_TRUE(again.run(Stage::optimizer, side_, same)->ok());
}

TEST_F(StagesOfClang, TakeNoFlagThatABuildWouldNotTake) {
  Stages made = stages();
  const Made front = *made.front_end(side_, source_);
  side_.flags = {"-fplugin=x.so"};
  const auto refused = made.run(Stage::optimizer, side_, front);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
}

/// The latest clang of the machine beyond the one that the product needs.
class StagesOfLaterClang : public StagesOfClang {
 protected:
  void SetUp() override {
    StagesOfClang::SetUp();
    if (IsSkipped()) return;
    auto later = find_compiler("clang-22", HipHeaders::own);
    if (!later) GTEST_SKIP() << "clang-22 is not installed";
    if (major_version(side_.compiler) >= major_version(*later))
      GTEST_SKIP() << "no earlier clang is installed";
    later_ = {.name = "B", .compiler = std::move(*later)};
  }
  Side later_;
};

TEST_F(StagesOfLaterClang, ReadWhatAnEarlierOneWroteAndLeaveOutOnePass) {
  Stages made = stages();
  const Made front = *made.front_end(side_, source_);
  const Made middle = *made.run(Stage::optimizer, later_, front);
  ASSERT_TRUE(middle.ok()) << middle.failed;
  ASSERT_TRUE(made.run(Stage::code_generation, later_, middle)->ok());
  // The other way round the bitcode is refused, with what the compiler says.
  const Made back = *made.run(Stage::optimizer, side_, *made.front_end(later_, source_));
  EXPECT_FALSE(back.ok());
  EXPECT_TRUE(*made.takes_intervals(later_, front));
  EXPECT_FALSE(*made.takes_intervals(side_, front));
  EXPECT_TRUE(made.run(Stage::optimizer, later_, front, {.without = 1})->ok());
}

TEST_F(StagesOfLaterClang, BuildWhatDebiansLibrariesAreFor) {
  // Functions that need two libraries which later versions leave out.
  const std::string source = folder_.write("math.hip", R"(#include <hip/hip_runtime.h>
extern "C" __global__ void math(float* x) {
  x[threadIdx.x] = powf(x[threadIdx.x], 0.3f) + rsqrtf(x[0]) + warpSize;
  __syncthreads();
}
)");
  Stages made = stages();
  Made object = *made.front_end(later_, source);
  ASSERT_TRUE(object.ok()) << object.failed;
  object = *made.run(Stage::optimizer, later_, object);
  object = *made.run(Stage::code_generation, later_, object);
  EXPECT_TRUE(object.ok()) << object.failed;
}

}  // namespace
}  // namespace rpl::regress
