// SPDX-License-Identifier: MIT
// The fast reader of wave files and the thorough one must agree on whatever both take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/att/read/wave_file.h"
#include "engine/base/files.h"
#include "tests/support/generate_att.h"
#include "tests/support/temp_dir.h"

namespace rpl::att {
namespace {

/// Everything that was said, as text.
class Recorder final : public WaveConsumer {
 public:
  void restart() override { said = ""; }
  void head(const WaveHead& head) override {
    said += fmt::format("wave {} {} {}\n", head.begin, head.end,
                        head.cu ? static_cast<int>(*head.cu) : -1);
  }
  void instructions(std::span<const WaveInstruction> some) override {
    for (const WaveInstruction& at : some)
      said += fmt::format("{} {} {} {} {}\n", at.time, at.category, at.stall, at.duration, at.line);
  }
  void states(const StateCycles& cycles) override {
    for (const std::int64_t one : cycles) said += fmt::format("state {}\n", one);
  }
  void stored_wait(std::int32_t line, std::span<const std::int32_t> waited_for) override {
    said += fmt::format("wait {}:", line);
    for (const std::int32_t one : waited_for) said += fmt::format(" {}", one);
    said += "\n";
  }
  std::string said;
};

std::string wave_with(const std::string& rows) {
  return R"({"duration":9,"wave":{"begin":100,"cu":1,"end":140,"id":0,"instructions":[)" + rows +
         R"(],"simd":0,"slot":0,"timeline":[[1,8],[2,32]],"waitcnt":null}})";
}

TEST(WaveFile, BothReadersSayTheSame) {
  const testing_support::TempDir temp;
  for (const bool indented : {false, true}) {
    const std::string folder = temp / (indented ? "indented" : "plain");
    testing_support::write_att(folder,
                               {.waves_per_simd = 1, .iterations = 3000, .indented = indented});
    const std::string path = folder + "/se0_sm0_sl0_wv0.json";
    Recorder fast, thorough;
    WaveBuffers buffers;
    const Status scanned = scan_wave(path, fast, buffers);
    ASSERT_TRUE(scanned) << scanned.error().message;
    ASSERT_TRUE(parse_wave(path, thorough, buffers));
    EXPECT_EQ(fast.said, thorough.said);
    EXPECT_GT(fast.said.size(), 500'000U) << "larger than the window of the scanner when indented";
  }
}

TEST(WaveFile, NumbersOfAllLengths) {
  WaveBuffers buffers;
  for (const std::int64_t time : {0LL, 7LL, 42LL, 1234567LL, 12345678LL, 123456789LL,
                                  9007199254740992LL, -5LL, -123456789LL}) {
    Recorder fast;
    ASSERT_TRUE(scan_wave_text(wave_with(fmt::format("[{},6,0,4,3]", time)), fast, buffers))
        << time;
    EXPECT_NE(fast.said.find(fmt::format("\n{} 6 0 4 3\n", time)), std::string::npos) << fast.said;
  }
}

TEST(WaveFile, OtherSpellingsAreForTheThoroughReader) {
  const testing_support::TempDir temp;
  const std::string spellings[] = {
      wave_with("[104,6,0,4.0,3]"), wave_with("[104,6,0,4e0,3,99]"),
      R"({"wave":{"instructions":[[104,6,0,4,3]],"begin":100,"end":140}})",
      R"({"wave":{"be\u0067in":100,"end":140,"instructions":[[104,6,0,4,3]]}})"};
  for (const std::string& text : spellings) {
    SCOPED_TRACE(text);
    Recorder recorder;
    WaveBuffers buffers;
    const auto reading = read_wave(temp.write("w.json", text), recorder, buffers);
    ASSERT_TRUE(reading) << reading.error().message;
    EXPECT_EQ(*reading, WaveReading::simdjson);
    EXPECT_NE(recorder.said.find("104 6 0 4 3\n"), std::string::npos) << recorder.said;
  }
}

TEST(WaveFile, WhatCannotBeIsRefusedByBoth) {
  WaveBuffers buffers;
  for (const std::string rows :
       {"[104,6,-1,4,3]", "[104,6,0,4294967296,3]", "[99999999999999999999,6,0,4,3]", "[1,2,3]",
        "[104,6,0,4,3", "{}", "[104,6,0,\"4\",3]"}) {
    Recorder recorder;
    EXPECT_FALSE(scan_wave_text(wave_with(rows), recorder, buffers)) << rows;
    EXPECT_FALSE(parse_wave_text(wave_with(rows), recorder, buffers)) << rows;
  }
}

TEST(WaveFile, DamageNeverMakesThemDisagree) {
  const testing_support::TempDir temp;
  testing_support::write_att(temp / "t", {});
  const std::string whole = *read_text_file(temp / "t/se0_sm0_sl0_wv0.json");
  std::mt19937 random(7);
  WaveBuffers buffers;
  int taken = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (int j = 0; j < 2; ++j)
      text[random() % text.size()] = "0123456789[],:{}\"-. e"[random() % 21];
    Recorder fast, thorough;
    if (!scan_wave_text(text, fast, buffers)) continue;
    // What it skips, such as names, the scanner checks for brackets only.
    if (!parse_wave_text(text, thorough, buffers)) continue;
    EXPECT_EQ(fast.said, thorough.said) << text;
    ++taken;
  }
  EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace rpl::att
