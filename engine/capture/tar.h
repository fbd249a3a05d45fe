// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/base/result.h"

/// Headers of tar archives: ustar (POSIX.1-1988), with sizes above 8 GiB as GNU tar writes them.
namespace rpl {

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
