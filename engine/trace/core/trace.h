// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/columns.h"
#include "engine/trace/core/entities.h"
#include "engine/trace/core/facts.h"
#include "engine/trace/core/reading.h"

namespace rpl {

class SecondarySource;

/// One recording, or several processes' recordings merged: the dispatches column by column in (start, file, row) order, and
/// the small tables around them. Immutable once built, so it is shared freely between threads and Lua. Tables that
/// not every question needs (copies, API regions, markers, counters) are read from the files on first use.
class Trace {
 public:
  Trace(TraceColumns columns, TraceEntities entities, std::unique_ptr<SecondarySource> secondary);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // --- dispatches; `row` is 0-based, the id shown to people is row + 1 ("d1") ---
  [[nodiscard]] std::size_t size() const { return columns_.start_ns.size(); }
  [[nodiscard]] std::int64_t start_ns(std::size_t row) const { return columns_.start_ns[row]; }
  /// end - start as recorded; negative when the recording is.
  [[nodiscard]] std::int64_t duration_ns(std::size_t row) const {
    return columns_.duration_ns.get(row);
  }
  /// As recorded, even where end - start does not fit 64 bits.
  [[nodiscard]] std::int64_t end_ns(std::size_t row) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start_ns(row)) +
                                     static_cast<std::uint64_t>(duration_ns(row)));
  }
  [[nodiscard]] const Launch& launch(std::size_t row) const {
    return entities_.launches[columns_.launch[row]];
  }
  [[nodiscard]] const Lane& lane(std::size_t row) const {
    return entities_.lanes[columns_.lane[row]];
  }
  /// Index into kernels().
  [[nodiscard]] std::uint32_t kernel_of(std::size_t row) const { return launch(row).kernel; }
  /// The recorded id, unique within its process only.
  [[nodiscard]] std::int64_t dispatch_id(std::size_t row) const {
    return columns_.dispatch_id.get(row);
  }
  /// Row id in the recording's event table, 0 when there is none; joins API regions and counters.
  [[nodiscard]] std::int64_t event_id(std::size_t row) const { return columns_.event_id.get(row); }

  [[nodiscard]] const TraceColumns& columns() const { return columns_; }
  [[nodiscard]] const TraceEntities& entities() const { return entities_; }
  [[nodiscard]] std::span<const Kernel> kernels() const { return entities_.kernels; }

  // --- read on first use; thread-safe; the same object every time ---
  /// All facts that are wanted, of those that the recording has; reads what was not asked for before.
  [[nodiscard]] Result<Facts> ask(FactSet wanted) const;
  /// Pages of the files that asking takes reading; what was read before counts again, and so do tables that several facts come from.
  [[nodiscard]] Result<std::uint64_t> price(FactSet wanted) const;
  /// What was read so far by table, over all files; empty for formats that are no databases.
  [[nodiscard]] std::vector<TableReading> reading() const;
  /// The numbers of the pages that were read of a file, rising.
  [[nodiscard]] std::vector<std::uint32_t> pages_read(std::size_t file) const;
  /// What speaks against the files themselves, as far as they were read: more may come with what is read later.
  [[nodiscard]] std::vector<std::string> damage() const;
  [[nodiscard]] Result<const CopyTable*> copies() const;
  [[nodiscard]] Result<const ApiTable*> api() const;
  [[nodiscard]] Result<const MarkerTable*> markers() const;
  [[nodiscard]] Result<const SyncTable*> syncs() const;
  [[nodiscard]] Result<const CounterTable*> counters() const;
  [[nodiscard]] Result<const CallSiteTable*> call_sites() const;
  /// Which of the above the recording has at all, answered without reading them.
  [[nodiscard]] const Presence& presence() const { return entities_.presence; }

  /// First start and last end over dispatches; {0, 0} for an empty trace.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> extent_ns() const { return extent_ns_; }
  /// Whether it says when its dispatches ran: in files of counters all of them may begin and end at one instant, because the times are
  /// missing or were rounded. True without dispatches.
  [[nodiscard]] bool has_times() const {
    return size() == 0 || extent_ns_.first != extent_ns_.second;
  }
  /// Anonymous memory held for the dispatch columns, in bytes.
  [[nodiscard]] std::size_t column_bytes() const;

 private:
  TraceColumns columns_;
  TraceEntities entities_;
  std::pair<std::int64_t, std::int64_t> extent_ns_{0, 0};
  std::unique_ptr<SecondarySource> secondary_;
};

/// A part of `whole` as a trace of its own: the dispatches, copies, calls, marks and waits that touch [from, to), each with its
/// recorded times, not cut to the window. Rows count again; recorded ids stay. Kernels, agents, queues and streams keep their indices. Keeps `whole`
/// alive. Fails with `usage` when the window is empty, `not_found` when nothing ran in it, or `interrupted`.
Result<std::shared_ptr<const Trace>> window_of(std::shared_ptr<const Trace> whole,
                                               std::int64_t from_ns, std::int64_t to_ns);

}  // namespace rpl
