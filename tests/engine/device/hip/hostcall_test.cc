// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string_view>

#include "engine/device/hip/hostcall.h"

namespace rpl::emu::hip {
namespace {

/// A text in words, as a kernel sends it.
void add_text(std::vector<std::uint64_t>& words, std::string_view text) {
  std::string padded(text);
  padded.resize((padded.size() / 8 + 1) * 8);
  for (std::size_t i = 0; i < padded.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, padded.data() + i, sizeof(word));
    words.push_back(word);
  }
}

std::string formatted(std::string_view format, const std::vector<std::uint64_t>& arguments) {
  std::vector<std::uint64_t> words = {0};
  add_text(words, format);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return format_message(words).text;
}

TEST(DevicePrintf, FormatsAsTheCLibraryDoes) {
  EXPECT_EQ(formatted("%d %5u|%-4x|%%", {static_cast<std::uint64_t>(-3), 7, 255}),
            "-3     7|ff  |%");
  EXPECT_EQ(formatted("%.2f %e",
                      {std::bit_cast<std::uint64_t>(2.345), std::bit_cast<std::uint64_t>(10.0)}),
            "2.35 1.000000e+01");
  EXPECT_EQ(formatted("%lld %hhd %hu %c", {~std::uint64_t{0}, 0x1ff, 0x12345, 'x'}),
            "-1 -1 9029 x");
  EXPECT_EQ(formatted("%*d", {5, 42}), "   42");
  EXPECT_EQ(formatted("%p", {0x1000}), "0x1000");
}

TEST(DevicePrintf, TakesStringsFromTheMessage) {
  std::vector<std::uint64_t> words = {1};
  add_text(words, "<%s|%s>");
  add_text(words, "12345678");
  add_text(words, "x");
  const PrintedMessage message = format_message(words);
  EXPECT_TRUE(message.to_stderr);
  EXPECT_EQ(message.text, "<12345678|x>");
}

TEST(DevicePrintf, LeavesOutWhatAMessageLacks) {
  EXPECT_EQ(format_message({}).text, "");
  EXPECT_EQ(formatted("%d %s|%", {}), "0 |");
  EXPECT_EQ(formatted("%n%5", {1}), "");
}

TEST(Hostcall, TheBufferIsLaidOutOnce) {
  AddressSpace space;
  Hostcall hostcall(space, [](bool, const std::string&) {});
  const std::uint64_t address = hostcall.buffer();
  EXPECT_EQ(hostcall.buffer(), address);
  ASSERT_TRUE(space.memory().on_message);
  std::uint64_t headers = 0;
  std::memcpy(&headers, space.host_of(address, 8), sizeof(headers));
  EXPECT_TRUE(space.knows(headers));
}

TEST(Hostcall, TellsOfServicesThatItDoesNotHave) {
  AddressSpace space;
  Hostcall hostcall(space, [](bool, const std::string&) {});
  std::byte* buffer = space.host_of(hostcall.buffer(), 4096);
  const auto put = [&](std::size_t at, auto value) {
    std::memcpy(buffer + at, &value, sizeof(value));
  };
  constexpr std::size_t kReady = 32, kHeader = 64;
  put(kHeader, std::uint64_t{0});
  put(kHeader + 8, std::uint64_t{1});
  put(kHeader + 16, std::uint32_t{3});
  put(kHeader + 20, std::uint32_t{1});
  put(kReady, std::uint64_t{2});
  hostcall.serve();
  EXPECT_EQ(hostcall.take_unknown().size(), 1U);
  std::uint32_t control = 1;
  std::memcpy(&control, buffer + kHeader + 20, sizeof(control));
  EXPECT_EQ(control, 0U);
}

}  // namespace
}  // namespace rpl::emu::hip
