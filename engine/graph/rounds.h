// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/trace/core/trace.h"

namespace rpl {

/// A loop that covers less of a recording, or of a stream, is not what it is about.
inline constexpr double kMostOfRecording = 0.5;

/// The stream of one process and device that has most of the dispatches of the process.
struct BusyStream {
  std::uint32_t process = 0;        ///< index into TraceEntities::processes
  std::uint32_t stream = kNone;     ///< index into TraceEntities::streams
  std::vector<std::uint32_t> rows;  ///< its dispatches, by start
};
/// One of each process that has dispatches, by process.
std::vector<BusyStream> busy_streams(const Trace& trace);
/// The dispatches of the stream of one process and device that has most of them, by start. `stream`: index into TraceEntities::streams, or kNone.
std::vector<std::uint32_t> busiest_stream(const Trace& trace, std::uint32_t& stream);

/// A kernel that comes at even distances over most of a stream, and so begins the rounds of a loop.
struct Rounds {
  std::uint32_t kernel = kNone;
  std::vector<std::size_t> places;  ///< of it in the stream, three or more
  std::size_t distance = 0;         ///< from one to the next, the median
};

/// `kernels`: of the dispatches of a stream, in order, below `count`. Of several such kernels the one with the longest rounds; of equal ones the first in
/// the stream.
std::optional<Rounds> find_rounds(std::span<const std::uint32_t> kernels, std::size_t count);

}  // namespace rpl
