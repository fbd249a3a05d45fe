// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/marks.h"

/// Capture folders on the disk, the unfinished among them; and removing them.
namespace rpl {

enum class CaptureState {
  complete,
  writing,      ///< its writer runs, on this machine or perhaps on another
  interrupted,  ///< its writer is gone
  failed,       ///< its writer gave up, and said why
  damaged,      ///< its JSON files cannot be read
};
/// "complete", "being written", "interrupted", "failed", "damaged".
std::string_view to_string(CaptureState state);

/// What a folder's JSON files say; hashes and images are not looked at.
struct FoundCapture {
  std::string path;
  CaptureState state = CaptureState::complete;
  std::string reason;  ///< of failed and damaged; of writing and interrupted who wrote since when
  std::string kernel;  ///< may be empty
  std::string architecture;
  std::array<std::uint32_t, 3> grid{0, 0, 0};  ///< work-items; zeros for unknown
  std::uint64_t dispatches = 1;
  std::uint64_t regions = 0;
  std::uint64_t memory_bytes = 0;  ///< before and after, as it lay in memory
  std::uint64_t stored_bytes =
      0;  ///< what the folder takes on the disk: without holes, files of several names once
  bool has_after = false;
  CheckMark check;  ///< what its self-check found when it was made
};

/// One folder, or nothing when it is not a capture, complete or not.
std::optional<FoundCapture> look_at_capture(const std::string& path);

/// `folder` itself if it is a capture, else the captures directly in it, by name. Fails with not_found, io, interrupted.
Result<std::vector<FoundCapture>> find_captures(const std::string& folder);

/// Removes a capture folder, complete or not. Refuses (denied) a link, a folder that is not a capture or holds files that belong to none, and one that is
/// being written. Otherwise fails with not_found or io.
Status remove_capture(const std::string& path);
/// Whether it would, without removing anything. What it would remove.
Result<FoundCapture> check_removable(const std::string& path);

/// Whether a capture folder may hold a file of this relative name: "memory/region_1000.bin", "kernarg.bin", …; of older tools, too.
bool is_capture_file(std::string_view name);

}  // namespace rpl
