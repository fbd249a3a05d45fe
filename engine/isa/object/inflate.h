// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

enum class Compression : std::uint16_t { zlib = 0, zstd = 1 };

/// The most that anything compressed may become.
inline constexpr std::uint64_t kMostInflatedBytes = std::uint64_t{1} << 30;

/// Decompresses to exactly `plain_bytes`. Nothing where `data` does not become that, and where it could not: the size is written in the
/// file and may be forged, so what neither method reaches takes no memory.
std::optional<std::vector<std::byte>> inflated(Compression method, ByteView data,
                                               std::uint64_t plain_bytes);

}  // namespace rpl::isa
