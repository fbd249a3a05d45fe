// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// A change of how a file launches a kernel with workgroups of one dimension: `workgroup` work-items instead of `from`, `items` work-items of the grid for every `per`
/// of them, made up to whole workgroups; all from 1.
struct LaunchEdit {
  std::uint32_t from = 1, workgroup = 1;
  std::uint32_t items = 1, per = 1;
  std::optional<std::uint32_t> dynamic_lds_bytes = std::nullopt;  ///< none: as it is written
};

struct LaunchEdited {
  std::string source;              ///< the whole file
  std::vector<std::size_t> lines;  ///< 1-based, of the launches that were changed
};

/// Writes every launch of `kernel` in `source` otherwise, as `kernel<<<grid, workgroup>>>` and `hipLaunchKernelGGL(kernel, grid, workgroup, …)`: the workgroup as a number, the
/// grid as the expression that it was with its number of workgroups scaled. Nothing else changes. Fails with unsupported, and the line, where the file does not launch it, a
/// workgroup is not `from` by a number or a constant of the file, or a grid is not written so that it can be scaled; otherwise as find_target().
Result<LaunchEdited> apply_launch_edit(std::string_view source, std::string_view kernel,
                                       const LaunchEdit& edit);

}  // namespace rpl
