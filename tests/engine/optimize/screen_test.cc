// SPDX-License-Identifier: MIT
#include "engine/optimize/screen.h"

#include <gtest/gtest.h>

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

std::vector<std::string> rules(const isa::CodeObject& baseline, const isa::CodeObject& candidate, const std::string& kernel) {
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
