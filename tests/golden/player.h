// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "tests/golden/transcript.h"

namespace rpl::golden {

/// Where the programs under test and the real recordings are.
struct Surroundings {
  std::vector<std::filesystem::path>
      program_folders;                  ///< searched before PATH for rpl and rpl-generate
  std::filesystem::path shared_data;    ///< may not exist
  std::filesystem::path examples = {};  ///< of the source tree
  std::filesystem::path kept = {};      ///< tests/fixtures of the source tree
  /// What rpl keeps of builds, for all transcripts but those that say `# own cache`; an absolute path, or empty: each has its own.
  std::filesystem::path cache = {};
};

/// Plays a transcript in a fresh folder with fixed width, no colour and no files of the user, and returns it with the
/// answers that came. Fails with missing_capability when shared data that it asks for is absent.
Result<Transcript> play(const Transcript& transcript, const Surroundings& surroundings);

}  // namespace rpl::golden
