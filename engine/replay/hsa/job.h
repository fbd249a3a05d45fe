// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/bound.h"
#include "engine/replay/hsa/hsa_replay.h"

/// What a replay on a GPU and the process that asked for it tell each other: files in a folder of their own.
namespace rpl {

/// job.json: what to do.
struct ReplayJobFile {
  std::string capture;                  ///< folder
  std::string variant;                  ///< a code object, or empty
  std::string other = {};               ///< a second code object, or empty
  std::vector<std::size_t> sides = {};  ///< by iteration: 1 runs the second
  std::string kernel;
  std::string launch = {}, other_launch = {};  ///< as to_text(LaunchPlan) writes them
  std::int64_t iterations = 1, warmup = 0, timeout_ms = 0;
  bool recopy = true, cold = false;
  bool reserve_only = false;  ///< take the addresses and give them back
  std::vector<std::size_t> host_regions;
  std::vector<PageRange> ranges;  ///< to keep free before anything else; without their regions
};
Columns<ReplayJobFile> bound(const ReplayJobFile*);
/// Fails with corrupt.
Result<ReplayJobFile> job_from(const Value& value);

/// result.json: what came of it.
struct ReplayResultFile {
  std::optional<Error> error;  ///< besides conflicts
  std::vector<PlaceConflict> conflicts;
  ReplaySeries series;  ///< without the bytes of `differing`, which lie in files of their own
  std::vector<std::size_t> differing, other_differing = {};
  bool randomized = false;  ///< whether addresses of the process were
};
Columns<ReplayResultFile> bound(const ReplayResultFile*);
/// Fails with corrupt.
Result<ReplayResultFile> result_from(const Value& value);

/// The names in the folder.
inline constexpr const char* kJobFile = "job.json";
inline constexpr const char* kResultFile = "result.json";
inline constexpr const char* kStageFile = "stage";
inline constexpr const char* kVariantFile = "variant.hsaco";
inline constexpr const char* kOtherFile = "other.hsaco";
std::string memory_file(std::size_t region);
std::string other_memory_file(std::size_t region);

}  // namespace rpl
