// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "shell/core/command/command.h"

namespace rpl {
class Context;
}

namespace rpl::testing_support {

/// Examples of commands that need an optimization under way: those with SOURCE, EDITED, PROPOSED, ACCEPTED or APPROVED in them, and those that
/// take the one of the session.
bool about_the_loop(const Command& command, const std::string& example);

/// Whether they can run here: they need clang-19.
bool loop_examples_can_run();

/// Gives `context` a session of its own in which p13 is accepted (approved when the example says APPROVED) and others are proposed, and puts the source
/// of that session back. The session lives as long as the program. Returns the example with real names; those of captures are left to with_paths().
std::string prepare_loop_example(Context& context, std::string example);

}  // namespace rpl::testing_support
