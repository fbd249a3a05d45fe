// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/target/traits.h"
#include "shell/core/command/define.h"
#include "shell/core/session/context.h"

namespace rpl {

/// Where a command runs: choose_target() with the setting `target`, RPL_TARGET and this machine. `option`: of its `--target`, empty for none.
Result<TargetChoice> target_for(const Settings& settings, Ability need,
                                const std::string& option = {});

/// The option `--target` of a command.
template <class Args>
Bound target_option(std::string Args::* member) {
  return option("target", member,
                "where it runs; default: `set target`, RPL_TARGET, else what this machine has")
      .one_of(target_names());
}
}  // namespace rpl
