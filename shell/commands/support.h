// SPDX-License-Identifier: MIT
#pragma once

#include "shell/command/registry.h"

/// The commands about the shell itself, one function per family; all.cc calls them.
namespace rpl {

void add_help_commands(Registry& registry);     ///< help, apropos, complete
void add_setting_commands(Registry& registry);  ///< set, show
void add_show_commands(Registry& registry);     ///< show version|values|commands|user|convenience
void add_definition_commands(Registry& registry);   ///< define, document, alias
void add_line_commands(Registry& registry);         ///< echo, shell, repeat, record, quit
void add_display_commands(Registry& registry);      ///< display, undisplay, info display
void add_session_commands(Registry& registry);      ///< session info|log|export, history, trust
void add_tutorial_command(Registry& registry);      ///< tutorial
void add_maintenance_commands(Registry& registry);  ///< maint docs|schemas

}  // namespace rpl
