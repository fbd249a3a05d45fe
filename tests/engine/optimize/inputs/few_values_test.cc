// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/few_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace rpl {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

TEST(SortElements, GoesByTheTypeAndNotByBytes) {
  auto bytes = bytes_of<std::int32_t>({256, -1, 3, std::numeric_limits<std::int32_t>::min(), 3});
  sort_elements(Element::i32, bytes);
  EXPECT_EQ(bytes,
            bytes_of<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -1, 3, 3, 256}));
}

TEST(SortElements, TellsNeighboursBeyondWhatADoubleHolds) {
  constexpr std::int64_t kLarge = (std::int64_t{1} << 60) + 1;
  auto bytes = bytes_of<std::int64_t>({kLarge + 1, kLarge, -kLarge, -kLarge - 1});
  sort_elements(Element::i64, bytes);
  EXPECT_EQ(bytes, bytes_of<std::int64_t>({-kLarge - 1, -kLarge, kLarge, kLarge + 1}));
}

TEST(SortElements, PutsWhatIsNoNumberLast) {
  const float none = std::nanf("");
  auto bytes = bytes_of<float>({none, 2, -INFINITY, 1});
  sort_elements(Element::f32, bytes);
  EXPECT_EQ(bytes, bytes_of<float>({-INFINITY, 1, 2, none}));
}

TEST(IsAscending, NeitherOfFewNorOfEqualOnes) {
  EXPECT_TRUE(is_ascending(Element::i32, bytes_of<std::int32_t>({0, 1, 1, 2, 3, 4, 5, 6})));
  EXPECT_FALSE(is_ascending(Element::i32, bytes_of<std::int32_t>({0, 1, 2})));
  EXPECT_FALSE(is_ascending(Element::i32, bytes_of<std::int32_t>({4, 4, 4, 4, 4, 4, 4, 4})));
  EXPECT_FALSE(is_ascending(Element::i32, bytes_of<std::int32_t>({0, 2, 1, 2, 3, 4, 5, 6})));
}

}  // namespace
}  // namespace rpl
