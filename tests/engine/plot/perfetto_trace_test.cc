// SPDX-License-Identifier: MIT
// What Perfetto would read, read by a decoder of this file's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "engine/plot/event_trace.h"
#include "engine/plot/protobuf.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using rpl::testing::TinyTrace;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

/// A decoded message: what each field holds, in order. Numbers of all wire types are in `numbers`.
struct Message {
  std::multimap<std::uint32_t, std::string> texts;
  std::multimap<std::uint32_t, std::uint64_t> numbers;

  static Message of(std::string_view bytes) {
    Message out;
    std::size_t at = 0;
    const auto varint = [&] {
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.at(at++));
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.size()) {
      const std::uint64_t tag = varint();
      const auto field = static_cast<std::uint32_t>(tag >> 3U);
      if ((tag & 7U) == 0) {
        out.numbers.emplace(field, varint());
      } else if ((tag & 7U) == 1) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < 8; ++i)
          value |= std::uint64_t{static_cast<unsigned char>(bytes.at(at++))} << (8 * i);
        out.numbers.emplace(field, value);
      } else {
        EXPECT_EQ(tag & 7U, 2U);
        const std::uint64_t size = varint();
        out.texts.emplace(field, bytes.substr(at, size));
        EXPECT_LE(at + size, bytes.size());
        at += size;
      }
    }
    return out;
  }

  [[nodiscard]] std::uint64_t number(std::uint32_t field) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? 0 : found->second;
  }
  [[nodiscard]] std::string text(std::uint32_t field) const {
    const auto found = texts.find(field);
    return found == texts.end() ? "" : found->second;
  }
};

struct ReadSlice {
  std::string name, track;
  std::uint64_t start = 0, end = 0;
};

/// The trace as a viewer has it: events in order of time, a stack for each track.
struct Viewed {
  std::vector<ReadSlice> slices;
  std::map<std::uint64_t, std::string> tracks, names;
  std::map<std::uint64_t, std::vector<std::string>> flows;
  std::vector<std::pair<std::uint64_t, double>> counters;
};

Viewed viewed(const std::string& bytes) {
  Viewed out;
  std::multimap<std::uint64_t, Message> events;
  const Message file = Message::of(bytes);
  for (const auto& [field, text] : file.texts) {
    EXPECT_EQ(field, 1U);
    const Message packet = Message::of(text);
    const auto defined = packet.texts.equal_range(12);
    for (auto it = defined.first; it != defined.second; ++it) {
      const Message data = Message::of(it->second);
      const auto names = data.texts.equal_range(2);
      for (auto name = names.first; name != names.second; ++name) {
        const Message entry = Message::of(name->second);
        out.names[entry.number(1)] = entry.text(2);
      }
    }
    if (packet.texts.contains(60)) {
      const Message track = Message::of(packet.text(60));
      out.tracks[track.number(1)] =
          track.texts.contains(3) ? Message::of(track.text(3)).text(6) : track.text(2);
    }
    if (packet.texts.contains(11)) events.emplace(packet.number(8), Message::of(packet.text(11)));
  }
  std::map<std::uint64_t, std::vector<std::size_t>> open;
  for (const auto& [at, event] : events) {
    const std::uint64_t track = event.number(11);
    EXPECT_TRUE(out.tracks.contains(track));
    if (event.number(9) == 1) {
      open[track].push_back(out.slices.size());
      const std::string name =
          event.numbers.contains(10) ? out.names[event.number(10)] : event.text(23);
      out.slices.push_back({name, out.tracks[track], at, 0});
      const auto flows = event.numbers.equal_range(47);
      for (auto flow = flows.first; flow != flows.second; ++flow)
        out.flows[flow->second].push_back(name);
    } else if (event.number(9) == 2) {
      EXPECT_FALSE(open[track].empty());
      out.slices[open[track].back()].end = at;
      open[track].pop_back();
    } else {
      out.counters.emplace_back(at, std::bit_cast<double>(event.number(44)));
    }
  }
  for (const auto& [track, slices] : open) EXPECT_TRUE(slices.empty()) << out.tracks[track];
  return out;
}

