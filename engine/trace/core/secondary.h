// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/entities.h"

namespace rpl {

class Trace;

/// The tables of one file that are read on first use. A reader hands one over with its RawTrace. Every load appends
/// rows with indices of the merged trace (EntityLookup resolves recorded ids), with names interned in the given table's
/// own `names`; the caller merges files, interns names across them and sorts. Called by one thread at a time, at most once
/// per table. `file` is the file's index in trace.entities().files.
class FileTables {
 public:
  virtual ~FileTables() = default;

  virtual Status copies(const Trace& trace, std::uint32_t file, CopyTable& out);
  /// `out.dispatch_correlation` already has trace.size() zeros; fill in the rows of this file.
  virtual Status api(const Trace& trace, std::uint32_t file, ApiTable& out);
  virtual Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out);
  virtual Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out);
  virtual Status counters(const Trace& trace, std::uint32_t file, CounterTable& out);
};

/// All files' FileTables and what was loaded from them so far. Thread-safe.
class SecondarySource {
 public:
  /// `files[i]` belongs to file i of the trace; may be null (a format without such tables).
  explicit SecondarySource(std::vector<std::unique_ptr<FileTables>> files);

  Result<const CopyTable*> copies(const Trace& trace);
  Result<const ApiTable*> api(const Trace& trace);
  Result<const MarkerTable*> markers(const Trace& trace);
  Result<const SyncTable*> syncs(const Trace& trace);
  Result<const CounterTable*> counters(const Trace& trace);

 private:
  template <class Table, class Merge>
  Result<const Table*> load(const Trace& trace, std::optional<Table>& held, Merge merge);

  std::mutex mutex_;
  std::vector<std::unique_ptr<FileTables>> files_;
  std::optional<CopyTable> copies_;
  std::optional<ApiTable> api_;
  std::optional<MarkerTable> markers_;
  std::optional<SyncTable> syncs_;
  std::optional<CounterTable> counters_;
};

}  // namespace rpl
