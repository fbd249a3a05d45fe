// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_arguments.h"

#include <algorithm>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/row_index.h"

namespace rpl {

namespace {

/// hipStreamLegacy and hipStreamPerThread are passed as 1 and 2, and are no streams of those numbers.
constexpr std::uint64_t kLastSpecialHandle = 2;

/// By correlation, the stream that a dispatch or copy ran on.
using Launched = std::unordered_map<std::uint64_t, std::uint32_t>;

Result<Launched> launched_streams(const RocpdPart& part) {
  Launched launched;
  launched.reserve(part.trace.size());
  const auto note = [&](std::uint64_t correlation, std::uint32_t stream) {
    if (correlation != 0 && stream != kNone) launched.insert_or_assign(correlation, stream);
  };
  const auto& own = part.scope.processes();
  for_rows_of_file(part.trace, part.file, [&](std::uint32_t row) {
    const Lane& lane = part.trace.lane(row);
    if (std::find(own.begin(), own.end(), lane.process) == own.end()) return;
    note(part.events.correlation(part.trace.event_id(row)), lane.stream);
  });
  CopyTable copies;
  TRY(read_rocpd_copies(part, copies));
  for (const Copy& copy : copies.rows) note(copy.correlation, copy.stream);
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

}  // namespace

Status RocpdArguments::load(const RocpdPart& part, const std::vector<std::int64_t>& calls) {
  for (const std::int64_t event : calls) calls_.try_emplace(event);
  const Launched launched = TRY(launched_streams(part));
  Statement rows = TRY(select_columns(
      part.scope.database(), part.scope.source().table("rocpd_arg"),
      {"event_id", "name", "type", "value", "extdata"},
      // IN would build an index and search it for every row.
      "WHERE name = 'stream' OR name = 'event' OR type = 'hipStream_t' OR type = 'hipEvent_t' "
      "OR name = 'hStream' OR name = 'hEvent'"));
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const auto handle = parse_handle(rows.text(3));
    const bool is_event =
        rows.text(2) == "hipEvent_t" || rows.text(1) == "event" || rows.text(1) == "hEvent";
    const std::int64_t id = rows.int64(0);
    const auto call = calls_.find(id);
    if (is_event && call != calls_.end() && handle) {
      call->second.has_event = true;
      call->second.event = *handle;
    }
    if (is_event) continue;
    if (handle && !launched.empty()) {
      const std::uint64_t correlation = part.events.correlation(id);
      const auto ran = launched.find(correlation);
      if (ran != launched.end()) note_launch(*handle, correlation, ran->second);
    }
    if (call == calls_.end()) continue;
    call->second.stream_id = stream_id_in(rows.text(4));
    call->second.has_stream = handle.has_value() || call->second.stream_id >= 0;
    call->second.stream_handle = handle.value_or(0);
    call->second.printed_as_pointer = rows.text(3).starts_with("0x");
  }
  for (auto& [handle, runs] : runs_) std::sort(runs.begin(), runs.end());
  return {};
}

void RocpdArguments::note_launch(std::uint64_t handle, std::uint64_t correlation,
                                 std::uint32_t stream) {
  Runs& runs = runs_[handle];
  // Only changes are kept: ten million launches on one stream are one entry. Rows come nearly in order of correlation.
  if (runs.empty() || runs.back().second != stream || correlation < runs.back().first) {
    runs.emplace_back(correlation, stream);
  }
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