std::string perfetto_of(const std::shared_ptr<const Trace>& trace, bool with_path) {
  const auto graph = Graph::build(trace);
  const auto slack = Slack::compute(**graph);
  const auto path = critical_path(**graph, *slack);
  EventOptions options;
  options.path = with_path ? &*path : nullptr;
  std::string out;
  EXPECT_TRUE(write_perfetto_trace(**graph, options, [&](OutputBytes part) -> Status {
    out += part.bytes();
    return {};
  }));
  return out;
}

/// Operations that overlap on one stream, calls within calls, two operations that follow without a gap, one of no length.
TinyTrace busy_trace() {
  TinyTrace tiny;
  tiny.ops = {{"gemm", 0, 0, 1'000, 2'000, 1},
              {"soft\xffmax", 0, 0, 1'500, 3'000, 2},
              {"relu", 1, 2, 3'000, 4'000, 3},
              {"relu", 1, 2, 4'000, 4'000, 0}};
  tiny.copies = {{0, 4'000, 5'000, 4}};
  tiny.calls = {{7, 100, 450, 1}, {7, 300, 400, 2}, {8, 2'500, 2'600, 3}, {8, 2'700, 2'800, 4}};
  return tiny;
}

TEST(PerfettoTrace, HasEverySliceWithItsTimesOnATrackOfItsOwn) {
  const Viewed trace = viewed(perfetto_of(busy_trace().build(), false));
  std::multiset<std::pair<std::uint64_t, std::uint64_t>> times;
  for (const ReadSlice& slice : trace.slices) {
    EXPECT_FALSE(slice.track.empty());
    times.emplace(slice.start, slice.end);
  }
  EXPECT_THAT(times, UnorderedElementsAre(
                         std::pair(1'000, 2'000), std::pair(1'500, 3'000), std::pair(3'000, 4'000),
                         std::pair(4'000, 4'000), std::pair(4'000, 5'000), std::pair(100, 450),
                         std::pair(300, 400), std::pair(2'500, 2'600), std::pair(2'700, 2'800)));
}

TEST(PerfettoTrace, WritesANameOnceAndAsText) {
  const std::string bytes = perfetto_of(busy_trace().build(), false);
  const std::size_t first = bytes.find("relu");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(bytes.find("relu", first + 1), std::string::npos);
  EXPECT_EQ(bytes.find('\xff' + std::string("max")), std::string::npos);
  EXPECT_NE(bytes.find("soft\\xffmax"), std::string::npos);
}

TEST(PerfettoTrace, JoinsLaunchesAndThePathByFlows) {
  const Viewed trace = viewed(perfetto_of(busy_trace().build(), true));
  const auto path = trace.flows.find(std::uint64_t{1} << 63U);
  ASSERT_NE(path, trace.flows.end());
  EXPECT_GE(path->second.size(), 2U);
  std::size_t launches = 0;
  for (const auto& [flow, slices] : trace.flows)
    if (flow != path->first && slices.size() == 2) ++launches;
  EXPECT_EQ(launches, 4U);
}

TEST(PerfettoTrace, CountsFromTheFirstEventWhereTimesAreBeforeZero) {
  TinyTrace tiny;
  tiny.ops = {{"k", 0, 0, -500, -100, 0}, {"k", 0, 0, 0, 50, 0}};
  const Viewed trace = viewed(perfetto_of(tiny.build(), false));
  ASSERT_EQ(trace.slices.size(), 2U);
  EXPECT_EQ(trace.slices[0].start, 0U);
  EXPECT_EQ(trace.slices[1].end, 550U);
}

TEST(Protobuf, WritesVarintsTagsAndLengths) {
  std::string out;
  protobuf::append_uint(out, 1, 150);
  EXPECT_EQ(out, "\x08\x96\x01");
  out.clear();
  protobuf::append_bytes(out, 60, "abc");
  EXPECT_EQ(out,
            "\xe2\x03\x03"
            "abc");
  out.clear();
  protobuf::append_double(out, 44, 1.0);
  EXPECT_THAT(Message::of(out).numbers,
              ElementsAre(std::pair(44U, std::bit_cast<std::uint64_t>(1.0))));
}

}  // namespace
}  // namespace rpl
