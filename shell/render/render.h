// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/encode.h"
#include "engine/document/json.h"
#include "shell/core/command/line.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

/// Writes a result in the form asked for. `form.limit` cuts rows, and the cut is said. Notes are written into JSON only; in
/// the other forms they are the caller's to show on stderr.
Status render(const Document& document, const Form& form, const Terminal& terminal,
              const Sink& sink);

/// The text form as a whole, for tostring() in scripts and for tests. What reading rows fails with is its last line.
TerminalText render_text(const Document& document, const Terminal& terminal);

}  // namespace rpl
