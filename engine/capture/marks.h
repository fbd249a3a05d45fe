// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/folder.h"

/// Files that say of a capture folder how it stands: being written, or checked.
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

/// The file in a capture folder that says what its self-check found when it was made. It is not part of what capture.json hashes, but names its hash.
inline constexpr const char* kCheckFile = "self_check.json";

/// Whether a capture can refuse the two laziest kernels, the one that does nothing and the one that copies its input.
struct CheckMark {
  std::string verdict = "unchecked";  ///< strong, weak or unchecked
  std::vector<std::string>
      weaknesses;  ///< sentences: what a comparison with this capture cannot see; or why it was not checked
};

/// The file's text, for a capture whose capture.json has this SHA-256.
std::string check_json(const CheckMark& mark, std::string_view head_sha256);
/// Fails with corrupt, naming the field, and for the mark of another capture.
Result<CheckMark> read_check(std::string_view text, std::string_view head_sha256);

/// Puts the mark into a folder that has a capture.json. Fails with not_found, io.
Status write_check(const std::string& folder, const CheckMark& mark);
/// The mark of a folder whose capture.json has this text; verdict "unchecked" without one, or with one that is not of this capture.
CheckMark check_of(const FolderReader& folder, std::string_view head);

}  // namespace rpl
