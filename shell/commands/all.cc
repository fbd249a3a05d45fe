// SPDX-License-Identifier: MIT
#include "shell/commands/all.h"

#include "shell/commands/families.h"
#include "shell/commands/lua_commands.h"
#include "shell/commands/support.h"

namespace rpl {

void add_all_commands(Registry& registry) {
  add_view_commands(registry);
  add_guard_commands(registry);
  add_tune_space_commands(registry);
  add_autotune_commands(registry);
  add_tune_commands(registry);
  add_target_commands(registry);
  add_help_commands(registry);
  add_setting_commands(registry);
  add_show_commands(registry);
  add_definition_commands(registry);
  add_line_commands(registry);
  add_display_commands(registry);
  add_session_commands(registry);
  add_tutorial_command(registry);
  add_maintenance_commands(registry);
  add_lua_commands(registry);
}

}  // namespace rpl
