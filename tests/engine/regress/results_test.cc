// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "engine/regress/judge.h"

namespace rpl::regress {
namespace {

using ::testing::HasSubstr;

Output floats(std::vector<float> values) {
  Output out{.name = "argument 2", .element = Element::f32, .bytes = {}};
  out.bytes.resize(values.size() * sizeof(float));
  std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

TEST(Results, EqualBitsAreEqual) {
  EXPECT_EQ(compare_results({floats({1, 2})}, {floats({1, 2})}).results, Results::equal);
  EXPECT_EQ(compare_results({}, {}).results, Results::equal);
}

TEST(Results, RoundingIsClose) {
  const auto found = compare_results({floats({1, 2})}, {floats({1, 2.000001F})});
  EXPECT_EQ(found.results, Results::close);
  EXPECT_THAT(found.says, HasSubstr("argument 2: 1 of 2 elements differ, the first at 1"));
}

TEST(Results, OtherValuesDiffer) {
  EXPECT_EQ(compare_results({floats({1, 2})}, {floats({1, 3})}).results, Results::different);
  EXPECT_EQ(compare_results({floats({1, 2})}, {floats({1})}).results, Results::different);
  // The worst of several buffers counts.
  const auto found =
      compare_results({floats({1}), floats({5})}, {floats({1.0000001F}), floats({6})});
  EXPECT_EQ(found.results, Results::different);
}

}  // namespace
}  // namespace rpl::regress
