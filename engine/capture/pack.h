// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
/// between them, of names that captures have, in one folder; what its JSON files name, of the sizes that they say, and before they came no more than
/// small captures have; the hashes of capture.json must be right. Fails with denied when `folder` exists, limit when they announce more than
/// `most_bytes` (0: no limit) or than the disk has room for, corrupt, not_found, io, interrupted.
Result<Packed> unpack_capture(const std::string& file, const std::string& folder,
                              std::uint64_t most_bytes = 0);

/// The folder that the archive was packed from, its first component; empty for what is no such archive.
std::string packed_name(const std::string& file);

/// Headers of tar archives: ustar (POSIX.1-1988), with sizes above 8 GiB as GNU tar writes them.
inline constexpr std::size_t kTarBlock = 512;
using TarHeader = std::array<std::byte, kTarBlock>;

struct TarEntry {
  enum class Kind { file, hard_link, folder, extended };
  Kind kind = Kind::file;
  std::string name;
  std::string link;         ///< of a hard link: the name of an earlier entry
  std::uint64_t bytes = 0;  ///< that follow, padded to whole blocks
};

/// Names are at most 99 bytes, which those of captures are; a longer folder is the caller's to refuse.
TarHeader tar_header(const TarEntry& entry);

/// Nothing for the block of zeros at the end. Fails with corrupt for a wrong checksum or numbers that are none, unsupported for symbolic links,
/// devices and other kinds.
Result<std::optional<TarEntry>> read_tar_header(const TarHeader& header);

inline std::uint64_t tar_padding(std::uint64_t bytes) {
  return (kTarBlock - bytes % kTarBlock) % kTarBlock;
}

}  // namespace rpl
