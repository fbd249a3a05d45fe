// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>
#include "shell/core/command/registry.h"
#include "shell/lua/bind.h"

namespace rpl {

class Context;

/// A word of a command's path as a Lua name: `what-if` is what_if, and a keyword of Lua gets an underscore behind it (`until_`).
std::string lua_word(std::string_view word);

/// The words of a path, each as a Lua name.
std::vector<std::string> lua_words(std::string_view path);

/// The command whose path has exactly these words in Lua's spelling, or nullptr.
const Command* command_at(const Registry& registry, const std::vector<std::string>& words);
/// The words that may follow, in Lua's spelling, sorted.
std::vector<std::string> words_after(const Registry& registry,
                                     const std::vector<std::string>& words);

/// Runs `command` with the Lua values from `first` to the top: one table of positional and named arguments, or positional values
/// with such a table at the end. `trace` and `limit` are taken by every command; `on` is the trace to run on otherwise, "" for the current.
Result<Document> run_from_lua(lua_State* thread, const Command& command, int first,
                              const std::string& on = {});

/// What rpl.command takes, described for checks and stubs. Plain tables, not bound classes: their fields have no getters.
extern const ClassBinding kParamDefinition, kCommandDefinition;

/// rpl.command{…}: adds the command that the table at 1 describes and returns its node of rpl.cmd.
int define_command(lua_State* thread);

/// Makes the module `rpl` (a global, and what require "rpl" gives), the classes it hands out, and a print that writes where results
/// go. Called once on a fresh state.
void open_module(lua_State* thread);

/// `rpl` and the tables in it (rpl.json, rpl.ui, …), described like classes.
std::span<const ClassBinding* const> all_modules();

/// Pushes the one object of a module.
void push_module(lua_State* thread, const ClassBinding& binding);

extern const ClassBinding kModule, kUiModule, kJsonModule, kParamModule, kEnvModule, kValuesModule,
    kDebugModule, kDebugNames;

/// rpl.rule{name=…, bottleneck=…, propose=function(kernel) … end}: adds a rule to the context.
int define_rule(lua_State* thread);

/// string.format over the arguments from `first`.
std::string formatted(lua_State* thread, int first);

}  // namespace rpl
