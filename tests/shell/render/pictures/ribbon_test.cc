// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

Bead run(std::string name, std::uint64_t operations, std::int64_t ns, bool inferred = false) {
  return Bead{.kind = Bead::Kind::operations,
              .name = std::move(name),
              .operations = operations,
              .ns = ns,
              .inferred = inferred};
}

TEST(Ribbon, SaysHowEachBeadHangsOnTheOneBefore) {
  const std::vector<Bead> beads{
      run("gemm", 1, 500),
      run("softmax", 12, 1'200'000),
      Bead{
          .kind = Bead::Kind::gap, .name = "host", .operations = 0, .ns = 40'000, .inferred = true},
      run("relu", 1, 10'000),
  };
  EXPECT_EQ(ribbon_text(beads, {120, false}),
            "gemm 500 ns => softmax x12 1.200 ms ~> gap 40.00 us (host) => relu 10.00 us\n");
}

TEST(Ribbon, WrapsBetweenBeads) {
  const std::vector<Bead> beads{run("alpha", 1, 1), run("beta", 1, 2), run("gamma", 1, 3)};
  EXPECT_EQ(ribbon_text(beads, {24, false}), "alpha 1 ns => beta 2 ns\n  => gamma 3 ns\n");
}

TEST(Ribbon, NamesWhatIsLeftOut) {
  const std::vector<Bead> beads{run("gemm", 1, 500), Bead{.kind = Bead::Kind::rest,
                                                          .name = "",
                                                          .operations = 4120,
                                                          .ns = 40'000'000,
                                                          .inferred = false}};
  EXPECT_EQ(ribbon_text(beads, {80, false}), "gemm 500 ns => [4,120 more, 40.00 ms]\n");
}

TEST(Ribbon, IsEmptyForAnEmptyPath) { EXPECT_EQ(ribbon_text({}, {80, false}), ""); }

}  // namespace
}  // namespace rpl
