// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_arguments.h"

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"
#include "engine/trace/core/id_table.h"
#include "engine/trace/core/row_index.h"

namespace rpl {
namespace {

/// hipStreamLegacy and hipStreamPerThread are passed as 1 and 2, and are no streams of those numbers.
constexpr std::uint64_t kLastSpecialHandle = 2;

/// By correlation, the stream that a dispatch or copy ran on.
Result<IdTable> launched_streams(const RocpdPart& part) {
  IdTable launched(part.trace.size());
  const auto note = [&](std::uint64_t correlation, std::uint32_t stream) {
    if (correlation != 0 && stream != kNone) launched.set(correlation, stream);
  };
  std::vector<bool> own(part.trace.entities().processes.size());
  for (const std::uint32_t process : part.scope.processes()) own[process] = true;
  for_rows_of_file(part.trace, part.file, [&](std::uint32_t row) {
    const Lane& lane = part.trace.lane(row);
    if (own[lane.process]) note(part.events.correlation(part.trace.event_id(row)), lane.stream);
  });
  CopyTable copies;
  copies.rows.leave_out_amounts();
  TRY(read_rocpd_copies(part, copies));
  for (std::size_t row = 0; row < copies.rows.size(); ++row)
    note(copies.rows.correlation(row), copies.rows.shape(row).stream);
  return launched;
}

/// The number after "stream_id": in a small JSON text; -1 when there is none.
std::int64_t stream_id_in(std::string_view extdata) {
  constexpr std::string_view kKey = "\"stream_id\"";
  const std::size_t key = extdata.find(kKey);
  if (key == std::string_view::npos) return -1;
  const std::size_t begin = extdata.find_first_not_of(": \"", key + kKey.size());
  if (begin == std::string_view::npos) return -1;
  const std::size_t end = extdata.find_first_not_of("0123456789", begin);
  return whole_number<std::int64_t>(extdata.substr(begin, end - begin)).value_or(-1);
}

/// Events of calls, for a first look at millions of rows.
class EventSet {
 public:
  explicit EventSet(std::span<const RocpdHostOp> calls) {
    for (const RocpdHostOp& call : calls) {
      const std::uint64_t slot = slot_of(call.event);
      bits_[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
  }
  /// False only for events that are not in it.
  [[nodiscard]] bool may_hold(std::int64_t event) const {
    const std::uint64_t slot = slot_of(event);
    return (bits_[slot / 64] >> slot % 64 & 1U) != 0;
  }

 private:
  static constexpr std::size_t kBits = std::size_t{1} << 23;
  static std::uint64_t slot_of(std::int64_t event) {
    return static_cast<std::uint64_t>(event) % kBits;
  }
  std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(kBits / 64);
};

/// One thread's share of the arguments: those of calls to look at, and which streams launches with a pointer ran on.
class ArgumentSink {
 public:
  enum : int { kEvent, kName, kType, kValue, kExtdata };
  static constexpr std::array<WantedColumn, 5> kWanted{{{"event_id"},
                                                        {"name", ColumnKind::text},
                                                        {"type", ColumnKind::text},
                                                        {"value", ColumnKind::text},
                                                        {"extdata", ColumnKind::text}}};

  ArgumentSink(const RocpdPart& part, const EventSet& calls, const IdTable& launched)
      : part_(&part), calls_(&calls), launched_(&launched) {}

  void row(const TableRow& row) {
    const std::string_view name = row.text(kName), type = row.text(kType);
    const bool is_event = type == "hipEvent_t" || name == "event" || name == "hEvent";
    if (!is_event && type != "hipStream_t" && name != "stream" && name != "hStream") return;
    const std::int64_t event = row.integer(kEvent);
    const bool wanted = calls_->may_hold(event);
    const std::string_view value = row.text(kValue);
    if (is_event && !wanted) return;
    const auto handle = parse_handle(value);
    if (!is_event && handle) note_launch(*handle, part_->events.correlation(event));
    if (!wanted) return;
    arguments.push_back({event, is_event, handle.has_value(), value.starts_with("0x"),
                         handle.value_or(0), stream_id_in(row.text(kExtdata))});
  }

  std::vector<RocpdArguments::Argument> arguments;
  std::unordered_map<std::uint64_t, RocpdArguments::Runs> runs;

 private:
  void note_launch(std::uint64_t handle, std::uint64_t correlation) {
    const std::uint32_t stream = launched_->find(correlation);
    if (stream == kNone) return;
    if (last_ == nullptr || handle != last_handle_) {
      last_ = &runs[handle];
      last_handle_ = handle;
    }
    // Only changes are kept: ten million launches on one stream are one entry. Rows come nearly in order of correlation.
    if (last_->empty() || last_->back().second != stream || correlation < last_->back().first)
      last_->emplace_back(correlation, stream);
  }

  const RocpdPart* part_;
  const EventSet* calls_;
  const IdTable* launched_;
  RocpdArguments::Runs* last_ = nullptr;
  std::uint64_t last_handle_ = 0;
};

}  // namespace

Status RocpdArguments::load(const RocpdPart& part, std::span<const RocpdHostOp> calls) {
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_arg", part.scope.source().suffix, ArgumentSink::kWanted));
  if (calls.empty() || table.layout.name.empty()) return {};
  for (const RocpdHostOp& call : calls) calls_.try_emplace(call.event);
  const EventSet events(calls);
  const IdTable launched = TRY(launched_streams(part));
  auto sinks = TRY(part.reader.read(table, [&] { return ArgumentSink(part, events, launched); }));
  for (ArgumentSink& sink : sinks) {
    for (const Argument& argument : sink.arguments) take(argument);
    for (auto& [handle, runs] : sink.runs) {
      Runs& all = runs_[handle];
      all.insert(all.end(), runs.begin(), runs.end());
    }
  }
  for (auto& [handle, runs] : runs_) std::sort(runs.begin(), runs.end());
  return {};
}

void RocpdArguments::take(const Argument& argument) {
  const auto found = calls_.find(argument.event_id);
  if (found == calls_.end()) return;
  Call& call = found->second;
  if (argument.is_event) {
    if (!argument.has_handle) return;
    call.has_event = true;
    call.event = argument.handle;
    return;
  }
  call.stream_id = argument.stream_id;
  call.has_stream = argument.has_handle || call.stream_id >= 0;
  call.stream_handle = argument.handle;
  call.printed_as_pointer = argument.printed_as_pointer;
}

const RocpdArguments::Call* RocpdArguments::find(std::int64_t event) const {
  const auto found = calls_.find(event);
  if (found == calls_.end() || !(found->second.has_stream || found->second.has_event)) {
    return nullptr;
  }
  return &found->second;
}

std::uint32_t RocpdArguments::stream(const RocpdPart& part, std::uint32_t process, const Call& call,
                                     std::uint64_t correlation) const {
  if (!call.has_stream) return kNone;
  if (call.stream_id >= 0) {
    return part.scope.stream(process, static_cast<std::uint64_t>(call.stream_id));
  }
  if (const auto runs = runs_.find(call.stream_handle); runs != runs_.end()) {
    const auto after =
        std::upper_bound(runs->second.begin(), runs->second.end(), correlation,
                         [](std::uint64_t wanted, const auto& run) { return wanted < run.first; });
    return after == runs->second.begin() ? after->second : std::prev(after)->second;
  }
  const bool special = call.printed_as_pointer && call.stream_handle != 0 &&
                       call.stream_handle <= kLastSpecialHandle;
  return special ? kNone : part.scope.stream(process, call.stream_handle);
}

}  // namespace rpl
