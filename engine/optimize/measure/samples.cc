// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/samples.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/splitmix.h"
#include "engine/document/records.h"

namespace rpl {

std::vector<bool> balanced_orders(std::uint32_t blocks, std::uint64_t seed) {
  std::vector<bool> a_first(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) a_first[i] = i % 2 == 0;
  SplitMix random(seed);
  for (std::uint32_t i = blocks; i > 1; --i) {
    const std::uint32_t other = random.below(i);
    const bool held = a_first[i - 1];
    a_first[i - 1] = a_first[other];
    a_first[other] = held;
  }
  return a_first;
}

namespace {

constexpr std::size_t kMostProcesses = 65'536, kMostBlocks = 4096, kMostDispatches = 65'536,
                      kMostInAll = std::size_t{1} << 22U;
constexpr std::size_t kMostText = std::size_t{256} << 20U;

Failure wrong(std::string_view what) {
  return fail(
      Errc::corrupt, what,
      R"(each line is {"kernel": …, "gain": …, "process": …, "blocks": [{"order": "AB", "a": [ns …], "b": [ns …]}]})");
}

constexpr auto kBlock = bound_to<MeasuredBlock>(
    converted<&MeasuredBlock::a_first, [](bool a_first) { return a_first ? "AB" : "BA"; },
              [](const std::string& order, bool& a_first) {
                a_first = order == "AB";
                return a_first || order == "BA" ? nullptr : "AB or BA";
              }>("order"),
    column<&MeasuredBlock::a_ns>("a").only(&is_time, "a time"),
    column<&MeasuredBlock::b_ns>("b").only(&is_time, "a time"));

/// One process of a file.
struct RecordedLine {
  std::string kernel;
  std::optional<double> gain;
  std::optional<std::int64_t> process;
  MeasuredProcess blocks;
};

}  // namespace

Columns<MeasuredBlock> bound(const MeasuredBlock*) { return kBlock; }

namespace {

constexpr auto kLine = bound_to<RecordedLine>(
    column<&RecordedLine::kernel>("kernel").or_absent(), column<&RecordedLine::gain>("gain"),
    column<&RecordedLine::process>("process"), column<&RecordedLine::blocks>("blocks"));

/// Lines of one file, collected by kernel and gain.
class RecordedLines {
 public:
  Status add(std::string_view line, std::size_t number) {
    const std::string where = fmt::format("line {}", number);
    const auto parsed = parse_file(line, where);
    auto read = parsed ? from_value(kLine, *parsed, where) : Failure(parsed.error());
    if (!read) return wrong(read.error().message);
    if (++processes_ > kMostProcesses)
      return fail(Errc::limit, fmt::format("more than {} processes", kMostProcesses));
    RecordedSamples& group = TRY(group_of(*read, where)).get();
    TRY(check_process(read->blocks, where));
    for (const MeasuredBlock& block : read->blocks)
      dispatches_ += block.a_ns.size() + block.b_ns.size();
    if (dispatches_ > kMostInAll)
      return fail(Errc::limit, fmt::format("more than {} dispatches", kMostInAll));
    group.samples.processes.push_back(std::move(read->blocks));
    return {};
  }
  std::vector<RecordedSamples> take() { return std::move(groups_); }

 private:
  Result<std::reference_wrapper<RecordedSamples>> group_of(const RecordedLine& line,
                                                           const std::string& where) {
    const auto& [kernel, gain, process, blocks] = line;
    if (gain && !std::isfinite(*gain)) return wrong(where + ": gain: expected a number");
    if (process && !seen_.emplace(kernel, gain.value_or(-1e300), *process).second)
      return wrong(fmt::format("{}: process {} appears twice", where, *process));
    for (RecordedSamples& group : groups_) {
      if (group.kernel == kernel && group.gain == gain) return std::ref(group);
    }
    if (groups_.size() >= kMostGroups)
      return fail(Errc::limit,
                  fmt::format("{}: more than {} kernels and gains", where, kMostGroups));
    groups_.push_back({.kernel = kernel, .gain = gain, .samples = {}});
    return std::ref(groups_.back());
  }

  static constexpr std::size_t kMostGroups = 1024;
  std::vector<RecordedSamples> groups_;
  std::set<std::tuple<std::string, double, std::int64_t>> seen_;
  std::size_t processes_ = 0, dispatches_ = 0;
};

/// gzip members one after the other, as gzip itself takes them.
Result<std::string> unzipped(const std::string& packed, const std::string& path) {
  struct Stream : z_stream {
    Stream() : z_stream() {}
    ~Stream() { inflateEnd(this); }
  } stream;
  constexpr int kGzip = 15 + 16;
  constexpr std::size_t kPiece = 1U << 20U;
  if (inflateInit2(&stream, kGzip) != Z_OK) return fail(Errc::io, "zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), 0xffffffffU));
  std::string out;
  for (;;) {
    const std::size_t before = out.size();
    out.resize(before + kPiece);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = kPiece;
    const int done = inflate(&stream, Z_NO_FLUSH);
    out.erase(before + kPiece - stream.avail_out);
    if (out.size() > kMostText)
      return fail(Errc::limit, fmt::format("{}: more than {} MiB of text", path, kMostText >> 20U));
    if (done == Z_STREAM_END) {
      if (stream.avail_in == 0) return out;
      if (inflateReset(&stream) != Z_OK) break;
      continue;
    }
    if (done != Z_OK) break;
  }
  return fail(Errc::corrupt, fmt::format("{}: the gzip file is damaged or cut short", path));
}

}  // namespace

Status check_process(const MeasuredProcess& process, const std::string& where) {
  if (process.empty()) return wrong(where + ": expected blocks");
  if (process.size() > kMostBlocks)
    return fail(Errc::limit,
                fmt::format("{}: more than {} blocks in a process", where, kMostBlocks));
  for (std::size_t i = 0; i < process.size(); ++i) {
    for (const auto* times : {&process[i].a_ns, &process[i].b_ns}) {
      if (times->empty()) return wrong(fmt::format("{}: blocks[{}]: expected times", where, i));
      if (times->size() > kMostDispatches)
        return fail(Errc::limit,
                    fmt::format("{}: more than {} dispatches in a block", where, kMostDispatches));
    }
  }
  return {};
}

Result<MeasuredProcess> process_from(const Value& blocks, const std::string& where) {
  auto out = TRY(from_value<MeasuredProcess>(blocks, where));
  TRY(check_process(out, where));
  return out;
}

Result<std::vector<RecordedSamples>> parse_raw_samples(std::string_view text) {
  RecordedLines lines;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    TRY(lines.add(line, number));
  }
  std::vector<RecordedSamples> groups = lines.take();
  if (groups.empty()) return wrong("no line holds samples: the file is empty");
  return groups;
}

Result<std::vector<RecordedSamples>> read_raw_samples(const std::string& path) {
  std::string text = TRY(read_text_file(path));
  if (text.starts_with("\x1f\x8b")) text = TRY(unzipped(text, path));
  if (text.size() > kMostText)
    return fail(Errc::limit, fmt::format("{}: more than {} MiB of text", path, kMostText >> 20U));
  auto groups = parse_raw_samples(text);
  if (!groups) return Failure(std::move(groups).error().in(path));
  return groups;
}

}  // namespace rpl
