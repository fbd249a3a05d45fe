// SPDX-License-Identifier: MIT
#include "shell/render/scale.h"

#include <gmock/gmock.h>

#include <limits>

namespace rpl {
namespace {

TEST(WithUnit, ScalesToReadableNumbers) {
  EXPECT_EQ(with_unit(Value(560), Unit::ns), "560 ns");
  EXPECT_EQ(with_unit(Value(std::int64_t{4158756678}), Unit::ns), "4158.757 ms");
  EXPECT_EQ(with_unit(Value(std::int64_t{15122023494}), Unit::ns), "15.122 s");
  EXPECT_EQ(with_unit(Value(0.93629), Unit::share), "93.63 %");
  EXPECT_EQ(with_unit(Value(43915), Unit::count), "43,915");
  EXPECT_EQ(with_unit(Value(), Unit::ns), "-");
  EXPECT_EQ(with_unit(Value(std::numeric_limits<double>::infinity()), Unit::ratio), "-");
}

TEST(Heading, CarriesTheUnit) {
  const Column total{"total_ns", Type::integer, Unit::ns, ""};
  EXPECT_EQ(heading(total, scale_for(Unit::ns, 5e8)), "total ms");
  const Column share{"share", Type::number, Unit::share, ""};
  EXPECT_EQ(heading(share, scale_for(Unit::share, 1)), "share %");
}

TEST(Grouped, PutsCommas) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(123), "123");
}

}  // namespace
}  // namespace rpl
