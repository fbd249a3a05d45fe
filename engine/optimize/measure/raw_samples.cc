// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/raw_samples.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "engine/base/files.h"
#include "engine/document/json_parse.h"

namespace rpl {
namespace {

constexpr std::size_t kMostProcesses = 65'536, kMostBlocks = 4096, kMostDispatches = 65'536,
                      kMostInAll = std::size_t{1} << 22U;
constexpr std::size_t kMostText = std::size_t{256} << 20U;

Failure wrong(const std::string& where, std::string_view what) {
  return fail(
      Errc::corrupt, fmt::format("{}: {}", where, what),
      R"(each line is {"kernel": …, "gain": …, "process": …, "blocks": [{"order": "AB", "a": [ns …], "b": [ns …]}]})");
}

Result<std::vector<double>> times_from(const Value& block, const char* side,
                                       const std::string& where) {
  const Value* found = block.find(side);
  const List* list = found ? found->as<List>() : nullptr;
  if (!list || list->empty()) return wrong(where, fmt::format("'{}' is not a list of times", side));
  if (list->size() > kMostDispatches)
    return fail(Errc::limit,
                fmt::format("{}: more than {} dispatches in a block", where, kMostDispatches));
  std::vector<double> out;
  out.reserve(list->size());
  for (const Value& time : *list) {
    const double ns = time.number().value_or(0);
    if (!is_time(ns)) return wrong(where, fmt::format("'{}' holds what is not a time", side));
    out.push_back(ns);
  }
  return out;
}

Result<MeasuredBlock> block_from(const Value& value, const std::string& where) {
  const Value* order = value.find("order");
  const std::string* text = order ? order->as<std::string>() : nullptr;
  if (!text || (*text != "AB" && *text != "BA"))
    return wrong(where, "'order' is neither AB nor BA");
  MeasuredBlock out{.a_first = *text == "AB", .a_ns = {}, .b_ns = {}};
  out.a_ns = TRY(times_from(value, "a", where));
  out.b_ns = TRY(times_from(value, "b", where));
  return out;
}

Value time_list(const std::vector<double>& times) {
  List out;
  out.reserve(times.size());
  for (const double ns : times) out.emplace_back(ns);
  return Value(std::move(out));
}

/// Lines of one file, collected by kernel and gain.
class RecordedLines {
 public:
  Status add(std::string_view line, std::size_t number) {
    const std::string where = fmt::format("line {}", number);
    auto parsed = parse_json(line);
    if (!parsed) return wrong(where, parsed.error().message);
    if (!parsed->as<Record>()) return wrong(where, "no object");
    if (++processes_ > kMostProcesses)
      return fail(Errc::limit, fmt::format("more than {} processes", kMostProcesses));
    RecordedSamples& group = TRY(group_of(*parsed, where))
    .get();
    const Value* blocks = parsed->find("blocks");
    if (!blocks) return wrong(where, "'blocks' is missing");
    MeasuredProcess process = TRY(process_from(*blocks, where));
    for (const MeasuredBlock& block : process) dispatches_ += block.a_ns.size() + block.b_ns.size();
    if (dispatches_ > kMostInAll)
      return fail(Errc::limit, fmt::format("more than {} dispatches", kMostInAll));
    group.samples.processes.push_back(std::move(process));
    return {};
  }
  std::vector<RecordedSamples> take() { return std::move(groups_); }

 private:
  Result<std::reference_wrapper<RecordedSamples>> group_of(const Value& line,
                                                           const std::string& where) {
    std::string kernel;
    std::optional<double> gain;
    if (const Value* found = line.find("kernel"); found && !found->is_null()) {
      if (!found->as<std::string>()) return wrong(where, "'kernel' is not a text");
      kernel = *found->as<std::string>();
    }
    if (const Value* found = line.find("gain"); found && !found->is_null()) {
      gain = found->number();
      if (!gain || !std::isfinite(*gain)) return wrong(where, "'gain' is not a number");
    }
    if (const Value* found = line.find("process"); found && !found->is_null()) {
      const auto* number = found->as<std::int64_t>();
      if (!number) return wrong(where, "'process' is not a whole number");
      if (!seen_.emplace(kernel, gain.value_or(-1e300), *number).second)
        return wrong(where, fmt::format("process {} appears twice", *number));
    }
    for (RecordedSamples& group : groups_) {
      if (group.kernel == kernel && group.gain == gain) return std::ref(group);
    }
    if (groups_.size() >= kMostGroups)
      return fail(Errc::limit,
                  fmt::format("{}: more than {} kernels and gains", where, kMostGroups));
    groups_.push_back({.kernel = std::move(kernel), .gain = gain, .samples = {}});
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
    out.resize(out.size() - stream.avail_out);
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

Value to_value(const MeasuredProcess& process) {
  List out;
  out.reserve(process.size());
  for (const MeasuredBlock& block : process)
    out.emplace_back(Record{{"order", block.a_first ? "AB" : "BA"},
                            {"a", time_list(block.a_ns)},
                            {"b", time_list(block.b_ns)}});
  return Value(std::move(out));
}

Result<MeasuredProcess> process_from(const Value& blocks, const std::string& where) {
  const List* list = blocks.as<List>();
  if (!list || list->empty()) return wrong(where, "'blocks' is not a list of blocks");
  if (list->size() > kMostBlocks)
    return fail(Errc::limit,
                fmt::format("{}: more than {} blocks in a process", where, kMostBlocks));
  MeasuredProcess out;
  out.reserve(list->size());
  for (const Value& block : *list)
    out.push_back(TRY(block_from(block, fmt::format("{}, block {}", where, out.size() + 1))));
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
  if (groups.empty()) return wrong("no line holds samples", "the file is empty");
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
