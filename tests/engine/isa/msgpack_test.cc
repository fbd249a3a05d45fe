// SPDX-License-Identifier: MIT
#include "engine/isa/object/msgpack.h"

#include <gtest/gtest.h>

namespace rpl::isa {
namespace {

Result<Msgpack> read(std::string_view bytes) {
  return read_msgpack(ByteView({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}));
}

TEST(Msgpack, ReadsNumbersOfEveryWidth) {
  using namespace std::string_view_literals;
  EXPECT_EQ(read("\x07"sv)->number(), 7U);
  EXPECT_EQ(read("\xcc\xff"sv)->number(), 255U);
  EXPECT_EQ(read("\xcd\x01\x00"sv)->number(), 256U);
  EXPECT_EQ(read("\xce\x00\x01\x00\x00"sv)->number(), 65536U);
  EXPECT_EQ(read("\xcf\x00\x00\x00\x00\x00\x00\x00\x05"sv)->number(), 5U);
  EXPECT_EQ(read("\xcf\x00\x00\x00\x01\x00\x00\x00\x00"sv)->number(99), 99U);
}

TEST(Msgpack, FindsValuesByKey) {
  const auto value = read(
      "\x82\xa1"
      "a"
      "\xc3\xd9\x01"
      "b"
      "\x92\x01\xa2hi");
  ASSERT_TRUE(value.has_value());
  EXPECT_TRUE((*value)["a"].flag());
  ASSERT_EQ((*value)["b"].array().size(), 2U);
  EXPECT_EQ((*value)["b"].array()[1].text(), "hi");
  EXPECT_TRUE((*value)["c"].is_nil());
}

TEST(Msgpack, RefusesWhatIsCutShortOrTooDeep) {
  EXPECT_EQ(read("").error().code, Errc::corrupt);
  EXPECT_EQ(read("\xa5hi").error().code, Errc::corrupt);
  EXPECT_EQ(read("\xdd\xff\xff\xff\xff").error().code, Errc::corrupt);
  EXPECT_EQ(read(std::string(40, '\x91')).error().code, Errc::corrupt);
  EXPECT_EQ(read("\xcb").error().code, Errc::unsupported);
}

}  // namespace
}  // namespace rpl::isa
