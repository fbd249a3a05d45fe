// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/store/foreign.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/rocpd/record_plan.h"
#include "engine/trace/import/rocpd/rocpd_source.h"

namespace rpl {

/// Who and where of a row, as indices of the merged trace.
struct RocpdOwner {
  std::uint32_t process = kNone;
  std::int64_t thread = 0;
  std::uint32_t agent = kNone, queue = kNone, stream = kNone;
};

/// The same as a row has it: pid, tid, track_id, agent_id, queue_id, stream_id, of which a table has some.
struct RocpdOwnerIds {
  static constexpr int kColumns = 6;

  std::array<std::int64_t, kColumns> ids{};
  std::uint32_t nulls = 0;  ///< by column

  /// From six columns of a row in this order.
  static RocpdOwnerIds of(const Statement& row, int first_column);
  static RocpdOwnerIds of(const TableRow& row, int first_column) {
    RocpdOwnerIds out;
    for (int i = 0; i < kColumns; ++i)
      out.ids[static_cast<std::size_t>(i)] = row.integer(first_column + i);
    out.nulls = row.nulls() >> first_column & ((1U << kColumns) - 1);
    return out;
  }
  friend bool operator==(const RocpdOwnerIds&, const RocpdOwnerIds&) = default;
};

/// Columns of a table, and behind them those that say whose a row is, in the order that RocpdOwnerIds::of() takes them.
template <std::size_t kCount>
constexpr auto with_owner(const std::array<WantedColumn, kCount>& columns) {
  constexpr std::array<WantedColumn, RocpdOwnerIds::kColumns> kOwner{
      {{"pid"}, {"tid"}, {"track_id"}, {"agent_id"}, {"queue_id"}, {"stream_id"}}};
  std::array<WantedColumn, kCount + kOwner.size()> out{};
  std::ranges::copy(kOwner, std::ranges::copy(columns, out.begin()).out);
  return out;
}

/// Strings by id, read one by one when they are first asked for; all at once when that is many or the table has no key.
/// Thread-safe.
class RocpdStrings {
 public:
  /// `connection` is held while SQLite is asked.
  RocpdStrings(ForeignDatabase& database, const RocpdSource& source, std::mutex& connection)
      : database_(database), source_(source), mutex_(connection) {}
  /// "" for an unknown id, and when the table cannot be read: status() says so then.
  std::string_view find(std::int64_t id);
  Status status();

 private:
  static constexpr std::size_t kFew = 1024;

  Status prepare();
  Status load(std::int64_t id);

  ForeignDatabase& database_;
  const RocpdSource& source_;
  std::mutex& mutex_;
  std::unordered_map<std::int64_t, std::string> known_;
  Statement one_;
  bool prepared_ = false, all_ = false;
  Status status_;
};

/// What the rows of one source point to, resolved to the merged trace. Schema 4 keeps process, thread, agent, queue and
/// stream in rocpd_track; both ways are looked at, row by row. Constant members are thread-safe.
class RocpdScope {
 public:
  RocpdScope(ForeignDatabase& database, const RocpdSource& source, const Trace& trace,
             std::uint32_t file, std::mutex& connection);

  /// Reads processes, threads, tracks and categories.
  Status load();

  [[nodiscard]] RocpdOwner owner(const RocpdOwnerIds& row) const;
  [[nodiscard]] RocpdOwner owner(const Statement& row, int first_column) const {
    return owner(RocpdOwnerIds::of(row, first_column));
  }
  [[nodiscard]] const std::vector<std::uint32_t>& processes() const { return all_processes_; }
  /// Of an agent or stream that stands in another column.
  [[nodiscard]] std::uint32_t agent(std::uint32_t process, std::int64_t id) const {
    return lookup_.agent(process, id);
  }
  /// NULL gives kNone.
  [[nodiscard]] std::uint32_t queue(std::uint32_t process, const Statement& row, int column) const;
  [[nodiscard]] std::uint32_t stream(std::uint32_t process, std::uint64_t handle) const {
    return lookup_.stream(process, handle);
  }
  /// rocpd_string; "" for an unknown id.
  [[nodiscard]] std::string_view string(std::int64_t id) const { return strings_->find(id); }
  /// What went wrong reading strings.
  [[nodiscard]] Status strings_read() const { return strings_->status(); }
  /// What event.category_id means: a string, in schema 4 a row of rocpd_info_category.
  [[nodiscard]] std::string_view category(std::int64_t id) const;
  [[nodiscard]] ForeignDatabase& database() const { return database_; }
  [[nodiscard]] const RocpdSource& source() const { return source_; }

 private:
  Status load_processes();
  Status load_tracks();
  Status load_categories();
  [[nodiscard]] std::uint32_t process_of(std::int64_t id) const;
  [[nodiscard]] std::int64_t thread_of(std::int64_t id) const;

  ForeignDatabase& database_;
  const RocpdSource& source_;
  EntityLookup lookup_;
  std::unordered_map<std::int64_t, std::uint32_t> processes_;
  std::vector<std::uint32_t> all_processes_;
  std::unordered_map<std::int64_t, std::int64_t> threads_;
  std::unordered_map<std::int64_t, RocpdOwner> tracks_;
  std::unordered_map<std::int64_t, std::string> categories_;
  std::unique_ptr<RocpdStrings> strings_;
};

/// Numbers owners of one thread's rows as they are first seen.
class OwnerIndex {
 public:
  explicit OwnerIndex(const RocpdScope& scope) : scope_(&scope) {}

  std::uint32_t operator()(const TableRow& row, int first_column) {
    const RocpdOwnerIds ids = RocpdOwnerIds::of(row, first_column);
    if (!owners_.empty() && ids == last_ids_) return last_;
    return find(ids);
  }
  [[nodiscard]] const RocpdOwner& operator[](std::uint32_t index) const { return owners_[index]; }

 private:
  std::uint32_t find(const RocpdOwnerIds& ids);

  const RocpdScope* scope_;
  TupleTable<RocpdOwnerIds::kColumns + 1> index_;
  std::vector<RocpdOwner> owners_;
  RocpdOwnerIds last_ids_;
  std::uint32_t last_ = 0;
};

}  // namespace rpl
