// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/text/guard.h"
#include "engine/source/text/launch_edit.h"

namespace rpl {

/// The two kernels of a file that are launched in a row, as find_kernel() reads their names.
struct LaunchedPair {
  std::string first, second;
};

/// Where a parameter of a kernel that takes the place of two gets its value: an argument of one of their launches.
struct FusedParameter {
  std::size_t launch = 0;  ///< 0: of the first; 1: of the second
  std::size_t index = 0;   ///< of the argument, from 0
  /// The argument of the second launch that has the same name; the parameter stands for both, so they must be equal.
  std::optional<std::size_t> also_second = std::nullopt;
  std::string name;

  [[nodiscard]] bool operator==(const FusedParameter&) const = default;
};

/// A kernel that does in one launch what two do that are launched in a row.
struct FusedKernel {
  std::string name;
  std::vector<FusedParameter> parameters;
};

/// The kernel that `edited` defines besides those of `source`. A parameter takes the argument of its own name, the first kernel's where both have one;
/// `KERNEL_NAME` is the argument NAME of that kernel. Fails with unsupported, and the reason, where `edited` is not `source` with one kernel inserted, or a parameter
/// has the name or the type of none; otherwise as find_target().
Result<FusedKernel> find_fused_kernel(std::string_view source, const LaunchedPair& pair,
                                      std::string_view edited);

/// Judges its body like an edit of one of the two: what neither may hold it may not hold either. Errors as above.
Result<GuardVerdict> check_fused_kernel(std::string_view source, const LaunchedPair& pair,
                                        std::string_view edited);

/// Launches the fused kernel wherever the two are launched one directly after the other, with the same grid, workgroup, LDS and stream. Fails with unsupported, and the
/// line, where `source` has no such place, or its arguments do more than to name values.
Result<LaunchEdited> apply_fusion(std::string_view source, const LaunchedPair& pair,
                                  const FusedKernel& fused);

/// `source` with such a kernel behind the two: it has their bodies, one after the other, and the name of both. Whether a work-item finds there what others stored in the first part is not looked
/// at. Fails with unsupported where it cannot be written: templates, a name that is taken, launches that do not follow each other.
Result<std::string> with_fused_kernel(std::string_view source, const LaunchedPair& pair);

}  // namespace rpl
