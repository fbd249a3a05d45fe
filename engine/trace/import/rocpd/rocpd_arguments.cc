// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_arguments.h"

#include <algorithm>
#include <bitset>
#include <optional>

#include "engine/base/numbers.h"
#include "engine/trace/core/id_table.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// hipStreamLegacy and hipStreamPerThread are passed as 1 and 2, and are no streams of those numbers.
constexpr std::uint64_t kLastSpecialHandle = 2;

/// One thread's share of the arguments: those of calls to look at, and which streams launches with a pointer ran on.
class ArgumentSink {
 public:
  ArgumentSink(const RocpdPart& part, const EventSet& calls, const IdTable& launched)
      : part_(&part), calls_(&calls), launched_(&launched) {}

  void row(const TableRow& row) {
    const auto kind = RocpdArgument::kind_of(row);
    if (kind == RocpdArgument::Kind::other) return;
    const std::int64_t event = row.integer(ArgumentColumns::kEvent);
    const bool wanted = calls_->may_hold(event);
    if (kind == RocpdArgument::Kind::event && !wanted) return;
    if (kind == RocpdArgument::Kind::stream) note_launch(row, event);
    if (wanted) arguments.push_back(RocpdArgument::of(row, kind));
  }

  std::vector<RocpdArgument> arguments;
  std::unordered_map<std::uint64_t, RocpdArguments::Runs> runs;

