// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/replay/replay.h"

namespace rpl {

/// Whether comparing memory after a captured dispatch can refuse the two laziest kernels at all.
struct OracleStrength {
  bool null_fails = false;  ///< one that does nothing leaves other memory
  bool copy_fails = false;  ///< one that copies an input to each result leaves other memory
  std::vector<std::string> weaknesses;  ///< sentences: what this oracle cannot see
};

/// Memory by region, borrowed.
using MemoryView = std::vector<std::span<const std::byte>>;

/// `after`: memory after the dispatch, by region. Every buffer that changed is a result, every other one an input.
OracleStrength oracle_strength(const Capture& capture, const MemoryView& after);
OracleStrength oracle_strength(const Capture& capture, const MemoryImage& after);

/// Whether all elements of that size are the same; false for fewer than two.
bool is_constant(std::span<const std::byte> bytes, std::size_t element_bytes);

}  // namespace rpl
