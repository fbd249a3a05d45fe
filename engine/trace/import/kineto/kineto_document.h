// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/import/kineto/kineto_rows.h"

namespace rpl {

/// One of "deviceProperties".
struct KinetoDevice {
  std::int64_t id = 0;
  std::string name;     ///< "AMD Instinct MI300X"
  std::string details;  ///< all that is said of it, as JSON
};

/// A file of PyTorch's profiler, as far as it goes: its events, and what stands around them in any order.
struct KinetoDocument {
  KinetoRows rows;
  std::vector<KinetoDevice> devices;
  std::string schema_version, trace_id;
  std::optional<std::int64_t>
      base_ns;  ///< the moment, in nanoseconds since 1970, from which its times count
  std::int64_t rank = -1, world_size = 0;
  /// Where it ends before its time; the events before that are read.
  std::optional<std::uint64_t> cut_at;
  bool packed_cut = false;  ///< because its packed stream does
};

/// Reads the file from front to back, in memory that grows with what is kept of its events and not with their text. Fails with unsupported for what is
/// no trace of PyTorch's profiler, corrupt (naming the byte), limit, io or interrupted.
Result<KinetoDocument> read_kineto_document(const std::string& path, const Monitor& monitor);

/// Whether the top of a JSON file says that it is a Chrome trace. Reads no further than the first key that tells, passing over others.
Result<bool> is_chrome_trace(const std::string& path);

}  // namespace rpl