 private:
  void note_launch(const TableRow& row, std::int64_t event) {
    const std::uint64_t correlation = part_->events.correlation(event);
    const std::uint32_t stream = launched_->find(correlation);
    if (stream == kNone) return;
    const auto handle = parse_handle(row.text(ArgumentColumns::kValue));
    if (!handle) return;
    if (last_ == nullptr || *handle != last_handle_) {
      last_ = &runs[*handle];
      last_handle_ = *handle;
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

/// What ran on a stream: dispatches and copies of one part of a recording.
class RocpdArguments::Launches {
 public:
  static Result<Launches> of(const RocpdPart& part) {
    Launches launches(part);
    if (part.copies != nullptr) {
      launches.copies_ = *part.copies;
      return launches;
    }
    CopyTable read;
    read.rows.leave_out_amounts();
    launches.copies_ = TRY(read_rocpd_copies(part, read));
    return launches;
  }

  /// Calls visit(correlation, stream) for each whose stream `wanted` takes.
  template <class Wanted, class Visit>
  void each(Wanted wanted, Visit visit) const {
    each_of_all([&](std::size_t operation, std::uint32_t stream) {
      if (wanted(stream)) visit(correlation(operation), stream);
    });
  }

  /// By correlation, the stream that a dispatch or copy ran on.
  [[nodiscard]] IdTable by_correlation() const {
    IdTable launched(part_->trace.size());
    each([](std::uint32_t) { return true; },
         [&](std::uint64_t id, std::uint32_t stream) {
           if (id != 0) launched.set(id, stream);
         });
    return launched;
  }

  /// Some of every stream, spread evenly: stream by correlation.
  [[nodiscard]] std::unordered_map<std::uint64_t, std::uint32_t> samples() const {
    std::vector<Spread> spreads(part_->trace.entities().streams.size());
    each_of_all(
        [&](std::size_t operation, std::uint32_t stream) { spreads[stream].add(operation); });
    std::unordered_map<std::uint64_t, std::uint32_t> out;
    for (std::uint32_t stream = 0; stream < spreads.size(); ++stream) {
      for (const std::size_t operation : spreads[stream].taken()) {
        if (const std::uint64_t id = correlation(operation); id != 0)
          out.insert_or_assign(id, stream);
      }
    }
    return out;
  }

 private:
  /// Every so many of a sequence, and the last one: the distance doubles as it grows.
  class Spread {
   public:
    void add(std::size_t item) {
      last_ = item;
      if ((seen_++ & (step_ - 1)) != 0) return;
      if (taken_.size() == kMost) {
        for (std::size_t i = 0; i < kMost / 2; ++i) taken_[i] = taken_[2 * i];
        taken_.resize(kMost / 2);
        step_ *= 2;
      }
      taken_.push_back(item);
    }
    [[nodiscard]] std::vector<std::size_t> taken() const {
      std::vector<std::size_t> all = taken_;
      if (seen_ > 0 && all.back() != last_) all.push_back(last_);
      return all;
    }

   private:
    static constexpr std::size_t kMost = 8;
    std::vector<std::size_t> taken_;
    std::size_t seen_ = 0, step_ = 1, last_ = 0;
  };

  /// An operation is a dispatch's row, or behind those a copy's.
  [[nodiscard]] std::uint64_t correlation(std::size_t operation) const {
    const std::size_t dispatches = part_->trace.size();
    return operation < dispatches ? part_->events.correlation(part_->trace.event_id(
                                        static_cast<std::uint32_t>(operation)))
                                  : copies_[operation - dispatches].correlation;
  }

  /// Calls visit(operation, stream) for each that has a stream.
  template <class Visit>
  void each_of_all(Visit visit) const {
    const TraceEntities& entities = part_->trace.entities();
    std::vector<std::uint32_t> streams;
    for (const Lane& lane : entities.lanes) {
      const bool inside =
          own_[lane.process] && entities.processes[lane.process].file == part_->file;
      streams.push_back(inside ? lane.stream : kNone);
    }
    const std::span<const std::uint32_t> lanes = part_->trace.columns().lane;
    for (std::size_t row = 0; row < lanes.size(); ++row) {
      const std::uint32_t stream = streams[lanes[row]];
      if (stream != kNone) visit(row, stream);
    }
    for (std::size_t row = 0; row < copies_.size(); ++row) {
      if (copies_[row].stream != kNone) visit(lanes.size() + row, copies_[row].stream);
    }
  }

  explicit Launches(const RocpdPart& part)
      : part_(&part), own_(part.trace.entities().processes.size()) {
    for (const std::uint32_t process : part.scope.processes()) own_[process] = true;
  }

  const RocpdPart* part_;
  std::vector<bool> own_;
  std::vector<RocpdLaunched> copies_;
};

Status RocpdArguments::load(const RocpdPart& part, std::span<const RocpdHostOp> calls) {
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_arg", part.scope.source().suffix, ArgumentColumns::kWanted));
  if (calls.empty() || table.layout.name.empty()) return {};
  const Launches launches = TRY(Launches::of(part));
  expect(calls);
  if (TRY(load_some(part, table, calls, launches))) return {};
  expect(calls);
  runs_.clear();
  return load_all(part, table, calls, launches);
}

Status RocpdArguments::load_all(const RocpdPart& part, const PreparedTable& table,
                                std::span<const RocpdHostOp> calls, const Launches& launches) {
  EventSet events;
  for (const RocpdHostOp& call : calls) events.add(call.event);
  const IdTable launched = launches.by_correlation();
  auto sinks = TRY(part.reader.read(table, [&] { return ArgumentSink(part, events, launched); }));
  for (ArgumentSink& sink : sinks) {
    for (const RocpdArgument& argument : sink.arguments) take(argument);
    for (auto& [handle, runs] : sink.runs) {
      Runs& all = runs_[handle];
      all.insert(all.end(), runs.begin(), runs.end());
    }
  }
  for (auto& [handle, runs] : runs_) std::sort(runs.begin(), runs.end());
  return {};
}

Result<bool> RocpdArguments::load_some(const RocpdPart& part, const PreparedTable& table,
                                       std::span<const RocpdHostOp> calls,
                                       const Launches& launches) {
  const auto samples = launches.samples();
  std::vector<std::int64_t> needed;
  for (const RocpdHostOp& call : calls) {
    // Given neither a stream nor an event, by any release.
    if (call.op.kind != SyncKind::device_synchronize) needed.push_back(call.event);
  }
  std::ranges::sort(needed);
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  std::vector<std::int64_t> wanted = needed;
  std::unordered_map<std::int64_t, std::uint32_t> stream_of_event;
  // A few ids among millions: most are told by so many bits.
  std::bitset<4096> ids;
  for (const auto& [id, stream] : samples) ids.set(id % ids.size());
  part.events.each_with([&](std::uint64_t id) { return ids.test(id % ids.size()); },
                        [&](std::int64_t event) {
                          const auto sample = samples.find(part.events.correlation(event));
                          if (sample == samples.end()) return;
                          stream_of_event.emplace(event, sample->second);
                          wanted.push_back(event);
                        });
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const auto found = TRY(search_arguments(part.reader, table, wanted));
  // A call that was given nothing is one whose arguments lie elsewhere than in order.
  if (!found || !std::ranges::includes(found->events, needed)) return false;
  // Streams are numbered as they are made, so that one number stands for one pointer; a pointer may be used again.
  std::unordered_map<std::uint32_t, std::uint64_t> handle_of;
  for (const RocpdArgument& argument : found->arguments) {
    take(argument);
    const auto launch = stream_of_event.find(argument.event_id);
    if (argument.is_event || !argument.has_handle || launch == stream_of_event.end()) continue;
    const auto [known, fresh] = handle_of.try_emplace(launch->second, argument.handle);
    if (!fresh && known->second != argument.handle) return false;
  }
  for (const auto& [id, stream] : samples) {
    if (!handle_of.contains(stream)) return false;
  }
  add_runs(handle_of, launches);
  return true;
}

void RocpdArguments::add_runs(const std::unordered_map<std::uint32_t, std::uint64_t>& handle_of,
                              const Launches& launches) {
  std::unordered_map<std::uint64_t, std::uint32_t> streams;  ///< how many have the handle
  for (const auto& [stream, handle] : handle_of) ++streams[handle];
  for (const auto& [stream, handle] : handle_of) {
    if (streams[handle] == 1) runs_[handle] = {{0, stream}};
  }
  const bool reused = std::ranges::any_of(streams, [](const auto& one) { return one.second > 1; });
  if (!reused) return;
  launches.each(
      [&](std::uint32_t stream) {
        const auto known = handle_of.find(stream);
        return known != handle_of.end() && streams[known->second] > 1;
      },
      [&](std::uint64_t id, std::uint32_t stream) {
        if (id != 0) runs_[handle_of.at(stream)].emplace_back(id, stream);
      });
  for (auto& [handle, runs] : runs_) {
    std::sort(runs.begin(), runs.end());
    const auto same = [](const auto& a, const auto& b) { return a.second == b.second; };
    runs.erase(std::unique(runs.begin(), runs.end(), same), runs.end());
  }
}

void RocpdArguments::expect(std::span<const RocpdHostOp> calls) {
  calls_.clear();
  for (const RocpdHostOp& call : calls) calls_.push_back({call.event, {}});
  std::ranges::sort(calls_, {}, &Known::event);
  const auto same = std::ranges::unique(calls_, {}, &Known::event);
  calls_.erase(same.begin(), same.end());
  last_ = 0;
}

RocpdArguments::Call* RocpdArguments::call_of(std::int64_t event) {
  constexpr std::size_t kNear = 4;
  for (std::size_t i = last_; i < std::min(last_ + kNear, calls_.size()); ++i) {
    if (calls_[i].event == event) return &calls_[last_ = i].call;
  }
  const auto found = std::ranges::lower_bound(calls_, event, {}, &Known::event);
  if (found == calls_.end() || found->event != event) return nullptr;
  last_ = static_cast<std::size_t>(found - calls_.begin());
  return &found->call;
}

void RocpdArguments::take(const RocpdArgument& argument) {
  Call* const call = call_of(argument.event_id);
  if (call == nullptr) return;
  if (argument.is_event) {
    if (!argument.has_handle) return;
    call->has_event = true;
    call->event = argument.handle;
    return;
  }
  call->stream_id = argument.stream_id;
  call->has_stream = argument.has_handle || call->stream_id >= 0;
  call->stream_handle = argument.handle;
  call->printed_as_pointer = argument.printed_as_pointer;
}

const RocpdArguments::Call* RocpdArguments::find(std::int64_t event) {
  const Call* const call = call_of(event);
  return call != nullptr && (call->has_stream || call->has_event) ? call : nullptr;
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

Status read_rocpd_syncs(const RocpdPart& part, ColumnVector<RocpdHostOp> host, SyncTable& out) {
  if (TRY(read_rocpd_event_tables(part, out))) {
    std::erase_if(host, [](const RocpdHostOp& each) {
      return each.op.kind == SyncKind::event_record || each.op.kind == SyncKind::event_wait;
    });
  }
  RocpdArguments arguments;
  TRY(arguments.load(part, host));
  out.rows.reserve(out.rows.size() + host.size());
  for (RocpdHostOp& each : host) {
    if (const RocpdArguments::Call* call = arguments.find(each.event)) {
      each.op.source = SyncSource::api_arguments;
      each.op.event = call->event;
      each.op.stream = arguments.stream(part, each.op.process, *call, each.op.correlation);
    }
    out.rows.push_back(each.op);
  }
  return {};
}

}  // namespace rpl
