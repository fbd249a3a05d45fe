// SPDX-License-Identifier: MIT
#include "tests/silicon/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/temp_dir.h"

namespace rpl::silicon {
namespace {

using testing::HasSubstr;

ModelledVariants modelled(std::optional<double> expected, double slow_us, double fast_us) {
  ModelledVariants out;
  out.pair.ratio = expected;
  out.slow_us = slow_us;
  out.fast_us = fast_us;
  return out;
}

TEST(Variants, OfTheTableAllHaveASourceAndNamesOfTheirOwn) {
  const auto pairs = read_variants(RPL_SILICON "/variants/pairs.txt");
  ASSERT_TRUE(pairs.has_value()) << pairs.error().message;
  EXPECT_GE(pairs->size(), 40U);
  std::set<std::pair<std::string, std::string>> names;
  for (const Variants& pair : *pairs) {
    EXPECT_NE(pair.source, "") << pair.name;
    EXPECT_TRUE(names.emplace(pair.name, pair.gpu).second) << pair.name;
    EXPECT_THAT(pair.known, testing::AnyOf("constant", "measured", "documented", "derived", "trace",
                                           "unverified"));
  }
}

TEST(Variants, AreReadLineByLine) {
  testing_support::TempDir folder;
  const auto read = read_variants(
      folder.write("pairs.txt",
                   "# a comment\n\nwide | MI210 | memory | a 1 | b 2 | 1.5 | measured | a page\n"
                   "sign | MI210 | memory | a 1 | b 2 | > | documented | a page\n"));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].slow.benchmark, "a");
  EXPECT_EQ((*read)[0].fast.size, "2");
  EXPECT_EQ((*read)[0].ratio, 1.5);
  EXPECT_FALSE((*read)[1].ratio.has_value());
  EXPECT_THAT(read_variants(folder.write("bad.txt", "\nwide | MI210\n")).error().message,
              HasSubstr(":2: "));
  EXPECT_EQ(read_variants("/nowhere").error().code, Errc::not_found);
}

TEST(Variants, AreRightInSignAndNearInRatio) {
  EXPECT_TRUE(modelled(2, 15, 10).right_sign());
  EXPECT_FALSE(modelled(2, 15, 10).near());
  EXPECT_TRUE(modelled(2, 16, 10).near());
  EXPECT_TRUE(modelled(2, 25, 10).near());
  EXPECT_FALSE(modelled(2, 27, 10).near());
  EXPECT_FALSE(modelled(2, 9, 10).right_sign());
  // An effect that is none: the model must not see one either.
  EXPECT_TRUE(modelled(1.01, 10.5, 10).right_sign());
  EXPECT_FALSE(modelled(1.01, 11.5, 10).right_sign());
  // Of a sign alone, what does not show does not count.
  EXPECT_TRUE(modelled(std::nullopt, 11, 10).right_sign());
  EXPECT_FALSE(modelled(std::nullopt, 10.2, 10).right_sign());
}

TEST(Variants, AreCounted) {
  std::vector<ModelledVariants> pairs = {modelled(2, 20, 10), modelled(2, 9, 10),
                                         modelled(std::nullopt, 20, 10), modelled(3, 30, 10)};
  const VariantTotals all = totals(pairs);
  EXPECT_EQ(all.pairs, 4U);
  EXPECT_EQ(all.right_sign, 3U);
  EXPECT_EQ(all.with_ratio, 3U);
  EXPECT_EQ(all.near, 2U);
  EXPECT_THAT(table(pairs), HasSubstr("all: 3 of 4 pairs with the right sign (75 %), "
                                      "2 of 3 ratios within a factor of 1.3 (67 %)\n"));
  // What a constant was taken from says nothing of the model.
  pairs[1].pair.known = "constant";
  EXPECT_THAT(table(pairs),
              HasSubstr("whose figures gave no constant: 3 of 3 pairs with the right sign (100 %), "
                        "2 of 2 ratios within a factor of 1.3 (100 %)\n"));
}

}  // namespace
}  // namespace rpl::silicon
