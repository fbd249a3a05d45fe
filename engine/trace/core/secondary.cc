// SPDX-License-Identifier: MIT
#include "engine/trace/core/secondary.h"

#include <algorithm>
#include <array>
#include <span>
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

std::int64_t shift_of(const Trace& trace, std::uint32_t file) {
  return trace.entities().files[file].clock_shift_ns;
}

template <class Rows>
void shift_rows(Rows rows, std::int64_t ns) {
  if (ns == 0) return;
  for (auto& row : rows) {
    row.start_ns += ns;
    row.end_ns += ns;
  }
}

}  // namespace

Status FileTables::copies(const Trace&, std::uint32_t, Fact, CopyTable&) { return {}; }
Status FileTables::api(const Trace&, std::uint32_t, ApiTable&) { return {}; }
Status FileTables::markers(const Trace&, std::uint32_t, MarkerTable&) { return {}; }
Status FileTables::syncs(const Trace&, std::uint32_t, SyncTable&) { return {}; }
Status FileTables::counters(const Trace&, std::uint32_t, CounterTable&) { return {}; }
Status FileTables::call_sites(const Trace&, std::uint32_t, CallSiteTable&) { return {}; }
Result<std::uint64_t> FileTables::price(Fact) { return 0; }

SecondarySource::SecondarySource(std::vector<std::unique_ptr<FileTables>> files)
    : files_(std::move(files)) {}

template <class Table, class Merge, class Order>
Result<const Table*> SecondarySource::load(const Trace& trace, std::optional<Table>& held,
                                           Merge merge, Order order) {
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
  order(all);
  held = std::move(all);
  return &*held;
}

Result<Facts> SecondarySource::ask(const Trace& trace, FactSet wanted) {
  const std::lock_guard lock(mutex_);
  Result<Facts> facts = load_all(trace, wanted);
  for (const auto& file : files_) {
    if (file) file->settle();
  }
  return facts;
}

Result<Facts> SecondarySource::load_all(const Trace& trace, FactSet wanted) {
  Facts facts;
  for (const Fact depth : {Fact::copies, Fact::copy_calls, Fact::copy_places}) {
    if (wanted.has(depth) && facts.copies == nullptr) facts.copies = TRY(copies(trace, depth));
  }
  if (wanted.has(Fact::calls)) facts.calls = TRY(api(trace));
  if (wanted.has(Fact::orders)) facts.orders = TRY(syncs(trace));
  if (wanted.has(Fact::markers)) facts.markers = TRY(markers(trace));
  if (wanted.has(Fact::counters)) facts.counters = TRY(counters(trace));
  if (wanted.has(Fact::call_sites)) facts.call_sites = TRY(call_sites(trace));
  return facts;
}

Result<std::uint64_t> SecondarySource::price(FactSet wanted) {
  const std::lock_guard lock(mutex_);
  std::uint64_t pages = 0;
  for (std::size_t i = 0; i < kFacts; ++i) {
    if (!wanted.has(static_cast<Fact>(i))) continue;
    for (const auto& file : files_) {
      if (file) pages += TRY(file->price(static_cast<Fact>(i)));
    }
  }
  return pages;
}

std::vector<TableReading> SecondarySource::reading() const {
  std::vector<TableReading> all;
  for (const auto& file : files_) {
    if (!file || file->reading() == nullptr) continue;
    for (const TableReading& table : file->reading()->tables()) {
      auto known = std::ranges::find(all, table.table, &TableReading::table);
      if (known == all.end()) known = all.insert(all.end(), {table.table, 0, 0, 0});
      known->pages += table.pages;
      known->of += table.of;
      known->through_api += table.through_api;
    }
  }
  return all;
}

std::vector<std::uint32_t> SecondarySource::pages_read(std::size_t file) const {
  if (file >= files_.size() || !files_[file] || files_[file]->reading() == nullptr) return {};
  return files_[file]->reading()->pages();
}

std::vector<std::string> SecondarySource::damage(std::size_t file) const {
  if (file >= files_.size() || !files_[file]) return {};
  return files_[file]->damage();
}

