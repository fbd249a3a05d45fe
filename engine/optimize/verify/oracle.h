// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/marks.h"
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

/// Whether a kernel that does nothing, and one that copies an input to each result, leave other memory than this capture holds from after the dispatch. Nothing
/// runs. Weak: one of them would pass. Unchecked, with the reason: the capture holds no memory from after the dispatch, so only `capture verify` can tell.
CheckMark self_check(const Capture& capture);

/// The same, kept in the folder of a capture that was just made or received, if that is this program's. Fails with io.
Result<CheckMark> mark_capture(const std::string& folder, const Capture& capture);

/// "weak: argument 2 becomes what argument 1 is: a kernel that copies it would pass"; "" for one that is strong.
std::string warning_of(const CheckMark& mark);

}  // namespace rpl
