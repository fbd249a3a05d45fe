// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/store/foreign.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/rocpd/rocpd_source.h"

namespace rpl {

/// Who and where of a row, as indices of the merged trace.
struct RocpdOwner {
  std::uint32_t process = kNone;
  std::int64_t thread = 0;
  std::uint32_t agent = kNone, queue = kNone, stream = kNone;
};

/// What the rows of one source point to, resolved to the merged trace. Schema 4 keeps process, thread, agent, queue and
/// stream in rocpd_track; both ways are looked at, row by row.
class RocpdScope {
 public:
  RocpdScope(ForeignDatabase& database, const RocpdSource& source, const Trace& trace,
             std::uint32_t file);

  /// Reads processes, threads, tracks, strings and categories.
  Status load();

  /// From six columns in this order, of which a table has some: pid, tid, track_id, agent_id, queue_id, stream_id.
  [[nodiscard]] RocpdOwner owner(const Statement& row, int first_column) const;
  [[nodiscard]] const std::vector<std::uint32_t>& processes() const { return all_processes_; }
  /// Of an agent or stream that stands in another column. NULL gives kNone.
  [[nodiscard]] std::uint32_t agent(std::uint32_t process, const Statement& row, int column) const;
  [[nodiscard]] std::uint32_t queue(std::uint32_t process, const Statement& row, int column) const;
  [[nodiscard]] std::uint32_t stream(std::uint32_t process, std::uint64_t handle) const {
    return lookup_.stream(process, handle);
  }
  /// rocpd_string; "" for an unknown id.
  [[nodiscard]] std::string_view string(std::int64_t id) const;
  [[nodiscard]] const std::unordered_map<std::int64_t, std::string>& strings() const {
    return strings_;
  }
  /// What event.category_id means: a string, in schema 4 a row of rocpd_info_category.
  [[nodiscard]] std::string_view category(std::int64_t id) const;
  [[nodiscard]] ForeignDatabase& database() const { return database_; }
  [[nodiscard]] const RocpdSource& source() const { return source_; }

 private:
  Status load_processes();
  Status load_tracks();
  Status load_strings();
  [[nodiscard]] std::uint32_t process_of(std::int64_t id) const;
  [[nodiscard]] std::int64_t thread_of(std::int64_t id) const;

  ForeignDatabase& database_;
  const RocpdSource& source_;
  EntityLookup lookup_;
  std::unordered_map<std::int64_t, std::uint32_t> processes_;
  std::vector<std::uint32_t> all_processes_;
  std::unordered_map<std::int64_t, std::int64_t> threads_;
  std::unordered_map<std::int64_t, RocpdOwner> tracks_;
  std::unordered_map<std::int64_t, std::string> strings_, categories_;
};

/// rocpd_event without its text columns: what joins API calls, dispatches and copies. One scan instead of a lookup per row.
class RocpdEvents {
 public:
  Status load(const RocpdScope& scope);

  /// The internal correlation id ("stack id") of an event, 0 when unknown.
  [[nodiscard]] std::uint64_t correlation(std::int64_t event) const { return find(event).stack; }
  /// Index into category_names(), 0 ("") when unknown.
  [[nodiscard]] std::uint32_t category(std::int64_t event) const { return find(event).category; }
  [[nodiscard]] const std::vector<std::string>& category_names() const { return names_; }

 private:
  struct Event {
    std::uint64_t stack = 0;
    std::uint32_t category = 0;
  };
  [[nodiscard]] Event find(std::int64_t event) const;

  std::vector<std::uint64_t> stacks_;     ///< by id; recorders number without holes
  std::vector<std::uint8_t> categories_;  ///< by id
  std::unordered_map<std::int64_t, Event> sparse_;
  std::vector<std::string> names_{""};
};

}  // namespace rpl
