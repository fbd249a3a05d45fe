// SPDX-License-Identifier: MIT
#pragma once

struct lua_State;

namespace rpl {

/// rpl.rule{name=…, bottleneck=…, propose=function(kernel) … end}: adds a rule to the context.
int define_rule(lua_State* thread);

}  // namespace rpl
