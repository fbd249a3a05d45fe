// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// Which argument of a capture of several dispatches is meant.
struct ArgumentPlace {
  std::size_t dispatch = 0;  ///< 0: of the first one
  std::size_t argument = 0;  ///< explicit ones, from 0

  [[nodiscard]] bool operator==(const ArgumentPlace&) const = default;
};

/// How one dispatch takes the place of the first two of a capture. Its grid and workgroup are those of the first.
struct FusionPlan {
  std::string
      kernel;  ///< as isa::CodeObject::kernel() finds it; empty: no dispatch takes the place of others
  std::vector<ArgumentPlace> arguments;  ///< where each explicit argument of it comes from

  [[nodiscard]] bool empty() const { return kernel.empty(); }
  [[nodiscard]] bool operator==(const FusionPlan&) const = default;
};

/// How many dispatches such a one takes the place of.
inline constexpr std::size_t kFused = 2;

/// What sessions read: "scale_add(0.0, 0.1, 1.1, 1.2, 0.2)", dispatch and argument of each; "" for an empty plan.
std::string to_text(const FusionPlan& plan);
/// Reads what to_text() wrote. Fails with corrupt.
Result<FusionPlan> fusion_plan_from(std::string_view text);

}  // namespace rpl
