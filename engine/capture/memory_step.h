// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

struct Capture;
struct CapturedRegion;

/// What changed captured memory between two dispatches of a slice without a kernel of the program: rows of bytes that were copied from other captured memory,
/// filled, or brought by the host.
struct MemoryStep {
  enum class Kind : std::uint8_t { copy, fill, upload } kind = Kind::copy;
  std::uint64_t to = 0;                        ///< device address of the first row
  std::uint64_t from = 0;                      ///< likewise; of a copy
  std::uint64_t width = 0, rows = 1;           ///< bytes of a row, and how many
  std::uint64_t to_pitch = 0, from_pitch = 0;  ///< bytes from row to row; `from_pitch` of a copy
  /// Of a fill: what is repeated over each row, 1, 2 or 4 bytes; of an upload: all rows, one behind the other. Empty for a copy.
  std::vector<std::byte> data = {};
  double time_ns = 0;  ///< of the device that it was captured on

  [[nodiscard]] std::uint64_t bytes() const { return width * rows; }
  /// From the first byte of the first row to the last byte of the last one, where rows lie `pitch` apart.
  [[nodiscard]] std::uint64_t extent(std::uint64_t pitch) const {
    return rows == 0 ? 0 : pitch * (rows - 1) + width;
  }
};

/// "copy", "fill", "upload".
std::string_view to_string(MemoryStep::Kind kind);
bool from_text(std::string_view text, MemoryStep::Kind& kind);
/// "copy 4.0 KiB".
std::string to_text(const MemoryStep& step);

/// Steps of one capture at most.
inline constexpr std::size_t kMostMemorySteps = 65'536;
/// Of them all.
std::size_t step_count(const Capture& capture);

/// The number of the region that holds `bytes` bytes from `address` on; none: no region holds them all. `regions` ascend, as those of a capture do.
std::optional<std::size_t> region_holding(std::span<const CapturedRegion> regions,
                                          std::uint64_t address, std::uint64_t bytes);

/// Whether the step lies in regions of the capture, with as much data as its kind takes. Fails with corrupt.
Status check_step(const Capture& capture, const MemoryStep& step);

/// Does it. `host_of`: where captured memory lies now, by address and bytes; null where it is nowhere, and then nothing is written.
void apply(const MemoryStep& step,
           const std::function<std::byte*(std::uint64_t, std::uint64_t)>& host_of);

}  // namespace rpl
