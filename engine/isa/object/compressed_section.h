// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/isa/object/byte_view.h"
#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// Debug sections with the compressed ones decompressed. `sections` borrows `storage` and the file's bytes.
struct PlainDebugSections {
  DebugSections sections;
  std::vector<std::vector<std::byte>> storage;
};

/// Decompresses what -gz=zlib and -gz=zstd compressed. Format: System V gABI, chapter 4, "Section Compression", Elf64_Chdr. Fails with
/// corrupt, with unsupported for another method, and with limit where all together are more than 1 GiB.
Result<PlainDebugSections> plain_sections(const DebugSections& sections);

enum class Compression : std::uint16_t { zlib = 0, zstd = 1 };

/// The most that anything compressed may become.
inline constexpr std::uint64_t kMostInflatedBytes = std::uint64_t{1} << 30;

/// Decompresses to exactly `plain_bytes`. Nothing where `data` does not become that, and where it could not: the size is written in the
/// file and may be forged, so what neither method reaches takes no memory.
std::optional<std::vector<std::byte>> inflated(Compression method, ByteView data,
                                               std::uint64_t plain_bytes);

}  // namespace rpl::isa
