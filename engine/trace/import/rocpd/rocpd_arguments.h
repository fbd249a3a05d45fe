// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

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
  [[nodiscard]] const Call* find(std::int64_t event) const;
  /// The stream that a call of `process` with this correlation meant; kNone when nothing tells.
  [[nodiscard]] std::uint32_t stream(const RocpdPart& part, std::uint32_t process, const Call& call,
                                     std::uint64_t correlation) const;

  /// One argument that is a stream or an event.
  struct Argument {
    std::int64_t event_id = 0;
    bool is_event = false;
    bool has_handle = false, printed_as_pointer = false;
    std::uint64_t handle = 0;
    std::int64_t stream_id = -1;
  };
  /// From a correlation on, launches with a pointer ran on this stream.
  using Runs = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

 private:
  void take(const Argument& argument);

  std::unordered_map<std::int64_t, Call> calls_;
  std::unordered_map<std::uint64_t, Runs> runs_;  ///< by stream handle
};

}  // namespace rpl
