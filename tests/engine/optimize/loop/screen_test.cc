// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/screen.h"

#include <gtest/gtest.h>

#include "engine/source/build/build.h"
#include "tests/support/compiler_under_test.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

std::shared_ptr<const isa::CodeObject> object(const std::string& path) {
  auto opened = isa::CodeObject::open(path);
  EXPECT_TRUE(opened.has_value()) << path;
  return *opened;
}

std::shared_ptr<const isa::CodeObject> example(const std::string& name) {
  return object(std::string(RPL_EXAMPLES) + "/objects/" + name + ".gfx942.co");
}

std::vector<std::string> rules(const isa::CodeObject& baseline, const isa::CodeObject& candidate,
                               const std::string& kernel) {
  std::vector<std::string> out;
  const auto reasons = screen(baseline, candidate, kernel);
  EXPECT_TRUE(reasons.has_value());
  for (const Reason& reason : *reasons) out.push_back(reason.rule);
  return out;
}

TEST(Screen, RefusesTheSameMachineCode) {
  const auto code = example("vector_add");
  EXPECT_EQ(rules(*code, *code, "vector_add"), std::vector<std::string>{"no-change"});
}

TEST(Screen, LetsOtherCodeOfTheSameInterfaceThrough) {
  const auto other = object(std::string(RPL_KERNELS) + "/last_bit.gfx942.co");
  EXPECT_TRUE(rules(*example("vector_add"), *other, "vector_add").empty());
}

TEST(Screen, RefusesAnObjectWithoutTheKernel) {
  EXPECT_EQ(rules(*example("vector_add"), *example("softmax"), "vector_add"),
            std::vector<std::string>{"kernel-missing"});
}

std::vector<Reason> reasons_at(const isa::CodeObject& baseline, const isa::CodeObject& candidate,
                               const std::string& kernel, const LaunchShape& launch) {
  const auto reasons = screen(baseline, candidate, kernel, launch);
  EXPECT_TRUE(reasons.has_value());
  return reasons.value_or(std::vector<Reason>());
}

TEST(Screen, RefusesACandidateThatDoesNotTakeTheCapturedWorkgroup) {
  const auto other = object(std::string(RPL_KERNELS) + "/last_bit.gfx942.co");
  EXPECT_TRUE(
      reasons_at(*example("vector_add"), *other, "vector_add", {.work_items = 1024}).empty());
  const auto reasons =
      reasons_at(*example("vector_add"), *other, "vector_add", {.work_items = 1025});
  ASSERT_FALSE(reasons.empty());
  EXPECT_EQ(reasons.front().rule, "workgroup-size");
  EXPECT_EQ(
      reasons.front().message,
      "the candidate takes workgroups of 1024 work-items at most; the captured launch has 1025");
}

TEST(Screen, RefusesACandidateThatDoesNotFitOnAComputeUnit) {
  const auto other = object(std::string(RPL_KERNELS) + "/last_bit.gfx942.co");
  constexpr std::uint32_t kAllLds = 65536;
  EXPECT_TRUE(reasons_at(*example("vector_add"), *other, "vector_add",
                         {.work_items = 256, .dynamic_lds_bytes = kAllLds})
                  .empty());
  const auto reasons = reasons_at(*example("vector_add"), *other, "vector_add",
                                  {.work_items = 256, .dynamic_lds_bytes = kAllLds + 1});
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons.front().rule, "does-not-fit");
  EXPECT_NE(reasons.front().message.find("no workgroup of 256 work-items with 65537 bytes of LDS"),
            std::string::npos)
      << reasons.front().message;
}

