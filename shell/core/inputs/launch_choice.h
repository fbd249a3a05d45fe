// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/capture/launch_plan.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"

namespace rpl {

/// What a number of bytes of dynamic LDS may be: no device has more.
inline constexpr Range kDynamicLds = within(0, isa::kMostLdsBytes);

/// How a captured dispatch is to be launched otherwise, as people say it.
struct LaunchChoice {
  std::string workgroup;
  std::string items;
  std::optional<std::int64_t> lds;
};

/// `--workgroup`, `--items` and `--lds` of a command that runs another build; `whose` begins their descriptions: "of the candidate: ".
std::vector<Bound> launch_options(std::string_view whose);
template <class Args>
std::vector<Bound> with_launch_options(std::vector<Bound> own, std::string_view whose) {
  return joined(std::move(own), inherited<Args, LaunchChoice>(launch_options(whose)));
}

/// Fails with usage for an `--items` that is neither "64" nor "1/4" nor "1,1/4", and a `--workgroup` that is neither "256" nor "32,8".
Result<LaunchPlan> launch_plan_of(const LaunchChoice& choice);

}  // namespace rpl
