// SPDX-License-Identifier: MIT
#include "shell/web/exchange.h"

#include <gtest/gtest.h>

namespace rpl::web {
namespace {

constexpr int kPort = 4711;

class DoorTest : public testing::Test {
 protected:
  /// The status of the refusal, 0 for one that is let in.
  [[nodiscard]] int status(const Knock& knock) const {
    const auto refused = door_.refuses(knock);
    return refused ? refused->status : 0;
  }
  Door door_{"0123456789abcdef", kPort};
  Knock good_{"GET", "/kernels", "127.0.0.1:4711", "", "", "rpl-4711=0123456789abcdef", "",
              1,     false};
};

TEST_F(DoorTest, LetsInWhoHasTheCookie) {
  EXPECT_EQ(status(good_), 0);
  good_.cookies = "a=b; rpl-4711=0123456789abcdef; c=d";
  EXPECT_EQ(status(good_), 0);
  good_.host = "localhost:4711";
  good_.origin = "http://127.0.0.1:4711";
  good_.fetch_site = "same-origin";
  EXPECT_EQ(status(good_), 0);
}

TEST_F(DoorTest, RefusesOtherCookies) {
  for (const char* cookies :
       {"", "rpl-4711=", "rpl-4711=0123456789abcde", "rpl-4711=0123456789abcdeF",
        "rpl-4711=0123456789abcdef0", "rpl-4712=0123456789abcdef", "xrpl-4711=0123456789abcdef",
        "0123456789abcdef"}) {
    good_.cookies = cookies;
    EXPECT_EQ(status(good_), 403) << cookies;
  }
}

TEST_F(DoorTest, RefusesOtherNamesOriginsAndSites) {
  for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "example.com:4711", "127.0.0.1:47110",
                           "127.0.0.1:4711.example.com"}) {
    Knock knock = good_;
    knock.host = host;
    EXPECT_EQ(status(knock), 403) << host;
  }
  for (const char* origin : {"null", "http://example.com", "https://127.0.0.1:4711",
                             "http://127.0.0.1:4711.example.com", "127.0.0.1:4711"}) {
    Knock knock = good_;
    knock.origin = origin;
    EXPECT_EQ(status(knock), 403) << origin;
  }
  for (const char* site : {"cross-site", "same-site", "x"}) {
    Knock knock = good_;
    knock.fetch_site = site;
    EXPECT_EQ(status(knock), 403) << site;
  }
  good_.hosts = 2;
  EXPECT_EQ(status(good_), 403);
}

TEST_F(DoorTest, OnlyReads) {
  for (const char* method : {"POST", "PUT", "DELETE", "get", ""}) {
    Knock knock = good_;
    knock.method = method;
    EXPECT_EQ(status(knock), 405) << method;
  }
  good_.has_body = true;
  EXPECT_EQ(status(good_), 413);
}

TEST_F(DoorTest, ExchangesTheTokenForACookie) {
  good_.cookies.clear();
  good_.token = "0123456789abcdef";
  const auto out = door_.refuses(good_);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->status, 303);
  const std::vector<std::pair<std::string, std::string>> wanted{
      {"Location", "/"},
      {"Set-Cookie", "rpl-4711=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict"}};
  EXPECT_EQ(out->headers, wanted);
  good_.token = "0123456789abcdee";
  EXPECT_EQ(status(good_), 403);
  good_.token = "0123456789abcdef";
  good_.fetch_site = "cross-site";
  EXPECT_EQ(status(good_), 403) << "no other site brings a browser in";
}

TEST(ConstantTime, ComparesAsEqualDoes) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("ab", "ab"));
  EXPECT_FALSE(equal_in_constant_time("ab", "aB"));
  EXPECT_FALSE(equal_in_constant_time("abab", "ab"));
  EXPECT_FALSE(equal_in_constant_time("ab", ""));
  EXPECT_FALSE(equal_in_constant_time("", "ab"));
}

}  // namespace
}  // namespace rpl::web
