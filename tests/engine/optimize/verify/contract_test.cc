// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/contract.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/replay/elements.h"

namespace rpl {
namespace {

Contract parsed(std::string_view text, std::string_view kernel = "scale") {
  auto contract = parse_contract(text, kernel);
  EXPECT_TRUE(contract) << contract.error().message;
  return contract ? *contract : Contract();
}

TEST(Contract, ReadsItsOwnLines) {
  const std::string text =
      "n in 1..4096\ncolumns in 64..4096 step 64\nscale in -0.5..1.25\nmode one of 0 1 3\n"
      "x as captured\nlaunch as captured\n";
  const Contract contract = parsed("# a remark\n\n" + text + "  n2 in 1..2 # another\n");
  std::string again;
  for (const std::string& line : lines_of(contract)) again += line + "\n";
  EXPECT_EQ(again,
            "n in 1..4096\ncolumns in 64..4096 step 64\nscale in -0.5..1.25\nmode one of 0 1 3\n"
            "x as captured\nn2 in 1..2\nlaunch as captured\n");
}

TEST(Contract, HasLinesOfEachKernel) {
  const std::string text = "kernel scale\nn in 1..8\nkernel sum\nn in 1..9\nlaunch as captured\n";
  EXPECT_EQ(lines_of(parsed(text)), (std::vector<std::string>{"n in 1..8"}));
  EXPECT_EQ(lines_of(parsed(text, "sum")),
            (std::vector<std::string>{"n in 1..9", "launch as captured"}));
}

TEST(Contract, IsEditedLineByLine) {
  const std::string text = "# sizes\nn in 1..8  # rows\nkernel sums\nn in 1..9\n";
  EXPECT_EQ(with_rule(text, "sum", "n", "n in 1..4"),
            "# sizes\nn in 1..4\nkernel sums\nn in 1..9\n");
  EXPECT_EQ(with_rule(text, "sums", "n", "n in 1..4"),
            "# sizes\nn in 1..4\nkernel sums\nn in 1..9\n")
      << "lines before the first kernel's name are everybody's";
  EXPECT_EQ(with_rule(text, "sum", "m", "m in 1..2"),
            "# sizes\nn in 1..8  # rows\nm in 1..2\nkernel sums\nn in 1..9\n");
  EXPECT_EQ(with_rule("kernel sums\nn in 1..9\n", "sum", "n", "n in 1..4"),
            "kernel sums\nn in 1..9\nkernel sum\nn in 1..4\n");
  EXPECT_EQ(with_rule("kernel sums\nn in 1..9\nkernel sum\nn in 1..4\n", "sum", "m", "m in 1..2"),
            "kernel sums\nn in 1..9\nkernel sum\nn in 1..4\nm in 1..2\n");
  EXPECT_EQ(with_rule("", "sum", "n", "n in 1..4"), "n in 1..4\n");
  EXPECT_EQ(with_rule(text, "sum", "n", ""), "# sizes\nkernel sums\nn in 1..9\n");
  EXPECT_EQ(with_rule(text, "sum", "m", ""), std::nullopt);
}

TEST(Contract, SaysWhichLineIsWrong) {
  for (const std::string line : {"n in 4..1", "n in 1-4", "n is 3", "n in 1..4 step 0", "n one of",
                                 "n in nan..4", "n in 5..7 step 4", "n"}) {
    const auto contract = parse_contract("m in 1..2\n" + line + "\n", "scale");
    ASSERT_FALSE(contract) << line;
    EXPECT_EQ(contract.error().code, Errc::corrupt);
    EXPECT_NE(contract.error().message.find("line 2"), std::string::npos)
        << contract.error().message;
  }
  EXPECT_EQ(parse_contract(std::string(100'000, 'x'), "scale").error().code, Errc::limit);
}

TEST(Contract, FindsArgumentsByNameAndPosition) {
  Contract contract = parsed("n in 1..8\n1 as captured\n");
  ASSERT_TRUE(contract.resolve({"x", "y", "n"}));
  ASSERT_NE(contract.rule_at(2), nullptr);
  EXPECT_EQ(contract.rule_at(2)->argument, "n");
  EXPECT_TRUE(contract.rule_at(0)->as_captured);
  EXPECT_EQ(contract.rule_at(1), nullptr);
  EXPECT_EQ(contract.resolve({"x", "y", "m"}).error().code, Errc::not_found);
  Contract twice = parsed("n in 1..8\n3 in 1..4\n");
  EXPECT_EQ(twice.resolve({"x", "y", "n"}).error().code, Errc::usage);
}

TEST(Contract, FindsVariablesByName) {
  Contract contract = parsed("weights in -1..1\n1 as captured\n");
  ASSERT_TRUE(contract.resolve({"x"}, {"bias", "weights"}));
  ASSERT_NE(contract.rule_of_variable("weights"), nullptr);
  EXPECT_EQ(contract.rule_of_variable("bias"), nullptr);
  EXPECT_EQ(contract.rule_of_variable("1"), nullptr);
  EXPECT_EQ(contract.rule_of_variable(""), nullptr);
  EXPECT_NE(contract.rule_at(0), nullptr);
  EXPECT_EQ(contract.resolve({"x"}, {"bias"}).error().code, Errc::not_found);
}

TEST(Contract, AllowsWhatIsWithin) {
  const Contract contract = parsed("n in 3..20 step 8\nmode one of 0 1 3\nf in -1..0.5\n");
  const auto& [n, mode, f] =
      std::tie(contract.arguments[0], contract.arguments[1], contract.arguments[2]);
  EXPECT_TRUE(n.allows(8) && n.allows(16));
  EXPECT_FALSE(n.allows(3) || n.allows(24) || n.allows(0) || n.allows(NAN));
  EXPECT_EQ(n.ends(), (std::vector<double>{16, 8}));
  EXPECT_TRUE(mode.allows(3));
  EXPECT_FALSE(mode.allows(2));
  EXPECT_TRUE(f.allows(0.25));
  EXPECT_FALSE(f.allows(0.75));
  EXPECT_EQ(n.nearest(8), 8);
  EXPECT_TRUE(n.allows(n.nearest(1e9)) && n.allows(n.nearest(-5)) && mode.allows(mode.nearest(7)));
}

TEST(Contract, BringsElementsIntoARange) {
  const ArgumentRule range = parsed("x in -2..2\n").arguments[0];
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {0.5F, 2.5F, -7.25F, NAN, kInfinity, -kInfinity, 1e30F};
  std::vector<std::byte> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  keep_rule(range, Element::f32, bytes);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(range.allows(element_number(Element::f32, &bytes[i * 4]))) << i;
  EXPECT_EQ(element_number(Element::f32, bytes.data()), 0.5);
  EXPECT_EQ(element_number(Element::f32, &bytes[4]), 1.5);

  const ArgumentRule whole = parsed("x in 0..64 step 16\n").arguments[0];
  std::vector<std::byte> numbers(16 * 4);
  for (int i = 0; i < 16; ++i) store_number(Element::i32, i * 13 - 40, &numbers[i * 4]);
  keep_rule(whole, Element::i32, numbers);
  for (int i = 0; i < 16; ++i)
    EXPECT_TRUE(whole.allows(element_number(Element::i32, &numbers[i * 4]))) << i;
}

}  // namespace
}  // namespace rpl
