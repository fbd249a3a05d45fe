// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"
#include "engine/triton/metadata.h"

/// What an autotuner of Triton leaves in a folder: its cache (TRITON_CACHE_DIR) has a folder for each compiled variant, with NAME.hsaco and NAME.json, and
/// NAME.autotune.json with the configurations that were timed where TRITON_CACHE_AUTOTUNING asked for it.
namespace rpl::triton {

/// A kernel as it was compiled for one configuration.
struct Variant {
  std::string path;       ///< of the code object
  std::string code_hash;  ///< SHA-256 of it
  Metadata metadata;      ///< `constants` also from the tuner's configuration, where only one fits
  std::optional<double> timed_ms = {};  ///< what the tuner's file says that it took
};

struct Variants {
  std::vector<Variant> all;  ///< by path
  /// What distinguishes them, one for each: constants and options whose values differ, and the beginning of Triton's hash where these do not suffice.
  std::vector<Record> configurations;
  std::vector<std::string>
      notes;  ///< files that could not be read, configurations without a variant
};

/// All variants of `kernel` for `architecture` in a folder and the folders in it. Fails with not_found where there are fewer than two, with io, and
/// with limit for more than 4096 files.
Result<Variants> read_variants(const std::string& folder, const std::string& kernel,
                               const std::string& architecture);

}  // namespace rpl::triton
