// SPDX-License-Identifier: MIT
#include "engine/device/debug/place.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

TEST(Places, AreWrittenAsTheyAreRead) {
  for (const char* text :
       {"reduce", "reduce+0x40", "*0x1940", "*+0x40", "reduce.hip:17", "src/a.hip:3", "17"}) {
    const auto place = parse_place(text);
    ASSERT_TRUE(place.has_value()) << text;
    EXPECT_EQ(to_string(*place), text);
  }
}

TEST(Places, OfOtherShapesAreRefused) {
  for (const char* text : {"", "*", "*x", "a b", "reduce+", "reduce+x", "*+", "\"a\""}) {
    const auto place = parse_place(text);
    ASSERT_FALSE(place.has_value()) << text;
    EXPECT_EQ(place.error().code, Errc::usage);
  }
}

class FindingPlaces : public Architectures {
 protected:
  Result<std::vector<std::uint32_t>> find(std::string_view text) {
    return session->find(*parse_place(text));
  }
  std::uint64_t address(std::uint32_t op) { return session->program().ops[op].address; }
  const std::unique_ptr<Session> session = started(normalize(GetParam(), 150, 7), points);
};

TEST_P(FindingPlaces, KernelsAndAddresses) {
  const std::uint32_t entry = session->program().entry;
  EXPECT_EQ(*find("normalize"), std::vector{entry});
  EXPECT_EQ(*find("*+0"), std::vector{entry});
  const std::uint64_t third = address(entry + 2);
  EXPECT_EQ(*find(fmt::format("*0x{:x}", third)), std::vector{entry + 2});
  EXPECT_EQ(*find(fmt::format("*0x{:x}", third + session->prepared().load_base)),
            std::vector{entry + 2})
      << "as a device address";
  EXPECT_EQ(*find(fmt::format("normalize+0x{:x}", third - address(entry))), std::vector{entry + 2});
  EXPECT_FALSE(find("other").has_value());
  EXPECT_FALSE(find("*0x2").has_value());
  EXPECT_FALSE(find("*+0x2").has_value());
}

TEST_P(FindingPlaces, Lines) {
  const auto ops = find("normalize.hip:23");
  ASSERT_TRUE(ops.has_value());
  EXPECT_EQ(ops->size(), 1U) << "once for each function";
  EXPECT_EQ(session->lines().chain(address(ops->front())).front().line, 23U);
  EXPECT_EQ(*find("23"), *ops) << "of the file that the kernel is in";
  const auto next = find("normalize.hip:3");
  ASSERT_TRUE(next.has_value()) << "a line without code is the next one that has some";
  EXPECT_GT(session->lines().chain(address(next->front())).front().line, 3U);
  EXPECT_FALSE(find("normalize.hip:900").has_value());
  EXPECT_FALSE(find("other.hip:8").has_value());
}

TEST_P(FindingPlaces, NeedLinesForLines) {
  const auto without = started(emu::vector_add(arch, 100), points);
  const auto found = without->find(*parse_place("vector_add.hip:5"));
  ASSERT_FALSE(found.has_value());
  EXPECT_NE(found.error().hint.find("-gline-tables-only"), std::string::npos);
}

TEST_P(FindingPlaces, LinesOfEveryOperation) {
  const LineTable table(session->program(), session->lines());
  EXPECT_FALSE(table.empty());
  bool inlined = false;
  for (std::uint32_t op = 0; op < session->program().ops.size(); ++op) {
    const auto chain = session->lines().chain(address(op));
    EXPECT_EQ(table.at(op).line != 0, !chain.empty() && chain.front().line != 0);
    if (!chain.empty() && chain.front().line != 0) {
      EXPECT_EQ(table.at(op).depth, chain.size() - 1);
    }
    inlined = inlined || chain.size() > 1;
  }
  EXPECT_TRUE(inlined);
  const auto plain = started(emu::vector_add(arch, 100), points);
  EXPECT_TRUE(LineTable(plain->program(), plain->lines()).empty());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, FindingPlaces, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
