// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// The file that marks a folder in which a capture is being written, or was when its writer died.
inline constexpr const char* kPartialFile = "capture.partial.json";

/// Who writes a capture, and why it failed if it did.
struct PartialCapture {
  bool failed = false;
  std::string reason;    ///< of the failure
  std::string kernel;    ///< as far as the writer knew; may be empty
  std::int64_t pid = 0;  ///< of the writer
  std::uint64_t process_start =
      0;  ///< of the writer, clock ticks since the machine started (proc(5), stat, field 22): tells it from a later process of that number
  std::string host;     ///< name of its machine
  std::string started;  ///< when writing began, "2026-01-31T23:59:59Z"
};

/// The calling process, now.
PartialCapture partial_of_this_process(std::string kernel);

/// capture.partial.json, always of one size: writing it again needs no more room on the disk. A long reason is cut.
std::string partial_json(const PartialCapture& partial);
/// Fails with corrupt, naming the field.
Result<PartialCapture> read_partial(std::string_view text);

enum class WriterState {
  alive,    ///< it runs on this machine
  gone,     ///< it ran here and does no longer
  unknown,  ///< it runs, or ran, on another machine
};
WriterState writer_state(const PartialCapture& partial);

/// Now, in UTC: "2026-01-31T23:59:59Z".
std::string utc_now();

}  // namespace rpl
