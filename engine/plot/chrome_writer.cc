// SPDX-License-Identifier: MIT
#include "engine/plot/chrome_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/document/json.h"

namespace rpl {
namespace {

// Chrome has no blanks; each event stands on its line.
constexpr JsonLayout kLayout{JsonStyle::compact, "{", ",", "\n", "\n]", "}\n"};

/// Microseconds with three decimals, so that nanoseconds survive.
void add_time(JsonText& out, OwnText key, std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  out.add(R"(,"{}":{}{}.{:03})", key, when(negative, "-"), size / 1000, size % 1000);
}

void add_arguments(JsonText& out, const std::vector<SliceArgument>& arguments) {
  if (arguments.empty()) return;
  OwnText before(R"(,"args":{)");
  for (const SliceArgument& argument : arguments) {
    using enum SliceArgument::Kind;
    out.add("{}{}:", before, argument.name);
    switch (argument.kind) {
      case text:
        out += json_string(argument.text);
        break;
      case number:
        out.add("{}", argument.number);
        break;
      case wide:
        out.add(R"("{}")", argument.number);
        break;
    }
    before = OwnText(",");
  }
  out += "}";
}

Value metadata(std::string_view name, const TrackPlace& of, Record arguments) {
  return Record{{"ph", "M"},
                {"name", name},
                {"pid", of.pid},
                {"tid", of.tid},
                {"args", std::move(arguments)}};
}

}  // namespace

ChromeWriter::ChromeWriter(const SinkOf<JsonText>& write, std::int64_t origin_ns)
    : out_(kLayout, write), origin_ns_(origin_ns) {
  out_.member("displayTimeUnit", "ns")
      .member("otherData", Record{{"origin_ns", std::to_string(origin_ns)}})
      .begin_rows("traceEvents");
}

void ChromeWriter::name_process(std::int64_t pid, std::string_view name) {
  out_.row(metadata("process_name", {pid, 0}, {{"name", name}}))
      .row(metadata("process_sort_index", {pid, 0}, {{"sort_index", pid}}));
}

// Millions of them are written: the text of an event is put together without a Value in between.
Status ChromeWriter::slice(const Slice& slice) {
  ++summary_.slices;
  return out_
      .row_by([&](JsonText& text) {
        text.add(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{})", slice.name, slice.category,
                 slice.place.pid, slice.place.tid);
        add_time(text, "ts", slice.start_ns - origin_ns_);
        add_time(text, "dur", slice.end_ns - slice.start_ns);
        add_arguments(text, slice.arguments);
        text += "}";
      })
      .status();
}

Status ChromeWriter::arrow(std::string_view category, const ArrowEnd& from, const ArrowEnd& to) {
  const std::uint64_t id = next_arrow_++;
  const auto one = [&](std::string_view phase, const ArrowEnd& end) {
    out_.row_by([&](JsonText& text) {
      text.add(R"({{"ph":{},"bp":"e","name":{},"cat":{},"id":"{}","pid":{},"tid":{})", phase,
               category, category, id, end.place.pid, end.place.tid);
      add_time(text, "ts", end.at_ns - origin_ns_);
      text += "}";
    });
  };
  one("s", from);
  one("f", to);
  ++summary_.arrows;
  return out_.status();
}

Status ChromeWriter::counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                             double value) {
  ++summary_.counter_samples;
  return out_
      .row_by([&](JsonText& text) {
        text.add(R"({{"ph":"C","name":{},"pid":{},"tid":0)", name, pid);
        add_time(text, "ts", at_ns - origin_ns_);
        text.add(R"(,"args":{{"value":{}}}}})", std::isfinite(value) ? value : 0.0);
      })
      .status();
}

Status ChromeWriter::finish() {
  for (auto& [track, lanes] : tracks_) {
    for (std::size_t i = 0; i < lanes.tids.size(); ++i) {
      out_.row(
          metadata("thread_name", {track.pid, lanes.tids[i]}, {{"name", lane_name(lanes, i)}}));
    }
  }
  return out_.end_rows().finish();
}

}  // namespace rpl