Result<const CopyTable*> SecondarySource::copies(const Trace& trace, Fact depth) {
  // What is held with more than is asked for serves as well.
  for (auto at = static_cast<std::size_t>(depth); at < copies_.size(); ++at) {
    if (copies_[at]) return &*copies_[at];
  }
  return load(
      trace, copies_[static_cast<std::size_t>(depth)],
      [&](FileTables& tables, std::uint32_t file, CopyTable& all) -> Status {
        CopyTable part;
        TRY(tables.copies(trace, file, depth, part));
        part.rows.rename(merge_names(part.names, all.names));
        if (shift_of(trace, file) != 0) part.rows.shift(shift_of(trace, file));
        all.rows.append(std::move(part.rows));
        append(all.notes, std::move(part.notes));
        return {};
      },
      [](CopyTable& all) { all.rows.sort(); });
}

Result<const ApiTable*> SecondarySource::api(const Trace& trace) {
  const auto merge = [&](FileTables& tables, std::uint32_t file, ApiTable& all) -> Status {
    if (all.dispatch_correlation.size() == 0) all.dispatch_correlation.resize(trace.size());
    ApiTable part;
    part.dispatch_correlation = std::move(all.dispatch_correlation);
    TRY(tables.api(trace, file, part));
    all.dispatch_correlation = std::move(part.dispatch_correlation);
    part.rows.rename(merge_names(part.names, all.names));
    if (shift_of(trace, file) != 0) part.rows.shift(shift_of(trace, file));
    all.rows.append(std::move(part.rows));
    append(all.notes, std::move(part.notes));
    return {};
  };
  return load(trace, api_, merge, [](ApiTable& all) { all.rows.sort(); });
}

Result<const MarkerTable*> SecondarySource::markers(const Trace& trace) {
  const auto merge = [&](FileTables& tables, std::uint32_t file, MarkerTable& all) -> Status {
    const std::size_t before = all.rows.size();
    TRY(tables.markers(trace, file, all));
    shift_rows(std::span(all.rows).subspan(before), shift_of(trace, file));
    return {};
  };
  return load(trace, markers_, merge, [](MarkerTable& all) {
    sort_by(all.rows, [](const Marker& m) { return m.start_ns; });
  });
}

Result<const SyncTable*> SecondarySource::syncs(const Trace& trace) {
  const auto merge = [&](FileTables& tables, std::uint32_t file, SyncTable& all) -> Status {
    const std::size_t before = all.rows.size();
    TRY(tables.syncs(trace, file, all));
    shift_rows(std::span(all.rows).subspan(before), shift_of(trace, file));
    return {};
  };
  return load(trace, syncs_, merge, [](SyncTable& all) {
    sort_by(all.rows,
            [](const SyncOp& s) { return std::tuple(s.process, s.correlation, s.start_ns); });
  });
}

Result<const CounterTable*> SecondarySource::counters(const Trace& trace) {
  const auto merge = [&](FileTables& tables, std::uint32_t file, CounterTable& all) -> Status {
    CounterTable part;
    TRY(tables.counters(trace, file, part));
    const auto names = merge_names(part.names, all.names);
    for (CounterSample& sample : part.rows) sample.counter = names.at(sample.counter);
    append(all.rows, std::move(part.rows));
    append(all.notes, std::move(part.notes));
    return {};
  };
  return load(trace, counters_, merge, [](CounterTable& all) {
    sort_by(all.rows, [](const CounterSample& s) { return std::tuple(s.dispatch, s.counter); });
  });
}

Result<const CallSiteTable*> SecondarySource::call_sites(const Trace& trace) {
  const auto merge = [&](FileTables& tables, std::uint32_t file, CallSiteTable& all) -> Status {
    CallSiteTable part;
    TRY(tables.call_sites(trace, file, part));
    for (CallSiteTable::Row& row : part.rows)
      row.site += static_cast<std::uint32_t>(all.sites.size());
    append(all.rows, std::move(part.rows));
    append(all.sites, std::move(part.sites));
    append(all.notes, std::move(part.notes));
    return {};
  };
  return load(trace, call_sites_, merge, [](CallSiteTable& all) {
    sort_by(all.rows,
            [](const CallSiteTable::Row& row) { return std::tuple(row.process, row.correlation); });
  });
}

}  // namespace rpl
