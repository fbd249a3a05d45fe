// SPDX-License-Identifier: MIT
#pragma once

#include "shell/commands/debug/debugging.h"

namespace rpl {

/// Instructions around where a wave stands, in the columns of `disassemble`; "=>" is the label of the one that comes next.
Document listing_around(const debug::Session& session, const emu::Wave& wave);

}  // namespace rpl
