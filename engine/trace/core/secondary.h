// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/entities.h"
#include "engine/trace/core/facts.h"
#include "engine/trace/core/reading.h"

namespace rpl {

class Trace;

/// The tables of one file that are read on first use. A reader hands one over with its RawTrace. Every load appends
/// rows with indices of the merged trace (EntityLookup resolves recorded ids), with names interned in the given table's
/// own `names`; the caller merges files, interns names across them and sorts. Called by one thread at a time, at most once
/// per table. `file` is the file's index in trace.entities().files.
class FileTables {
 public:
  virtual ~FileTables() = default;

  /// `depth`: copy_places, copy_calls or copies. More than it may be given.
  virtual Status copies(const Trace& trace, std::uint32_t file, Fact depth, CopyTable& out);
  /// `out.dispatch_correlation` already has trace.size() zeros; fill in the rows of this file.
  virtual Status api(const Trace& trace, std::uint32_t file, ApiTable& out);
  virtual Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out);
  virtual Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out);
  virtual Status counters(const Trace& trace, std::uint32_t file, CounterTable& out);
  virtual Status call_sites(const Trace& trace, std::uint32_t file, CallSiteTable& out);

  /// After all that was asked for together: lets go what the tables had in common.
  virtual void settle() {}
  /// Pages that `fact` takes reading, all of the tables that it may look at; 0 for formats that are no databases.
  virtual Result<std::uint64_t> price(Fact fact);
  /// What was read so far, the dispatches included; nullptr for formats that are no databases.
  [[nodiscard]] virtual const Reading* reading() const { return nullptr; }
  /// What speaks against the file itself, as far as it was read; sentences without its name.
  [[nodiscard]] virtual std::vector<std::string> damage() const { return {}; }
};

/// All files' FileTables and what was loaded from them so far. Thread-safe.
class SecondarySource {
 public:
  /// `files[i]` belongs to file i of the trace; may be null (a format without such tables).
  explicit SecondarySource(std::vector<std::unique_ptr<FileTables>> files);

  Result<Facts> ask(const Trace& trace, FactSet wanted);
  Result<std::uint64_t> price(FactSet wanted);
  [[nodiscard]] std::vector<TableReading> reading() const;
  [[nodiscard]] std::vector<std::uint32_t> pages_read(std::size_t file) const;
  [[nodiscard]] std::vector<std::string> damage(std::size_t file) const;

 private:
  Result<Facts> load_all(const Trace& trace, FactSet wanted);
  Result<const CopyTable*> copies(const Trace& trace, Fact depth);
  Result<const ApiTable*> api(const Trace& trace);
  Result<const MarkerTable*> markers(const Trace& trace);
  Result<const SyncTable*> syncs(const Trace& trace);
  Result<const CounterTable*> counters(const Trace& trace);
  Result<const CallSiteTable*> call_sites(const Trace& trace);

  /// merge(tables, file, table) for each file, then order(table).
  template <class Table, class Merge, class Order>
  Result<const Table*> load(const Trace& trace, std::optional<Table>& held, Merge merge,
                            Order order);

  std::mutex mutex_;
  std::vector<std::unique_ptr<FileTables>> files_;
  std::array<std::optional<CopyTable>, 3> copies_;  ///< by depth: Fact::copy_places and on
  std::optional<ApiTable> api_;
  std::optional<MarkerTable> markers_;
  std::optional<SyncTable> syncs_;
  std::optional<CounterTable> counters_;
  std::optional<CallSiteTable> call_sites_;
};

}  // namespace rpl
