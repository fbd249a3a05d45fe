// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/trace/core/trace.h"

namespace rpl::testing {

/// A dispatch of a recording made up in memory. Streams and queues are numbered from 0, -1 = unknown; the numbers are their indices in
/// the trace.
struct TinyOp {
  std::string kernel;
  int stream = 0;
  int queue = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint64_t correlation = 0;
  std::uint32_t agent = 0;
  std::uint32_t process = 0;
  std::int64_t dispatch_id = 0;  ///< 0: its number, from 1
};

struct TinyCopy {
  int stream = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint64_t correlation = 0;
  std::uint32_t process = 0;
  std::string name = "MEMORY_COPY_DEVICE_TO_DEVICE";
  std::uint64_t bytes = 0;
  std::uint64_t from_address = 0, to_address = 0;
};

struct TinyCall {
  std::int64_t thread = 1;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint64_t correlation = 0;
  std::uint32_t process = 0;
  std::string name = "hipLaunchKernel";
};

struct TinyTrace {
  std::vector<TinyOp> ops;
  std::vector<TinyCopy> copies;
  std::vector<TinyCall> calls;
  std::vector<SyncOp> syncs;
  std::vector<Marker> markers;
  double time_low = 0, time_high = 0;  ///< of every kernel

  /// Rows come out sorted by start, as a reader would leave them.
  [[nodiscard]] std::shared_ptr<const Trace> build() const;
};

/// A recording of dispatches alone.
std::shared_ptr<const Trace> tiny_trace(std::vector<TinyOp> ops);

}  // namespace rpl::testing
