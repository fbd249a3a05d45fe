// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/trace/core/reader.h"
#include "engine/trace/core/tuple_table.h"
#include "engine/trace/import/rocpd/rocpd_rows.h"
#include "engine/trace/import/rocpd/rocpd_source.h"

namespace rpl {

/// Turns the ids in dispatch rows of one source into interned lanes and launches. What a row points to and the file lacks
/// becomes an entity without a name, and add_notes() says how many there were.
class RocpdEntities {
 public:
  /// The tables that it reads, and the texts that others name.
  static constexpr std::array<std::string_view, 10> kTables = {
      "rocpd_metadata",          "rocpd_string",      "rocpd_info_node",
      "rocpd_info_process",      "rocpd_info_thread", "rocpd_info_agent",
      "rocpd_info_queue",        "rocpd_info_stream", "rocpd_track",
      "rocpd_info_kernel_symbol"};

  RocpdEntities(ForeignDatabase& database, const RocpdSource& source, RawTrace& raw);

  /// Reads processes, agents, queues, streams, threads and tracks.
  Status load();
  Result<std::uint32_t> lane(const DispatchRow& row);
  Result<std::uint32_t> launch(const DispatchRow& row);
  /// After the last row; counts rows of raw.columns.
  void add_notes();

 private:
  struct Track {
    std::int64_t pid = 0, tid = 0, agent = 0, queue = 0, stream = 0;
    std::uint32_t nulls = 0;
  };

  Status load_processes();
  Status load_agents();
  Status load_queues();
  Status load_streams();
  Status load_threads();
  Status load_tracks();
  DispatchRow through_track(const DispatchRow& row);
  std::uint32_t process(std::int64_t id);
  Lane make_lane(const DispatchRow& row);
  Result<std::uint32_t> kernel(const DispatchRow& row);
  std::uint32_t size32(std::int64_t value);

  ForeignDatabase& database_;
  const RocpdSource& source_;
  RawTrace& raw_;
  Statement symbol_;
  std::unordered_map<std::int64_t, std::uint32_t> processes_, agents_, queues_, streams_, kernels_;
  std::optional<std::uint32_t> only_process_;  ///< for rows that name none
  std::unordered_map<std::int64_t, std::int64_t> threads_;
  std::unordered_map<std::int64_t, Track> tracks_;
  TupleTable<7> lane_memo_;
  TupleTable<10> launch_memo_;
  std::map<std::string, std::set<std::int64_t>>
      missing_;                                  ///< by kind ("agent"), the ids without a row
  std::set<std::uint32_t> nameless_launches_;    ///< of kernels without a symbol
  std::set<std::uint32_t> kernelless_launches_;  ///< kernel_id NULL
  std::size_t oversized_ = 0;                    ///< launch sizes that do not fit 32 bits
};

}  // namespace rpl
