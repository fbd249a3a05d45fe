// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

/// Captures as one file: a tar archive compressed with zstd, which `tar --zstd -x` reads, too.
namespace rpl {

struct Packed {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;         ///< of the files' contents, equal ones once
  std::uint64_t packed_bytes = 0;  ///< of the archive
};

/// Packs a folder that was read as a capture before; the archive holds one folder of `name`. Files of several names are stored once. Fails
/// with denied when `file` exists, corrupt for a folder that holds what no capture holds, io, interrupted.
Result<Packed> pack_capture(const std::string& folder, const std::string& name,
                            const std::string& file);

/// Unpacks into a new folder, which appears complete or not at all. Nothing in the archive is believed: it may hold only regular files and links
/// between them, of names that captures have, in one folder, of sizes that captures may have; the hashes of capture.json must be right. Fails
/// with denied when `folder` exists, corrupt, limit, not_found, io, interrupted.
Result<Packed> unpack_capture(const std::string& file, const std::string& folder);

/// The folder that the archive was packed from, its first component; empty for what is no such archive.
std::string packed_name(const std::string& file);

}  // namespace rpl
