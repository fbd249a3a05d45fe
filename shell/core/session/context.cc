// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"

namespace rpl {

// Not in the header: every file that reads it would compile the making and ending of all that a context holds.
Context::Context() {
  add_core_settings(settings);
  add_hardware_settings(settings);
  add_counter_settings(settings);
  add_model_settings(settings);
  add_slurm_settings(settings);
  add_agent_settings(settings);
}

Context::~Context() = default;

}  // namespace rpl
