// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "engine/base/result.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

class Context;

/// Shows what `body` writes: on the screen when it fits, else in $RPL_PAGER, $PAGER or less. A pager that is quit early is a normal
/// end; one that cannot be started leaves the text on the screen.
Status page(const Context& context, const Sink& out,
            const std::function<Status(const Sink&)>& body);

}  // namespace rpl
