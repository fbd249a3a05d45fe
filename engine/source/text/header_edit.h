// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/text/guard.h"

namespace rpl {

/// A change of a kernel's header. Only rules of the catalogue make one: an answer of a model or an edited file never may.
struct HeaderEdit {
  enum class Kind {
    launch_bounds,  ///< `__launch_bounds__(numbers[0])` behind `__global__`: work-items of a workgroup
    waves_per_eu,  ///< `__attribute__((amdgpu_waves_per_eu(numbers…)))` behind it: least, and perhaps most, waves of a SIMD
    restrict_pointers,  ///< `__restrict__` for the pointer parameters with these positions, from 0
  };
  Kind kind = Kind::launch_bounds;
  std::vector<std::uint32_t> numbers;

  [[nodiscard]] bool operator==(const HeaderEdit&) const = default;
};

/// "launch-bounds 256", "waves-per-eu 4", "restrict 0 1": what a session keeps.
std::string to_text(const HeaderEdit& edit);
/// Reads what to_text() wrote. Fails with corrupt.
Result<HeaderEdit> header_edit_from(std::string_view text);

/// The source with this edit of the header of `kernel`, and nothing else. Fails with unsupported, and the reason, where the header has
/// something of the kind already or is not written so that it can be edited; otherwise as find_target().
Result<std::string> apply_header_edit(std::string_view source, std::string_view kernel,
                                      const HeaderEdit& edit);

/// Accepts `edited` when it is, byte by byte, what apply_header_edit() makes of `source`. Errors are those of find_target().
Result<GuardVerdict> check_header_edit(std::string_view source, std::string_view kernel,
                                       const HeaderEdit& edit, std::string_view edited);

}  // namespace rpl