TEST(Screen, RefusesDynamicLdsThatTheBaselineDoesNotAskFor) {
  const auto compiler = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const testing_support::TempDir folder;
  const auto built = [&](const std::string& name, const std::string& declaration,
                         const std::string& place) {
    const std::string text =
        "#include <hip/hip_runtime.h>\nextern \"C\" __global__ void k(float* x) {\n" + declaration +
        "  " + place +
        "[threadIdx.x] = x[threadIdx.x];\n  __syncthreads();\n  x[threadIdx.x] = " + place +
        "[63 - threadIdx.x] + blockDim.x;\n}\n";
    const auto outcome = build_hip(*compiler, {.source = folder.write(name + ".hip", text),
                                               .architecture = "gfx942",
                                               .output = folder / (name + ".co")});
    EXPECT_TRUE(outcome.has_value() && outcome->built);
    return object(folder / (name + ".co"));
  };
  // The compiler says so among the hidden arguments, which it leaves out where a kernel uses none of them: hence blockDim.
  const auto fixed = built("fixed", "  __shared__ float own[64];\n", "own"),
             dynamic = built("dynamic", "  extern __shared__ float given[];\n", "given");
  EXPECT_EQ(rules(*fixed, *dynamic, "k"), std::vector<std::string>{"dynamic-lds"});
  // Where the baseline asks for it, the captured launch has it.
  EXPECT_EQ(rules(*dynamic, *dynamic, "k"), std::vector<std::string>{"no-change"});
}

TEST(Screen, RefusesClocksModesAndMessagesHoweverTheSourceSaysThem) {
  const auto compiler = find_compiler(testing_support::compiler_under_test(), HipHeaders::own);
  if (!compiler) GTEST_SKIP() << compiler.error().message;
  const testing_support::TempDir folder;
  const auto built = [&](const std::string& name, const std::string& body) {
    const std::string text =
        "#include <hip/hip_runtime.h>\nextern \"C\" __global__ void k(float* x) {\n  float y = "
        "x[threadIdx.x];\n" +
        body + "  x[threadIdx.x] = y;\n}\n";
    const auto outcome = build_hip(*compiler, {.source = folder.write(name + ".hip", text),
                                               .architecture = "gfx942",
                                               .output = folder / (name + ".co")});
    EXPECT_TRUE(outcome.has_value() && outcome->built) << name;
    return object(folder / (name + ".co"));
  };
  const auto plain = built("plain", "");
  const std::vector<std::string> forbidden = {"forbidden-instruction"};
  const auto clock = built("clock",
                           "  unsigned long t;\n  asm volatile(\"s_memtime %0\\n s_waitcnt "
                           "lgkmcnt(0)\" : \"=s\"(t));\n  y += t;\n");
  EXPECT_EQ(rules(*plain, *clock, "k"), forbidden);
  EXPECT_EQ(
      rules(*plain,
            *built("mode", "  asm volatile(\"s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0\");\n"), "k"),
      forbidden);
  EXPECT_EQ(rules(*plain, *built("trap", "  asm volatile(\"s_trap 2\");\n"), "k"), forbidden);
  EXPECT_EQ(rules(*plain,
                  *built("place",
                         "  int w;\n  asm volatile(\"s_getreg_b32 %0, hwreg(HW_REG_HW_ID)\" : "
                         "\"=s\"(w));\n  y += w;\n"),
                  "k"),
            forbidden);
  EXPECT_TRUE(rules(*plain,
                    *built("honest",
                           "  asm volatile(\"v_add_f32 %0, %1, 1.0\" : \"=v\"(y) : \"v\"(y));\n  "
                           "__syncthreads();\n"),
                    "k")
                  .empty());
  // What the baseline does already is no news.
  const auto twice = built("twice",
                           "  unsigned long t;\n  asm volatile(\"s_memtime %0\\n s_waitcnt "
                           "lgkmcnt(0)\" : \"=s\"(t));\n  y *= t;\n");
  EXPECT_TRUE(rules(*clock, *twice, "k").empty());
}

TEST(Screen, StaticFactsAreThoseOfTheMetadata) {
  const auto matmul = example("matmul");
  const auto facts = static_record(*matmul, "matmul");
  ASSERT_TRUE(facts.has_value()) << facts.error().message;
  const isa::Kernel& kernel = **matmul->kernel("matmul");
  EXPECT_EQ(*Value(*facts).find("vgprs"), Value(kernel.vgprs));
  EXPECT_EQ(*Value(*facts).find("lds_bytes"), Value(kernel.lds_bytes));
  EXPECT_GT(Value(*facts).find("mix")->as<Record>()->size(), 3U);
}

}  // namespace
}  // namespace rpl
