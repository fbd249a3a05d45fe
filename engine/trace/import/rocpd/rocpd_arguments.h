// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/trace/core/column_memory.h"
#include "engine/trace/import/rocpd/argument_search.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

/// What the calls of one source were given as stream and event, read from rocpd_arg, which has no index.
///
/// Arguments hold pointers, streams are recorded by number. The number is taken from the argument's own extdata
/// (`stream_id`) where it says so, else from what earlier launches with the same pointer ran on (a pointer may be used again
/// for another stream), else the pointer itself is looked up as a stream.
class RocpdArguments {
 public:
  struct Call {
    bool has_stream = false, has_event = false;
    std::uint64_t event = 0;          ///< HIP event handle
    std::uint64_t stream_handle = 0;  ///< as passed
    bool printed_as_pointer = false;  ///< "0x…"; a number otherwise
    std::int64_t stream_id = -1;      ///< from extdata, -1 = not said
  };

  /// `calls` are the ones to look at.
  Status load(const RocpdPart& part, std::span<const RocpdHostOp> calls);

  /// nullptr for a call without such arguments.
  [[nodiscard]] const Call* find(std::int64_t event);
  /// The stream that a call of `process` with this correlation meant; kNone when nothing tells.
  [[nodiscard]] std::uint32_t stream(const RocpdPart& part, std::uint32_t process, const Call& call,
                                     std::uint64_t correlation) const;

  /// From a correlation on, launches with a pointer ran on this stream.
  using Runs = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

 private:
  class Launches;

  /// From all pages of the table.
  Status load_all(const RocpdPart& part, const PreparedTable& table,
                  std::span<const RocpdHostOp> calls, const Launches& launches);
  /// From the pages that hold arguments of the calls, and of some launches of each stream. False when they do not tell everything.
  Result<bool> load_some(const RocpdPart& part, const PreparedTable& table,
                         std::span<const RocpdHostOp> calls, const Launches& launches);
  void add_runs(const std::unordered_map<std::uint32_t, std::uint64_t>& handle_of,
                const Launches& launches);
  void take(const RocpdArgument& argument);

  /// Starts anew with calls of which nothing is known.
  void expect(std::span<const RocpdHostOp> calls);
  Call* call_of(std::int64_t event);

  struct Known {
    std::int64_t event = 0;
    Call call;
  };
  ColumnVector<Known> calls_;  ///< by event
  std::size_t last_ = 0;       ///< the one that was found last: they come nearly in order
  std::unordered_map<std::uint64_t, Runs> runs_;  ///< by stream handle
};

}  // namespace rpl
