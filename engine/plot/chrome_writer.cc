// SPDX-License-Identifier: MIT
#include "engine/plot/chrome_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "engine/document/json_text.h"

namespace rpl {
namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 18;

template <class... Args>
void add(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace

ChromeWriter::ChromeWriter(const Writer& write, std::int64_t origin_ns)
    : write_(write), origin_ns_(origin_ns) {
  add(buffer_, R"({{"displayTimeUnit":"ns","otherData":{{"origin_ns":"{}"}},"traceEvents":[)",
      origin_ns);
}

void ChromeWriter::begin_event() {
  if (any_) buffer_ += ',';
  any_ = true;
  buffer_ += "\n{";
}

/// Microseconds with three decimals, so that nanoseconds survive.
void ChromeWriter::append_time(std::string_view key, std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  add(buffer_, R"(,"{}":{}{}.{:03})", key, negative ? "-" : "", size / 1000, size % 1000);
}

Status ChromeWriter::flush_if_full() {
  if (buffer_.size() < kFlushAt) return {};
  TRY(write_(buffer_));
  buffer_.clear();
  return {};
}

void ChromeWriter::name_process(std::int64_t pid, std::string_view name) {
  begin_event();
  add(buffer_, R"("ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":)", pid);
  append_json(buffer_, name);
  buffer_ += "}}";
  begin_event();
  add(buffer_,
      R"("ph":"M","name":"process_sort_index","pid":{},"tid":0,"args":{{"sort_index":{}}}}})", pid,
      pid);
}

ChromeWriter::Lanes& ChromeWriter::lanes_of(const Track& track) {
  return tracks_.try_emplace(track, Lanes{SliceLanes(track.nesting), {}, {}}).first->second;
}

std::int64_t ChromeWriter::tid_of(Lanes& lanes, std::size_t index) {
  while (lanes.tids.size() <= index) lanes.tids.push_back(next_tid_++);
  return lanes.tids[index];
}

Place ChromeWriter::place(const Track& track, std::pair<std::int64_t, std::int64_t> interval_ns,
                          const std::function<std::string()>& name) {
  Lanes& lanes = lanes_of(track);
  if (lanes.name.empty()) lanes.name = name();
  const std::size_t lane = lanes.slices.place(interval_ns.first, interval_ns.second);
  return {track.pid, tid_of(lanes, lane)};
}

std::int64_t ChromeWriter::first_lane(const Track& track) { return tid_of(lanes_of(track), 0); }

Status ChromeWriter::slice(const Slice& slice) {
  begin_event();
  buffer_ += R"("ph":"X","name":)";
  append_json(buffer_, slice.name);
  buffer_ += R"(,"cat":)";
  append_json(buffer_, slice.category);
  add(buffer_, R"(,"pid":{},"tid":{})", slice.place.pid, slice.place.tid);
  append_time("ts", slice.start_ns - origin_ns_);
  append_time("dur", slice.end_ns - slice.start_ns);
  if (!slice.arguments.empty()) add(buffer_, R"(,"args":{{{}}})", slice.arguments);
  buffer_ += '}';
  ++summary_.slices;
  return flush_if_full();
}

Status ChromeWriter::arrow(std::string_view category, const ArrowEnd& from, const ArrowEnd& to) {
  const std::uint64_t id = next_arrow_++;
  const auto one = [&](const char* phase, const ArrowEnd& end) {
    begin_event();
    add(buffer_, R"("ph":"{}","bp":"e","name":"{}","cat":"{}","id":"{}","pid":{},"tid":{})", phase,
        category, category, id, end.place.pid, end.place.tid);
    append_time("ts", end.at_ns - origin_ns_);
    buffer_ += '}';
  };
  one("s", from);
  one("f", to);
  ++summary_.arrows;
  return flush_if_full();
}

Status ChromeWriter::counter(std::int64_t pid, std::string_view name, std::int64_t at_ns,
                             double value) {
  begin_event();
  buffer_ += R"("ph":"C","name":)";
  append_json(buffer_, name);
  add(buffer_, R"(,"pid":{},"tid":0)", pid);
  append_time("ts", at_ns - origin_ns_);
  add(buffer_, R"(,"args":{{"value":{}}}}})", std::isfinite(value) ? value : 0.0);
  ++summary_.counter_samples;
  return flush_if_full();
}

Status ChromeWriter::finish() {
  for (auto& [track, lanes] : tracks_) {
    for (std::size_t i = 0; i < lanes.tids.size(); ++i) {
      begin_event();
      add(buffer_, R"("ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":)", track.pid,
          lanes.tids[i]);
      const std::string name = i == 0 ? lanes.name : fmt::format("{} ({})", lanes.name, i + 1);
      append_json(buffer_, std::string_view(name));
      buffer_ += "}}";
    }
  }
  buffer_ += "\n]}\n";
  TRY(write_(buffer_));
  buffer_.clear();
  return {};
}

}  // namespace rpl
