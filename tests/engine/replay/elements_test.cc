// SPDX-License-Identifier: MIT
#include "engine/replay/elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace rpl {
namespace {

template <class T>
std::vector<std::byte> bytes_of(std::vector<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Elements, AreWrittenShortestAndExactly) {
  EXPECT_EQ(element_text(Element::i8, bytes_of<std::int8_t>({-3}).data()), "-3");
  EXPECT_EQ(element_text(Element::u64, bytes_of<std::uint64_t>({~0ULL}).data()),
            "18446744073709551615");
  EXPECT_EQ(element_text(Element::f32, bytes_of<float>({0.1f}).data()), "0.1");
  EXPECT_EQ(element_text(Element::f16, bytes_of<std::uint16_t>({0x3e00}).data()), "1.5");
  EXPECT_EQ(element_text(Element::bf16, bytes_of<std::uint16_t>({0xc000}).data()), "-2");
  EXPECT_EQ(element_text(Element::f64, bytes_of<double>({NAN}).data()), "nan");
}

}  // namespace
}  // namespace rpl
