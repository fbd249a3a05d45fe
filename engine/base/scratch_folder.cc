// SPDX-License-Identifier: MIT
#include "engine/base/scratch_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace rpl {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make(std::string_view what) {
  std::error_code none;
  std::string pattern =
      (fs::temp_directory_path(none) / fmt::format("rpl-{}-XXXXXX", what)).string();
  if (none || ::mkdtemp(pattern.data()) == nullptr) {
    return fail(Errc::io, fmt::format("cannot make a folder like {}", pattern),
                "set TMPDIR to one that can be written");
  }
  return ScratchFolder(std::move(pattern));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace rpl
