// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/folder.h"

namespace rpl {

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
