// SPDX-License-Identifier: MIT
#include "engine/trace/core/secondary.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "engine/trace/core/trace.h"

namespace rpl {
namespace {

/// Appends `names` to `into` where new; returns the new index of each.
std::vector<std::uint32_t> merge_names(const std::vector<std::string>& names,
                                       std::vector<std::string>& into) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (const std::string& name : into)
    known.emplace(name, static_cast<std::uint32_t>(known.size()));
  std::vector<std::uint32_t> moved;
  std::vector<std::string> fresh;
  std::uint32_t next = static_cast<std::uint32_t>(into.size());
  for (const std::string& name : names) {
    const auto [found, added] = known.try_emplace(name, next);
    if (added) {
      fresh.push_back(name);
      ++next;
    }
    moved.push_back(found->second);
  }
  into.insert(into.end(), fresh.begin(), fresh.end());
  return moved;
}

template <class Rows>
void append(Rows& into, Rows&& rows) {
  if (into.empty()) {
    into = std::move(rows);
  } else {
    into.insert(into.end(), rows.begin(), rows.end());
  }
}

template <class Row, class Key>
void sort_by(std::vector<Row>& rows, Key key) {
  const auto less = [&](const Row& a, const Row& b) { return key(a) < key(b); };
  if (!std::is_sorted(rows.begin(), rows.end(), less)) {
    std::stable_sort(rows.begin(), rows.end(), less);
  }
}

}  // namespace

Status FileTables::copies(const Trace&, std::uint32_t, CopyTable&) { return {}; }
Status FileTables::api(const Trace&, std::uint32_t, ApiTable&) { return {}; }
Status FileTables::markers(const Trace&, std::uint32_t, MarkerTable&) { return {}; }
Status FileTables::syncs(const Trace&, std::uint32_t, SyncTable&) { return {}; }
Status FileTables::counters(const Trace&, std::uint32_t, CounterTable&) { return {}; }

SecondarySource::SecondarySource(std::vector<std::unique_ptr<FileTables>> files)
    : files_(std::move(files)) {}

template <class Table, class Merge>
Result<const Table*> SecondarySource::load(const Trace& trace, std::optional<Table>& held,
                                           Merge merge) {
  const std::lock_guard lock(mutex_);
  if (held) return &*held;
  Table all;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto file = static_cast<std::uint32_t>(i);
    if (!files_[i]) continue;
    auto status = merge(*files_[i], file, all);
    if (!status) {
      return Failure(std::move(status).error().in(trace.entities().files[i].path));
    }
  }
  held = std::move(all);
  return &*held;
}

Result<const CopyTable*> SecondarySource::copies(const Trace& trace) {
  return load(trace, copies_,
              [&](FileTables& tables, std::uint32_t file, CopyTable& all) -> Status {
                CopyTable part;
                TRY(tables.copies(trace, file, part));
                const auto names = merge_names(part.names, all.names);
                for (Copy& copy : part.rows) copy.name = names.at(copy.name);
                append(all.rows, std::move(part.rows));
                append(all.notes, std::move(part.notes));
                sort_by(all.rows, [](const Copy& c) { return c.start_ns; });
                return {};
              });
}

Result<const ApiTable*> SecondarySource::api(const Trace& trace) {
  return load(trace, api_, [&](FileTables& tables, std::uint32_t file, ApiTable& all) -> Status {
    all.dispatch_correlation.resize(trace.size());
    ApiTable part;
    part.dispatch_correlation = std::move(all.dispatch_correlation);
    TRY(tables.api(trace, file, part));
    all.dispatch_correlation = std::move(part.dispatch_correlation);
    const auto names = merge_names(part.names, all.names);
    for (ApiCall& call : part.rows) {
      call.name = names.at(call.name);
      call.category = names.at(call.category);
    }
    append(all.rows, std::move(part.rows));
    append(all.notes, std::move(part.notes));
    sort_by(all.rows, [](const ApiCall& c) { return std::tuple(c.process, c.thread, c.start_ns); });
    return {};
  });
}

Result<const MarkerTable*> SecondarySource::markers(const Trace& trace) {
  return load(trace, markers_,
              [&](FileTables& tables, std::uint32_t file, MarkerTable& all) -> Status {
                TRY(tables.markers(trace, file, all));
                sort_by(all.rows, [](const Marker& m) { return m.start_ns; });
                return {};
              });
}

Result<const SyncTable*> SecondarySource::syncs(const Trace& trace) {
  return load(trace, syncs_, [&](FileTables& tables, std::uint32_t file, SyncTable& all) -> Status {
    TRY(tables.syncs(trace, file, all));
    sort_by(all.rows,
            [](const SyncOp& s) { return std::tuple(s.process, s.correlation, s.start_ns); });
    return {};
  });
}

Result<const CounterTable*> SecondarySource::counters(const Trace& trace) {
  return load(
      trace, counters_, [&](FileTables& tables, std::uint32_t file, CounterTable& all) -> Status {
        CounterTable part;
        TRY(tables.counters(trace, file, part));
        const auto names = merge_names(part.names, all.names);
        for (CounterSample& sample : part.rows) sample.counter = names.at(sample.counter);
        append(all.rows, std::move(part.rows));
        append(all.notes, std::move(part.notes));
        sort_by(all.rows, [](const CounterSample& s) { return std::tuple(s.dispatch, s.counter); });
        return {};
      });
}

}  // namespace rpl
